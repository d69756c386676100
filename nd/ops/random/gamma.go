package random

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
)

// Gamma draws from the gamma distribution of a shape parameter k and a scale, of density x^(k-1)·exp(-x/scale) up to a
// factor. numpy.random.gamma, numpy.random.standard_gamma for scale 1, nnabla rand_gamma.
func Gamma(rng *nd.Rand, k, scale float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Gamma"
	wantNonNegative(fn, "shape parameter", k)
	wantNonNegative(fn, "scale", scale)
	return hostDraws(fn, rng, shape, floatOptions(fn, opts), func(s *source) float64 { return scale * s.gamma(k) })
}

// Beta draws from the beta distribution, of density x^(a-1)·(1-x)^(b-1) up to a factor. numpy.random.beta, nnabla
// rand_beta.
func Beta(rng *nd.Rand, a, b float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Beta"
	wantPositive(fn, "exponent", a)
	wantPositive(fn, "exponent", b)
	return hostDraws(fn, rng, shape, floatOptions(fn, opts), func(s *source) float64 { return s.beta(a, b) })
}

func (s *source) beta(a, b float64) float64 {
	if a > 1 || b > 1 {
		x, y := s.gamma(a), s.gamma(b)
		return x / (x + y)
	}
	// p/(p + q) with p = u^(1/a) and q = v^(1/b), drawn until p + q ≤ 1 (Jöhnk 1964). x and y are the logarithms of p and q,
	// which may be too small for a float.
	for {
		x, y := math.Log1p(-s.Float64())/a, math.Log1p(-s.Float64())/b
		largest := max(x, y)
		if sum := largest + math.Log(math.Exp(x-largest)+math.Exp(y-largest)); sum <= 0 {
			return math.Exp(x - sum)
		}
	}
}
