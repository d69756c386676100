package link

import (
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Highway is a layer with a gate that passes part of the input through unchanged:
//
//	y = t·a(W_h·x + b_h) + (1 - t)·x,   t = σ(W_t·x + b_t)
//
// Two [Linear] layers have its parameters: plain/W (InOutSize, InOutSize) and plain/b, transform/W and transform/b.
//
// Source: R. K. Srivastava et al., Highway Networks, 2015.
// Chainer: links.Highway.
type Highway struct {
	InOutSize int // 0: from the first input
	// NoBias leaves both biases out.
	NoBias bool
	// Activate is a, which keeps the shape; nil means ops.ReLU.
	Activate func(x *nd.Array) *nd.Array
	// InitWh and InitWt make the initial weights; nil means initializer.LeCunNormal(1).
	InitWh, InitWt initializer.Initializer
	// Initbh and Initbt make the initial biases; nil means 0 and -1, with which most of the input passes through.
	Initbh, Initbt initializer.Initializer
}

// Apply returns the layer's outputs for x (B, InOutSize), in x's shape.
// Chainer: links.Highway.__call__.
func (l Highway) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Highway.Apply"
	defer s.Span("Highway", x)()
	layer.WantReal(fn, s.DType(), x)
	if x.Rank() != 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want examples of one axis"))
	}
	n := inputs(fn, s, x, l.InOutSize, x.Dim(1))
	plain := linearOf(s, "plain", n, n, l.NoBias, l.InitWh, l.Initbh)
	transform := linearOf(s, "transform", n, n, l.NoBias, l.InitWt, orDefault(l.Initbt, initializer.Constant(-1)))
	activate := l.Activate
	if activate == nil {
		activate = relu
	}
	made := temporaries(fn, []**nd.Array{&x}, &plain, &transform)
	defer made.Release()
	return made.Keep(highway().Call(activate(plain.Of(x)), transform.Of(x), layer.InDType(x, plain.W)))
}

var highway = sync.OnceValue(func() *ops.Kernel {
	return ops.MustKernel("T a, T t, T x", "T y", "y = x + sigmoid(t)*(a - x)", ops.KernelOptions{Name: "link.Highway"})
})
