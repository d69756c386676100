package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var signBit = elementwise{fn: "ops.SignBit", body: "signbit(x)", out: "bool", loop: realFloat}

// SignBit tells where the sign of x is set: negative numbers and -0. numpy.signbit.
func SignBit(x *nd.Array, opts ...UfuncOptions) *nd.Array { return signBit.call1(x, opts) }

var copySign = elementwise{fn: "ops.CopySign", two: true, body: "copysign(a, b)", loop: realFloat}

// CopySign returns |a| with the sign of b. The gradient of a is ±gy, as the signs are, those of zeros too; b has none.
// numpy.copysign.
func CopySign(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return copySign.call2(a, b, opts) }

var nextAfter = elementwise{fn: "ops.NextAfter", two: true, body: "nextafter(a, b)", loop: realFloat}

// The 16-bit floats are computed in float32, whose neighbours are nearer. A little more than half the distance leads to
// the neighbour when the result is rounded, below a power of two as well.
var nextAfter16 = elementwise{fn: "ops.NextAfter", two: true, scalars: float16Scalars, gradient: "ga = gy",
	body: "e = floor(log2(abs(a))); step = ldexp(T(0.6), int64(max(e, least) - bits)); " +
		"y = isnan(b) || a == b ? b : isinf(a) ? copysign(largest, a) : " +
		"a == 0 ? copysign(ldexp(T(1), int64(least - bits)), b) : a + (b > a ? step : -step)"}

// NextAfter returns the float next to a in the direction of b. numpy.nextafter.
func NextAfter(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return byWidth(&nextAfter, &nextAfter16, opts, a, b)
}

var spacing = elementwise{fn: "ops.Spacing", loop: realFloat, gradient: noSlope,
	body: "copysign(x == 0 ? nextafter(T(0), T(1)) : nextafter(abs(x), T(inf)) - abs(x), x)"}

var spacing16 = elementwise{fn: "ops.Spacing", scalars: float16Scalars, gradient: noSlope,
	body: "e = floor(log2(abs(x))); d = ldexp(T(1), int64(max(e, least) - bits)); " +
		"y = copysign(isfinite(x) ? d : T(nan), x)"}

// Spacing returns the distance from x to the float next to it away from zero, with the sign of x. Its gradient is 0.
// numpy.spacing.
func Spacing(x *nd.Array, opts ...UfuncOptions) *nd.Array {
	return byWidth(&spacing, &spacing16, opts, x)
}

// float16Scalars say what a 16-bit float is: the stored bits of its mantissa, the least exponent, the largest number.
const float16Scalars = "T bits, T least, T largest"

// byWidth runs d, or for 16-bit floats d16, which knows what they are.
func byWidth(d, d16 *elementwise, opts []UfuncOptions, in ...*nd.Array) *nd.Array {
	d.fn.Check(in...)
	t := d.loopType(firstOf(opts), in)
	if t.Size() != 2 {
		return d.call(opts, nil, in...)
	}
	info := dtype.Info(t)
	values := []device.Scalar{{Re: float64(info.MantissaBits)}, {Re: float64(info.MinExp)}, {Re: info.Max}}
	return run(d.fn, d16.program(t), values, firstOf(opts), in)
}

var ldexp = elementwise{fn: "ops.Ldexp", in: "T x, int64 k", body: "ldexp(x, k)", loop: realFloat}

// Ldexp returns x·2ᵏ for integers k. numpy.ldexp.
func Ldexp(x, k *nd.Array, opts ...UfuncOptions) *nd.Array {
	in := []*nd.Array{x, k}
	ldexp.fn.Check(in...)
	if !k.Fits(dtype.Int64) || !dtype.CanCast(k.DType(), dtype.Int64, dtype.CastSafe) {
		panic(ldexp.fn.Errorf(in, "want exponents that are safely cast to int64"))
	}
	o := firstOf(opts)
	t := ldexp.loopType(o, in[:1])
	return run(ldexp.fn, ldexp.program(t), nil, o, in)
}

// The logarithm tells the exponent but for an error of one near powers of two.
var frexp = elementwise{fn: "ops.Frexp", out: "T, int32", loop: realFloat,
	body: "some = isfinite(x) && x != 0; int64 k = some ? floor(log2(abs(x))) + 1 : T(0); m = ldexp(x, -k); " +
		"above = some && abs(m) >= 1; below = some && abs(m) < 0.5; " +
		"y = above ? m / 2 : below ? m * 2 : m; z = above ? k + 1 : below ? k - 1 : k",
	gradient: "gx = ldexp(gy, -int64(z))"}

// Frexp parts x into y·2ᵏ with 1/2 ≤ |y| < 1; zero, infinities and not-a-number are their own y, with k = 0. k is int32.
// numpy.frexp.
func Frexp(x *nd.Array) (y, k *nd.Array) { return frexp.callTwo(x) }

var modf = elementwise{fn: "ops.Modf", out: "T, T", loop: realFloat,
	body: "z = trunc(x); y = copysign(isinf(x) ? T(0) : x - z, x)", gradient: "gx = gy"}

// Modf parts x into a fraction and a whole number, both of x's sign. The gradient is the fraction's. numpy.modf.
func Modf(x *nd.Array) (fraction, whole *nd.Array) { return modf.callTwo(x) }

var heaviside = elementwise{fn: "ops.Heaviside", two: true, loop: realFloat,
	body: "a == 0 ? b : isnan(a) ? a : T(a > 0)", gradient: "gb = a == 0 ? gy : T(0)"}

// Heaviside returns 0 where a < 0, b where a = 0, and 1 where a > 0; only b has a gradient. numpy.heaviside.
func Heaviside(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return heaviside.call2(a, b, opts) }

// NaNToNumOptions are the options of NaNToNum.
type NaNToNumOptions struct {
	// NaN replaces not-a-number.
	NaN float64
	// PosInf and NegInf replace the infinities; nil means the largest and the smallest finite number of the dtype.
	PosInf, NegInf *float64
}

var (
	nanToNum = elementwise{fn: "ops.NaNToNum", scalars: "T v, T high, T low",
		body: "isnan(x) ? v : isinf(x) ? (x > 0 ? high : low) : x"}
	nanToNumComplex = elementwise{fn: "ops.NaNToNum", scalars: "R v, R high, R low",
		body: "R a = real(x); R b = imag(x); " +
			"y = complex(isnan(a) ? v : isinf(a) ? (a > 0 ? high : low) : a, isnan(b) ? v : isinf(b) ? (b > 0 ? high : low) : b)"}
)

// NaNToNum returns x with numbers in place of not-a-number and infinities; the parts of complex numbers are replaced one
// by one. numpy.nan_to_num.
func NaNToNum(x *nd.Array, opts ...NaNToNumOptions) *nd.Array {
	o := firstOf(opts)
	nanToNum.fn.Check(x)
	if !x.DType().IsInexact() {
		return x.Copy()
	}
	largest := dtype.Info(x.DType()).Max
	values := []float64{o.NaN, valueOr(o.PosInf, largest), valueOr(o.NegInf, -largest)}
	if x.DType().IsComplex() {
		return nanToNumComplex.call(nil, values, x)
	}
	return nanToNum.call(nil, values, x)
}
