package fft

import (
	"unsafe"

	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// columnPlan transforms columns of n numbers, which are the lanes of n complex vectors or rows of vectors.
type columnPlan[T simd.Float] struct {
	n      int
	passes []simd.Pass[T]
}

func newColumnPlan[T simd.Float](n int) *columnPlan[T] {
	p := &columnPlan[T]{n: n}
	m := n
	for _, radix := range radicesOf(n, simd.HasSixteen[T]()) {
		m /= radix
		pass := simd.Pass[T]{Radix: radix, M: m}
		if m > 1 {
			pass.Factors = make([]T, 0, 2*(radix-1)*m)
			for i := range m {
				for k := 1; k < radix; k++ {
					re, im := root(i*k, radix*m)
					pass.Factors = append(pass.Factors, T(re), T(im))
				}
			}
		}
		p.passes = append(p.passes, pass)
	}
	return p
}

// size returns how much memory the plan needs, in elements.
func (p *columnPlan[T]) size() int {
	total := 0
	for _, pass := range p.passes {
		total += len(pass.Factors)
	}
	return total
}

// run transforms rows of c vectors, the first of each row vectors of x. The result has only these. It is in the buffer
// that run returns: a, b, or x, if there is nothing to do. The buffers must not overlap; a may be x.
func (p *columnPlan[T]) run(c int, x []T, row int, a, b []T) []T {
	return p.between(0, len(p.passes), c, x, row, a, b)
}

// between does some of the passes.
func (p *columnPlan[T]) between(from, to, c int, x []T, row int, a, b []T) []T {
	if &x[0] == &a[0] {
		a, b = b, a
	}
	for i := from; i < to; i++ {
		s := c
		if i > 0 {
			s *= p.n / (p.passes[i].M * p.passes[i].Radix)
			row = s
		}
		if i > 0 && p.passes[i].InPlace() {
			p.passes[i].Run(s, x, row, x)
			continue
		}
		p.passes[i].Run(s, x, row, a)
		x, a, b = a, b, a
	}
	return x
}

// direct decides whether passes read and write columns of a matrix directly. It has a number of bytes, and goes from x to y.
func direct(x, y unsafe.Pointer, bytes int) bool {
	if x != y {
		bytes *= 2
	}
	return isa.DirectPasses(bytes)
}

// load splits columns of complex numbers, stride numbers apart, into a, and does the first passes: as many as it returns.
func (p *columnPlan[T]) load(columns int, x unsafe.Pointer, stride int, a []T, swap simd.Swapped, direct bool) (done int) {
	if direct && len(p.passes) > 0 && p.passes[0].Reads(columns) {
		p.passes[0].Read(columns, x, stride, a, swap)
		return 1
	}
	simd.LoadColumns(p.n, columns, x, stride, a, swap)
	return 0
}

// store does the passes after the first done ones, as run, and stores the columns.
func (p *columnPlan[T]) store(done, columns int, x []T, row int, a, b []T, y unsafe.Pointer, stride int, swap simd.Swapped, scale T, direct bool) {
	c, last := roundUp(columns, simd.Lanes[T]())/simd.Lanes[T](), len(p.passes)-1
	// A single pass may replace its own numbers, and needs rows of c vectors.
	if direct && last >= done && (last > 0 || row == c && p.passes[0].InPlace()) && p.passes[last].Writes(columns) {
		p.passes[last].Write(p.n, columns, p.between(done, last, c, x, row, a, b), y, stride, swap, scale)
		return
	}
	simd.StoreColumns(p.n, columns, y, stride, p.between(done, last+1, c, x, row, a, b), swap, scale)
}

// storePairs does all passes of the columns of two rows, which a front has mixed in the vectors of a, and stores these rows,
// apart bytes apart.
func (p *columnPlan[T]) storePairs(a, b []T, y unsafe.Pointer, apart int, swap simd.Swapped, scale T) {
	last := len(p.passes) - 1
	p.passes[last].WritePairs(p.n, p.between(0, last, 1, a, 1, a, b), y, apart, swap, scale)
}

// radicesOf returns the radices of the passes of a transform of n numbers, or nil if n has a prime factor that is not a
// radix. With sixteen, 16 is a radix, and powers of two have as few passes as possible.
func radicesOf(n int, sixteen bool) []int {
	var radices []int
	for _, radix := range []int{13, 11, 7, 5, 3} {
		for n%radix == 0 {
			radices = append(radices, radix)
			n /= radix
		}
	}
	twos := 0
	for ; n%2 == 0; n /= 2 {
		twos++
	}
	if n > 1 {
		return nil
	}
	if sixteen {
		for passes := (twos + 3) / 4; twos > 3*passes; passes-- {
			radices = append(radices, 16)
			twos -= 4
		}
	}
	for ; twos >= 5 || twos == 3; twos -= 3 {
		radices = append(radices, 8)
	}
	for ; twos >= 2; twos -= 2 {
		radices = append(radices, 4)
	}
	if twos == 1 {
		radices = append(radices, 2)
	}
	return radices
}

// smooth reports whether a transform of n numbers consists of passes.
func smooth(n int) bool { return n == 1 || radicesOf(n, false) != nil }

// passCost estimates the time of a pass over one complex vector, in units of a copy.
var passCost = map[int]float64{2: 1, 3: 1.3, 4: 1.1, 5: 1.7, 7: 2.3, 8: 1.4, 16: 1.85, 11: 3.2, 13: 3.8}

// columnCost estimates the time of a transform of n complex vectors, in the same units.
func columnCost[T simd.Float](n int) float64 {
	cost := 0.0
	for _, radix := range radicesOf(n, simd.HasSixteen[T]()) {
		cost += passCost[radix]
	}
	return cost * float64(n)
}
