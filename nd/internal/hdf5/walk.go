package hdf5

import (
	"cmp"
	"errors"
	"strings"
)

// Kind says what an object or an attribute is.
type Kind int

// The kinds of objects and attributes.
const (
	Unreadable Kind = iota
	Group
	Array
	Text
	Null // a dataset or an attribute without elements: not even an empty array
	Datatype
)

// Object is a group, a dataset, or a datatype with a name.
type Object struct {
	Path  string // names with slashes between them; empty for the root group
	Value        // of a dataset
	Err   error  // why it cannot be read, if it is Unreadable

	addr uint64
}

// objectCosts are the bytes of an object beside its path.
const objectCosts = 256

// walk lists the objects below the root group.
func (f *File) walk() {
	w := &walker{r: f.reader(), above: map[uint64]bool{}, known: map[uint64]Value{}}
	w.reserve = w.r.budget / 4
	w.visit("", link{addr: f.root}, undefined)
	f.Objects = w.objects
	if root := f.Objects[0]; root.Kind != Group {
		fail("the root group: %w", cmp.Or(root.Err, errors.New("it is no group")))
	}
}

type walker struct {
	r       *reader
	reserve int64           // the part of the budget that lists the members of groups that are open
	above   map[uint64]bool // the groups on the path to where the walker is
	known   map[uint64]Value
	objects []*Object
}

// visit lists what a link of a group leads to, and below it the members. A group that is above itself has no members there.
func (w *walker) visit(path string, l link, in uint64) {
	o := &Object{Path: path}
	w.r.charge(objectCosts + len(path))
	w.objects = append(w.objects, o)
	var g *group
	o.Err = w.try(func() {
		o.addr = w.r.follow(l, in, 0)
		v, ok := w.known[o.addr]
		if !ok {
			v = w.r.describe(o.addr)
			w.known[o.addr] = v
		}
		o.Value = v
		if o.Kind != Group || w.above[o.addr] {
			return
		}
		if w.r.budget < w.reserve {
			fail("groups hold each other in more ways than are followed")
		}
		g = w.r.group(o.addr)
	})
	if o.Err != nil {
		o.Value = Value{}
	}
	if g == nil {
		return
	}
	w.above[o.addr] = true
	for _, m := range g.links {
		below := m.name
		if path != "" {
			below = path + "/" + m.name
		}
		w.visit(below, m, o.addr)
	}
	delete(w.above, o.addr)
}

// try returns the error with which f fails, unless the budget is spent: then nothing more can be read.
func (w *walker) try(f func()) (err error) {
	defer func() {
		if err != nil && w.r.budget < 0 {
			panic(failure{err})
		}
	}()
	defer catch(&err)
	f()
	return nil
}

// describe says what the object at an address is.
func (r *reader) describe(addr uint64) Value {
	all := r.header(addr)
	has := func(kind int) bool {
		for _, m := range all {
			if m.kind == kind {
				return true
			}
		}
		return false
	}
	switch {
	case has(layoutMessage):
		return r.value(r.need(all, typeMessage, "a datatype"), r.need(all, spaceMessage, "a dataspace"))
	case has(symbolTableMessage), has(linkInfoMessage), has(linkMessage), has(groupInfoMessage):
		return Value{Kind: Group}
	case has(typeMessage):
		return Value{Kind: Datatype}
	}
	fail("neither a group, nor a dataset, nor a datatype")
	return Value{}
}

// follow returns the address of what a link of a group leads to.
func (r *reader) follow(l link, in uint64, depth int) uint64 {
	const longest = 16
	switch {
	case l.kind == externalLink:
		fail("a link to another file, which is not followed")
	case l.kind != hardLink && l.kind != softLink:
		fail("a link of kind %d, which is not followed", l.kind)
	case l.kind == hardLink:
		return l.addr
	case depth >= longest:
		fail("more than %d links lead to each other", longest)
	}
	at := in
	if strings.HasPrefix(l.path, "/") {
		at = r.f.root
	}
	for part := range strings.SplitSeq(l.path, "/") {
		r.charge(blockCosts)
		if part == "" || part == "." {
			continue
		}
		g := r.group(at)
		i, ok := g.byName[part]
		if !ok {
			fail("a link to %q, which does not exist", l.path)
		}
		at = r.follow(g.links[i], at, depth+1)
	}
	return at
}
