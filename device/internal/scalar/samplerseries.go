package scalar

import "math"

// zipf draws k = 1, 2, … with a probability proportional to k**-a, where k is less than 2**63.
func (s *Sampler) zipf() float64 {
	a := s.a
	switch {
	case !(a > 1):
		return math.NaN()
	case a >= 1025: // 2**-a is 0
		return 1
	}
	// The rejection from a Pareto distribution, rounded down (Devroye 1986, chapter X.6).
	power, c := a-1, &s.constants
	if !s.ready {
		c[0], c[1] = Expm1(float64(power*math.Ln2)), Exp(-float64(power*float64(63*math.Ln2)))
		s.ready = true
	}
	slope, least := c[0], c[1] // 2**power - 1, and the smallest u with a draw below 2**63
	for {
		u, v := s.uniform(), s.uniform()
		k := math.Floor(Exp(-Log(1-u+float64(u*least)) / power))
		if !(k >= 1 && k < 0x1p63) {
			continue
		}
		step := Expm1(float64(power * Log1p(1/k))) // ((k+1)/k)**power - 1
		if float64(float64(v*k)*float64(step/slope)) <= (1+step)/(1+slope) {
			return k
		}
	}
}

// logSeries draws k = 1, 2, … with a probability proportional to a**k/k (Kemp 1981).
func (s *Sampler) logSeries() float64 {
	p := s.a
	if !(p >= 0 && p < 1) {
		return math.NaN()
	}
	r := Log1p(-p)
	for {
		v := s.uniform()
		if v >= p {
			return 1
		}
		q := -Expm1(float64(r * s.uniform()))
		switch {
		case v > float64(q*q) && v < q:
			return 2
		case v >= q:
			return 1
		}
		k := math.Floor(1 + Log(v)/Log(q))
		if v > 0 && k >= 1 {
			return k
		}
	}
}
