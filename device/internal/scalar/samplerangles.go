package scalar

import "math"

// vonMises draws from the von Mises distribution around the angle a, with the concentration b. The result is from -π to π.
func (s *Sampler) vonMises() float64 {
	mean, kappa := s.a, s.b
	if !(kappa >= 0 && kappa <= math.MaxFloat64 && math.Abs(mean) <= math.MaxFloat64) {
		return math.NaN()
	}
	angle := mean + s.aroundZero(kappa)
	return angle - float64(2*math.Pi*math.RoundToEven(angle/(2*math.Pi)))
}

// aroundZero is vonMises around 0.
func (s *Sampler) aroundZero(kappa float64) float64 {
	switch {
	case kappa < 1e-8:
		return float64(2*math.Pi*s.uniform()) - math.Pi
	case kappa > 1e6: // nearly normal
		return s.normal() / math.Sqrt(kappa)
	}
	// The rejection from a wrapped Cauchy distribution (Best and Fisher 1979).
	if c := &s.constants; !s.ready {
		c[0], s.ready = 1/kappa+kappa, true // the limit for a small kappa
		if kappa >= 1e-5 {
			r := 1 + math.Sqrt(1+float64(4*float64(kappa*kappa)))
			rho := (r - math.Sqrt(float64(2*r))) / float64(2*kappa)
			c[0] = (1 + float64(rho*rho)) / float64(2*rho)
		}
	}
	shape := s.constants[0]
	for {
		z := Cos(float64(math.Pi * s.uniform()))
		w := (1 + float64(shape*z)) / (shape + z)
		y := float64(kappa * (shape - w))
		v := s.uniform()
		if float64(y*(2-y))-v >= 0 || Log(y/v)+1-y >= 0 {
			angle := Acos(min(1, max(-1, w)))
			if s.uniform() < 0.5 {
				return -angle
			}
			return angle
		}
	}
}
