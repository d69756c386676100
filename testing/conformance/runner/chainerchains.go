package runner

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// chain creates the parameters of a program of chains and links in a scope, and compares the contents of the scope with
// the expected chain.
func (t *trainingCase) chain(how catalogue.CallOptions) error {
	program, _ := t.c.Args.Get("program")
	text, _ := program.(string)
	root, err := parseChain(text)
	if err != nil {
		return err
	}
	s := nn.NewScope(nn.ScopeOptions{Device: how.Device})
	if err := t.create(root, s); err != nil {
		return err
	}
	got := map[string][]string{"namedlinks": root.paths("/")}
	for name, p := range s.Trained() {
		got["namedparams"] = append(got["namedparams"], fmt.Sprintf("/%s %v", name, p.Value().Shape()))
	}
	for name := range s.Scopes() {
		if name != "" {
			got["namedlinks_skipself"] = append(got["namedlinks_skipself"], "/"+name)
		}
	}
	for name := range s.Children() {
		got["children"] = append(got["children"], name)
	}
	got["saved_keys"] = s.Names()
	expect, _ := t.c.Args.Get("expect")
	wants, _ := expect.(golden.Object)
	if len(wants) == 0 {
		return fmt.Errorf("want expected values in the case")
	}
	var all error
	for _, want := range wants {
		if err := sameSet(got[want.Name], want.Value); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", want.Name, err))
		}
	}
	return all
}

// sameSet compares texts, in any order, with a list of texts and pairs, or their number with a number.
func sameSet(got []string, want golden.Value) error {
	if n, ok := golden.Int(want); ok {
		if len(got) != n {
			return fmt.Errorf("%q, want %d", got, n)
		}
		return nil
	}
	list, _ := want.(golden.List)
	var texts []string
	for _, v := range list {
		text := fmt.Sprint(v)
		if pair, ok := v.(golden.List); ok && len(pair) == 2 {
			text = fmt.Sprintf("%v %v", pair[0], pair[1])
		}
		texts = append(texts, text)
	}
	slices.Sort(got)
	slices.Sort(texts)
	if !slices.Equal(got, texts) {
		return fmt.Errorf("%q, want %q", got, texts)
	}
	return nil
}

// chain is a part of a program: a chain with children, or a link with its constructor arguments.
type chain struct {
	name, class string
	children    []*chain
	args        []golden.Member // positional arguments have no name
}

// paths lists the paths of the chain and everything below it, with their classes.
func (c *chain) paths(at string) []string {
	all := []string{at + " " + c.class}
	for _, child := range c.children {
		all = append(all, child.paths(strings.TrimSuffix(at, "/")+"/"+child.name)...)
	}
	return all
}

// create creates the parameters of a chain in a scope.
func (t *trainingCase) create(c *chain, s *nn.Scope) error {
	for _, child := range c.children {
		if err := t.create(child, s.Sub(child.name)); err != nil {
			return err
		}
	}
	if c.children != nil {
		return nil
	}
	fn := t.functions["chainer.links."+c.class]
	if fn == nil {
		return fmt.Errorf("unknown link %s", c.class)
	}
	args := slices.Clone(c.args)
	for i := range args {
		if args[i].Name == "" && i < len(fn.Params) {
			args[i].Name = fn.Params[i].Name
		}
	}
	return t.probe(fn, t.file, args, s)
}

// parseChain parses a program such as "Chain(l1=Linear(4, 3), l2=ChainList(Linear(3, 2, nobias=True)))". Except for =
// instead of :, the grammar is that of Go's composite literals.
func parseChain(text string) (*chain, error) {
	e, err := parser.ParseExpr(strings.NewReplacer("(", "{", ")", "}", "=", ":").Replace(text))
	if err != nil {
		return nil, fmt.Errorf("program %q: %w", text, err)
	}
	return chainOf(e)
}

func chainOf(e ast.Expr) (*chain, error) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, fmt.Errorf("want a link")
	}
	class, ok := lit.Type.(*ast.Ident)
	if !ok {
		return nil, fmt.Errorf("want a link with a name")
	}
	c := &chain{class: class.Name}
	isChain := c.class == "Chain" || c.class == "ChainList"
	for i, part := range lit.Elts {
		name := ""
		if kv, ok := part.(*ast.KeyValueExpr); ok {
			key, _ := kv.Key.(*ast.Ident)
			if key == nil {
				return nil, fmt.Errorf("%s: want names", c.class)
			}
			name, part = key.Name, kv.Value
		}
		if !isChain {
			v, err := literal(part)
			if err != nil {
				return nil, err
			}
			c.args = append(c.args, golden.Member{Name: name, Value: v})
			continue
		}
		child, err := chainOf(part)
		if err != nil {
			return nil, err
		}
		if child.name = name; c.class == "ChainList" {
			child.name = strconv.Itoa(i)
		}
		c.children = append(c.children, child)
	}
	return c, nil
}

// literal parses an argument: a number, None, True, False or a tuple.
func literal(e ast.Expr) (golden.Value, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if i, ok := new(big.Int).SetString(e.Value, 10); ok {
			return i, nil
		}
		return strconv.ParseFloat(e.Value, 64)
	case *ast.UnaryExpr:
		if v, err := literal(e.X); e.Op == token.SUB && err == nil {
			if i, ok := v.(*big.Int); ok {
				return i.Neg(i), nil
			}
			if f, ok := v.(float64); ok {
				return -f, nil
			}
		}
	case *ast.Ident:
		switch e.Name {
		case "None":
			return nil, nil
		case "True", "False":
			return e.Name == "True", nil
		}
	case *ast.CompositeLit:
		var list golden.List
		for _, item := range e.Elts {
			v, err := literal(item)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
	return nil, fmt.Errorf("want a literal")
}
