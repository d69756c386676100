package quant

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// MinMaxOptions are the options of [MinMax].
type MinMaxOptions struct {
	// QLMin and QLMax are the first and the last level; nil means 0 and 255.
	QLMin, QLMax *float64
	// XMinMax takes the range from x, EMA from a moving average of the ranges of x. Without either, the range is
	// trained.
	XMinMax, EMA bool
	// Decay is the weight of the previous moving average; nil means 0.999.
	Decay *float64
	// STEFineGrained stops the gradient to elements of x that are out of range; nil means yes.
	STEFineGrained *bool
	// Eps is the smallest width of the range; nil means 0.01.
	Eps *float64
	// QRMinInit and QRMaxInit make the initial range; nil means -6 and 6.
	QRMinInit, QRMaxInit initializer.Initializer
}

// MinMax returns x rounded to levels between two numbers, by quantize.MinMax. The first and the last level are the
// untrained "min_max_quantize/ql_min" and "min_max_quantize/ql_max", the two numbers "min_max_quantize/qr_min" and
// "min_max_quantize/qr_max". All have the rank of x and lengths 1.
//
// The range is trained, except with a moving average. Training overwrites it: to make it at least as wide as Eps, and
// if it is taken from x. Evaluation writes nothing: with EMA it uses the current average, with XMinMax alone the range
// of x.
// NNabla: parametric_functions.min_max_quantize.
func MinMax(scope *nn.Scope, x *nd.Array, opts ...MinMaxOptions) *nd.Array {
	const fn nd.Func = "quant.MinMax"
	layer.WantReal(fn, scope.DType(), x)
	o := options.Read(fn, opts)
	s := scope.Sub("min_max_quantize").Precise()
	o.check(fn, x)
	o.create(s, x)
	low, high := s.Get("qr_min"), s.Get("qr_max")
	made := fn.Temporaries(&x, &low, &high)
	defer made.Release()
	return made.Keep(o.quantize(s, layer.InDType(x, low)))
}

// levels returns the first and the last level.
func (o *MinMaxOptions) levels() (first, last float64) {
	last = 255
	if o.QLMin != nil {
		first = *o.QLMin
	}
	if o.QLMax != nil {
		last = *o.QLMax
	}
	return first, last
}

func (o *MinMaxOptions) check(fn nd.Func, x *nd.Array) {
	if first, last := o.levels(); !(first < last) {
		panic(fn.Errorf([]*nd.Array{x}, "levels from %v to %v: want the first below the last", first, last))
	}
}

// create registers the levels and the range for arrays of the rank of x.
func (o *MinMaxOptions) create(s *nn.Scope, x *nd.Array) {
	first, last := o.levels()
	shape := make([]int, x.Rank())
	for i := range shape {
		shape[i] = 1
	}
	low, high := o.QRMinInit, o.QRMaxInit
	if low == nil {
		low = initializer.Constant(-6)
	}
	if high == nil {
		high = initializer.Constant(6)
	}
	trained := !(o.XMinMax && o.EMA)
	s.Parameter("ql_min", shape, initializer.Constant(first), false)
	s.Parameter("ql_max", shape, initializer.Constant(last), false)
	s.Parameter("qr_min", shape, low, trained)
	s.Parameter("qr_max", shape, high, trained)
}

// quantize rounds x with the arrays that create registered. In evaluation the range is a copy. An empty x has no range.
func (o *MinMaxOptions) quantize(s *nn.Scope, x *nd.Array) *nd.Array {
	if x.Size() == 0 {
		return x
	}
	low, high := s.Get("qr_min"), s.Get("qr_max")
	how := quantize.MinMaxOptions{XMinMax: o.XMinMax, EMA: o.EMA, Decay: o.Decay, STEFineGrained: o.STEFineGrained, Eps: o.Eps}
	if !s.Training() {
		low, high = low.Copy(), high.Copy()
		defer low.Release()
		defer high.Release()
		how.XMinMax = o.XMinMax && !o.EMA
	}
	return quantize.MinMax(x, low, high, s.Get("ql_min"), s.Get("ql_max"), how)
}

// MinMaxAffineOptions are the options of [MinMaxAffine].
type MinMaxAffineOptions struct {
	nn.AffineOptions
	// W and B are the options of quantising W and b. Unlike in MinMaxOptions, a nil initial range of W means -2 and 2.
	W, B MinMaxOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// MinMaxAffine is [nn.Affine] with the parameters "min_max_quantized_affine/W" and "min_max_quantized_affine/b", each
// rounded by [MinMax] in the scopes "min_max_quantized_affine/min_max_quantize_w" and "…/min_max_quantize_b". In
// training it writes the rounded values to the untrained "min_max_quantized_affine/W_q" and
// "min_max_quantized_affine/b_q". A parameter that is not quantised has no such record.
// NNabla: parametric_functions.min_max_quantized_affine.
func MinMaxAffine(scope *nn.Scope, x *nd.Array, outputs int, opts ...MinMaxAffineOptions) *nd.Array {
	const fn nd.Func = "quant.MinMaxAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("min_max_quantized_affine").Precise(), x, outputs, o.AffineOptions, minMax(fn, x, o.W, -2, 2, o.KeepW, "w"), minMax(fn, x, o.B, -6, 6, o.KeepB, "b"))
}

// MinMaxConvolutionOptions are the options of [MinMaxConvolution].
type MinMaxConvolutionOptions struct {
	nn.ConvolutionOptions
	// W and B are the options of quantising W and b, as in MinMaxAffineOptions.
	W, B MinMaxOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// MinMaxConvolution is [nn.Convolution] with the parameters "min_max_quantized_conv/W" and "min_max_quantized_conv/b",
// each rounded as in [MinMaxAffine].
// NNabla: parametric_functions.min_max_quantized_convolution.
func MinMaxConvolution(scope *nn.Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...MinMaxConvolutionOptions) *nd.Array {
	const fn nd.Func = "quant.MinMaxConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("min_max_quantized_conv").Precise(), x, outmaps, kernel, o.ConvolutionOptions, minMax(fn, x, o.W, -2, 2, o.KeepW, "w"), minMax(fn, x, o.B, -6, 6, o.KeepB, "b"))
}

// minMax returns a quantizer with its levels and range in its own scope. The initial range is from low to high if o has
// none.
func minMax(fn nd.Func, x *nd.Array, o MinMaxOptions, low, high float64, keep bool, which string) *quantizer {
	if keep {
		return nil
	}
	o.check(fn, x)
	if o.QRMinInit == nil {
		o.QRMinInit = initializer.Constant(low)
	}
	if o.QRMaxInit == nil {
		o.QRMaxInit = initializer.Constant(high)
	}
	path := "min_max_quantize_" + which + "/min_max_quantize"
	return &quantizer{
		create: func(s *nn.Scope, p *nd.Array) { o.create(s.Sub(path), p) },
		of:     func(s *nn.Scope, p *nd.Array) *nd.Array { return o.quantize(s.Sub(path), p) },
	}
}
