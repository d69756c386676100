package quant

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// FixedPointAffineOptions are the options of [FixedPointAffine].
type FixedPointAffineOptions struct {
	nn.AffineOptions
	// W and B are the options of quantising W and b.
	W, B quantize.FixedPointOptions
}

// FixedPointAffine is [nn.Affine] with the parameters "fp_quantized_affine/W" and "fp_quantized_affine/b", each rounded
// by quantize.FixedPoint, which also defines their gradients. In training the layer writes the rounded values to the
// untrained "fp_quantized_affine/W_q" and "fp_quantized_affine/b_q". A parameter that is not quantised has no such
// record.
// NNabla: parametric_functions.fixed_point_quantized_affine.
func FixedPointAffine(scope *nn.Scope, x *nd.Array, outputs int, opts ...FixedPointAffineOptions) *nd.Array {
	const fn nd.Func = "quant.FixedPointAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("fp_quantized_affine").Precise(), x, outputs, o.AffineOptions, fixedPoint(o.W), fixedPoint(o.B))
}

// FixedPointConvolutionOptions are the options of [FixedPointConvolution].
type FixedPointConvolutionOptions struct {
	nn.ConvolutionOptions
	// W and B are the options of quantising W and b.
	W, B quantize.FixedPointOptions
}

// FixedPointConvolution is [nn.Convolution] with the parameters "fp_quantized_conv/W" and "fp_quantized_conv/b", each
// rounded by quantize.FixedPoint as in [FixedPointAffine].
// NNabla: parametric_functions.fixed_point_quantized_convolution.
func FixedPointConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...FixedPointConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.FixedPointConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("fp_quantized_conv").Precise(), x, outmaps, kernel, o.ConvolutionOptions, fixedPoint(o.W), fixedPoint(o.B))
}

func fixedPoint(o quantize.FixedPointOptions) *quantizer {
	return rounding(layer.IsOn(o.Quantize), func(p *nd.Array) *nd.Array { return quantize.FixedPoint(p, o) })
}

// Pow2AffineOptions are the options of [Pow2Affine].
type Pow2AffineOptions struct {
	nn.AffineOptions
	// W and B are the options of quantising W and b. Unlike in quantize.Pow2, a nil WithZero means no zero, and a nil
	// exponent M means 2.
	W, B quantize.Pow2Options
}

// Pow2Affine is [nn.Affine] with the parameters "pow2_quantized_affine/W" and "pow2_quantized_affine/b", each rounded
// to powers of two by quantize.Pow2, which also defines their gradients. Without WithZero a bias of 0 becomes the
// smallest power. In training the layer writes the rounded values to the untrained "pow2_quantized_affine/W_q" and
// "pow2_quantized_affine/b_q". A parameter that is not quantised has no such record.
// NNabla: parametric_functions.pow2_quantized_affine.
func Pow2Affine(scope *nn.Scope, x *nd.Array, outputs int, opts ...Pow2AffineOptions) *nd.Array {
	const fn nd.Func = "quant.Pow2Affine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("pow2_quantized_affine").Precise(), x, outputs, o.AffineOptions, pow2(o.W), pow2(o.B))
}

// Pow2ConvolutionOptions are the options of [Pow2Convolution].
type Pow2ConvolutionOptions struct {
	nn.ConvolutionOptions
	// W and B are the options of quantising W and b, as in Pow2AffineOptions.
	W, B quantize.Pow2Options
}

// Pow2Convolution is [nn.Convolution] with the parameters "pow2_quantized_conv/W" and "pow2_quantized_conv/b", each
// rounded to powers of two as in [Pow2Affine].
// NNabla: parametric_functions.pow2_quantized_convolution.
func Pow2Convolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...Pow2ConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.Pow2Convolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("pow2_quantized_conv").Precise(), x, outmaps, kernel, o.ConvolutionOptions, pow2(o.W), pow2(o.B))
}

func pow2(o quantize.Pow2Options) *quantizer {
	if o.WithZero == nil {
		o.WithZero = new(false)
	}
	if o.M == nil {
		o.M = new(2)
	}
	return rounding(layer.IsOn(o.Quantize), func(p *nd.Array) *nd.Array { return quantize.Pow2(p, o) })
}
