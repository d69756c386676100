package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// DropoutOptions are the options of Dropout.
type DropoutOptions struct {
	// Axes are the axes along which elements are dropped together, like axes of MXNet's dropout; nil drops each element
	// by itself.
	Axes Axes
}

var keep = ufunc.Definition{Fn: "ops.Dropout", In: "bool m, T x", Scalars: "T scale", Body: "m ? x * scale : T(0)"}

// Dropout returns x in which every element is 0 with probability p, and x/(1-p) otherwise, for training. It draws one
// number per element from rng. With p = 1 everything is 0.
//
// Source: G. Hinton et al., Improving neural networks by preventing co-adaptation of feature detectors, 2012.
// PyTorch: nn.functional.dropout. NNabla: dropout. Chainer: dropout. MXNet: dropout.
func Dropout(x *nd.Array, p float64, rng *nd.Rand, opts ...DropoutOption) *nd.Array {
	mask := keptElements(keep.Fn, x, p, rng, opts)
	scale := 0.0
	if p < 1 {
		scale = 1 / (1 - p)
	}
	return release.Operands(keep.Compute([]float64{scale}, mask, x), mask)
}

// keptElements draws a mask of the elements to keep.
func keptElements(fn nd.Func, x *nd.Array, p float64, rng *nd.Rand, opts []DropoutOption) *nd.Array {
	fn.Check(x)
	if !(p >= 0 && p <= 1) {
		panic(fn.Errorf([]*nd.Array{x}, "probability %v: want a number from 0 to 1", p))
	}
	if x.IsScalar() || !x.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{x}, "want a float or complex array"))
	}
	axes, err := broadcast.Axes(options.Of(fn, opts, Axes.dropout).Axes, x.Rank())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	return fn.Coins(rng, p, broadcast.ReduceShape(x.Shape(), axes, true), x)
}

var keepAlpha = ufunc.Definition{Fn: "ops.AlphaDropout", In: "bool m, T x", Scalars: "T scale, T shift, T dropped",
	Body: "m ? x * scale + shift : dropped"}

// AlphaDropout is Dropout for inputs of SELU. It replaces elements with probability p by the limit of SELU, -1.758,
// then scales and shifts all elements so that mean and variance stay 0 and 1: with a = -1.758 the result is s·(v -
// p·a), where v is a or x and s is 1/√((1-p)·(1+p·a²)). With p = 1 everything is 0.
//
// Source: G. Klambauer et al., Self-Normalizing Neural Networks, 2017.
// PyTorch: nn.functional.alpha_dropout, nn.functional.feature_alpha_dropout (with the axes of features).
func AlphaDropout(x *nd.Array, p float64, rng *nd.Rand, opts ...DropoutOption) *nd.Array {
	mask := keptElements(keepAlpha.Fn, x, p, rng, opts)
	const limit = -1.7580993408473766 // the limit of scale·alpha·(e^x - 1)
	scale := 0.0
	if p < 1 {
		scale = 1 / math.Sqrt((1-p)*(1+p*limit*limit))
	}
	return release.Operands(keepAlpha.Compute([]float64{scale, -scale * p * limit, scale * (1 - p) * limit}, mask, x), mask)
}
