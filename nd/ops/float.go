package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var signBit = ufunc.Definition{Fn: "ops.SignBit", Body: "signbit(x)", Out: "bool", Loop: ufunc.RealFloat}

// SignBit returns a bool array that is true where the sign bit of x is set: for negative numbers and -0.
// NumPy: signbit.
func SignBit(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&signBit, x, opts) }

var copySign = ufunc.Definition{Fn: "ops.CopySign", Two: true, Body: "copysign(a, b)", Loop: ufunc.RealFloat}

// CopySign returns |a| with the sign of b. The gradient of a is gy if a and b have the same sign, else -gy; zeros have
// signs, too. b has no gradient.
// NumPy: copysign.
func CopySign[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&copySign, a, b, opts)
}

var nextAfter = ufunc.Definition{Fn: "ops.NextAfter", Two: true, Body: "nextafter(a, b)", Loop: ufunc.RealFloat}

// The 16-bit floats are computed in float32, which has a finer spacing. A step of a little more than half the 16-bit
// spacing rounds to the neighbour, below a power of two as well.
var nextAfter16 = ufunc.Definition{Fn: "ops.NextAfter", Two: true, Scalars: float16Scalars, Gradient: "ga = gy",
	Body: "e = floor(log2(abs(a))); step = ldexp(T(0.6), int64(max(e, least) - bits)); " +
		"y = isnan(b) || a == b ? b : isinf(a) ? copysign(largest, a) : " +
		"a == 0 ? copysign(ldexp(T(1), int64(least - bits)), b) : a + (b > a ? step : -step)"}

// NextAfter returns the float next to a in the direction of b.
// NumPy: nextafter.
func NextAfter[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return byWidth(&nextAfter, &nextAfter16, opts, nd.AsArray(a), nd.AsArray(b))
}

var spacing = ufunc.Definition{Fn: "ops.Spacing", Loop: ufunc.RealFloat, Gradient: noSlope,
	Body: "copysign(x == 0 ? nextafter(T(0), T(1)) : nextafter(abs(x), T(inf)) - abs(x), x)"}

var spacing16 = ufunc.Definition{Fn: "ops.Spacing", Scalars: float16Scalars, Gradient: noSlope,
	Body: "e = floor(log2(abs(x))); d = ldexp(T(1), int64(max(e, least) - bits)); " +
		"y = copysign(isfinite(x) ? d : T(nan), x)"}

// Spacing returns the distance from x to the float next to it away from zero, with the sign of x. Its gradient is 0.
// NumPy: spacing.
func Spacing(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return byWidth(&spacing, &spacing16, opts, x)
}

// float16Scalars declares the properties of a 16-bit float: the stored bits of its mantissa, the least exponent, the
// largest number.
const float16Scalars = "T bits, T least, T largest"

// byWidth runs d, or d16 with the scalars of float16Scalars for 16-bit floats.
func byWidth(d, d16 *ufunc.Definition, opts []UfuncOption, in ...*nd.Array) *nd.Array {
	d.Fn.Check(in...)
	o := ufuncOptions(d.Fn, opts)
	t := d.LoopType(o, in)
	if t.Size() != 2 {
		return call(d, opts, nil, in...)
	}
	info := dtype.Info(t)
	values := []device.Scalar{{Re: float64(info.MantissaBits)}, {Re: float64(info.MinExp)}, {Re: info.Max}}
	return ufunc.Run(d.Fn, d16.Program(t), values, o, in)
}

var ldexp = ufunc.Definition{Fn: "ops.Ldexp", In: "T x, int64 k", Body: "ldexp(x, k)", Loop: ufunc.RealFloat}

// Ldexp returns x·2ᵏ for integers k.
// NumPy: ldexp.
func Ldexp[X, K nd.Operand](x X, k K, opts ...UfuncOption) *nd.Array {
	return scaledByPower(nd.AsArray(x), nd.AsArray(k), opts)
}

func scaledByPower(x, k *nd.Array, opts []UfuncOption) *nd.Array {
	in := []*nd.Array{x, k}
	ldexp.Fn.Check(in...)
	if !k.Fits(dtype.Int64) || !dtype.CanCast(k.DType(), dtype.Int64, dtype.CastSafe) {
		panic(ldexp.Fn.Errorf(in, "want exponents of a dtype that casts safely to int64"))
	}
	o := ufuncOptions(ldexp.Fn, opts)
	t := ldexp.LoopType(o, in[:1])
	return ufunc.Run(ldexp.Fn, ldexp.Program(t), nil, o, in)
}

// The logarithm gives the exponent, which may be off by one near powers of two.
var frexp = ufunc.Definition{Fn: "ops.Frexp", Out: "T, int32", Loop: ufunc.RealFloat,
	Body: "some = isfinite(x) && x != 0; int64 k = some ? floor(log2(abs(x))) + 1 : T(0); m = ldexp(x, -k); " +
		"above = some && abs(m) >= 1; below = some && abs(m) < 0.5; " +
		"y = above ? m / 2 : below ? m * 2 : m; z = above ? k + 1 : below ? k - 1 : k",
	Gradient: "gx = ldexp(gy, -int64(z))"}

// Frexp splits x into y·2ᵏ with 1/2 ≤ |y| < 1. For zero, infinities and NaN, y is x and k is 0. k is int32.
// NumPy: frexp.
func Frexp(x *nd.Array, opts ...PairOptions) (y, k *nd.Array) { return callTwo(&frexp, opts, x) }

var modf = ufunc.Definition{Fn: "ops.Modf", Out: "T, T", Loop: ufunc.RealFloat,
	Body: "z = trunc(x); y = copysign(isinf(x) ? T(0) : x - z, x)", Gradient: "gx = gy"}

// Modf splits x into a fraction and a whole number, both with the sign of x. The gradient is that of the fraction.
// NumPy: modf.
func Modf(x *nd.Array, opts ...PairOptions) (fraction, whole *nd.Array) {
	return callTwo(&modf, opts, x)
}

var heaviside = ufunc.Definition{Fn: "ops.Heaviside", Two: true, Loop: ufunc.RealFloat,
	Body: "a == 0 ? b : isnan(a) ? a : T(a > 0)", Gradient: "gb = a == 0 ? gy : T(0)"}

// Heaviside returns 0 where a < 0, b where a = 0, and 1 where a > 0. Only b has a gradient.
// NumPy: heaviside.
func Heaviside[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&heaviside, a, b, opts)
}

// NaNToNumOptions are the options of NaNToNum.
type NaNToNumOptions struct {
	// NaN replaces NaN: a number (nd.Scalar) or an array that broadcasts to x's shape; nil means 0.
	NaN *nd.Array
	// PosInf and NegInf replace the infinities in the same way; nil means the largest and the smallest finite number of
	// the dtype.
	PosInf, NegInf *nd.Array
}

var (
	nanToNum = ufunc.Definition{Fn: "ops.NaNToNum", In: "T x, T v, T high, T low",
		Body: "isnan(x) ? v : isinf(x) ? (x > 0 ? high : low) : x"}
	nanToNumComplex = ufunc.Definition{Fn: "ops.NaNToNum", In: "T x, R v, R high, R low",
		Body: "R a = real(x); R b = imag(x); " +
			"y = complex(isnan(a) ? v : isinf(a) ? (a > 0 ? high : low) : a, isnan(b) ? v : isinf(b) ? (b > 0 ? high : low) : b)"}
)

// NaNToNum returns x with numbers instead of NaN and infinities. The parts of complex numbers are replaced separately,
// by real numbers. The replacements are converted to x's dtype; gradients flow to those that are arrays.
// NumPy: nan_to_num.
func NaNToNum(x *nd.Array, opts ...NaNToNumOptions) *nd.Array {
	o := options.Read(nanToNum.Fn, opts)
	nanToNum.Fn.Check(x)
	if !x.DType().IsInexact() {
		return x.Copy()
	}
	largest, d := dtype.Info(x.DType()).Max, &nanToNum
	if x.DType().IsComplex() {
		d = &nanToNumComplex
	}
	in := []*nd.Array{x, nd.Scalar(0.0), nd.Scalar(largest), nd.Scalar(-largest)}
	for k, v := range []*nd.Array{o.NaN, o.PosInf, o.NegInf} {
		if v == nil {
			continue
		}
		d.Fn.Check(x, v)
		if _, err := v.Layout().BroadcastTo(x.Layout().Shape); err != nil || v.DType().IsComplex() {
			panic(d.Fn.Errorf([]*nd.Array{x, v}, "want real values that broadcast to the array's shape"))
		}
		in[1+k] = v
	}
	if x.IsScalar() {
		x = x.Copy()
		in[0] = x
	}
	return ufunc.Run(d.Fn, d.Program(x.DType()), nil, ufunc.Options{}, in)
}
