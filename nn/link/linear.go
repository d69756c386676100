package link

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Linear is x·Wᵀ + b, with the parameters W (OutSize, InSize) and b (OutSize). chainer.links.Linear, torch.nn.Linear.
type Linear struct {
	InSize  int // of an example, whose axes are flattened; 0: as the first input's
	OutSize int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means nn.LeCunNormal(√Wscale).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias nn.Initializer
}

// Apply returns the layer's outputs of x (B, …), shape (B, OutSize).
func (l Linear) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "link.Linear"
	layer.WantReal(fn, s.DType(), x)
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want examples of one axis at least"))
	}
	in := broadcast.Size(x.Shape()[1:])
	if l.InSize != 0 && l.InSize != in {
		panic(fn.Errorf([]*nd.Array{x}, "examples of %d numbers, want InSize %d", in, l.InSize))
	}
	defer s.Span("Linear", x)()
	w := s.Parameter("W", []int{l.OutSize, in}, or(l.InitialW, scaled(l.Wscale)), true)
	var b *nd.Array
	if !l.NoBias {
		b = s.Parameter("b", []int{l.OutSize}, or(l.InitialBias, nn.Constant(l.Bias)), true)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Affine(layer.InDType(x, w), w.T(), ops.AffineOptions{Bias: b}))
}

// scaled makes the initial weights of links: the variance is wscale, 1 where it is nil, divided by the number of inputs.
func scaled(wscale *float64) nn.Initializer { return nn.LeCunNormal(math.Sqrt(value(wscale, 1))) }
