package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var erf = ufunc.Definition{Fn: "ops.Erf", Body: "erf(x)", Loop: ufunc.RealFloat}

// Erf returns the error function 2/√π·∫₀ˣ exp(-t²) dt.
// PyTorch: erf.
func Erf(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&erf, x, opts) }

var erfc = ufunc.Definition{Fn: "ops.Erfc", Body: "erfc(x)", Loop: ufunc.RealFloat}

// Erfc returns 1 - Erf(x), accurate for large x too, within 4 ulp.
// PyTorch: erfc.
func Erfc(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&erfc, x, opts) }

var erfcx = ufunc.Definition{Fn: "ops.Erfcx", Body: "erfcx(x)", Loop: ufunc.RealFloat}

// Erfcx returns exp(x²)·Erfc(x) within 4 ulp. It does not underflow where Erfc does.
// PyTorch: special.erfcx.
func Erfcx(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&erfcx, x, opts) }

var erfinv = ufunc.Definition{Fn: "ops.Erfinv", Body: "erfinv(x)", Loop: ufunc.RealFloat}

// Erfinv returns the inverse of Erf within 4 ulp.
// PyTorch: erfinv.
func Erfinv(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&erfinv, x, opts) }

var ndtr = ufunc.Definition{Fn: "ops.Ndtr", Body: "ndtr(x)", Loop: ufunc.RealFloat}

// Ndtr returns the distribution function of the standard normal distribution, within 4 ulp.
// PyTorch: special.ndtr.
func Ndtr(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&ndtr, x, opts) }

var logNdtr = ufunc.Definition{Fn: "ops.LogNdtr", Body: "log_ndtr(x)", Loop: ufunc.RealFloat}

// LogNdtr returns log(Ndtr(x)), accurate far below 0 too, within 4 ulp.
// PyTorch: special.log_ndtr.
func LogNdtr(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&logNdtr, x, opts) }

var ndtri = ufunc.Definition{Fn: "ops.Ndtri", Body: "ndtri(x)", Loop: ufunc.RealFloat}

// Ndtri returns the inverse of Ndtr within 4 ulp: the quantile of the standard normal distribution. It is infinite at 0
// and 1, and NaN outside [0, 1].
// PyTorch: special.ndtri.
func Ndtri(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&ndtri, x, opts) }

var logit = ufunc.Definition{Fn: "ops.Logit", Loop: ufunc.RealFloat, Gradient: "gx = gy / x + gy / (1 - x)", // no product of x and 1-x, which higher derivatives would square
	Body: "x < 0.25 || x > 0.75 ? log(x / (1 - x)) : x < 0.5 ? -log1p((1 - 2 * x) / x) : log1p((2 * x - 1) / (1 - x))"}

// Logit returns log(x/(1-x)), the inverse of Sigmoid.
// PyTorch: logit.
func Logit(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&logit, x, opts) }

var entr = ufunc.Definition{Fn: "ops.Entr", Loop: ufunc.RealFloat, Gradient: "gx = -gy * (1 + log(x))",
	Body: "x > 0 ? -x * log(x) : x == 0 ? T(0) : x < 0 ? -T(inf) : x"}

// Entr returns -x·log(x), which is 0 at 0 and -Inf for negative x. Its sum is the entropy of probabilities. The
// gradient at 0 is infinite.
// PyTorch: special.entr.
func Entr(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&entr, x, opts) }

var xlogy = ufunc.Definition{Fn: "ops.Xlogy", Two: true, Loop: ufunc.RealFloat,
	Body:     "a == 0 && !isnan(b) ? T(0) : a * log(b)",
	Gradient: "ga = a == 0 && b <= 0 ? T(0) : gy * log(b); gb = a == 0 && b == 0 ? T(0) : gy * a / b"}

// Xlogy returns a·log(b), and 0 if a is 0, for every b except NaN. The gradient of a is gy·log(b), and 0 if a is 0 and
// b is not positive. The gradient of b is gy·a/b, and 0 if both are 0.
// PyTorch: xlogy, special.xlogy.
func Xlogy[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&xlogy, a, b, opts)
}

var xlog1py = ufunc.Definition{Fn: "ops.Xlog1py", Two: true, Loop: ufunc.RealFloat,
	Body:     "a == 0 && !isnan(b) ? T(0) : a * log1p(b)",
	Gradient: "ga = a == 0 && b <= -1 ? T(0) : gy * log1p(b); gb = a == 0 && b == -1 ? T(0) : gy * a / (1 + b)"}

// Xlog1py returns a·log(1+b), accurate for a small b, and 0 if a is 0, for every b except NaN. The gradient of a is
// gy·log(1+b), and 0 if a is 0 and b is at most -1. The gradient of b is gy·a/(1+b), and 0 if a is 0 and b is
// -1.
// PyTorch: special.xlog1py.
func Xlog1py[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&xlog1py, a, b, opts)
}
