package catalogue

import (
	"reflect"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Parametric functions take a scope before their documented arguments. The documents have a global scope, and arguments
// that select a view of it. Here the caller passes a view of the scope.

var (
	scopeType       = reflect.TypeFor[*nn.Scope]()
	initializerType = reflect.TypeFor[initializer.Initializer]()
)

// viewArgument returns the type of an argument that selects a view of the scope, or nil for any other argument.
func viewArgument(name string) reflect.Type {
	switch name {
	case "name":
		return reflect.TypeFor[string]()
	case "fix_parameters", "train", "test":
		return reflect.TypeFor[bool]()
	}
	return nil
}

// TakesScope reports whether the function is parametric.
func (f *Function) TakesScope() bool { return f.scoped }

// view returns the view of the converter's scope that the arguments select.
func (f *Function) view(args map[string]any, c *converter) (*nn.Scope, error) {
	s := c.scope
	if s == nil {
		s = nn.NewScope(nn.ScopeOptions{Device: c.device})
	}
	for i := range f.Params {
		p := &f.Params[i]
		if v := plain(args[p.Name]); p.view && v != nil {
			x, err := c.convert(p.Name, v, p.Type)
			if err != nil {
				return nil, err
			}
			switch {
			case p.Name == "name":
				s = s.Sub(x.String())
			case p.Name == "fix_parameters" && x.Bool():
				s = s.Fixed()
			}
		}
	}
	return s, nil
}

// enter creates the view of the scope for a parametric function: a training view unless the argument train or test says
// otherwise.
func (c *call) enter(all map[string]any, rng *nd.Rand) {
	s := c.Scope
	if s == nil {
		s = nn.NewScope(nn.ScopeOptions{Device: c.Device})
	}
	c.view, c.result.Scope = s, s
	if !c.Evaluation {
		says := func(name string, v bool) bool {
			p := c.f.Param(name)
			return p != nil && p.view && all[name] == v
		}
		c.view = s.Watch(c.tape, nn.WatchOptions{Rand: rng, Test: says("train", false) || says("test", true)})
	}
}

// parameter returns the parameter that "params.PATH" names, or nil.
func (c *call) parameter(name string) *nd.Array {
	path, ok := strings.CutPrefix(name, "params.")
	if !ok || c.view == nil || c.view.Param(path) == nil {
		return nil
	}
	return c.view.Get(path)
}

// initializer converts an array (the value), a number, or a Go function to an initializer.
func (c *converter) initializer(path string, v any) (reflect.Value, error) {
	switch v := v.(type) {
	case nil:
		return reflect.Zero(initializerType), nil
	case initializer.Initializer:
		return reflect.ValueOf(v), nil
	}
	if value, ok := asFloat(v); ok {
		return reflect.ValueOf(initializer.Constant(value)), nil
	}
	x, err := c.operand(path, v)
	if err != nil {
		return reflect.Value{}, unfit(path, v, initializerType)
	}
	return reflect.ValueOf(initializer.Values(x)), nil
}
