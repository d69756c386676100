package layer

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Scope is the part of an nn.Scope that a layer needs.
type Scope interface {
	Parameter(name string, shape []int, initial initializer.Initializer, needGrad bool) *nd.Array
	DType() dtype.DType
}

// Weights describes the parameters W and b of a layer.
type Weights struct {
	WInit, BInit initializer.Initializer
	NoBias       bool // leaves b out
	Derive       *Derivation
}

// Create returns the parameters W and b of the scope, in the given shapes; b is nil if the layer has none.
func (p *Weights) Create(s Scope, wShape, bShape []int) (w, b *nd.Array) {
	w = p.Derive.parameter(s, "W", wShape, p.WInit)
	if !p.NoBias {
		b = p.Derive.parameter(s, "b", bShape, p.BInit)
	}
	return w, b
}

// Derivation makes a layer compute with values derived from its parameters, such as quantised values. A nil derivation
// uses the parameters themselves.
type Derivation struct {
	// Create registers, after the parameter p of that name, arrays that the scope keeps beside it, such as a copy of
	// its quantised values.
	Create func(name string, p *nd.Array, initial initializer.Initializer)
	// Make returns the array that the layer computes with. It is released with the layer's temporaries. In training
	// Make writes the arrays that Create registered.
	Make func(name string, p *nd.Array) *nd.Array
}

// check refuses a scope of complex parameters: derived values must be real.
func (d *Derivation) check(fn nd.Func, s Scope) {
	if d != nil {
		WantReal(fn, s.DType())
	}
}

// parameter returns the trained parameter of a layer, and creates the arrays kept beside it.
func (d *Derivation) parameter(s Scope, name string, shape []int, initial initializer.Initializer) *nd.Array {
	p := s.Parameter(name, shape, initial, true)
	if d != nil {
		d.Create(name, p, initial)
	}
	return p
}

// of returns the array that the layer computes with; p is nil if the layer has no such parameter.
func (d *Derivation) of(name string, p *nd.Array) *nd.Array {
	if d == nil || p == nil {
		return p
	}
	return d.Make(name, p)
}

// IsOn returns the option, or true if it is nil.
func IsOn(option *bool) bool { return option == nil || *option }
