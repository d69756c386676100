package linalg

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/nd"
)

// field is what the factorisation needs of the numbers of a symmetric or Hermitian matrix.
type field[T float64 | complex128] struct {
	size func(x T) float64 // for pivots: the absolute value, or of complex numbers the sum of those of their parts
	conj func(x T) T       // the conjugate for Hermitian matrices, else x
	diag func(x T) T       // an element of the diagonal: its real part for Hermitian matrices, else x
}

func realField() field[float64] {
	same := func(x float64) float64 { return x }
	return field[float64]{size: math.Abs, conj: same, diag: same}
}

func complexField(hermitian bool) field[complex128] {
	same := func(x complex128) complex128 { return x }
	f := field[complex128]{size: func(x complex128) float64 { return math.Abs(real(x)) + math.Abs(imag(x)) }, conj: same, diag: same}
	if hermitian {
		f.conj, f.diag = cmplx.Conj, func(x complex128) complex128 { return complex(real(x), 0) }
	}
	return f
}

// ldlOfAll returns the factors of a batch of n×n matrices, and writes their pivots.
func ldlOfAll[T float64 | complex128](a *nd.Array, pivots []int64, f field[T]) *nd.Array {
	n, all := a.Dim(-1), nd.ToSlice[T](a)
	for m := 0; m*n < len(pivots); m++ {
		ldl[T]{field: f, n: n, a: all[m*n*n : (m+1)*n*n], pivots: pivots[m*n : (m+1)*n]}.factor()
	}
	return nd.FromSliceOn(a.Device(), all, a.Shape()...)
}

// ldl factors one matrix in its own memory, as LAPACK's sytf2 and hetf2 do for lower triangles.
type ldl[T float64 | complex128] struct {
	field[T]
	n      int
	a      []T
	pivots []int64
}

func (m ldl[T]) at(i, j int) *T { return &m.a[i*m.n+j] }

func (m ldl[T]) factor() {
	for i := range m.n {
		clear(m.a[i*m.n+i+1 : (i+1)*m.n])
		*m.at(i, i) = m.diag(*m.at(i, i))
	}
	for k := 0; k < m.n; {
		pivot, rows := m.pivot(k)
		last := k + rows - 1
		if pivot != last {
			m.exchange(k, last, pivot)
		}
		m.pivots[last] = int64(pivot)
		if rows == 1 {
			m.eliminateOne(k)
		} else {
			m.pivots[last] = -1 - int64(pivot)
			m.pivots[k] = m.pivots[last]
			m.eliminateTwo(k)
		}
		k += rows
	}
}

// pivot chooses the row that comes to row k, or with two rows to row k+1.
func (m ldl[T]) pivot(k int) (row, rows int) {
	const least = 0.6403882032022076 // (1 + √17)/8 bounds the growth of the elements
	own := m.size(*m.at(k, k))
	row, largest := k, 0.0
	for i := k + 1; i < m.n; i++ {
		if v := m.size(*m.at(i, k)); v > largest {
			row, largest = i, v
		}
	}
	if largest == 0 || own >= least*largest || own != own {
		return k, 1
	}
	inRow := 0.0 // the largest element beside the diagonal in the row
	for j := k; j < row; j++ {
		inRow = max(inRow, m.size(*m.at(row, j)))
	}
	for i := row + 1; i < m.n; i++ {
		inRow = max(inRow, m.size(*m.at(i, row)))
	}
	switch {
	case own >= least*largest*(largest/inRow):
		return k, 1
	case m.size(*m.at(row, row)) >= least*inRow:
		return row, 1
	}
	return row, 2
}

// exchange exchanges rows and columns i < j of the part that begins at k.
func (m ldl[T]) exchange(k, i, j int) {
	swap := func(x, y *T) { *x, *y = *y, *x }
	for row := j + 1; row < m.n; row++ {
		swap(m.at(row, i), m.at(row, j))
	}
	for between := i + 1; between < j; between++ {
		x, y := m.at(between, i), m.at(j, between)
		*x, *y = m.conj(*y), m.conj(*x)
	}
	*m.at(j, i) = m.conj(*m.at(j, i))
	swap(m.at(i, i), m.at(j, j))
	if i > k {
		swap(m.at(i, k), m.at(j, k))
	}
}

// eliminateOne subtracts column k, divided by its pivot, times its adjoint. A pivot of 0 has a column of zeros.
func (m ldl[T]) eliminateOne(k int) {
	d := *m.at(k, k)
	if d == 0 {
		return
	}
	for j := k + 1; j < m.n; j++ {
		w := m.conj(*m.at(j, k) / d)
		for i := j; i < m.n; i++ {
			*m.at(i, j) -= *m.at(i, k) * w
		}
		*m.at(j, j) = m.diag(*m.at(j, j))
	}
	for i := k + 1; i < m.n; i++ {
		*m.at(i, k) /= d
	}
}

// eliminateTwo does so for columns k and k+1 and the inverse of their block, scaled by the element below the diagonal.
func (m ldl[T]) eliminateTwo(k int) {
	if k+2 >= m.n {
		return
	}
	e := *m.at(k+1, k)
	up := m.conj(e)
	first, second := *m.at(k, k)/up, *m.at(k+1, k+1)/e
	scale := 1 / (first*second - 1)
	for j := k + 2; j < m.n; j++ {
		x, y := *m.at(j, k), *m.at(j, k+1)
		wx, wy := scale*((second*x-y)/up), scale*((first*y-x)/e)
		cx, cy := m.conj(wx), m.conj(wy)
		for i := j; i < m.n; i++ {
			*m.at(i, j) -= *m.at(i, k)*cx + *m.at(i, k+1)*cy
		}
		*m.at(j, j) = m.diag(*m.at(j, j))
		*m.at(j, k), *m.at(j, k+1) = wx, wy
	}
}
