package eigen

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// Singular computes the singular values of a matrix with at most as many rows as columns, in descending order. If left has
// elements, its rows become the transposed left singular vectors, and those of right the transposed right ones: as many as a
// has rows, or columns. R is the real type of T. a is overwritten. Singular reports whether the iterations converged; they do
// unless there are infinities or NaNs.
func Singular[T blas.Number, R matvec.Float](a blas.Matrix[T], values []float64, left, right blas.Matrix[T]) bool {
	m, n := a.Rows, a.Columns
	exponent, finite := bringToRange(a)
	if !finite {
		return false
	}
	var s scratch
	defer s.recycle()
	wantsVectors := right.Rows > 0
	core, coreTaus := a, []T(nil)
	if 5*n >= 8*m { // the reduction of a triangle is cheaper
		coreTaus = vector[T](&s, m)
		triangularise(a, coreTaus)
		core = zeros[T](&s, m, m)
		for i := range m {
			copy(core.Row(i)[:i], a.Row(i)[:i])
			core.Row(i)[i], a.Row(i)[i] = a.Row(i)[i], 1
		}
	}
	var reflections blas.Matrix[T]
	if wantsVectors {
		reflections = matrix[T](&s, m, m)
	}
	e, tausRight, tausLeft := vector[float64](&s, max(m, 1)), vector[T](&s, m), vector[T](&s, m)
	e = e[:max(m-1, 0)]
	bidiagonalise(core, reflections, values, e, tausRight, tausLeft)
	if !wantsVectors {
		ok := singularValuesOf(values, e)
		scaleBy(values, exponent)
		return ok
	}
	d, order := vector[float64](&s, m), vector[int](&s, m)
	u, v := matrix[R](&s, m, m), matrix[R](&s, m, m)
	copy(d, values)
	// The transposed matrix is upper bidiagonal.
	if !divideSingular(d, e, u, v, order) {
		return false
	}
	clear(right.Data)
	for i := range order {
		row := order[m-1-i]
		values[i] = d[row]
		setReal(left.Row(i), v.Row(row))
		setReal(right.Row(i)[:m], u.Row(row))
	}
	for i := m; i < right.Rows; i++ {
		right.Row(i)[i] = 1
	}
	if m > 0 {
		applyFromLast(left, reflections.Part(0, 0, m-1, m), 1, tausLeft)
	}
	applyFromLast(right.Part(0, 0, right.Rows, core.Columns), core, 0, tausRight)
	if coreTaus != nil {
		applyFromLast(right, a, 0, coreTaus)
	}
	scaleBy(values, exponent)
	return true
}

// applyFromLast replaces x by x·Hₖᵀ···H₁ᵀ·H₀ᵀ for the reflections whose conjugated vectors are the rows of c, from index
// row + first on.
func applyFromLast[T blas.Number](x, c blas.Matrix[T], first int, taus []T) {
	if x.Rows == 0 || c.Rows == 0 {
		return
	}
	n := c.Columns
	var s scratch
	block, reversed := matrix[T](&s, blockRows, n), vector[T](&s, blockRows)
	for from := (c.Rows - 1) / blockRows * blockRows; from >= 0; from -= blockRows {
		rows, start := min(blockRows, c.Rows-from), from+first
		vectors := block.Part(0, 0, rows, n-start)
		for i := range rows {
			row, k := vectors.Row(i), from+rows-1-i
			clear(row[:k-from])
			copy(row[k-from:], c.Row(k)[k+first:])
			reversed[i] = taus[k]
		}
		reflectBlock(x.Part(0, start, x.Rows, n-start), vectors, reversed[:rows])
	}
	s.recycle()
}

// triangularise replaces a, with at most as many rows as columns, by a lower triangle: A·H₀·H₁···. The conjugated vectors of the
// reflections replace the rows after the diagonal; their first element, 1, is not stored.
func triangularise[T blas.Number](a blas.Matrix[T], taus []T) {
	m, n := a.Rows, a.Columns
	var s scratch
	block, sums := matrix[T](&s, blockRows, n), vector[T](&s, blockRows)
	diagonal := vector[T](&s, blockRows)
	for from := 0; from < m; from += blockRows {
		rows := min(blockRows, m-from)
		for l := range rows {
			k := from + l
			c := a.Row(k)[k:]
			beta, tau := reflect(c, 0)
			taus[k], diagonal[l] = tau, blas.Real[T](beta)
			if l+1 == rows {
				break
			}
			below := a.Data[(k+1)*a.Line+k:]
			along := sums[:rows-l-1]
			dots(along, below, a.Line, c)
			for i, v := range along {
				blas.Axpy(below[i*a.Line:][:n-k], -tau*blas.Conj(v), c)
			}
		}
		vectors := block.Part(0, 0, rows, n-from)
		for i := range rows {
			row := vectors.Row(i)
			clear(row[:i])
			copy(row[i:], a.Row(from + i)[from+i:])
			if blas.IsComplex[T]() {
				for j, v := range row {
					row[j] = blas.Conj(v)
				}
			}
		}
		if to := from + rows; to < m {
			reflectBlock(a.Part(to, from, m-to, n-from), vectors, taus[from:to])
		}
		for l := range rows {
			a.Row(from + l)[from+l] = diagonal[l]
		}
	}
	s.recycle()
}
