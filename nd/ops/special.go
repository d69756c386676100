package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var erf = ufunc.Definition{Fn: "ops.Erf", Body: "erf(x)", Loop: ufunc.RealFloat}

// Erf returns the error function 2/√π·∫₀ˣ exp(-t²) dt. torch.erf.
func Erf(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&erf, x, opts) }

var erfc = ufunc.Definition{Fn: "ops.Erfc", Body: "erfc(x)", Loop: ufunc.RealFloat}

// Erfc returns 1 - Erf(x), exact for large x too, within 4 ulp. torch.erfc.
func Erfc(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&erfc, x, opts) }

var erfinv = ufunc.Definition{Fn: "ops.Erfinv", Body: "erfinv(x)", Loop: ufunc.RealFloat}

// Erfinv returns the number whose error function x is, within 4 ulp. torch.erfinv.
func Erfinv(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&erfinv, x, opts) }

var gamma = ufunc.Definition{Fn: "ops.Gamma", Body: "gamma(x)", Loop: ufunc.RealFloat}

// Gamma returns the gamma function ∫₀^∞ t^(x-1)·exp(-t) dt, within 4 ulp.
func Gamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&gamma, x, opts) }

var lgamma = ufunc.Definition{Fn: "ops.Lgamma", Body: "lgamma(x)", Loop: ufunc.RealFloat}

// Lgamma returns log|Gamma(x)|, within 4 ulp. torch.lgamma, torch.special.gammaln.
func Lgamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&lgamma, x, opts) }

var digamma = ufunc.Definition{Fn: "ops.Digamma", Body: "digamma(x)", Loop: ufunc.RealFloat}

// Digamma returns the derivative of Lgamma, within 4 ulp. Its gradient has no gradient. torch.digamma, torch.special.psi.
func Digamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&digamma, x, opts) }

var ndtr = ufunc.Definition{Fn: "ops.Ndtr", Body: "ndtr(x)", Loop: ufunc.RealFloat}

// Ndtr returns the distribution function of the standard normal distribution, within 4 ulp. torch.special.ndtr.
func Ndtr(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&ndtr, x, opts) }

var logNdtr = ufunc.Definition{Fn: "ops.LogNdtr", Body: "log_ndtr(x)", Loop: ufunc.RealFloat}

// LogNdtr returns log(Ndtr(x)), exact far below 0 too, within 4 ulp. torch.special.log_ndtr.
func LogNdtr(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&logNdtr, x, opts) }

var logit = ufunc.Definition{Fn: "ops.Logit", Loop: ufunc.RealFloat, Gradient: "gx = gy / (x * (1 - x))",
	Body: "x < 0.25 || x > 0.75 ? log(x / (1 - x)) : x < 0.5 ? -log1p((1 - 2 * x) / x) : log1p((2 * x - 1) / (1 - x))"}

// Logit returns log(x/(1-x)), the inverse of Sigmoid. torch.logit.
func Logit(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&logit, x, opts) }

var i0 = ufunc.Definition{Fn: "ops.I0", Body: "i0(x)", Loop: ufunc.RealQuotient}

// I0 returns the modified Bessel function of the first kind of order 0; integers give float64. numpy.i0.
func I0(x *nd.Array, opts ...UfuncOptions) *nd.Array { return call1(&i0, x, opts) }
