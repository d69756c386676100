package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// FixedPointQuantizedAffineOptions are the options of [FixedPointQuantizedAffine].
type FixedPointQuantizedAffineOptions struct {
	AffineOptions
	// W and B are the options of quantising W and b.
	W, B quantize.FixedPointOptions
}

// FixedPointQuantizedAffine is [Affine] with the parameters "fp_quantized_affine/W" and "fp_quantized_affine/b", each
// rounded by quantize.FixedPoint, which also defines their gradients. In training the layer writes the rounded values
// to the untrained "fp_quantized_affine/W_q" and "fp_quantized_affine/b_q". A parameter that is not quantised has no
// such record.
// NNabla: parametric_functions.fixed_point_quantized_affine.
func FixedPointQuantizedAffine(scope *Scope, x *nd.Array, outputs int, opts ...FixedPointQuantizedAffineOptions) *nd.Array {
	const fn nd.Func = "nn.FixedPointQuantizedAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("fp_quantized_affine"), x, outputs, o.AffineOptions, quantized(fixedPoint(o.W), fixedPoint(o.B)))
}

// FixedPointQuantizedConvolutionOptions are the options of [FixedPointQuantizedConvolution].
type FixedPointQuantizedConvolutionOptions struct {
	ConvolutionOptions
	// W and B are the options of quantising W and b.
	W, B quantize.FixedPointOptions
}

// FixedPointQuantizedConvolution is [Convolution] with the parameters "fp_quantized_conv/W" and "fp_quantized_conv/b",
// each rounded by quantize.FixedPoint as in [FixedPointQuantizedAffine].
// NNabla: parametric_functions.fixed_point_quantized_convolution.
func FixedPointQuantizedConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...FixedPointQuantizedConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.FixedPointQuantizedConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("fp_quantized_conv"), x, outmaps, kernel, o.ConvolutionOptions,
		quantized(fixedPoint(o.W), fixedPoint(o.B)))
}

func fixedPoint(o quantize.FixedPointOptions) *quantizer {
	return rounding(yes(o.Quantize), func(p *nd.Array) *nd.Array { return quantize.FixedPoint(p, o) })
}
