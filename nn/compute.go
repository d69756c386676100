package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// computed holds a parameter converted to the dtype in which a view computes.
type computed struct {
	from    *nd.Array
	version uint32 // of from
	value   *nd.Array
}

// ComputeDType returns the dtype in which layers compute with the view: that of [WatchOptions], or else that of new
// parameters. Layers convert their inputs to it.
func (s *Scope) ComputeDType() dtype.DType {
	if t := s.view.compute; t.Valid() {
		return t
	}
	return s.DType()
}

// Precise returns a view of s whose layers compute in the dtype of the parameters, although s computes in another dtype
// (the option Compute of [Scope.Watch]). Layers that take norms, means or losses use it.
func (s *Scope) Precise() *Scope {
	if !s.view.compute.Valid() {
		return s
	}
	v := *s
	v.view.compute = dtype.Unspecified
	return &v
}

// mixes reports whether the view computes in another dtype than that of the parameters.
func (s *Scope) mixes() bool { return s.view.compute.Valid() && s.view.compute != s.DType() }

// toCompute returns x, the array of a trained parameter, in the dtype in which the view computes. The conversion is kept
// for later calls, as long as the parameter has its value.
func (s *Scope) toCompute(p *Param, x *nd.Array) *nd.Array {
	t := s.view.compute
	if !t.Valid() || x.DType() == t || !x.DType().IsFloat() {
		return x
	}
	w := s.view.watch
	c := w.computed[p]
	if c.from != x || c.version != x.Version() || c.value.DType() != t || c.value.IsReleased() {
		c = computed{from: x, version: x.Version(), value: w.tape.Arena().Own(x.AsType(t))}
		w.computed[p] = c
	}
	return c.value
}
