package eigen

import (
	"math"
	"slices"
)

// singularValuesOf replaces the diagonal d of a bidiagonal matrix by its singular values, in descending order. e is
// overwritten. It is the dqds algorithm (Fernando and Parlett), which works on the squares.
func singularValuesOf(d, e []float64) bool {
	n := len(d)
	exponent := scaleToOne(d, e)
	for i := range d {
		d[i] *= d[i]
	}
	for i := range e {
		e[i] *= e[i]
	}
	ok := true
	var memory scratch
	defer memory.recycle()
	spareQ, spareE := vector[float64](&memory, n), vector[float64](&memory, n)
	// Each part between two zeros of e has its own shift.
	for high := n; high > 0 && ok; {
		low := high - 1
		for low > 0 && e[low-1] > 0 {
			low--
		}
		p := quotients{q: d[low:high], e: e[low : high-1], spareQ: spareQ, spareE: spareE}
		ok = p.values(d[low:high])
		high = low
	}
	for i, v := range d {
		d[i] = math.Sqrt(v)
	}
	slices.SortFunc(d, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	scaleBy(d, exponent)
	return ok
}

// quotients are the quotients and differences of a matrix L·U: q are the diagonal elements of U, e the subdiagonal ones of L.
// The eigenvalues of the product are wanted; they are those of the current matrix plus shift.
type quotients struct {
	q, e        []float64
	spareQ      []float64 // memory for the next matrix
	spareE      []float64
	shift, rest float64 // their sum, with a correction
	least       float64 // the smallest pivot of the last step; it bounds the smallest eigenvalue from above
	isLast      bool    // whether that was the last pivot
	second      float64 // the smallest pivot before the last
	third       float64 // the smallest one before the last two
	smallestE   float64
}

// negligibleE is the ratio of an e to the eigenvalue below which it is negligible.
const negligibleE = (16 * epsilon) * (16 * epsilon)

// values stores the eigenvalues, in no order. values may be q.
func (p *quotients) values(values []float64) bool {
	for sweeps := 30 * (len(p.q) + 4); len(p.q) > 0; sweeps-- {
		if sweeps == 0 {
			return false
		}
		n := len(p.q)
		if n == 1 {
			values[0] = p.q[0] + p.shift
			return true
		}
		if p.e[n-2] <= negligibleE*(p.shift+p.q[n-1]) {
			p.e[n-2] = 0
			values[n-1] = p.q[n-1] + p.shift
			p.q, p.e = p.q[:n-1], p.e[:n-2]
			p.least, p.isLast, p.second = p.second, p.second < p.third, p.third
			continue
		}
		if p.smallestE <= negligibleE*p.shift {
			if cut := p.negligible(); cut >= 0 {
				upper := p.part(0, cut+1)
				lower := p.part(cut+1, n)
				return lower.values(values[cut+1:n]) && upper.values(values[:cut+1])
			}
		}
		if p.q[0]*1.5 < p.q[n-1] {
			slices.Reverse(p.q)
			slices.Reverse(p.e)
			p.isLast, p.least = false, 0
		}
		p.step()
	}
	return true
}

// part returns some rows as a matrix of its own.
func (p *quotients) part(from, to int) quotients {
	return quotients{q: p.q[from:to], e: p.e[from : to-1], spareQ: p.spareQ, spareE: p.spareE, shift: p.shift, rest: p.rest, smallestE: math.Inf(1)}
}

// negligible returns the index of a negligible e, or -1.
func (p *quotients) negligible() int {
	p.smallestE = math.Inf(1)
	for i, v := range p.e {
		if v <= negligibleE*p.shift {
			return i
		}
		p.smallestE = min(p.smallestE, v)
	}
	return -1
}

// step transforms the matrix with a shift below its smallest eigenvalue.
func (p *quotients) step() {
	n := len(p.q)
	q, e := p.spareQ[:n], p.spareE[:n-1]
	shift := p.nextShift()
	for tries := 0; ; tries++ {
		pivot := p.transform(q, e, shift)
		if pivot >= 0 {
			break
		}
		switch late := shift + pivot; {
		case tries == 0 && p.isLast && late > 0: // only the last pivot is negative: a bound from below
			shift = late * (1 - 4*epsilon)
		case tries < 3:
			shift /= 4
		default:
			shift = 0
		}
	}
	copy(p.q, q)
	copy(p.e, e)
	p.addShift(shift)
}

// addShift adds to the shift, and keeps what is lost by rounding.
func (p *quotients) addShift(shift float64) {
	shift += p.rest
	sum := p.shift + shift
	p.rest = shift - (sum - p.shift)
	p.shift = sum
}

// transform stores the quotients and differences of the matrix minus the shift, and returns the smallest pivot. If it is
// negative, the shift is too large, unless it is 0, for which no pivot is negative.
func (p *quotients) transform(q, e []float64, shift float64) float64 {
	n := len(p.q)
	d := p.q[0] - shift
	second, third, smallestE := math.Inf(1), math.Inf(1), math.Inf(1)
	q, from := q[:n], p.e[:n-1]
	next := p.q[1:n]
	e = e[:n-1]
	p.isLast = false
	for i, v := range from {
		if d < 0 {
			return d
		}
		second, third = min(second, d), second
		sum := d + v
		q[i] = sum
		y := v * next[i] / sum
		e[i] = y
		smallestE = min(smallestE, y)
		d = d*next[i]/sum - shift // the next step waits for d
	}
	q[n-1] = d
	p.isLast = d < second
	p.second, p.third, p.least = second, third, min(second, d)
	if p.least >= 0 {
		p.smallestE = smallestE
	}
	return p.least
}

// nextShift estimates the smallest eigenvalue from below.
func (p *quotients) nextShift() float64 {
	n := len(p.q)
	if !(p.least > 0) {
		return 0
	}
	if !p.isLast {
		return p.least / 4
	}
	// The smaller eigenvalue of the last two rows and columns, minus the bound for its error from the row before.
	a, c, square := p.q[n-2], p.q[n-1], p.q[n-2]*p.e[n-2]
	if n > 2 {
		a += p.e[n-3]
	}
	c += p.e[n-2]
	gap := (a - c) / 2
	if gap < 0 {
		return p.least / 4
	}
	t := square / (gap + math.Sqrt(gap*gap+square))
	shift := c - t
	if n > 2 {
		// The vector's element before the last one is about √square/gap; its product with the coupling to the row before it
		// is the residual.
		coupling := p.q[n-3] * p.e[n-3]
		along := t / math.Sqrt(square+t*t)
		shift -= min(math.Sqrt(coupling)*along, coupling*along*along/max(p.second/2, shift/8))
	}
	return max(shift, p.least/4)
}
