package eigen

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// smallest is the size up to which a tridiagonal or bidiagonal matrix is not divided.
const smallest = 31

// conquest decomposes a tridiagonal matrix by divide and conquer (Cuppen; Gu and Eisenstat). The rows of vectors become its
// eigenvectors.
type conquest[R matvec.Float] struct {
	d, e    []float64
	vectors blas.Matrix[R]
	order   []int // of each part: the rows by increasing eigenvalue
	epsilon float64

	weights []float64
	kinds   []uint8
	spare   []R // memory for the rows that are combined
	turns   []R // memory for the vectors of the secular equation
	s       scratch
}

// divideAndConquer replaces d by the eigenvalues of the tridiagonal matrix with diagonal d and off-diagonal e, and vectors by
// eigenvectors in its rows. order lists the rows by increasing eigenvalue. e is overwritten.
func divideAndConquer[R matvec.Float](d, e []float64, vectors blas.Matrix[R], order []int) bool {
	n := len(d)
	clear(vectors.Data)
	for i := range n {
		vectors.Row(i)[i] = 1
	}
	q := conquest[R]{d: d, e: e, vectors: vectors, order: order, epsilon: blas.Epsilon[R]() / 2}
	defer q.s.recycle()
	if n > smallest {
		q.weights, q.kinds = vector[float64](&q.s, n), vector[uint8](&q.s, n)
		q.spare, q.turns = vector[R](&q.s, n*n), vector[R](&q.s, n*n)
	}
	exponent := scaleToOne(d, e)
	ok := q.divide(0, n)
	scaleBy(d, exponent)
	return ok
}

// divide decomposes the part of n rows from one on.
func (q *conquest[R]) divide(from, n int) bool {
	if n <= smallest {
		part := q.vectors.Part(from, from, n, n)
		d := q.d[from : from+n]
		if n > 0 && !decomposeSmall(d, q.e[from:from+n-1], part.Data, part.Line) {
			return false
		}
		order := q.order[from : from+n]
		for i := range order {
			order[i] = from + i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.d[a], q.d[b]) })
		return true
	}
	// The matrix is that of two parts plus the outer product of a vector with 1 at both sides of the cut.
	half := n / 2
	cut := from + half
	coupling := q.e[cut-1]
	q.d[cut-1] -= math.Abs(coupling)
	q.d[cut] -= math.Abs(coupling)
	if !q.divide(from, half) || !q.divide(cut, n-half) {
		return false
	}
	q.merge(from, cut, from+n, coupling)
	return true
}
