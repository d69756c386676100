package link

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Maxout is the maximum of PoolSize linear functions, y[i] = max_j (W[i,j]·x + b[i,j]): see ops.Maxout. A [Linear]
// layer has its parameters, linear/W (OutSize·PoolSize, InSize) and linear/b (OutSize·PoolSize). At a tie the gradient
// goes to all of the equal functions, as in Chainer.
// Chainer: links.Maxout.
type Maxout struct {
	InSize   int // elements per example, whose axes are flattened; 0: from the first input
	OutSize  int
	PoolSize int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// InitialW makes the initial weights, in the shape (OutSize, PoolSize, InSize); nil means the default of Linear.
	InitialW initializer.Initializer
	// InitialBias makes the initial b, in the shape (OutSize, PoolSize); nil means zeros.
	InitialBias initializer.Initializer
	// NoBias leaves b out: Chainer's initial_bias=None.
	NoBias bool
}

// Apply returns the layer's outputs for x (B, …), shape (B, OutSize).
// Chainer: links.Maxout.__call__.
func (l Maxout) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Maxout.Apply"
	defer s.Span("Maxout", x)()
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	if l.PoolSize < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "PoolSize %d: want a positive one", l.PoolSize))
	}
	fn.CheckAllocatable(s.DType(), l.OutSize, l.PoolSize, in)
	w := scaled(l.Wscale)
	if l.InitialW != nil {
		w = inShape(l.InitialW, l.OutSize, l.PoolSize, in)
	}
	outputs := l.OutSize * l.PoolSize
	p := linearOf(s, "linear", in, outputs, l.NoBias, w, inShape(l.InitialBias, l.OutSize, l.PoolSize))
	made := temporaries(fn, []**nd.Array{&x}, &p)
	defer made.Release()
	return made.Keep(ops.Maxout(p.Of(x), l.PoolSize, ops.MaxoutOptions{Kink: ops.KinkAll}))
}

// inShape returns an initializer that calls initial with the shape as instead of the parameter's shape, with as many
// elements.
func inShape(initial initializer.Initializer, as ...int) initializer.Initializer {
	if initial == nil {
		return nil
	}
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		x := initial(rng, slices.Clone(as), like)
		if x == nil || !slices.Equal(x.Shape(), as) {
			return x // Scope.Parameter refuses the wrong shape
		}
		return x.Reshape(shape...)
	}
}
