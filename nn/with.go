package nn

import (
	"maps"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// With returns a view of s that replaces the parameters of the given names, relative to s, by the given arrays. A model
// called with the view computes with these arrays, and gradients flow to those that a tape tracks. Other parameters are
// those of s, watched ones if s comes from Watch. The arrays must have the parameters' shapes. Functions called with
// the view write to the arrays, for example running means. Param, All, optimizers and files see the parameters
// themselves.
//
// With serves for gradients with respect to computed weights (as in a training step inside another), second derivatives
// of a loss, and averages of weights: see the examples.
func (s *Scope) With(arrays map[string]*nd.Array) *Scope {
	const fn nd.Func = "Scope.With"
	given := maps.Clone(s.view.replacements)
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
	v.view.replacements = given
	return &v
}
