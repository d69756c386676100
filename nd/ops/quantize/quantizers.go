package quantize

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// FixedPointOptions are the options of FixedPoint.
type FixedPointOptions struct {
	// Sign allows negative numbers; nil means true.
	Sign *bool
	// N is the number of bits; 0 means 8.
	N int
	// Delta is the step; 0 means 1/16.
	Delta float64
	// Quantize false leaves x as it is; nil means true.
	Quantize *bool
	// STEFineGrained sets the gradient to 0 if x is out of range; nil means true.
	STEFineGrained *bool
}

// x is rounded between the bounds low and high. The gradient passes between from and to, which are these bounds or
// infinities.
var fixedPoint = ufunc.Definition{Fn: "quantize.FixedPoint", Scalars: "T delta, T low, T high, T from, T to", Loop: ufunc.RealFloat,
	Body: "min(max(round(x / delta) * delta, low), high)", Gradient: "gx = x < from || x > to ? T(0) : gy"}

// FixedPoint returns x rounded to the nearest multiple of delta, halves away from zero, and clipped to the range of n
// bits: ±(2^(n-1) - 1)·delta, or without Sign 0 to (2^n - 1)·delta. The gradient is gy within these bounds and 0
// beyond, or gy everywhere without STEFineGrained.
// NNabla: fixed_point_quantize.
func FixedPoint(x *nd.Array, opts ...FixedPointOptions) *nd.Array {
	fn := fixedPoint.Fn
	fn.Check(x)
	o := options.Read(fn, opts)
	signed, bits, delta := argument.ValueOr(o.Sign, true), cmp.Or(o.N, 8), cmp.Or(o.Delta, 1./16)
	if bits < 1 || signed && bits < 2 || !(delta > 0) {
		panic(fn.Errorf([]*nd.Array{x}, "N %d, Delta %v: want bits beside the sign, and a positive step", bits, delta))
	}
	if !argument.ValueOr(o.Quantize, true) {
		return fn.Made(ops.Positive(x))
	}
	low, high := 0., (math.Ldexp(1, bits)-1)*delta
	if signed {
		high = (math.Ldexp(1, bits-1) - 1) * delta
		low = -high
	}
	from, to := gradientBounds(low, high, argument.ValueOr(o.STEFineGrained, true))
	return fixedPoint.Compute([]float64{delta, low, high, from, to}, x)
}

// gradientBounds returns the bounds between which gradients pass.
func gradientBounds(low, high float64, fine bool) (from, to float64) {
	if fine {
		return low, high
	}
	return math.Inf(-1), math.Inf(1)
}

// Pow2Options are the options of Pow2.
type Pow2Options struct {
	// Sign allows negative numbers; nil means true.
	Sign *bool
	// WithZero allows zero; nil means true.
	WithZero *bool
	// N is the number of bits. Sign and WithZero take one of them each. 0 means 8.
	N int
	// M is the exponent of the largest number; nil means 1.
	M *int
	// Quantize false leaves x as it is; nil means true.
	Quantize *bool
	// STEFineGrained sets the gradient to 0 if x is out of range; nil means true.
	STEFineGrained *bool
}

var pow2 = ufunc.Definition{Fn: "quantize.Pow2", Loop: ufunc.RealFloat,
	Scalars: "T bottom, T top, T least, T negative, T signed, T to, T from",
	Body: `e = round(log2(abs(x)));
		q = e < bottom && abs(x) < least ? T(0) : exp2(min(max(e, bottom), top));
		y = x >= 0 || x != x ? q : signed != 0 ? -q : negative`,
	Gradient: "gx = round(log2(abs(x))) > to || x < from ? T(0) : gy"}

// Pow2 returns the power of two whose exponent is nearest to that of x, with the sign of x: 2^round(log₂|x|), clipped
// to the exponents from m - 2^k + 1 to m, where k is the number of bits left for the exponent. Values below the
// smallest power become that power; with WithZero, values more than half an exponent below it become 0. Without Sign,
// negative numbers become 0 or, without WithZero, the smallest power. The gradient is gy, but 0 above the largest
// power, and for negative x without Sign; or gy everywhere without STEFineGrained.
// NNabla: pow2_quantize.
func Pow2(x *nd.Array, opts ...Pow2Options) *nd.Array {
	fn := pow2.Fn
	fn.Check(x)
	o := options.Read(fn, opts)
	signed, zero, bits := argument.ValueOr(o.Sign, true), argument.ValueOr(o.WithZero, true), cmp.Or(o.N, 8)
	for _, taken := range []bool{signed, zero} {
		if taken {
			bits--
		}
	}
	if bits < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "N %d leaves no bit for the exponent", o.N))
	}
	if !argument.ValueOr(o.Quantize, true) {
		return ops.Positive(x)
	}
	top := float64(argument.ValueOr(o.M, 1))
	bottom := top - math.Ldexp(1, bits) + 1
	sign, least, negative, lowest := 0., 0., math.Exp2(bottom), 0.
	if zero {
		least, negative = math.Exp2(bottom-0.5), 0
	}
	if signed {
		sign, lowest = 1, math.Inf(-1)
	}
	from, to := gradientBounds(lowest, top, argument.ValueOr(o.STEFineGrained, true))
	return pow2.Compute([]float64{bottom, top, least, negative, sign, to, from}, x)
}
