package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// Layer makes an array of an array, with parameters of a scope. chainer.Link, chainer.Chain.
type Layer interface {
	Apply(s *nn.Scope, x *nd.Array) *nd.Array
}

// Func is a layer without parameters.
type Func func(x *nd.Array) *nd.Array

// Apply calls f.
func (f Func) Apply(_ *nn.Scope, x *nd.Array) *nd.Array { return f(x) }

// F makes a layer of an elementwise function, such as ops.ReLU.
func F(f func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) Func {
	return func(x *nd.Array) *nd.Array { return f(x) }
}

// or is the initializer that a field gives, or otherwise.
func or(given, otherwise nn.Initializer) nn.Initializer {
	if given != nil {
		return given
	}
	return otherwise
}

// value is what a field points to, or the default of a nil pointer.
func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
