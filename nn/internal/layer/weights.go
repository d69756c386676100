package layer

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Scope is what a layer needs of an nn.Scope.
type Scope interface {
	Parameter(name string, shape []int, initial initializer.Initializer, needGrad bool) *nd.Array
	DType() dtype.DType
}

// Weights say what the parameters W and b of a layer are like.
type Weights struct {
	WInit, BInit initializer.Initializer
	NoBias       bool // there is no b
	Derive       *Derivation
}

// Create returns the parameters W and b of the scope, of some shapes; b is nil where there is none.
func (p *Weights) Create(s Scope, wShape, bShape []int) (w, b *nd.Array) {
	w = p.Derive.parameter(s, "W", wShape, p.WInit)
	if !p.NoBias {
		b = p.Derive.parameter(s, "b", bShape, p.BInit)
	}
	return w, b
}

// Derivation is how a layer computes with something else than its parameters, such as their quantised values. A nil one leaves
// them as they are.
type Derivation struct {
	// Create registers, after the parameter p of a name, what the scope keeps beside it, such as a copy of its quantised values.
	Create func(name string, p *nd.Array, initial initializer.Initializer)
	// Make returns what the layer computes with, which is released with the layer's temporaries. In training it writes what Create
	// registered.
	Make func(name string, p *nd.Array) *nd.Array
}

// check refuses a scope of complex parameters: what is derived is real.
func (d *Derivation) check(fn nd.Func, s Scope) {
	if d != nil {
		WantReal(fn, s.DType())
	}
}

// parameter returns the trained parameter of a layer, and creates what is kept beside it.
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

// IsOn is an option that is true unless it says otherwise.
func IsOn(option *bool) bool { return option == nil || *option }
