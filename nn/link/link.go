package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Layer computes an array from an array, with parameters of a scope.
// Chainer: Link, Chain.
type Layer interface {
	Apply(s *nn.Scope, x *nd.Array) *nd.Array
}

// Func is a layer without parameters.
type Func func(x *nd.Array) *nd.Array

// Apply calls f.
func (f Func) Apply(_ *nn.Scope, x *nd.Array) *nd.Array { return f(x) }

// F converts an elementwise function, such as ops.ReLU, to a layer.
func F(f func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) Func {
	return func(x *nd.Array) *nd.Array { return f(x) }
}

// orDefault returns the initializer given, or the default if given is nil.
func orDefault(given, otherwise initializer.Initializer) initializer.Initializer {
	if given != nil {
		return given
	}
	return otherwise
}

// valueOr returns *p, or the default if p is nil.
func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
