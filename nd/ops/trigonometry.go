package ops

import "github.com/ndgrad/ndgrad/nd"

var sin = elementwise{fn: "ops.Sin", body: "sin(x)", loop: floatOf}

// Sin returns the sine of x, in radians. numpy.sin, nnabla sin, chainer sin.
func Sin(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sin.call1(x, opts) }

var cos = elementwise{fn: "ops.Cos", body: "cos(x)", loop: floatOf}

// Cos returns the cosine of x, in radians. numpy.cos, nnabla cos, chainer cos.
func Cos(x *nd.Array, opts ...UfuncOptions) *nd.Array { return cos.call1(x, opts) }

var tan = elementwise{fn: "ops.Tan", body: "tan(x)", loop: floatOf}

// Tan returns the tangent of x, in radians. numpy.tan, nnabla tan, chainer tan.
func Tan(x *nd.Array, opts ...UfuncOptions) *nd.Array { return tan.call1(x, opts) }

var arcsin = elementwise{fn: "ops.Arcsin", body: "asin(x)", loop: floatOf}

// Arcsin returns the angle in [-π/2, π/2] whose sine x is. numpy.arcsin, nnabla asin, chainer arcsin.
func Arcsin(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arcsin.call1(x, opts) }

var arccos = elementwise{fn: "ops.Arccos", body: "acos(x)", loop: floatOf}

// Arccos returns the angle in [0, π] whose cosine x is. numpy.arccos, nnabla acos, chainer arccos.
func Arccos(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arccos.call1(x, opts) }

var arctan = elementwise{fn: "ops.Arctan", body: "atan(x)", loop: floatOf}

// Arctan returns the angle in [-π/2, π/2] whose tangent x is. numpy.arctan, nnabla atan, chainer arctan.
func Arctan(x *nd.Array, opts ...UfuncOptions) *nd.Array { return arctan.call1(x, opts) }

var arctan2 = elementwise{fn: "ops.Arctan2", two: true, body: "atan2(a, b)", loop: realFloat}

// Arctan2 returns the angle in [-π, π] of the point with abscissa b and ordinate a. At the origin the
// gradients are not numbers. numpy.arctan2, nnabla atan2.
func Arctan2(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return arctan2.call2(a, b, opts) }

var hypot = elementwise{fn: "ops.Hypot", two: true, body: "hypot(a, b)", loop: realFloat}

// Hypot returns √(a² + b²) without overflow. Its gradient at the origin is 0. numpy.hypot.
func Hypot(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return hypot.call2(a, b, opts) }

var deg2rad = elementwise{fn: "ops.Deg2Rad", body: "x * (pi / 180)", loop: realFloat}

// Deg2Rad converts degrees to radians. numpy.deg2rad and radians.
func Deg2Rad(x *nd.Array, opts ...UfuncOptions) *nd.Array { return deg2rad.call1(x, opts) }

var rad2deg = elementwise{fn: "ops.Rad2Deg", body: "x * (180 / pi)", loop: realFloat}

// Rad2Deg converts radians to degrees. numpy.rad2deg and degrees.
func Rad2Deg(x *nd.Array, opts ...UfuncOptions) *nd.Array { return rad2deg.call1(x, opts) }

// The sine of πx comes from x less the nearest whole number, which is exact.
var sinc = elementwise{fn: "ops.Sinc", loop: realQuotient,
	body: "k = rint(x); s = sin(T(pi) * (x - k)); y = x == 0 ? T(1) : (fmod(k, 2) == 0 ? s : -s) / (T(pi) * x)",
	gradient: "k = rint(x); c = cos(T(pi) * (x - k)); near = abs(x) < 0.3125; z = near ? T(pi) * x : T(0); q = z * z; " +
		"far = ((fmod(k, 2) == 0 ? c : -c) - y) / (near ? T(1) : x); " +
		"gx = gy * (near ? T(pi) * z * (" + sincSeries + ") : far)"}

// sincSeries is the derivative of sin(z)/z over z as a series in q = z², good to the last digit up to 1, where nothing
// cancels in it.
const sincSeries = "-1.0 / 3 + q * (1.0 / 30 + q * (-1.0 / 840 + q * (1.0 / 45360 + q * (-1.0 / 3991680 + " +
	"q * (1.0 / 518918400 + q * (-1.0 / 93405312000 + q * (1.0 / 22230464256000)))))))"

// Sinc returns sin(πx)/(πx), and 1 for 0, within 4 ulp; integers give float64. UnnormalizedSinc is the one without π.
// numpy.sinc.
func Sinc(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sinc.call1(x, opts) }

var unnormalizedSinc = elementwise{fn: "ops.UnnormalizedSinc", body: "sinc(x)", loop: realFloat}

// UnnormalizedSinc returns sin(x)/x, and 1 for 0. nnabla sinc.
func UnnormalizedSinc(x *nd.Array, opts ...UfuncOptions) *nd.Array {
	return unnormalizedSinc.call1(x, opts)
}
