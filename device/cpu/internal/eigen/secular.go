package eigen

import (
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// secular is the equation 1/ρ + Σ zⱼ²/(dⱼ - λ) = 0, with increasing d and positive ρ, none of whose terms is negligible.
// Its roots are the eigenvalues of diag(d) + ρ·z·zᵀ, one after each d. With squares, the equation is that of singular values:
// d² and λ² replace d and λ.
type secular struct {
	d, squared []float64 // squared has z²
	rho        float64
	squares    bool
	precision  float64 // with which a root is computed
}

// root is a solution λ, given by its difference from the nearest pole: λ = d[origin] + offset, or the same for squares.
type root struct {
	origin int
	offset float64
}

// gap returns the difference of two poles.
func (q *secular) gap(j, origin int) float64 {
	if q.squares {
		return (q.d[j] - q.d[origin]) * (q.d[j] + q.d[origin])
	}
	return q.d[j] - q.d[origin]
}

// gaps stores the differences of all poles from one.
func (q *secular) gaps(gaps []float64, origin int) {
	if q.squares {
		matvec.SquareGaps(gaps, q.d, q.d[origin])
	} else {
		matvec.Gaps(gaps, q.d, q.d[origin])
	}
}

// value returns the root itself.
func (q *secular) value(r root) float64 {
	at := q.d[r.origin]
	if q.squares {
		return at + r.offset/(at+math.Sqrt(at*at+r.offset))
	}
	return at + r.offset
}

// sums are the parts of the equation at a point: the terms up to a pole, and those after it, with their derivatives.
type sums struct{ below, belowSlope, above, aboveSlope float64 }

// at computes the sums at an offset from the pole from which the gaps are measured.
func (q *secular) at(gaps []float64, offset float64, poles int) (s sums) {
	s.below, s.belowSlope = matvec.Poles(gaps[:poles], q.squared[:poles], offset)
	s.above, s.aboveSlope = matvec.Poles(gaps[poles:], q.squared[poles:], offset)
	return s
}

// solve returns root i, which lies between the poles i and i+1, the last one after the last pole. gaps is overwritten.
func (q *secular) solve(i int, gaps []float64) root {
	n := len(q.d)
	if i == n-1 {
		return q.solveLast(gaps)
	}
	gap := q.gap(i+1, i)
	middle := gap / 2
	q.gaps(gaps, i)
	s := q.at(gaps, middle, i+1)
	f := 1/q.rho + s.below + s.above
	// The terms of the two poles are replaced below, the rest is taken as constant.
	z1, z2 := q.squared[i], q.squared[i+1]
	rest := f + z1/middle - z2/(gap-middle)
	r, low, high := root{i, 0}, 0.0, middle
	if f > 0 {
		r.offset = rationalStep(rest, rest*gap+z1+z2, z1*gap, false)
	} else {
		r.origin, low, high = i+1, -middle, 0
		r.offset = rationalStep(rest, z1+z2-rest*gap, -z2*gap, false)
		q.gaps(gaps, i+1)
	}
	return q.iterate(r, low, high, gaps, i, i+1)
}

// solveLast is solve for the last root, which is at most ρ·Σz² after the last pole.
func (q *secular) solveLast(gaps []float64) root {
	n := len(q.d)
	total := 0.0
	for _, z := range q.squared {
		total += z
	}
	high := q.rho * total
	r := root{origin: n - 1}
	if n == 1 {
		r.offset = high
		return r
	}
	q.gaps(gaps, n-1)
	s := q.at(gaps, high/2, n-1)
	f := 1/q.rho + s.below + s.above
	z1, z2, gap := q.squared[n-2], q.squared[n-1], q.gap(n-1, n-2)
	rest := f + z1/(gap+high/2) + z2/(high/2)
	low := 0.0
	if f > 0 {
		high /= 2
	} else {
		low = high / 2
	}
	r.offset = rationalStep(rest, z1+z2-rest*gap, -z2*gap, true) // rest = z1/(gap + x) + z2/x
	return q.iterate(r, low, high*(1+4*0x1p-52), gaps, n-2, n-1)
}

// iterate improves a root within its bounds. Each step replaces the terms on both sides by a constant and a term of the
// nearest pole there, with the right value and derivative. The poles are first and second; the terms up to first, and those
// from second on, are the two sides. After the last pole, both poles lie before the root.
func (q *secular) iterate(r root, low, high float64, gaps []float64, first, second int) root {
	isLast := second == len(q.d)-1 && r.origin == second && low >= 0
	last := math.Inf(1)
	for range 100 {
		if !(r.offset > low && r.offset < high) {
			r.offset = between(low, high)
		}
		s := q.at(gaps, r.offset, first+1)
		f := 1/q.rho + s.below + s.above
		slope := s.belowSlope + s.aboveSlope
		noise := 8*(1/q.rho+math.Abs(s.below)+math.Abs(s.above)) + math.Abs(r.offset)*slope
		if math.Abs(f) <= q.precision*noise {
			break
		}
		if f < 0 {
			low = r.offset
		} else {
			high = r.offset
		}
		d1, d2 := gaps[first]-r.offset, gaps[second]-r.offset
		step := rationalStep(f-d1*s.belowSlope-d2*s.aboveSlope, (d1+d2)*f-d1*d2*slope, d1*d2*f, isLast)
		if !(f*step < 0) {
			step = -f / slope
		}
		next := r.offset + step
		if !(next > low && next < high) || math.Abs(f) > last/2 {
			next = between(low, high)
		}
		last = math.Abs(f)
		if next == r.offset || !(next > low && next < high) {
			break
		}
		r.offset = next
	}
	return r
}

// rationalStep returns the solution of c·x² - a·x + b = 0 that lies between the poles, or after both.
func rationalStep(c, a, b float64, after bool) float64 {
	discriminant := math.Sqrt(math.Abs(a*a - 4*b*c))
	switch {
	case c == 0:
		return b / a
	case after && a >= 0:
		return (a + discriminant) / (2 * c)
	case after:
		return 2 * b / (a - discriminant)
	case a <= 0:
		return (a - discriminant) / (2 * c)
	}
	return 2 * b / (a + discriminant)
}

// between returns a number between two bounds with the same sign: the geometric mean if they are of different magnitude.
func between(low, high float64) float64 {
	small, large := math.Abs(low), math.Abs(high)
	if small > large {
		small, large = large, small
	}
	if small > 0 && large > 4*small {
		return math.Copysign(math.Sqrt(small)*math.Sqrt(large), low+high)
	}
	return (low + high) / 2
}
