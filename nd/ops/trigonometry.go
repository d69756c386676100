package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var sin = ufunc.Definition{Fn: "ops.Sin", Body: "sin(x)", Loop: ufunc.FloatOf}

// Sin returns the sine of x, in radians.
// NumPy: sin. NNabla: sin. Chainer: sin.
func Sin(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sin, x, opts) }

var cos = ufunc.Definition{Fn: "ops.Cos", Body: "cos(x)", Loop: ufunc.FloatOf}

// Cos returns the cosine of x, in radians.
// NumPy: cos. NNabla: cos. Chainer: cos.
func Cos(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&cos, x, opts) }

var tan = ufunc.Definition{Fn: "ops.Tan", Body: "tan(x)", Loop: ufunc.FloatOf}

// Tan returns the tangent of x, in radians.
// NumPy: tan. NNabla: tan. Chainer: tan.
func Tan(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&tan, x, opts) }

var arcsin = ufunc.Definition{Fn: "ops.Arcsin", Body: "asin(x)", Loop: ufunc.FloatOf}

// Arcsin returns the angle in [-π/2, π/2] whose sine is x.
// NumPy: arcsin. NNabla: asin. Chainer: arcsin.
func Arcsin(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arcsin, x, opts) }

var arccos = ufunc.Definition{Fn: "ops.Arccos", Body: "acos(x)", Loop: ufunc.FloatOf}

// Arccos returns the angle in [0, π] whose cosine is x.
// NumPy: arccos. NNabla: acos. Chainer: arccos.
func Arccos(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arccos, x, opts) }

var arctan = ufunc.Definition{Fn: "ops.Arctan", Body: "atan(x)", Loop: ufunc.FloatOf}

// Arctan returns the angle in [-π/2, π/2] whose tangent is x.
// NumPy: arctan. NNabla: atan. Chainer: arctan.
func Arctan(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&arctan, x, opts) }

var arctan2 = ufunc.Definition{Fn: "ops.Arctan2", Two: true, Body: "atan2(a, b)", Loop: ufunc.RealFloat}

// Arctan2 returns the angle in [-π, π] of the point with abscissa b and ordinate a. At the origin the gradients are
// 0.
// NumPy: arctan2. NNabla: atan2.
func Arctan2[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&arctan2, a, b, opts)
}

var hypot = ufunc.Definition{Fn: "ops.Hypot", Two: true, Body: "hypot(a, b)", Loop: ufunc.RealFloat}

// Hypot returns √(a² + b²) without overflow. Its gradient at the origin is 0.
// NumPy: hypot.
func Hypot[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&hypot, a, b, opts)
}

var deg2rad = ufunc.Definition{Fn: "ops.Deg2Rad", Body: "x * (pi / 180)", Loop: ufunc.RealFloat}

// Deg2Rad converts degrees to radians.
// NumPy: deg2rad, radians.
func Deg2Rad(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&deg2rad, x, opts) }

var rad2deg = ufunc.Definition{Fn: "ops.Rad2Deg", Body: "x * (180 / pi)", Loop: ufunc.RealFloat}

// Rad2Deg converts radians to degrees.
// NumPy: rad2deg, degrees.
func Rad2Deg(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&rad2deg, x, opts) }

// The sine of πx is computed from x minus the nearest whole number; this difference is exact.
var sinc = ufunc.Definition{Fn: "ops.Sinc", Loop: ufunc.Quotient,
	Complex: "v = T(pi) * x; q = v * v; near = abs(v) < 1; far = near ? T(1) : v; " +
		"y = near ? T(1) + q * (" + sincNear + ") : sin(far) / far",
	Body: "k = rint(x); s = sin(T(pi) * (x - k)); y = x == 0 ? T(1) : (fmod(k, 2) == 0 ? s : -s) / (T(pi) * x)",
	Gradient: "k = rint(x); c = cos(T(pi) * (x - k)); near = abs(x) < 0.3125; z = near ? T(pi) * x : T(0); q = z * z; " +
		"far = ((fmod(k, 2) == 0 ? c : -c) - y) / (near ? T(1) : x); " +
		"gx = gy * (near ? T(pi) * z * (" + sincSeries + ") : far)"}

// sincSeries is the derivative of sin(z)/z, divided by z, as a series in q = z². It is accurate to the last digit for z
// up to 1, because its terms do not cancel there.
const sincSeries = "-1.0 / 3 + q * (1.0 / 30 + q * (-1.0 / 840 + q * (1.0 / 45360 + q * (-1.0 / 3991680 + " +
	"q * (1.0 / 518918400 + q * (-1.0 / 93405312000 + q * (1.0 / 22230464256000)))))))"

// sincNear is (sin(z)/z - 1)/z² as a series in q = z². It is accurate to the last digit for z up to 1; the terms of its
// derivative do not cancel either.
const sincNear = "-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 + q * (-1.0 / 39916800 + " +
	"q * (1.0 / 6227020800 + q * (-1.0 / 1307674368000 + q * (1.0 / 355687428096000)))))))"

// Sinc returns sin(πx)/(πx), and 1 for 0, within 4 ulp, for complex numbers too. Integers give float64.
// UnnormalizedSinc is the variant without π.
// NumPy: sinc.
func Sinc(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sinc, x, opts) }

var unnormalizedSinc = ufunc.Definition{Fn: "ops.UnnormalizedSinc", Body: "sinc(x)", Loop: ufunc.RealFloat}

// UnnormalizedSinc returns sin(x)/x, and 1 for 0.
// NNabla: sinc.
func UnnormalizedSinc(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&unnormalizedSinc, x, opts)
}
