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
	// NBatchAxes is the number of axes of x before those of an example; 0 means 1.
	NBatchAxes int
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

// Apply returns the layer's outputs for x (B…, …), shape (B…, OutSize). B… are NBatchAxes axes.
func (l Linear) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Linear.Apply"
	base := max(l.NBatchAxes, 1)
	in := inputsFrom(fn, s, x, base, l.InSize, l.OutSize)
	if l.NBatchAxes < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "NBatchAxes %d: want at least 1", l.NBatchAxes))
	}
	defer s.Span("Linear", x)()
	p := linearOf(s, "", in, l.OutSize, l.NoBias, orDefault(l.InitialW, scaled(l.Wscale)), orDefault(l.InitialBias, initializer.Constant(l.Bias)))
	p.BaseAxis = &base
	made := temporaries(fn, []**nd.Array{&x}, &p)
	defer made.Release()
	return made.Keep(p.Of(x))
}

// scaled returns the initializer of links' weights: the variance is wscale, 1 if nil, divided by the number of inputs.
func scaled(wscale *float64) initializer.Initializer {
	return initializer.LeCunNormal(math.Sqrt(valueOr(wscale, 1)))
}
