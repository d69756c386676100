package eigen

import (
	"slices"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// Hermitian computes the eigenvalues of the symmetric or Hermitian matrix whose lower triangle is in a, in ascending order.
// The diagonal must be real. If z has elements, its rows become the transposed eigenvectors. R is the real type of T. a is
// overwritten. Hermitian reports whether the iterations converged; they do unless there are infinities or NaNs.
func Hermitian[T blas.Number, R matvec.Float](a blas.Matrix[T], values []float64, z blas.Matrix[T]) bool {
	n := a.Rows
	if n == 0 {
		return true
	}
	exponent, finite := bringToRange(a)
	if !finite {
		return false
	}
	var s scratch
	defer s.recycle()
	e, taus := vector[float64](&s, n)[:n-1], vector[T](&s, n)
	tridiagonalise(a, values, e, taus)
	if z.Rows == 0 {
		ok := eigenvaluesOf(values, e)
		slices.Sort(values)
		scaleBy(values, exponent)
		return ok
	}
	d, order, vectors := vector[float64](&s, n), vector[int](&s, n), matrix[R](&s, n, n)
	copy(d, values)
	if !divideAndConquer(d, e, vectors, order) {
		return false
	}
	for i, row := range order {
		values[i] = d[row]
		setReal(z.Row(i), vectors.Row(row))
	}
	restore(z, a, taus)
	scaleBy(values, exponent)
	return true
}

// restore replaces the rows of x, eigenvectors of the tridiagonal matrix, by those of the matrix that tridiagonalise reduced.
func restore[T blas.Number](x, a blas.Matrix[T], taus []T) {
	n := a.Rows
	var s scratch
	block := zeros[T](&s, blockRows, n)
	for from := 1; from < n; from += blockRows {
		rows := min(blockRows, n-from)
		width := from + rows - 1
		c := block.Part(0, 0, rows, width)
		for i := range rows {
			row := c.Row(i)
			copy(row, a.Row(from + i)[:from+i])
			clear(row[from+i:])
		}
		reflectBlock(x.Part(0, 0, x.Rows, width), c, taus[from:from+rows])
	}
	s.recycle()
}

// setReal copies real numbers to z.
func setReal[T blas.Number, R matvec.Float](z []T, x []R) {
	if z, ok := any(z).([]R); ok {
		copy(z, x)
		return
	}
	for i, v := range x {
		z[i] = blas.Real[T](float64(v))
	}
}
