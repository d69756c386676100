package scalar

import "math"

// maxUrn is the largest number of balls for which the logarithms of factorials are accurate enough.
const maxUrn = 1e9

// hypergeometric draws how many of c balls, drawn without replacement from a marked and b other ones, are marked.
func (s *Sampler) hypergeometric() float64 {
	marked, others, drawn := s.a, s.b, s.c
	total := marked + others
	if !(marked >= 0 && others >= 0 && drawn >= 0 && drawn <= total && total <= maxUrn) {
		return math.NaN()
	}
	// It is enough to draw the smaller part, and to count the rarer kind.
	few, rare := min(drawn, total-drawn), min(marked, others)
	k := s.fewOf(min(few, rare), max(few, rare), total)
	if rare < marked { // the others were counted
		k = few - k
	}
	if few < drawn { // what stays was drawn
		k = marked - k
	}
	return k
}

// fewOf draws how many of few balls, drawn from an urn with total balls, are marked. The urn has as many marked balls as
// marked says, and few <= marked <= total/2. Exchanging the numbers of drawn and of marked balls does not change the
// distribution.
func (s *Sampler) fewOf(few, marked, total float64) float64 {
	if few <= 10 {
		k := 0.0
		for left := few; left > 0; left-- {
			if float64(s.uniform()*total) < marked-k {
				k++
			}
			total--
		}
		return k
	}
	// The ratio of uniforms with a table mountain hat (Stadlober 1989), about the mode.
	c := &s.constants
	if !s.ready {
		share := marked / total
		mean := float64(few * share)
		variance := float64(float64(mean*(1-share))*(total-few)) / (total - 1)
		mode := math.Floor(float64((few+1)*(marked+1)) / (total + 2))
		*c = [6]float64{mean + 0.5, float64(math.Sqrt(float64(8/math.E)) * math.Sqrt(variance+0.5)), mode, urnWeight(mode, few, marked, total)}
		c[1] += 3 - float64(2*math.Sqrt(float64(3/math.E)))
		s.ready = true
	}
	center, width, most := c[0], c[1], c[3]
	for {
		u, v := s.uniform(), s.uniform()-0.5
		if u == 0 {
			continue
		}
		k := math.Floor(center + float64(width*v)/u)
		if !(k >= 0 && k <= few) {
			continue
		}
		if float64(2*Log(u)) <= urnWeight(k, few, marked, total)-most {
			return k
		}
	}
}

// urnWeight returns the logarithm of the probability of k, apart from a constant.
func urnWeight(k, few, marked, total float64) float64 {
	return -(Lgamma(k+1) + Lgamma(few-k+1) + Lgamma(marked-k+1) + Lgamma(total-marked-few+k+1))
}
