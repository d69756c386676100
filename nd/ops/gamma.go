package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var gamma = ufunc.Definition{Fn: "ops.Gamma", Body: "gamma(x)", Loop: ufunc.RealFloat}

// Gamma returns the gamma function ∫₀^∞ t^(x-1)·exp(-t) dt, within 4 ulp.
func Gamma(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&gamma, x, opts) }

var lgamma = ufunc.Definition{Fn: "ops.Lgamma", Body: "lgamma(x)", Loop: ufunc.RealFloat}

// Lgamma returns log|Gamma(x)|, within 4 ulp.
// PyTorch: lgamma, special.gammaln.
func Lgamma(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&lgamma, x, opts) }

var digamma = ufunc.Definition{Fn: "ops.Digamma", Body: "digamma(x)", Loop: ufunc.RealFloat}

// Digamma returns the derivative of Lgamma, within 4 ulp.
// PyTorch: digamma, special.psi, special.digamma.
func Digamma(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&digamma, x, opts) }

var polygamma = ufunc.Definition{Fn: "ops.Polygamma", Scalars: "T n", Body: "polygamma(n, x)", Loop: ufunc.RealFloat}

// Polygamma returns the derivative of order n of Digamma, within 4 ulp: Digamma itself for n = 0, else
// (-1)ⁿ⁺¹·n!·Zeta(n+1, x). It is an infinity at 0 and at negative whole numbers. n must be at least 0.
// PyTorch: polygamma, special.polygamma.
func Polygamma(x *nd.Array, n int, opts ...UfuncOption) *nd.Array {
	if n < 0 {
		panic(polygamma.Fn.Errorf([]*nd.Array{x}, "the order is %d: want at least 0", n))
	}
	return call(&polygamma, opts, []float64{float64(n)}, x)
}

var zeta = ufunc.Definition{Fn: "ops.Zeta", Two: true, Body: "zeta(a, b)", Loop: ufunc.RealFloat}

// Zeta returns Hurwitz' zeta function Σ (q+k)⁻ˢ over all k ≥ 0, within 4 ulp; Riemann's zeta function has q = 1. It is
// infinite for s = 1, and for q = 0 and negative whole q. It is NaN for s < 1, and for other q < 0 unless s is whole. For
// s = Inf it is the limit: 0 for q > 1, 1 for q = 1, Inf for q between 0 and 1. s has no gradient; the derivative by q is
// -s·Zeta(s+1, q).
// PyTorch: special.zeta.
func Zeta[S, Q nd.Operand](s S, q Q, opts ...UfuncOption) *nd.Array { return call2(&zeta, s, q, opts) }

var gammainc = ufunc.Definition{Fn: "ops.Gammainc", Two: true, Body: "gammainc(a, b)", Loop: ufunc.RealFloat}

// Gammainc returns the regularized lower incomplete gamma function 1/Gamma(a)·∫₀ˣ t^(a-1)·exp(-t) dt, within 4 ulp, for
// a ≥ 0 and x ≥ 0: the distribution function at x of a gamma distribution. a has no gradient.
// PyTorch: igamma, special.gammainc.
func Gammainc[A, X nd.Operand](a A, x X, opts ...UfuncOption) *nd.Array {
	return call2(&gammainc, a, x, opts)
}

var gammaincc = ufunc.Definition{Fn: "ops.Gammaincc", Two: true, Body: "gammaincc(a, b)", Loop: ufunc.RealFloat}

// Gammaincc returns the regularized upper incomplete gamma function, 1 - Gammainc(a, x), accurate where it is small,
// within 4 ulp.
// PyTorch: igammac, special.gammaincc.
func Gammaincc[A, X nd.Operand](a A, x X, opts ...UfuncOption) *nd.Array {
	return call2(&gammaincc, a, x, opts)
}

// Multigammaln returns the logarithm of the multivariate gamma function of p dimensions, p(p-1)/4·log(π) + Σ Lgamma(x -
// j/2) over j < p, for x above (p-1)/2.
// PyTorch: mvlgamma, special.multigammaln.
func Multigammaln(x *nd.Array, p int) *nd.Array {
	const fn = nd.Func("ops.Multigammaln")
	fn.Check(x)
	const most = 1 << 16
	if p < 1 || p > most {
		panic(fn.Errorf([]*nd.Array{x}, "%d dimensions: want 1 to %d", p, most))
	}
	y := Lgamma(x)
	for j := 1; j < p; j++ {
		moved := Add(x, -0.5*float64(j))
		part := Lgamma(moved)
		y = release.Operands(Add(y, part), y, moved, part)
	}
	return fn.Made(release.Operands(Add(y, math.Log(math.Pi)*float64(p*(p-1))/4), y))
}
