package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// LayerNormalization normalises each example over its elements, and scales and shifts each of them:
//
//	y = (x - μ)/√(σ² + Eps)·gamma + beta
//
// Its parameters are gamma, initially ones, and beta, initially zeros, of shape (Size).
// PyTorch: nn.LayerNorm. Chainer: links.LayerNormalization.
type LayerNormalization struct {
	Size int // elements per example, whose axes are flattened; 0: from the first input
	// Eps is added to the variance; nil means 1e-6.
	Eps *float64
	// InitialGamma and InitialBeta make the initial gamma and beta; nil means ones and zeros.
	InitialGamma, InitialBeta initializer.Initializer
}

// Apply returns x (B, …) normalised.
// Chainer: links.LayerNormalization.__call__.
func (l LayerNormalization) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "LayerNormalization.Apply"
	defer s.Span("LayerNormalization", x)()
	layer.WantReal(fn, s.DType(), x)
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want examples with at least one axis"))
	}
	size := broadcast.Size(x.Shape()[1:])
	if l.Size != 0 && l.Size != size {
		panic(fn.Errorf([]*nd.Array{x}, "examples of %d numbers, want Size %d", size, l.Size))
	}
	s = s.Precise()
	gamma := s.Parameter("gamma", []int{size}, orDefault(l.InitialGamma, initializer.Constant(1)), true)
	beta := s.Parameter("beta", []int{size}, l.InitialBeta, true)
	made := fn.Temporaries(&x, &gamma, &beta)
	defer made.Release()
	shape := append([]int{1}, x.Shape()[1:]...)
	return made.Keep(normalize.LayerNormalization(layer.InDType(x, gamma), beta.Reshape(shape...), gamma.Reshape(shape...),
		normalize.LayerNormalizationOptions{Eps: new(valueOr(l.Eps, 1e-6))}))
}
