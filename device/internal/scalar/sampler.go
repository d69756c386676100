package scalar

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
)

// Sampler draws the random numbers of one distribution with parameters. Each element has its own blocks of Philox,
// whose counters begin with the element's number in the stream, so that it may use as many blocks as it needs.
type Sampler struct {
	draw      func(s *Sampler) float64
	key       [2]uint32
	number    uint64 // the element's number
	block     uint64 // the next block
	words     [2]uint64
	left      int     // number of words
	a, b, c   float64 // the parameters of the distribution
	constants [6]float64
	ready     bool // the parameters for which constants was computed
}

// NewSampler returns the sampler of a distribution with parameters, and a stream's key; nil for other distributions.
func NewSampler(d device.Distribution, key [2]uint32) *Sampler {
	s := &Sampler{key: key}
	switch d {
	case device.DistributionGamma: // the scale is the second parameter
		s.draw = func(s *Sampler) float64 { return float64(s.b * s.gamma(s.a)) }
	case device.DistributionBeta:
		s.draw = (*Sampler).beta
	case device.DistributionPoisson:
		s.draw = (*Sampler).poisson
	case device.DistributionBinomial:
		s.draw = (*Sampler).binomial
	case device.DistributionVonMises:
		s.draw = (*Sampler).vonMises
	case device.DistributionZipf:
		s.draw = (*Sampler).zipf
	case device.DistributionLogSeries:
		s.draw = (*Sampler).logSeries
	case device.DistributionHypergeometric:
		s.draw = (*Sampler).hypergeometric
	default:
		return nil
	}
	return s
}

// Draw returns the element with the given number in the stream, for parameters in the distribution's domain; for other
// parameters it is NaN.
func (s *Sampler) Draw(number uint64, a, b, c float64) float64 {
	if a != s.a || b != s.b || c != s.c {
		s.a, s.b, s.c, s.ready = a, b, c, false
	}
	s.number, s.block, s.left = number, 0, 0
	return s.draw(s)
}

// word returns the next 64 random bits.
func (s *Sampler) word() uint64 {
	if s.left == 0 {
		w := Philox4x32([4]uint32{uint32(s.number), uint32(s.number >> 32), uint32(s.block), uint32(s.block >> 32)}, s.key)
		s.words = [2]uint64{uint64(w[3])<<32 | uint64(w[2]), uint64(w[1])<<32 | uint64(w[0])}
		s.block++
		s.left = 2
	}
	s.left--
	return s.words[s.left]
}

// uniform returns a number in [0, 1).
func (s *Sampler) uniform() float64 { return float64(s.word()>>11) * 0x1p-53 }

// exponential returns a number of the exponential distribution with mean 1.
func (s *Sampler) exponential() float64 { return -Log1p(-s.uniform()) }

// gamma draws from the gamma distribution with shape parameter k and scale 1.
func (s *Sampler) gamma(k float64) float64 {
	switch {
	case !(k >= 0):
		return math.NaN()
	case k == 0:
		return 0
	case k == 1:
		return s.exponential()
	}
	// d·v with v = (1 + cx)**3 for a normal x, accepted or rejected by u (Marsaglia and Tsang 2000). For k below 1 it
	// is a draw for k+1 times u**(1/k).
	d, power := k-1.0/3, 0.0
	if k < 1 {
		d += 1
		power = -s.exponential() / k
	}
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := s.normal()
		root := 1 + float64(x*c)
		if root <= 0 {
			continue
		}
		v := float64(float64(root*root) * root)
		square := float64(x * x)
		u := s.uniform()
		// The first condition implies the other, and needs no logarithm.
		if u < 1-float64(0.0331*float64(square*square)) || Log(u) < float64(0.5*square)+float64(d*(1-v+Log(v))) {
			if power == 0 {
				return float64(d * v)
			}
			return Exp(power + Log(float64(d*v)))
		}
	}
}

func (s *Sampler) beta() float64 {
	a, b := s.a, s.b
	if !(a > 0 && b > 0) {
		return math.NaN()
	}
	if a > 1 || b > 1 {
		x := s.gamma(a)
		return 1 / (1 + s.gamma(b)/x)
	}
	// p/(p + q) with p = u**(1/a) and q = v**(1/b), drawn until p + q <= 1 (Jöhnk 1964). x and y are the logarithms of
	// p and q, which may be too small for a float.
	for {
		x, y := -s.exponential()/a, -s.exponential()/b
		if x <= -math.MaxFloat64 && y <= -math.MaxFloat64 {
			continue
		}
		if sum := LogAddExp(x, y); sum <= 0 {
			return Exp(x - sum)
		}
	}
}
