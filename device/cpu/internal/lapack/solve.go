package lapack

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// Solve eliminates, and substitutes in the right sides, while a matrix is in a cache.
func Solve(l *device.Launch) {
	f := factorisationOf(l)
	if f.isSmall() && !f.isComplex(2) {
		f.run(2, solveInGroups[float32], solveInGroups[float64], nil, nil)
	} else {
		f.run(2, solveAll[float32], solveAll[float64], solveAll[complex64], solveAll[complex128])
	}
}

// system has the operands of Solve.
type system struct {
	solutions, determinants, matrices, right operand
	solves, hasDeterminants, hasRight        bool
	rows, columns                            int // of the solutions; without them there are no columns
}

func (f *factorisation) system() system {
	s := system{solutions: f.operand(0), determinants: f.operand(1), matrices: f.operand(2), solves: f.has(0), hasDeterminants: f.has(1),
		hasRight: f.launch.N > 3, rows: f.m}
	if s.solves {
		s.columns = f.n
	}
	if s.hasRight {
		s.right = f.operand(3)
	}
	return s
}

// refuseSingular panics, unless the launch needs no solutions.
func (s *system) refuseSingular() {
	if s.solves {
		panic(&device.MatrixError{Kernel: "Solve", Msg: "the matrix is singular"})
	}
}

// solveInGroups is Solve of small matrices.
func solveInGroups[T lanes.Float](f factorisation) {
	s := f.system()
	m, n := s.rows, s.columns
	rightElements := m * n
	if s.hasRight {
		rightElements = elementsOf(&s.right, m, n)
	}
	elements := elementsOf(&s.matrices, m, m) + rightElements + m + n + 2
	eachGroup(&f, smallCost(float64(m*m*m)/3+float64(m*m*n), m*m+2*m*n), elements, func(g group[T]) {
		a := g.load(&s.matrices, m, m)
		x := a
		switch {
		case s.hasRight:
			x = g.load(&s.right, m, n)
		case s.solves:
			x = g.identity(m)
		}
		pivots, determinants := g.elements(m), g.elements(1)
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			from, to := part(a, lane), part(x, lane)
			lanes.LU(m, m, from, g.width, pivots[lane:], n, to)
			lanes.Determinant(m, from.Data, from.Row+from.Column, pivots[lane:], g.width, determinants[lane:])
			if n > 0 {
				lanes.Substitute(m, n, from, to, true)
				from, to = upward(m, from, to)
				lanes.Substitute(m, n, from, to, false)
			}
		}
		for lane, d := range determinants[:g.count] {
			if !(d < 0 || d > 0) && hasZero(m, part(a, lane)) { // a determinant may also be 0 because it is too small
				s.refuseSingular()
			}
			if s.hasDeterminants {
				*(*T)(s.determinants.Block(g.first + lane).Base) = d
			}
		}
		if n > 0 {
			g.store(&s.solutions, m, n, x)
			g.eachInfinite(m, n, x, func(batch int) { solveEach[T](&s, batch, batch+1, true) })
		}
	})
}

// hasZero reports whether the diagonal of the first matrix of a group has a 0.
func hasZero[T lanes.Float](n int, a lanes.Rows[T]) bool {
	for k := range n {
		if a.Data[k*(a.Row+a.Column)] == 0 {
			return true
		}
	}
	return false
}

// solveAll is Solve of matrices one by one.
func solveAll[T blas.Number](f factorisation) {
	s := f.system()
	work := flops[T](cube(s.rows)/3 + float64(s.rows)*float64(s.rows)*float64(s.columns))
	workers.ForRanges(f.batches, work+float64(s.rows*(s.rows+s.columns)), func(from, to int) { solveEach[T](&s, from, to, false) })
}

// solveEach solves for some matrices of the batch. With carefully, zeros of the factors times infinities add nothing, the determinants
// are those that are stored, and no matrix is refused.
func solveEach[T blas.Number](s *system, from, to int, carefully bool) {
	m, n := s.rows, s.columns
	beside := 0 // columns that are eliminated beside the matrix, if they are few: that is fewer passes
	substitute := blas.Substitute[T]
	switch {
	case carefully:
		substitute = blas.SubstituteCarefully[T]
	case s.hasRight && n <= max(m/4, 1) && m <= fewPivots:
		beside = n
	}
	r := takeRoom[T](m * (m + beside))
	both := r.matrix(m, m+beside)
	a, right := both.Part(0, 0, m, m), both.Part(0, m, m, beside)
	pivots, order := make([]int, m), make([]int, m)
	for batch := from; batch < to; batch++ {
		load(&s.matrices, batch, a)
		if beside > 0 {
			load(&s.right, batch, right)
		}
		if m > 0 {
			eliminate(both, pivots)
		}
		d := T(1)
		for k, pivot := range pivots {
			v := a.Data[k*(a.Line+a.Step)]
			if v == 0 && !carefully {
				s.refuseSingular()
			}
			if d *= v; pivot != k {
				d = -d
			}
		}
		if s.hasDeterminants && !carefully {
			*(*T)(s.determinants.Block(batch).Base) = d
		}
		switch {
		case beside > 0:
			substitute(a, right, blas.Upper)
			store(&s.solutions, batch, right)
		case n > 0:
			result(&s.solutions, batch, m, n, func(x blas.Matrix[T]) {
				switch {
				case s.hasRight:
					load(&s.right, batch, x)
					exchange(x, pivots)
				case carefully:
					for i, row := range rowsAfter(pivots, order) {
						clear(x.Row(i))
						x.Row(i)[row] = 1
					}
				default:
					invert(a, x, rowsAfter(pivots, order))
					return
				}
				substitute(a, x, blas.UnitDiagonal)
				substitute(a, x, blas.Upper)
			})
		}
	}
	r.scratch.Recycle()
}

// invert sets x to the inverse of a matrix, given its factors, and which of its rows each row became.
func invert[T blas.Number](factors, x blas.Matrix[T], order []int) {
	for i := range order {
		clear(x.Row(i))
	}
	blas.InvertLower(factors, x)
	blas.Substitute(factors, x, blas.Upper)
	if slices.IsSorted(order) {
		return
	}
	r := takeRoom[T](len(order))
	for i := range order {
		row := x.Row(i)
		copy(r.left, row)
		for j, v := range r.left {
			row[order[j]] = v
		}
	}
	r.scratch.Recycle()
}
