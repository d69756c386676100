package link

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Linear is x·Wᵀ + b, with the parameters W (OutSize, InSize) and b (OutSize).
// PyTorch: nn.Linear. Chainer: links.Linear.
type Linear struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(√Wscale).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias initializer.Initializer
}

// Apply returns the layer's outputs for x (B, …), shape (B, OutSize).
func (l Linear) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Linear.Apply"
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	defer s.Span("Linear", x)()
	p := linearOf(s, "", in, l.OutSize, l.NoBias, orDefault(l.InitialW, scaled(l.Wscale)), orDefault(l.InitialBias, initializer.Constant(l.Bias)))
	made := temporaries(fn, []**nd.Array{&x}, &p)
	defer made.Release()
	return made.Keep(p.Of(x))
}

// scaled returns the initializer of links' weights: the variance is wscale, 1 if nil, divided by the number of inputs.
func scaled(wscale *float64) initializer.Initializer {
	return initializer.LeCunNormal(math.Sqrt(valueOr(wscale, 1)))
}
