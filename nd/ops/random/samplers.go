package random

import "math"

// The methods of source draw one number of a distribution, from as many uniform, exponential and normal ones as it takes.

// gamma draws of shape parameter k with scale 1.
func (s *source) gamma(k float64) float64 {
	switch {
	case k == 0:
		return 0
	case k == 1:
		return s.ExpFloat64()
	case k < 0.2:
		return s.gammaNearZero(k)
	}
	// d·v with v = (1 + cx)³ of a normal x, where u says so (Marsaglia and Tsang 2000). Below 1 it is a draw of k+1 times u^(1/k).
	d, factor := k-1.0/3, 1.0
	if k < 1 {
		d += 1.0
		factor = math.Pow(s.Float64(), 1/k)
	}
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := s.NormFloat64()
		root := 1 + x*c
		if root <= 0 {
			continue
		}
		v := root * root * root
		u := s.Float64()
		if u < 1-0.0331*(x*x)*(x*x) || // which implies the other, and needs no logarithm
			math.Log(u) < 0.5*x*x+d*(1-v+math.Log(v)) {
			return factor * d * v
		}
	}
}

// gammaNearZero draws of a small k by rejection from two exponential tails of -k·log(x) (Liu, Martin and Syring 2015).
func (s *source) gammaNearZero(k float64) float64 {
	slope := 1/k - 1 // of the tail below 0
	weight := -math.Log1p(1 / slope / math.E)
	for {
		z := s.ExpFloat64()
		if z >= -weight {
			z += weight
		} else {
			z = -s.ExpFloat64() / slope
		}
		envelope := -z
		if z < 0 {
			envelope = -1 + slope*z
		}
		x := math.Exp(-z / k)
		if -z-x-envelope > -s.ExpFloat64() {
			return x
		}
	}
}

// poisson draws of a rate.
func (s *source) poisson(rate float64) float64 {
	if rate == 0 {
		return 0
	}
	if rate < 10 { // how many arrive in a time
		count := 0.0
		for at := s.ExpFloat64(); at < rate; at += s.ExpFloat64() {
			count++
		}
		return count
	}
	// The transformed rejection with a squeeze, PTRS (Hörmann 1993).
	b := 0.931 + 2.53*math.Sqrt(rate)
	a := -0.059 + 0.02483*b
	inverse := 1.1239 + 1.1328/(b-3.4)
	squeeze := 0.9277 - 3.6224/(b-2)
	for {
		u := s.Float64() - 0.5
		v := s.Float64()
		away := 0.5 - math.Abs(u)
		k := math.Floor((2*a/away+b)*u + rate + 0.43)
		if away >= 0.07 && v <= squeeze {
			return k
		}
		if k <= 0 || away < 0.013 && v > away {
			continue
		}
		factorial, _ := math.Lgamma(k + 1)
		if math.Log(v*inverse/(a/(away*away)+b)) <= k*math.Log(rate)-rate-factorial {
			return k
		}
	}
}

// binomial draws how many of n trials succeed.
func (s *source) binomial(n, p float64) float64 {
	switch {
	case n == 0 || p == 0:
		return 0
	case p == 1:
		return n
	case p > 0.5:
		return n - s.rareBinomial(n, 1-p)
	}
	return s.rareBinomial(n, p)
}

// rareBinomial is binomial for p up to a half.
func (s *source) rareBinomial(n, p float64) float64 {
	mean := n * p
	switch {
	case n < 25:
		count := 0.0
		for range int(n) {
			if s.Float64() < p {
				count++
			}
		}
		return count
	case mean < 1:
		return s.binomialLikePoisson(n, p, mean)
	}
	// Rejection from a Cauchy distribution.
	all, _ := math.Lgamma(n + 1)
	success, failure := math.Log(p), math.Log1p(-p)
	width := math.Sqrt(2 * mean * (1 - p))
	for {
		y := math.Tan(math.Pi * s.Float64())
		k := width*y + mean
		if !(k >= 0 && k < n+1) {
			continue
		}
		k = math.Floor(k)
		chosen, _ := math.Lgamma(k + 1)
		others, _ := math.Lgamma(n - k + 1)
		if s.Float64() <= 1.2*width*(1+y*y)*math.Exp(all-chosen-others+k*success+(n-k)*failure) {
			return k
		}
	}
}

// binomialLikePoisson draws by rejection from the Poisson distribution of the mean.
func (s *source) binomialLikePoisson(n, p, mean float64) float64 {
	const bound = 2.6e-2 // of the logarithm of the quotient of the two
	failure := log1pNearZero(-p)
	for {
		k, at := 0.0, 0.0
		for range int(n) {
			if at += s.ExpFloat64(); at >= mean {
				break
			}
			k++
		}
		others := n - k
		// By Stirling's formula for n! and others!.
		if s.ExpFloat64() >= (others+0.5)*log1pNearZero(-k/n)+k-others*failure+1/(12*others)-mean+bound {
			return k
		}
	}
}

// log1pNearZero is a Padé approximant of log(1 + z).
func log1pNearZero(z float64) float64 { return (1 + 0.5*z) * z / (1 + (1+1.0/6*z)*z) }
