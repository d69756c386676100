package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// InterpOptions are the options of Interp.
type InterpOptions struct {
	// Left and Right are the values below and above all samples, scalars or 0-d arrays; nil means the value of the
	// first and of the last sample.
	Left, Right *nd.Array
	// Period is the period of the coordinates; with a period, samples may be in any order. 0 means none.
	Period float64
}

// Interp returns at each x the piecewise linear function through samples fp at the coordinates xp, which must increase
// (this is not checked). It computes in float64, or in complex128 for complex samples. Gradients flow to x, xp and fp.
// At a sample's coordinate the slope is that of the line to the right, at the last one that of the line to the left.
// NumPy: interp.
func Interp(x, xp, fp *nd.Array, opts ...InterpOptions) *nd.Array {
	const fn nd.Func = "ops.Interp"
	fn.Check(x, xp, fp)
	o := options.Read(fn, opts)
	if xp.Rank() != 1 || fp.Rank() != 1 || xp.Dim(0) != fp.Dim(0) || xp.Dim(0) == 0 {
		panic(fn.Errorf([]*nd.Array{x, xp, fp}, "want equally many samples and coordinates, on one axis, and at least one"))
	}
	if x.DType().IsComplex() || xp.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, xp, fp}, "want real coordinates"))
	}
	t := dtype.Float64
	if fp.DType().IsComplex() {
		t = dtype.Complex128
	}
	made := fn.Temporaries(&x, &xp, &fp, &o.Left, &o.Right)
	defer made.Release()
	x, xp, fp = x.AsType(dtype.Float64), xp.AsType(dtype.Float64), fp.AsType(t)
	if o.Period != 0 {
		x, xp, fp = periodic(fn, x, xp, fp, math.Abs(o.Period))
		o.Left, o.Right = nil, nil
	}
	n := xp.Dim(0)
	first, last := xp.Index(nd.At(0)), xp.Index(nd.At(n-1))
	low := made.Own(outside(fn, o.Left, fp.Index(nd.At(0))))
	high := made.Own(outside(fn, o.Right, fp.Index(nd.At(n-1))))
	if n == 1 {
		return made.Keep(Where(Less(x, first), low, Where(Greater(x, last), high, fp.Index(nd.At(0)))))
	}
	before := SearchSorted(view.Span(xp, 0, 1, n-1), x, SearchOptions{Right: true})
	neighbours := func(samples *nd.Array) (_, _ *nd.Array) {
		return Take(samples, before), Take(view.Span(samples, 0, 1, n), before)
	}
	x0, x1 := neighbours(xp)
	f0, f1 := neighbours(fp)
	if !t.IsComplex() {
		return made.Keep(interval.Compute(nil, x, first, last, low, high, x0, x1, f0, f1))
	}
	part := func(of func(*nd.Array) *nd.Array) *nd.Array {
		return interval.Compute(nil, x, first, last, of(low), of(high), x0, x1, of(f0), of(f1))
	}
	return made.Keep(ufunc.Run(fn, complexNumber.Program(t), nil, ufunc.Options{}, []*nd.Array{part(Real), part(Imag)}))
}

// outside returns the value beyond one end: the given one, or the end's sample.
func outside(fn nd.Func, v, sample *nd.Array) *nd.Array {
	if v == nil {
		return sample
	}
	fn.Check(sample, v)
	if v.Rank() != 0 {
		panic(fn.Errorf([]*nd.Array{v}, "want one number for values outside of the samples"))
	}
	return argument.As(fn, sample, v, sample.DType())
}

var complexNumber = ufunc.Definition{Fn: "ops.Interp", In: "R re, R im", Body: "complex(re, im)"}

// interval evaluates the line between two samples, or returns the value beyond an end. At a sample's coordinate it returns exactly that sample. The line is
// computed from the first sample; if infinities make that NaN, from the second; if that is NaN, too, equal samples give
// their value. Where a difference of finite samples or coordinates overflows, the result is the weighted mean of the samples.
// In the gradient, weight is that of the second sample. Outside of the samples, and between two samples
// with equal coordinates, the line has no slope.
var interval = ufunc.Definition{Fn: "ops.Interp", In: "T x, T first, T last, T low, T high, T x0, T x1, T f0, T f1",
	Body: "d = x1 - x0; slope = (f1 - f0) / d; a = slope * (x - x0) + f0; b = slope * (x - x1) + f1; " +
		"finite = (f0 - f0) + (f1 - f1) + (x0 - x0) + (x1 - x1) == 0; wide = finite && (abs(slope) == inf || abs(d) == inf); " +
		"h0 = x0*0.5; u = (x*0.5 - h0) / (x1*0.5 - h0); " +
		"y = x < first ? low : x > last ? high : isnan(x) ? x : " +
		"x == x1 ? f1 : x == x0 ? f0 : wide ? (1 - u)*f0 + u*f1 : !isnan(a) ? a : !isnan(b) ? b : f0 == f1 ? f0 : a",
	Gradient: "below = x < first; above = x > last; g = below || above ? T(0) : gy; " +
		"h = x1/2 - x0/2; none = h == 0 || x < x0 || x > x1; slope = none ? T(0) : (f1/2 - f0/2) / h; " +
		"u = (x/2 - x0/2) / h; v = (x/2 - x1/2) / h + 1; " +
		"weight = x == x1 ? T(1) : none || x == x0 ? T(0) : !isnan(u) ? u : !isnan(v) ? v : T(0); " +
		"gx = g * slope; gx0 = g * slope * (weight - 1); gx1 = -g * slope * weight; " +
		"gf0 = g * (1 - weight); gf1 = g * weight; " +
		"glow = below ? gy : T(0); ghigh = above ? gy : T(0)"}

// periodic folds all coordinates into one period, sorts the samples, and repeats the last sample before the first and
// the first after the last.
func periodic(fn nd.Func, x, xp, fp *nd.Array, period float64) (_, _, _ *nd.Array) {
	made := fn.Temporaries(&x, &xp, &fp)
	defer made.Release()
	p := nd.Scalar(period)
	x, xp = Remainder(x, p), Remainder(xp, p)
	order := ArgSort(xp)
	xp, fp = Take(xp, order), Take(fp, order)
	n := xp.Dim(0)
	around := func(a, before, after *nd.Array) *nd.Array {
		return concatenate(fn, []*nd.Array{before, a, after}, JoinOptions{})
	}
	first, last := nd.Span(0, 1), nd.Span(n-1, n)
	xp = around(xp, Subtract(xp.Index(last), p), Add(xp.Index(first), p))
	return made.Keep(x), made.Keep(xp), made.Keep(around(fp, fp.Index(last), fp.Index(first)))
}
