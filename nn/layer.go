package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// The common parts of the parametric functions.

// derivation makes a layer compute with values derived from its parameters, such as quantised values. A nil derivation
// uses the parameters themselves.
type derivation struct {
	// create registers, after the parameter p of that name, arrays that the scope keeps beside it, such as a copy of
	// its quantised values.
	create func(s *Scope, name string, p *nd.Array, initial Initializer)
	// make returns the array that the layer computes with. It is released with the layer's temporaries. In training
	// make writes the arrays that create registered.
	make func(s *Scope, name string, p *nd.Array) *nd.Array
}

// parameter returns the trained parameter of a layer, and creates the arrays kept beside it. Derived parameters must be
// real.
func (d *derivation) parameter(fn nd.Func, s *Scope, name string, shape []int, initial Initializer) *nd.Array {
	if d != nil {
		s.wantReal(fn)
	}
	p := s.Parameter(name, shape, initial, true)
	if d != nil {
		d.create(s, name, p, initial)
	}
	return p
}

// of returns the array that the layer computes with; p is nil if the layer has no such parameter.
func (d *derivation) of(s *Scope, name string, p *nd.Array) *nd.Array {
	if d == nil || p == nil {
		return p
	}
	return d.make(s, name, p)
}

// wantReal checks arguments, and refuses complex ones, and a scope of complex parameters.
func (s *Scope) wantReal(fn nd.Func, in ...*nd.Array) { layer.WantReal(fn, s.DType(), in...) }

// baseAxis returns the axis that an option names, counted from the front: one of 0 to last. A nil option means 1.
func baseAxis(fn nd.Func, x *nd.Array, option *int, last int) int {
	given := 1
	if option != nil {
		given = *option
	}
	base := given
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > last {
		panic(fn.Errorf([]*nd.Array{x}, "BaseAxis %d: want one of 0 to %d", given, last))
	}
	return base
}

// geometryOf checks that x has the axes for a convolution with kernel, in one group.
func geometryOf(fn nd.Func, x *nd.Array, base *int, kernel []int, channelLast bool) *layer.Geometry {
	fn.Check(x)
	return layer.GeometryOf(fn, x, baseAxis(fn, x, base, x.Rank()-1), kernel, channelLast)
}

// yes returns the option, or true if it is nil.
func yes(option *bool) bool { return option == nil || *option }

// bias returns the parameter "b" of a layer, or nil if an option leaves it out.
func (s *Scope) bias(with *bool, shape []int, initial Initializer) *nd.Array {
	if !yes(with) {
		return nil
	}
	return s.Parameter("b", shape, initial, true)
}
