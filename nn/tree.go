package nn

import (
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// node is a name in the tree: a parameter, or a scope of further names.
type node struct {
	name     string
	param    *Param
	children []*node
	byName   map[string]*node // the children, if there are many
}

// manyChildren is the number of children from which on they are found by a map: a model from a file has a thousand parameters
// in one scope.
const manyChildren = 16

// add adds a child.
func (n *node) add(c *node) {
	n.children = append(n.children, c)
	switch {
	case n.byName != nil:
		n.byName[c.name] = c
	case len(n.children) >= manyChildren:
		n.byName = make(map[string]*node, 2*len(n.children))
		for _, c := range n.children {
			n.byName[c.name] = c
		}
	}
}

// child returns the node of that name, or nil.
func (n *node) child(name string) *node {
	if n.byName != nil {
		return n.byName[name]
	}
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// enter returns the child of that name, and creates it if it does not exist.
func (n *node) enter(fn nd.Func, path, name string) *node {
	if n.param != nil {
		panic(fn.Errorf([]*nd.Array{n.param.value}, "%q: %q is a parameter, not a scope", path, n.param.path))
	}
	c := n.child(name)
	if c == nil {
		c = &node{name: name}
		n.add(c)
	}
	return c
}

// empty reports whether no parameters exist below n.
func (n *node) empty() bool {
	return n.walk("", func(string, *Param) bool { return false })
}

// find returns the node at a path below n, or nil.
func (n *node) find(path string) *node {
	at := n
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if at = at.child(part); at == nil {
			return nil
		}
	}
	return at
}

// walk calls yield for the parameters below n, in order, until it returns false. Their names begin with path.
func (n *node) walk(path string, yield func(string, *Param) bool) bool {
	if n.param != nil {
		return yield(path, n.param)
	}
	for _, c := range n.children {
		if !c.walk(join(path, c.name), yield) {
			return false
		}
	}
	return true
}

// split splits a path into names, and refuses invalid ones.
func split(fn nd.Func, path string) []string {
	trimmed := strings.Trim(path, "/")
	if trimmed == "" {
		return nil
	}
	parts := strings.Split(trimmed, "/")
	for _, part := range parts {
		if !legalName(part) {
			panic(fn.Errorf(nil, "the name %q in %q: want names that are not empty, and not . or ..", part, path))
		}
	}
	return parts
}

func legalName(part string) bool {
	return part != "" && part != "." && part != ".."
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}
