package ops

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// DropoutOptions are the options of Dropout.
type DropoutOptions struct {
	// Axes are those along which elements are dropped together; nil drops each by itself. mxnet dropout's axes.
	Axes []int
}

var keep = ufunc.Definition{Fn: "ops.Dropout", In: "bool m, T x", Scalars: "T scale", Body: "m ? x * scale : T(0)"}

// Dropout returns x in which every element is 0 with probability p, and x/(1-p) otherwise, for training; it draws one
// number an element from rng. With p = 1 all is 0. nnabla dropout, chainer dropout, mxnet dropout. (Hinton et al. 2012,
// "Improving neural networks by preventing co-adaptation of feature detectors") torch.nn.functional.dropout.
func Dropout(x *nd.Array, p float64, rng *nd.Rand, opts ...DropoutOption) *nd.Array {
	keep.Fn.Check(x)
	if !(p >= 0 && p <= 1) {
		panic(keep.Fn.Errorf([]*nd.Array{x}, "probability %v: want one from 0 to 1", p))
	}
	if x.IsScalar() || !x.DType().IsInexact() {
		panic(keep.Fn.Errorf([]*nd.Array{x}, "want a float or complex array"))
	}
	axes, err := broadcast.Axes(options.Of(keep.Fn, opts, Axes.dropout).Axes, x.Rank())
	if err != nil {
		panic(keep.Fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	scale := 0.0
	if p < 1 {
		scale = 1 / (1 - p)
	}
	mask := keep.Fn.Coins(rng, p, broadcast.ReduceShape(x.Shape(), axes, true), x)
	return releasing(keep.Compute([]float64{scale}, mask, x), mask)
}
