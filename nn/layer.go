package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// What the parametric functions have in common.

// derivation is how a layer computes with something else than its parameters, such as their quantised values. A nil one leaves
// them as they are.
type derivation struct {
	// create registers, after the parameter p of a name, what the scope keeps beside it, such as a copy of its quantised values.
	create func(s *Scope, name string, p *nd.Array, initial initializer.Initializer)
	// make returns what the layer computes with, which is released with the layer's temporaries. In training it writes what create
	// registered.
	make func(s *Scope, name string, p *nd.Array) *nd.Array
}

// parameter returns the trained parameter of a layer, and creates what is kept beside it. What is derived is real.
func (d *derivation) parameter(fn nd.Func, s *Scope, name string, shape []int, initial initializer.Initializer) *nd.Array {
	if d != nil {
		s.wantReal(fn)
	}
	p := s.Parameter(name, shape, initial, true)
	if d != nil {
		d.create(s, name, p, initial)
	}
	return p
}

// of is what the layer computes with; a layer may have no such parameter.
func (d *derivation) of(s *Scope, name string, p *nd.Array) *nd.Array {
	if d == nil || p == nil {
		return p
	}
	return d.make(s, name, p)
}

// wantReal checks arguments, and refuses complex ones, and a scope of complex parameters.
func (s *Scope) wantReal(fn nd.Func, in ...*nd.Array) { layer.WantReal(fn, s.DType(), in...) }

// baseAxis returns the axis that an option names, 1 where it is nil, counted from the front: one of 0 to last.
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

// geometryOf checks that x has the axes of a convolution of one group with a kernel.
func geometryOf(fn nd.Func, x *nd.Array, base *int, kernel []int, channelLast bool) *layer.Geometry {
	fn.Check(x)
	return layer.GeometryOf(fn, x, baseAxis(fn, x, base, x.Rank()-1), kernel, channelLast)
}

// yes is an option that is true unless it says otherwise.
func yes(option *bool) bool { return option == nil || *option }

// bias is the parameter "b" of a layer, nil where an option leaves it out.
func (s *Scope) bias(with *bool, shape []int, initial initializer.Initializer) *nd.Array {
	if !yes(with) {
		return nil
	}
	return s.Parameter("b", shape, initial, true)
}
