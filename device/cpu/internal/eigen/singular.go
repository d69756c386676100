package eigen

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// singularConquest decomposes an upper bidiagonal matrix by divide and conquer (Gu and Eisenstat). The rows of u and v become
// its singular vectors. A part that is not the last one has a column more than rows: then its v has one more row, for the
// vector that the part maps to 0.
type singularConquest[R matvec.Float] struct {
	d, e    []float64
	u, v    blas.Matrix[R]
	order   []int // of each part: the rows by increasing singular value
	epsilon float64

	weights      []float64
	kinds        []uint8
	spare, turns []R
	s            scratch
}

// divideSingular replaces d by the singular values of the bidiagonal matrix with diagonal d and off-diagonal e, and u and v by
// singular vectors in their rows. order lists the rows by increasing singular value. e is overwritten.
func divideSingular[R matvec.Float](d, e []float64, u, v blas.Matrix[R], order []int) bool {
	n := len(d)
	for _, x := range [2]blas.Matrix[R]{u, v} {
		clear(x.Data)
		for i := range n {
			x.Row(i)[i] = 1
		}
	}
	q := singularConquest[R]{d: d, e: e, u: u, v: v, order: order, epsilon: blas.Epsilon[R]() / 2}
	defer q.s.recycle()
	if n > smallest {
		q.weights, q.kinds = vector[float64](&q.s, n), vector[uint8](&q.s, n)
		q.spare, q.turns = vector[R](&q.s, n*n), vector[R](&q.s, n*n)
	}
	exponent := scaleToOne(d, e)
	ok := q.divide(0, n, 0)
	scaleBy(d, exponent)
	return ok
}

// divide decomposes the part of n rows from one on, which has extra columns more than rows: 0 or 1.
func (q *singularConquest[R]) divide(from, n, extra int) bool {
	order := q.order[from : from+n]
	if n <= smallest {
		b := bidiagonal[R]{
			d: q.d[from : from+n], e: q.e[from:max(from, from+n-1+extra)],
			u: q.u.Part(from, from, n, n), v: q.v.Part(from, from, n+extra, n+extra),
		}
		if extra > 0 {
			b.squeeze()
		}
		for i := range order {
			order[i] = from + i
		}
		ok := b.diagonalise()
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.d[a], q.d[b]) })
		return ok
	}
	// The row in the middle couples the part above it, which has an extra column, with the part below.
	middle := from + n/2
	if !q.divide(from, middle-from, 1) || !q.divide(middle+1, from+n-middle-1, extra) {
		return false
	}
	q.merge(from, middle, from+n, extra)
	return true
}

// merge combines the decompositions of the parts before and after the middle row. In the basis of their singular vectors the
// matrix is diagonal, with 0 for the middle row, except for that row, which has the weights.
func (q *singularConquest[R]) merge(from, middle, end, extra int) {
	z, alpha, beta := q.weights[from:end], q.d[middle], q.e[middle]
	largest := max(math.Abs(alpha), math.Abs(beta))
	for i := from; i < end; i++ {
		if q.kinds[i] = inFirst; i <= middle {
			z[i-from] = alpha * float64(q.v.Row(i)[middle])
		} else {
			q.kinds[i] = inSecond
			z[i-from] = beta * float64(q.v.Row(i)[middle+1])
		}
		if i != middle {
			largest = max(largest, q.d[i])
		}
	}
	q.d[middle] = 0
	width := end - from + extra
	if extra > 0 {
		// Of the two vectors that the parts map to 0, one combination has a weight, and the other is that of the whole.
		c, s, r := givens(z[middle-from], beta*float64(q.v.Row(end)[middle+1]))
		rotateRows(q.v.Row(middle)[from:], q.v.Row(end)[from:], width, R(c), R(s))
		z[middle-from] = r
		q.kinds[middle] = inBoth
	}
	tolerance := 8 * q.epsilon * largest
	if math.Abs(z[middle-from]) <= tolerance {
		z[middle-from] = math.Copysign(tolerance, z[middle-from])
	}
	order := q.order[from:end]
	copy(order[middle-from:], order[middle-from+1:])
	mergeOrders(order[:len(order)-1], middle-from, q.d)
	order[len(order)-1] = middle
	var s scratch
	defer s.recycle()
	kept := append(vector[int](&s, end-from)[:0], middle)
	kept = q.deflate(kept, order[:len(order)-1], from, width, tolerance)
	if tolerance > 0 {
		q.solve(kept, from, middle+1, end, extra, tolerance)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.d[a], q.d[b]) })
}

// deflate adds to kept the rows, by increasing d, whose singular values change, as conquest.deflate does.
func (q *singularConquest[R]) deflate(kept, order []int, from, width int, tolerance float64) []int {
	z := q.weights[from:]
	last := -1
	for _, i := range order {
		if math.Abs(z[i-from]) <= tolerance {
			continue
		}
		if last >= 0 && q.d[i]-q.d[last] > tolerance {
			kept = append(kept, last)
		} else if last >= 0 {
			c, s, r := givens(z[i-from], -z[last-from])
			z[i-from], z[last-from] = r, 0
			if q.kinds[i] != q.kinds[last] {
				q.kinds[i] = inBoth
			}
			rotateRows(q.u.Row(last)[from:], q.u.Row(i)[from:], len(order)+1, R(c), R(s))
			rotateRows(q.v.Row(last)[from:], q.v.Row(i)[from:], width, R(c), R(s))
		}
		last = i
	}
	if last >= 0 {
		kept = append(kept, last)
	}
	return kept
}

// solve replaces the kept singular values and vectors, of which the first is the middle row.
func (q *singularConquest[R]) solve(kept []int, from, cut, end, extra int, tolerance float64) {
	k := len(kept)
	var s scratch
	defer s.recycle()
	d, z, squared, roots := vector[float64](&s, k), vector[float64](&s, k), vector[float64](&s, k), vector[root](&s, k)
	for i, row := range kept {
		d[i], z[i] = q.d[row], q.weights[row]
		squared[i] = z[i] * z[i]
		if i == 1 {
			d[i] = max(d[i], tolerance/2)
		}
	}
	equation := secular{d: d, squared: squared, rho: 1, squares: true, precision: q.epsilon}
	equation.solveAll(roots)
	equation.correct(z, roots)
	c := combinationOf[R](&s, kept, q.kinds, from, cut, end+extra)
	turns := blas.New(q.turns, k, k)
	equation.vectors(z, roots, func(i int, x []float64, scale float64) {
		c.put(turns.Row(i), x, scale)
	})
	c.combine(q.v, turns, q.spare)
	equation.vectors(z, roots, func(i int, x []float64, _ float64) {
		sum := 1.0
		x[0] = -1
		for j := 1; j < k; j++ {
			x[j] *= d[j]
			sum += x[j] * x[j]
		}
		c.put(turns.Row(i), x, 1/math.Sqrt(sum))
	})
	c.end = end
	c.combine(q.u, turns, q.spare)
	for i, row := range kept {
		q.d[row] = equation.value(roots[i])
	}
}
