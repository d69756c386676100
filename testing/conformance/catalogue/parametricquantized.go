package catalogue

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/quant"
)

// parametricQuantizedRows is the chapter of layers with quantised, pruned and binary parameters.
var parametricQuantizedRows = []Row{
	{Signature: "nnabla.parametric_functions.binary_connect_affine(inp, n_outmaps, base_axis=1, w_init=None, wb_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, opts ...quant.BinaryAffineOptions) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			return quant.BinaryConnectAffine(s, x, broadcast.Size(out), o)
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.binary_connect_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, wb_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: quant.BinaryConnectConvolution, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.binary_weight_affine(inp, n_outmaps, base_axis=1, w_init=None, wb_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, opts ...quant.BinaryAffineOptions) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			return quant.BinaryWeightAffine(s, x, broadcast.Size(out), o)
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.binary_weight_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, wb_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, name=None)",
		Func: quant.BinaryWeightConvolution, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.fixed_point_quantized_affine(inp, n_outmaps, base_axis=1, w_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, quantize_w=True, sign_w=True, n_w=8, delta_w=0.0625, ste_fine_grained_w=True, quantize_b=True, sign_b=True, n_b=8, delta_b=0.0625, ste_fine_grained_b=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, opts ...fixedPointAffine) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			w, b := o.options()
			return quant.FixedPointAffine(s, x, broadcast.Size(out), quant.FixedPointAffineOptions{AffineOptions: o.AffineOptions, W: w, B: b})
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.fixed_point_quantized_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, quantize_w=True, sign_w=True, n_w=8, delta_w=0.0625, ste_fine_grained_w=True, quantize_b=True, sign_b=True, n_b=8, delta_b=0.0625, ste_fine_grained_b=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out int, kernel []int, opts ...fixedPointConvolution) *nd.Array {
			o := options.Read(parametric, opts)
			w, b := o.options()
			return quant.FixedPointConvolution(s, x, out, kernel,
				quant.FixedPointConvolutionOptions{ConvolutionOptions: o.ConvolutionOptions, W: w, B: b})
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.pow2_quantized_affine(inp, n_outmaps, base_axis=1, w_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, quantize_w=True, sign_w=True, with_zero_w=False, n_w=8, m_w=2, ste_fine_grained_w=True, quantize_b=True, sign_b=True, with_zero_b=False, n_b=8, m_b=2, ste_fine_grained_b=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, opts ...pow2Affine) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			w, b := o.options()
			return quant.Pow2Affine(s, x, broadcast.Size(out), quant.Pow2AffineOptions{AffineOptions: o.AffineOptions, W: w, B: b})
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.pow2_quantized_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, quantize_w=True, with_zero_w=False, sign_w=True, n_w=8, m_w=2, ste_fine_grained_w=True, quantize_b=True, with_zero_b=False, sign_b=True, n_b=8, m_b=2, ste_fine_grained_b=True, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out int, kernel []int, opts ...pow2Convolution) *nd.Array {
			o := options.Read(parametric, opts)
			w, b := o.options()
			return quant.Pow2Convolution(s, x, out, kernel, quant.Pow2ConvolutionOptions{ConvolutionOptions: o.ConvolutionOptions, W: w, B: b})
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.pruned_affine(inp, n_outmaps, base_axis=1, w_init=None, b_init=None, fix_parameters=False, rng=None, with_bias=True, prune_w=True, rate_w=0.9, prune_b=True, rate_b=0.9, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out []int, opts ...prunedAffine) *nd.Array {
			o := options.Read(parametric, opts)
			o.OutShape = out
			return quant.PrunedAffine(s, x, broadcast.Size(out), quant.PrunedAffineOptions{AffineOptions: o.AffineOptions,
				W: quantize.PruneOptions{Rate: o.RateW}, B: quantize.PruneOptions{Rate: o.RateB}, KeepW: off(o.PruneW), KeepB: off(o.PruneB)})
		}, StraightThrough: true, Ignores: ownStream},
	{Signature: "nnabla.parametric_functions.pruned_convolution(inp, outmaps, kernel, pad=None, stride=None, dilation=None, group=1, w_init=None, b_init=None, base_axis=1, fix_parameters=False, rng=None, with_bias=True, prune_w=True, rate_w=0.9, prune_b=True, rate_b=0.9, name=None)",
		Func: func(s *nn.Scope, x *nd.Array, out int, kernel []int, opts ...prunedConvolution) *nd.Array {
			o := options.Read(parametric, opts)
			return quant.PrunedConvolution(s, x, out, kernel, quant.PrunedConvolutionOptions{ConvolutionOptions: o.ConvolutionOptions,
				W: quantize.PruneOptions{Rate: o.RateW}, B: quantize.PruneOptions{Rate: o.RateB}, KeepW: off(o.PruneW), KeepB: off(o.PruneB)})
		}, StraightThrough: true, Ignores: ownStream},
}

const parametric nd.Func = "parametric_functions"

// The documents list the options of both quantizers one by one.

type fixedPoints struct {
	QuantizeW, SignW, STEFineGrainedW, QuantizeB, SignB, STEFineGrainedB *bool
	NW, NB                                                               int
	DeltaW, DeltaB                                                       float64
}

func (o *fixedPoints) options() (w, b quantize.FixedPointOptions) {
	return quantize.FixedPointOptions{Sign: o.SignW, N: o.NW, Delta: o.DeltaW, Quantize: o.QuantizeW, STEFineGrained: o.STEFineGrainedW},
		quantize.FixedPointOptions{Sign: o.SignB, N: o.NB, Delta: o.DeltaB, Quantize: o.QuantizeB, STEFineGrained: o.STEFineGrainedB}
}

type fixedPointAffine struct {
	nn.AffineOptions
	fixedPoints
}

type fixedPointConvolution struct {
	nn.ConvolutionOptions
	fixedPoints
}

type powersOfTwo struct {
	QuantizeW, SignW, WithZeroW, STEFineGrainedW, QuantizeB, SignB, WithZeroB, STEFineGrainedB *bool
	NW, NB                                                                                     int
	MW, MB                                                                                     *int
}

func (o *powersOfTwo) options() (w, b quantize.Pow2Options) {
	return quantize.Pow2Options{Sign: o.SignW, WithZero: o.WithZeroW, N: o.NW, M: o.MW, Quantize: o.QuantizeW, STEFineGrained: o.STEFineGrainedW},
		quantize.Pow2Options{Sign: o.SignB, WithZero: o.WithZeroB, N: o.NB, M: o.MB, Quantize: o.QuantizeB, STEFineGrained: o.STEFineGrainedB}
}

type pow2Affine struct {
	nn.AffineOptions
	powersOfTwo
}

type pow2Convolution struct {
	nn.ConvolutionOptions
	powersOfTwo
}

type pruning struct {
	PruneW, PruneB *bool
	RateW, RateB   *float64
}

type prunedAffine struct {
	nn.AffineOptions
	pruning
}

type prunedConvolution struct {
	nn.ConvolutionOptions
	pruning
}

// off reports whether an option is set to false.
func off(option *bool) bool { return option != nil && !*option }
