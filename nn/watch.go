package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// watch has the arrays that a tape watches for a tree of parameters.
type watch struct {
	tape   *grad.Tape
	arrays map[*Param]*nd.Array
}

// Watch returns a view of s whose trained parameters are arrays that the tape watches, so that gradients flow to them. A
// parameter is watched when it is first used; one that is created through the view is created in s. The view, and what
// Sub returns of it, are valid until the tape is reset.
func (s *Scope) Watch(tape *grad.Tape) *Scope {
	return &Scope{owner: s.owner, node: s.node, path: s.path, given: s.given, watch: &watch{tape: tape, arrays: map[*Param]*nd.Array{}}}
}

// array returns the parameter as the scope's users see it.
func (s *Scope) array(p *Param) *nd.Array {
	if x, ok := s.given[p]; ok {
		return x
	}
	if s.watch == nil || !p.NeedGrad() {
		return p.value
	}
	w := s.watch.arrays[p]
	if w == nil {
		w = s.watch.tape.Watch(p.value)
		s.watch.arrays[p] = w
	}
	return w
}

// Gradients returns the gradients of Σloss with respect to the trained parameters of s, which must come from Watch; none
// for those that loss does not depend on.
func (s *Scope) Gradients(loss *nd.Array) *Gradients {
	if s.watch == nil {
		panic(nd.Func("Scope.Gradients").Errorf([]*nd.Array{loss}, "the scope is not watched: compute with what Scope.Watch returns"))
	}
	g := &Gradients{}
	var watched []*nd.Array
	var at []int
	for name, p := range s.All() {
		if !p.NeedGrad() {
			continue
		}
		if w := s.watch.arrays[p]; w != nil {
			watched, at = append(watched, w), append(at, len(g.list))
		}
		g.list = append(g.list, &gradient{name: name, param: p})
	}
	for k, value := range s.watch.tape.Gradient(loss, watched...) {
		g.list[at[k]].value = value
	}
	return g
}
