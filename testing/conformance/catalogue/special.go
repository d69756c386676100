package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// specialRows is the chapter of special functions, which only torch documents.
var specialRows = []Row{
	{Signature: "accuracy.erf(x)", Func: ops.Erf},
	{Signature: "accuracy.erfc(x)", Func: ops.Erfc},
	{Signature: "accuracy.erfinv(x)", Func: ops.Erfinv},
	{Signature: "accuracy.gamma(x)", Func: ops.Gamma},
	{Signature: "accuracy.lgamma(x)", Func: ops.Lgamma},
	{Signature: "accuracy.digamma(x)", Func: ops.Digamma},
	{Signature: "accuracy.ndtr(x)", Func: ops.Ndtr},
	{Signature: "accuracy.log_ndtr(x)", Func: ops.LogNdtr},
	{Signature: "accuracy.logit(x)", Func: ops.Logit},
	{Signature: "numpy.i0(x)", Func: ops.I0},
	{Signature: "torch.special.erfcx(input)", Func: ops.Erfcx, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.ndtri(input)", Func: ops.Ndtri, Domain: map[string]Interval{"": {0, 1}}},
	{Signature: "torch.special.entr(input)", Func: ops.Entr, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.i1(input)", Func: ops.I1},
	{Signature: "torch.special.i0e(input)", Func: ops.I0E},
	{Signature: "torch.special.i1e(input)", Func: ops.I1E},
	{Signature: "torch.special.bessel_j0(input)", Func: ops.J0},
	{Signature: "torch.special.bessel_j1(input)", Func: ops.J1},
	{Signature: "torch.special.bessel_y0(input)", Func: ops.Y0, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.bessel_y1(input)", Func: ops.Y1, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.modified_bessel_k0(input)", Func: ops.K0, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.modified_bessel_k1(input)", Func: ops.K1, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.scaled_modified_bessel_k0(input)", Func: ops.K0E, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.scaled_modified_bessel_k1(input)", Func: ops.K1E, Domain: map[string]Interval{"": {0, 9}}},
	{Signature: "torch.special.polygamma(input, n)", Func: ops.Polygamma, Domain: map[string]Interval{"": {1, 9}}},
	{Signature: "torch.special.multigammaln(input, p)", Func: ops.Multigammaln, Domain: map[string]Interval{"": {1, 9}}},
	{Signature: "torch.special.zeta(input, other)", Func: pair(ops.Zeta), Domain: map[string]Interval{"other": {0, 9}}, Fixed: []string{"input"}},
	{Signature: "torch.special.gammainc(input, other)", Func: pair(ops.Gammainc), Domain: map[string]Interval{"other": {0, 9}}, Fixed: []string{"input"}},
	{Signature: "torch.special.gammaincc(input, other)", Func: pair(ops.Gammaincc), Domain: map[string]Interval{"other": {0, 9}}, Fixed: []string{"input"}},
	{Signature: "torch.special.xlogy(input, other)", Func: pair(ops.Xlogy), Domain: map[string]Interval{"other": {0, 9}}},
	{Signature: "torch.special.xlog1py(input, other)", Func: pair(ops.Xlog1py), Domain: map[string]Interval{"other": {-1, 9}}},
	{Signature: "torch.special.chebyshev_polynomial_t(input, n)", Func: orthogonal(ops.ChebyshevT), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.chebyshev_polynomial_u(input, n)", Func: orthogonal(ops.ChebyshevU), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.chebyshev_polynomial_v(input, n)", Func: orthogonal(ops.ChebyshevV), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.chebyshev_polynomial_w(input, n)", Func: orthogonal(ops.ChebyshevW), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.shifted_chebyshev_polynomial_t(input, n)", Func: orthogonal(ops.ShiftedChebyshevT), Domain: map[string]Interval{"": {0, 1}}},
	{Signature: "torch.special.shifted_chebyshev_polynomial_u(input, n)", Func: orthogonal(ops.ShiftedChebyshevU), Domain: map[string]Interval{"": {0, 1}}},
	{Signature: "torch.special.shifted_chebyshev_polynomial_v(input, n)", Func: orthogonal(ops.ShiftedChebyshevV), Domain: map[string]Interval{"": {0, 1}}},
	{Signature: "torch.special.shifted_chebyshev_polynomial_w(input, n)", Func: orthogonal(ops.ShiftedChebyshevW), Domain: map[string]Interval{"": {0, 1}}},
	{Signature: "torch.special.hermite_polynomial_h(input, n)", Func: orthogonal(ops.HermiteH), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.hermite_polynomial_he(input, n)", Func: orthogonal(ops.HermiteHe), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.laguerre_polynomial_l(input, n)", Func: orthogonal(ops.LaguerreL), Domain: map[string]Interval{"": {-1, 1}}},
	{Signature: "torch.special.legendre_polynomial_p(input, n)", Func: orthogonal(ops.LegendreP), Domain: map[string]Interval{"": {-1, 1}}},
}

// orthogonal returns the polynomials of a family.
func orthogonal(family ops.OrthogonalFamily) func(x, n *nd.Array) *nd.Array {
	return func(x, n *nd.Array) *nd.Array { return ops.OrthogonalPolynomial(family, x, n) }
}
