package ops

import "github.com/ndgrad/ndgrad/nd"

var erf = elementwise{fn: "ops.Erf", body: "erf(x)", loop: realFloat}

// Erf returns the error function 2/√π·∫₀ˣ exp(-t²) dt.
func Erf(x *nd.Array, opts ...UfuncOptions) *nd.Array { return erf.call1(x, opts) }

var erfc = elementwise{fn: "ops.Erfc", body: "erfc(x)", loop: realFloat}

// Erfc returns 1 - Erf(x), exact for large x too, within 4 ulp.
func Erfc(x *nd.Array, opts ...UfuncOptions) *nd.Array { return erfc.call1(x, opts) }

var erfinv = elementwise{fn: "ops.Erfinv", body: "erfinv(x)", loop: realFloat}

// Erfinv returns the number whose error function x is, within 4 ulp.
func Erfinv(x *nd.Array, opts ...UfuncOptions) *nd.Array { return erfinv.call1(x, opts) }

var gamma = elementwise{fn: "ops.Gamma", body: "gamma(x)", loop: realFloat}

// Gamma returns the gamma function ∫₀^∞ t^(x-1)·exp(-t) dt, within 4 ulp.
func Gamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return gamma.call1(x, opts) }

var lgamma = elementwise{fn: "ops.Lgamma", body: "lgamma(x)", loop: realFloat}

// Lgamma returns log|Gamma(x)|, within 4 ulp.
func Lgamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return lgamma.call1(x, opts) }

var digamma = elementwise{fn: "ops.Digamma", body: "digamma(x)", loop: realFloat}

// Digamma returns the derivative of Lgamma, within 4 ulp. Its gradient has no gradient.
func Digamma(x *nd.Array, opts ...UfuncOptions) *nd.Array { return digamma.call1(x, opts) }

var ndtr = elementwise{fn: "ops.Ndtr", body: "ndtr(x)", loop: realFloat}

// Ndtr returns the distribution function of the standard normal distribution, within 4 ulp.
func Ndtr(x *nd.Array, opts ...UfuncOptions) *nd.Array { return ndtr.call1(x, opts) }

var logNdtr = elementwise{fn: "ops.LogNdtr", body: "log_ndtr(x)", loop: realFloat}

// LogNdtr returns log(Ndtr(x)), exact far below 0 too, within 4 ulp.
func LogNdtr(x *nd.Array, opts ...UfuncOptions) *nd.Array { return logNdtr.call1(x, opts) }

var logit = elementwise{fn: "ops.Logit", loop: realFloat, gradient: "gx = gy / (x * (1 - x))",
	body: "x < 0.25 || x > 0.75 ? log(x / (1 - x)) : x < 0.5 ? -log1p((1 - 2 * x) / x) : log1p((2 * x - 1) / (1 - x))"}

// Logit returns log(x/(1-x)), the inverse of Sigmoid.
func Logit(x *nd.Array, opts ...UfuncOptions) *nd.Array { return logit.call1(x, opts) }

var i0 = elementwise{fn: "ops.I0", body: "i0(x)", loop: realQuotient}

// I0 returns the modified Bessel function of the first kind of order 0; integers give float64. numpy.i0.
func I0(x *nd.Array, opts ...UfuncOptions) *nd.Array { return i0.call1(x, opts) }
