package lapack

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// Cholesky uses recursive Cholesky elimination.
func Cholesky(l *device.Launch) {
	f := factorisationOf(l)
	switch {
	case f.n == 0:
	case f.isSmall() && !f.isComplex(1):
		f.run(1, choleskyOfGroups[float32], choleskyOfGroups[float64], nil, nil)
	default:
		f.run(1, choleskyOf[float32], choleskyOf[float64], choleskyOf[complex64], choleskyOf[complex128])
	}
}

func choleskyOf[T blas.Number](f factorisation) {
	n := f.n
	lower, symmetric := f.operand(0), f.operand(1)
	workers.ForRanges(f.batches, flops[T](cube(n)/6)+float64(n*n), func(from, to int) {
		for batch := from; batch < to; batch++ {
			result(&lower, batch, n, n, func(a blas.Matrix[T]) {
				load(&symmetric, batch, a)
				if !cholesky(a) {
					panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
				}
				clearBeside(a, false)
			})
		}
	})
}

func cube(n int) float64 { return float64(n) * float64(n) * float64(n) }

// fewRows is how many rows are factored one by one; square is the size of the blocks on the diagonal of which a product
// computes both triangles.
const (
	fewRows = 16
	square  = 64
)

// cholesky replaces the lower triangle of a by its factor, and elements of the upper one by others. It returns false if a
// is not positive definite.
func cholesky[T blas.Number](a blas.Matrix[T]) bool {
	n := a.Rows
	switch {
	case blas.IsComplex[T]() && n <= fewRows:
		return choleskyRows(a)
	case n <= square && !blas.IsComplex[T]():
		return choleskyColumns(a)
	}
	half := (n/2 + 7) &^ 7
	rest := n - half
	first, beside := a.Part(0, 0, half, half), a.Part(half, 0, rest, half)
	if !cholesky(first) {
		return false
	}
	r := takeRoom[T](half * rest)
	y := r.matrix(half, rest) // Lᴴ beside the diagonal
	blas.Copy(y, beside.Transpose())
	blas.Conjugate(y)
	blas.Substitute(first, y, 0)
	blas.Copy(beside.Transpose(), y)
	blas.Conjugate(beside)
	second := a.Part(half, half, rest, rest)
	subtractSquare(second, beside, y)
	r.scratch.Recycle()
	return cholesky(second)
}

// subtractSquare subtracts b·y, a Hermitian matrix, from the lower triangle of c.
func subtractSquare[T blas.Number](c, b, y blas.Matrix[T]) {
	n := c.Rows
	if n <= square {
		blas.AddProduct(c, -1, b, y, 0)
		return
	}
	half := (n/2 + square - 1) / square * square
	subtractSquare(c.Part(0, 0, half, half), b.Part(0, 0, half, b.Columns), y.Part(0, 0, y.Rows, half))
	blas.AddProduct(c.Part(half, 0, n-half, half), -1, b.Part(half, 0, n-half, b.Columns), y.Part(0, 0, y.Rows, half), 0)
	subtractSquare(c.Part(half, half, n-half, n-half), b.Part(half, 0, n-half, b.Columns), y.Part(0, half, y.Rows, n-half))
}

// choleskyRows computes row by row: each element is that of the matrix minus the product of two rows.
func choleskyRows[T blas.Number](a blas.Matrix[T]) bool {
	for i := range a.Rows {
		row := a.Row(i)
		for j := range i {
			v, other := row[j], a.Row(j)
			for k, w := range other[:j] {
				v -= row[k] * blas.Conj(w)
			}
			row[j] = v / other[j]
		}
		square, _ := blas.Parts(row[i])
		for _, w := range row[:i] {
			re, im := blas.Parts(w)
			square -= re*re + im*im
		}
		if !(square > 0) {
			return false
		}
		row[i] = blas.Real[T](math.Sqrt(square))
	}
	return true
}

// choleskyColumns computes column by column, with products for the rest of the matrix.
func choleskyColumns[T blas.Number](a blas.Matrix[T]) bool {
	n := a.Rows
	r := takeRoom[T](n)
	defer r.scratch.Recycle()
	for k := range n {
		diagonal, _ := blas.Parts(*a.At(k, k))
		if !(diagonal > 0) {
			return false
		}
		root := blas.Real[T](math.Sqrt(diagonal))
		*a.At(k, k) = root
		column := r.left[:n-k-1]
		for i := range column {
			column[i] = a.Data[(k+1+i)*a.Line+k]
		}
		storeQuotients(a, k, column, root)
		const rows = 32 // at a time: they end at the diagonal
		for i := 0; i < len(column); i += rows {
			m := min(rows, len(column)-i)
			blas.SubtractOuter(a.Part(k+1+i, k+1, m, i+m), column[i:], 1, column[:i+m])
		}
	}
	return true
}
