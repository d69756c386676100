package scalar

import "math"

// poisson draws from the Poisson distribution with the given rate.
func (s *Sampler) poisson() float64 {
	rate, c := s.a, &s.constants
	switch {
	case !(rate >= 0 && rate < 0x1p60):
		return math.NaN()
	case rate == 0:
		return 0
	case rate < 10:
		if !s.ready {
			c[0], s.ready = Exp(-rate), true
		}
		return s.byInversion(c[0], func(k float64) float64 { return rate / k })
	}
	// The transformed rejection with a squeeze, PTRS (Hörmann 1993).
	if !s.ready {
		b := 0.931 + float64(2.53*math.Sqrt(rate))
		a := -0.059 + float64(0.02483*b)
		*c = [6]float64{a, b, 1.1239 + 1.1328/(b-3.4), 0.9277 - 3.6224/(b-2)}
		s.ready = true
	}
	a, b, inverse, squeeze := c[0], c[1], c[2], c[3]
	for {
		u, v := s.uniform()-0.5, s.uniform()
		away := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/away+b)*u) + rate + 0.43)
		if away >= 0.07 && v <= squeeze {
			return k
		}
		if k < 0 || away < 0.013 && v > away {
			continue
		}
		// The logarithm of the probability of k, computed without a difference of large terms.
		distance := rate - k - 1
		density := float64(k*Log1p(distance/(k+1))) - distance - 0.5*Log(k+1) - 0.5*math.Log(2*math.Pi) - factorialRest(k)
		if Log(float64(v*inverse)/(a/float64(away*away)+b)) <= density {
			return k
		}
	}
}

// byInversion draws a count. The probability of 0 is given; the probability of each other k is that of k-1 times a
// quotient.
func (s *Sampler) byInversion(probability float64, quotient func(k float64) float64) float64 {
	u, k := s.uniform(), 0.0
	for u >= probability && probability > 0 {
		u -= probability
		k++
		probability = float64(probability * quotient(k))
	}
	return k
}

// factorialRest returns log(k!) - log(sqrt(2*pi)) - (k+1/2)*log(k+1) + (k+1).
func factorialRest(k float64) float64 {
	x := k + 1
	if x < shiftLimit {
		return Lgamma(x) - 0.5*math.Log(2*math.Pi) - float64((k+0.5)*Log(x)) + x
	}
	inverse := 1 / x
	square := float64(inverse * inverse)
	return float64(inverse * (1.0/12 - float64(square*(1.0/360-float64(square*(1.0/1260))))))
}

// binomial draws how many of a trials succeed, each with probability b.
func (s *Sampler) binomial() float64 {
	n, p := s.a, s.b
	switch {
	case !(n >= 0 && n <= 0x1p53 && p >= 0 && p <= 1):
		return math.NaN()
	case n == 0 || p == 0:
		return 0
	case p == 1:
		return n
	case p > 0.5:
		return n - s.rareBinomial(n, 1-p)
	}
	return s.rareBinomial(n, p)
}

// rareBinomial is binomial for p up to 1/2.
func (s *Sampler) rareBinomial(n, p float64) float64 {
	c, odds := &s.constants, p/(1-p)
	if float64(n*p) < 10 {
		if !s.ready {
			c[0], s.ready = Exp(float64(n*Log1p(-p))), true
		}
		return min(n, s.byInversion(c[0], func(k float64) float64 { return float64((n-k+1)/k) * odds }))
	}
	// The transformed rejection with a squeeze, BTRS (Hörmann 1993).
	if !s.ready {
		deviation := math.Sqrt(float64(float64(n*p) * (1 - p)))
		b := 1.15 + float64(2.53*deviation)
		a := -0.0873 + float64(0.0248*b) + float64(0.01*p)
		mode := math.Floor(float64((n + 1) * p))
		*c = [6]float64{a, b, 0.92 - 4.2/b, float64((2.83 + 5.1/b) * deviation), mode,
			factorialRest(mode) + factorialRest(n-mode)}
		s.ready = true
	}
	a, b, squeeze, alpha, mode, rest := c[0], c[1], c[2], c[3], c[4], c[5]
	for {
		u, v := s.uniform()-0.5, s.uniform()
		away := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/away+b)*u) + float64(n*p) + 0.5)
		if away >= 0.07 && v <= squeeze {
			return k
		}
		if !(k >= 0 && k <= n) {
			continue
		}
		// The logarithm of the quotient of the probabilities of k and of the mode, computed without a difference of
		// large terms.
		distance := k - mode
		quotient := float64((n-mode+0.5)*Log1p(distance/(n-k+1))) - float64((mode+0.5)*Log1p(distance/(mode+1))) +
			float64(distance*Log(odds*((n-k+1)/(k+1)))) + rest - factorialRest(k) - factorialRest(n-k)
		if Log(float64(v*alpha)/(a/float64(away*away)+b)) <= quotient {
			return k
		}
	}
}
