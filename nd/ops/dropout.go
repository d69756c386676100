package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// DropoutOptions are the options of Dropout.
type DropoutOptions struct {
	// Axes are those along which elements are dropped together; nil drops each by itself. mxnet dropout's axes.
	Axes []int
}

var keep = elementwise{fn: "ops.Dropout", in: "bool m, T x", scalars: "T scale", body: "m ? x * scale : T(0)"}

// Dropout returns x in which every element is 0 with probability p, and x/(1-p) otherwise, for training; it draws one
// number an element from rng. With p = 1 all is 0. nnabla dropout, chainer dropout, mxnet dropout. (Hinton et al. 2012,
// "Improving neural networks by preventing co-adaptation of feature detectors")
func Dropout(x *nd.Array, p float64, rng *nd.Rand, opts ...DropoutOptions) *nd.Array {
	keep.fn.Check(x)
	if !(p >= 0 && p <= 1) {
		panic(keep.fn.Errorf([]*nd.Array{x}, "probability %v: want one from 0 to 1", p))
	}
	if x.IsScalar() || !x.DType().IsInexact() {
		panic(keep.fn.Errorf([]*nd.Array{x}, "want a float or complex array"))
	}
	axes, err := broadcast.Axes(firstOf(opts).Axes, x.Rank())
	if err != nil {
		panic(keep.fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	scale := 0.0
	if p < 1 {
		scale = 1 / (1 - p)
	}
	mask := keep.fn.Coins(rng, p, broadcast.ReduceShape(x.Shape(), axes, true), x)
	return keep.call(nil, []float64{scale}, mask, x)
}
