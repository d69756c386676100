package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

// Pow2QuantizedAffineOptions are the options of [Pow2QuantizedAffine].
type Pow2QuantizedAffineOptions struct {
	AffineOptions
	// W and B are the options of quantising W and b. Unlike in quantize.Pow2, a nil WithZero means no zero, and a nil
	// exponent M means 2.
	W, B quantize.Pow2Options
}

// Pow2QuantizedAffine is [Affine] with the parameters "pow2_quantized_affine/W" and "pow2_quantized_affine/b", each
// rounded to powers of two by quantize.Pow2, which also defines their gradients. Without WithZero a bias of 0 becomes
// the smallest power. In training the layer writes the rounded values to the untrained "pow2_quantized_affine/W_q" and
// "pow2_quantized_affine/b_q". A parameter that is not quantised has no such record.
// NNabla: parametric_functions.pow2_quantized_affine.
func Pow2QuantizedAffine(scope *Scope, x *nd.Array, outputs int, opts ...Pow2QuantizedAffineOptions) *nd.Array {
	const fn nd.Func = "nn.Pow2QuantizedAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("pow2_quantized_affine"), x, outputs, o.AffineOptions, quantized(pow2(o.W), pow2(o.B)))
}

// Pow2QuantizedConvolutionOptions are the options of [Pow2QuantizedConvolution].
type Pow2QuantizedConvolutionOptions struct {
	ConvolutionOptions
	// W and B are the options of quantising W and b, as in Pow2QuantizedAffineOptions.
	W, B quantize.Pow2Options
}

// Pow2QuantizedConvolution is [Convolution] with the parameters "pow2_quantized_conv/W" and "pow2_quantized_conv/b",
// each rounded to powers of two as in [Pow2QuantizedAffine].
// NNabla: parametric_functions.pow2_quantized_convolution.
func Pow2QuantizedConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...Pow2QuantizedConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Pow2QuantizedConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("pow2_quantized_conv"), x, outmaps, kernel, o.ConvolutionOptions,
		quantized(pow2(o.W), pow2(o.B)))
}

func pow2(o quantize.Pow2Options) *quantizer {
	if o.WithZero == nil {
		o.WithZero = new(false)
	}
	if o.M == nil {
		o.M = new(2)
	}
	return rounding(yes(o.Quantize), func(p *nd.Array) *nd.Array { return quantize.Pow2(p, o) })
}
