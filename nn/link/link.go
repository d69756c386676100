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

// Scoped is a layer that is a function of a scope, such as a call of nn.Dropout, which depends on whether the scope is one
// of training. In a [Sequential] it gets the scope of the whole list, and takes no number there. If it has parameters, it
// chooses their scope itself: nn.Affine(s.Sub("mix"), x, 8).
type Scoped func(s *nn.Scope, x *nd.Array) *nd.Array

// Apply calls f.
func (f Scoped) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return f(s, x) }

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
