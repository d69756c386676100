package quantize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// BinaryConnectOptions are the options of BinaryConnect.
type BinaryConnectOptions struct {
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
}

// BinaryConnect returns the signs of weights, 1 and -1, as weights for any layer: ops.SignSTE. Its gradient is
// straight-through: gy. NNabla's binary_connect_affine and binary_connect_convolution are ops.Affine and
// conv.Convolution with such weights.
//
// Source: M. Courbariaux et al., BinaryConnect: Training Deep Neural Networks with binary weights during propagations,
// 2015.
func BinaryConnect(w *nd.Array, opts ...BinaryConnectOptions) *nd.Array {
	const fn nd.Func = "quantize.BinaryConnect"
	return ops.SignSTE(w, ops.SignSTEOptions{Alpha: options.Read(fn, opts).QuantizeZeroTo})
}

// BinaryWeightOptions are the options of BinaryWeight.
type BinaryWeightOptions struct {
	// QuantizeZeroTo is the sign of 0; nil means 1.
	QuantizeZeroTo *float64
	// Axes are the axes that share a scale. Nil means all but the first, so that each filter of conv.Convolution has
	// one scale. With ops.Over(0) each output of ops.Affine has one.
	Axes ops.Axes
}

var binaryWeight = ufunc.Definition{Fn: "quantize.BinaryWeight", In: "T w, T alpha", Scalars: "T zero", Loop: ufunc.RealFloat,
	Body: "(w == 0 ? zero : sign(w)) * alpha", Gradient: "gw = gy; galpha = T(0)"}

// BinaryWeight returns the signs of weights times a scale for each output, the mean of their absolute values, and also
// returns these scales: α·sign(w) with α = mean |w|. Its gradient is straight-through: gy; no gradient flows through
// the scales. NNabla's binary_weight_affine and binary_weight_convolution are ops.Affine and conv.Convolution with such
// weights.
//
// Shapes: w (N, …); y like w, alpha (N, 1, …), with length 1 along Axes.
//
// Source: M. Rastegari et al., XNOR-Net: ImageNet Classification Using Binary Convolutional Neural Networks, 2016.
func BinaryWeight(w *nd.Array, opts ...BinaryWeightOptions) (y, alpha *nd.Array) {
	fn := binaryWeight.Fn
	fn.Check(w)
	o := options.Read(fn, opts)
	if o.Axes == nil {
		o.Axes = ops.Over(broadcast.AllAxes(w.Rank())[min(1, w.Rank()):]...)
	}
	made := fn.Temporaries(&w)
	defer made.Release()
	alpha = ops.Mean(ops.Absolute(w.Detach()), o.Axes.KeepDims())
	y = binaryWeight.Compute([]float64{argument.ValueOr(o.QuantizeZeroTo, 1)}, w, alpha)
	return made.Keep(y), made.Keep(alpha)
}
