package nn

import (
	"maps"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// With returns a view of s in which the parameters of the given names, relative to s, are the given arrays: a model that is
// called with it computes with these, and gradients flow to those that a tape knows. Other parameters are s's own, watched ones
// if s comes from Watch. The arrays must have the parameters' shapes. What the view's functions write, such as running means,
// they write to the arrays; Param, All, optimizers and files see the parameters themselves.
//
// It serves gradients with respect to weights that were computed themselves (as by a step of training inside of another), second
// derivatives of a loss, and averages of weights: see the examples.
func (s *Scope) With(arrays map[string]*nd.Array) *Scope {
	const fn nd.Func = "Scope.With"
	given := maps.Clone(s.view.given)
	if given == nil {
		given = map[*Param]*nd.Array{}
	}
	for name, x := range arrays {
		fn.Check(x)
		p := s.Param(name)
		if p == nil {
			panic(fn.Errorf([]*nd.Array{x}, "%q is no parameter of the scope: call the model once before, which makes its parameters", name))
		}
		if !broadcast.Equal(p.value.Shape(), x.Shape()) {
			panic(fn.Errorf([]*nd.Array{p.value, x}, "the parameter %q has another shape", p.path))
		}
		given[p] = x
	}
	v := *s
	v.view.given = given
	return &v
}
