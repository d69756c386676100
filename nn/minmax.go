package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// MinMaxQuantizeOptions are the options of [MinMaxQuantize].
type MinMaxQuantizeOptions struct {
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
	QRMinInit, QRMaxInit Initializer
}

// MinMaxQuantize returns x rounded to levels between two numbers, by quantize.MinMax. The first and the last level are
// the untrained "min_max_quantize/ql_min" and "min_max_quantize/ql_max", the two numbers "min_max_quantize/qr_min" and
// "min_max_quantize/qr_max". All have the rank of x and lengths 1.
//
// The range is trained, except with a moving average. Training overwrites it: to make it at least as wide as Eps, and
// if it is taken from x. Evaluation writes nothing: with EMA it uses the current average, with XMinMax alone the range
// of x.
// NNabla: parametric_functions.min_max_quantize.
func MinMaxQuantize(scope *Scope, x *nd.Array, opts ...MinMaxQuantizeOptions) *nd.Array {
	const fn nd.Func = "nn.MinMaxQuantize"
	scope.wantReal(fn, x)
	o := options.Read(fn, opts)
	s := scope.Sub("min_max_quantize")
	o.check(fn, x)
	o.create(s, x)
	low, high := s.Get("qr_min"), s.Get("qr_max")
	made := fn.Temporaries(&x, &low, &high)
	defer made.Release()
	return made.Keep(o.quantize(s, layer.InDType(x, low)))
}

// levels returns the first and the last level.
func (o *MinMaxQuantizeOptions) levels() (first, last float64) {
	last = 255
	if o.QLMin != nil {
		first = *o.QLMin
	}
	if o.QLMax != nil {
		last = *o.QLMax
	}
	return first, last
}

func (o *MinMaxQuantizeOptions) check(fn nd.Func, x *nd.Array) {
	if first, last := o.levels(); !(first < last) {
		panic(fn.Errorf([]*nd.Array{x}, "levels from %v to %v: want the first below the last", first, last))
	}
}

// create registers the levels and the range for arrays of the rank of x.
func (o *MinMaxQuantizeOptions) create(s *Scope, x *nd.Array) {
	first, last := o.levels()
	shape := make([]int, x.Rank())
	for i := range shape {
		shape[i] = 1
	}
	low, high := o.QRMinInit, o.QRMaxInit
	if low == nil {
		low = Constant(-6)
	}
	if high == nil {
		high = Constant(6)
	}
	trained := !(o.XMinMax && o.EMA)
	s.Parameter("ql_min", shape, Constant(first), false)
	s.Parameter("ql_max", shape, Constant(last), false)
	s.Parameter("qr_min", shape, low, trained)
	s.Parameter("qr_max", shape, high, trained)
}

// quantize rounds x with the arrays that create registered. In evaluation the range is a copy. An empty x has no range.
func (o *MinMaxQuantizeOptions) quantize(s *Scope, x *nd.Array) *nd.Array {
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

// MinMaxQuantizedAffineOptions are the options of [MinMaxQuantizedAffine].
type MinMaxQuantizedAffineOptions struct {
	AffineOptions
	// W and B are the options of quantising W and b. Unlike in MinMaxQuantizeOptions, a nil initial range of W means -2
	// and 2.
	W, B MinMaxQuantizeOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// MinMaxQuantizedAffine is [Affine] with the parameters "min_max_quantized_affine/W" and "min_max_quantized_affine/b",
// each rounded by [MinMaxQuantize] in the scopes "min_max_quantized_affine/min_max_quantize_w" and
// "…/min_max_quantize_b". In training it writes the rounded values to the untrained "min_max_quantized_affine/W_q" and
// "min_max_quantized_affine/b_q". A parameter that is not quantised has no such record.
// NNabla: parametric_functions.min_max_quantized_affine.
func MinMaxQuantizedAffine(scope *Scope, x *nd.Array, outputs int, opts ...MinMaxQuantizedAffineOptions) *nd.Array {
	const fn nd.Func = "nn.MinMaxQuantizedAffine"
	o := options.Read(fn, opts)
	return affine(fn, scope.Sub("min_max_quantized_affine"), x, outputs, o.AffineOptions,
		quantized(minMax(fn, x, o.W, -2, 2, o.KeepW, "w"), minMax(fn, x, o.B, -6, 6, o.KeepB, "b")))
}

// MinMaxQuantizedConvolutionOptions are the options of [MinMaxQuantizedConvolution].
type MinMaxQuantizedConvolutionOptions struct {
	ConvolutionOptions
	// W and B are the options of quantising W and b, as in MinMaxQuantizedAffineOptions.
	W, B MinMaxQuantizeOptions
	// KeepW and KeepB leave W and b as they are.
	KeepW, KeepB bool
}

// MinMaxQuantizedConvolution is [Convolution] with the parameters "min_max_quantized_conv/W" and
// "min_max_quantized_conv/b", each rounded as in [MinMaxQuantizedAffine].
// NNabla: parametric_functions.min_max_quantized_convolution.
func MinMaxQuantizedConvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int,
	opts ...MinMaxQuantizedConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.MinMaxQuantizedConvolution"
	o := options.Read(fn, opts)
	return convolution(fn, scope.Sub("min_max_quantized_conv"), x, outmaps, kernel, o.ConvolutionOptions,
		quantized(minMax(fn, x, o.W, -2, 2, o.KeepW, "w"), minMax(fn, x, o.B, -6, 6, o.KeepB, "b")))
}

// minMax returns a quantizer with its levels and range in its own scope. The initial range is from low to high if o has
// none.
func minMax(fn nd.Func, x *nd.Array, o MinMaxQuantizeOptions, low, high float64, keep bool, which string) *quantizer {
	if keep {
		return nil
	}
	o.check(fn, x)
	if o.QRMinInit == nil {
		o.QRMinInit = Constant(low)
	}
	if o.QRMaxInit == nil {
		o.QRMaxInit = Constant(high)
	}
	path := "min_max_quantize_" + which + "/min_max_quantize"
	return &quantizer{
		create: func(s *Scope, p *nd.Array) { o.create(s.Sub(path), p) },
		of:     func(s *Scope, p *nd.Array) *nd.Array { return o.quantize(s.Sub(path), p) },
	}
}
