package eigen

import (
	"cmp"
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// What is known of an eigenvector of one of the two parts: in which part it is not zero.
const (
	inFirst uint8 = iota
	inBoth
	inSecond
)

// merge combines the decompositions of rows from to cut and of cut to end. In the basis of their eigenvectors the matrix is
// diag(d) + ρ·z·zᵀ.
func (q *conquest[R]) merge(from, cut, end int, coupling float64) {
	z := q.weights[from:end]
	rho := 2 * math.Abs(coupling)
	largestZ, largestD := 0.0, 0.0
	for i := from; i < end; i++ {
		row := q.vectors.Row(i)
		if q.kinds[i] = inFirst; i < cut {
			z[i-from] = float64(row[cut-1]) / math.Sqrt2
		} else {
			q.kinds[i] = inSecond
			z[i-from] = math.Copysign(1, coupling) * float64(row[cut]) / math.Sqrt2
		}
		largestZ, largestD = max(largestZ, math.Abs(z[i-from])), max(largestD, math.Abs(q.d[i]))
	}
	order := q.order[from:end]
	mergeOrders(order, cut-from, q.d)
	tolerance := 8 * q.epsilon * max(largestD, largestZ)
	var s scratch
	defer s.recycle()
	kept := q.deflate(vector[int](&s, end-from)[:0], order, from, end, rho, tolerance)
	if len(kept) > 0 {
		q.solve(kept, from, cut, end, rho)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(q.d[a], q.d[b]) })
}

// mergeOrders merges two sorted parts of order.
func mergeOrders(order []int, cut int, d []float64) {
	var s scratch
	merged := append(vector[int](&s, len(order))[:0], order...)
	first, second := merged[:cut], merged[cut:]
	for i := range order {
		if len(second) == 0 || len(first) > 0 && d[first[0]] <= d[second[0]] {
			order[i], first = first[0], first[1:]
		} else {
			order[i], second = second[0], second[1:]
		}
	}
	s.recycle()
}

// deflate returns the rows, by increasing d, whose eigenvalues change. The others have a negligible weight; or their d is so
// close to another one that a rotation of the two vectors makes one weight 0.
func (q *conquest[R]) deflate(kept, order []int, from, end int, rho, tolerance float64) []int {
	z := q.weights[from:end]
	last := -1 // a row that is kept unless the next one is close
	for _, i := range order {
		if rho*math.Abs(z[i-from]) <= tolerance {
			continue
		}
		if last >= 0 {
			s, c := z[last-from], z[i-from]
			length := hypot(c, s)
			gap := q.d[i] - q.d[last]
			c, s = c/length, -s/length
			if math.Abs(gap*c*s) <= tolerance {
				z[i-from], z[last-from] = length, 0
				if q.kinds[i] != q.kinds[last] {
					q.kinds[i] = inBoth
				}
				rotateRows(q.vectors.Row(last)[from:], q.vectors.Row(i)[from:], end-from, R(c), R(s))
				a, b := q.d[last], q.d[i]
				q.d[last], q.d[i] = a*c*c+b*s*s, a*s*s+b*c*c
			} else {
				kept = append(kept, last)
			}
		}
		last = i
	}
	if last >= 0 {
		kept = append(kept, last)
	}
	return kept
}

// rotateRows replaces the first n elements of two rows by c·x + s·y and c·y - s·x.
func rotateRows[R matvec.Float](x, y []R, n int, c, s R) {
	if n > 8 {
		matvec.Rotate(x[:n], y[:n], c, s)
		return
	}
	for j, v := range x[:n] {
		w := y[j]
		x[j], y[j] = c*v+s*w, c*w-s*v
	}
}

// solve replaces the kept eigenvalues by those of diag(d) + ρ·z·zᵀ, and the rows of vectors by its eigenvectors.
func (q *conquest[R]) solve(kept []int, from, cut, end int, rho float64) {
	k := len(kept)
	var s scratch
	defer s.recycle()
	d, z, squared, roots := vector[float64](&s, k), vector[float64](&s, k), vector[float64](&s, k), vector[root](&s, k)
	for i, row := range kept {
		d[i], z[i] = q.d[row], q.weights[row]
		squared[i] = z[i] * z[i]
	}
	equation := secular{d: d, squared: squared, rho: rho, precision: q.epsilon}
	equation.solveAll(roots)
	equation.correct(z, roots)
	c := combinationOf[R](&s, kept, q.kinds, from, cut, end)
	turns := blas.New(q.turns, k, k)
	equation.vectors(z, roots, func(i int, x []float64, scale float64) {
		c.put(turns.Row(i), x, scale)
	})
	c.combine(q.vectors, turns, q.spare)
	for i, row := range kept {
		q.d[row] = equation.value(roots[i])
	}
}

// combination replaces rows of vectors by linear combinations. The rows are sorted by the part in which they are not zero,
// so that the products skip zeros.
type combination[R matvec.Float] struct {
	rows, position []int
	first, second  int // the end of the rows that are not zero before the cut, the start of those that are not zero after it
	from, cut, end int
}

// put stores x·scale in a row of coefficients, in the order of the sorted rows.
func (c *combination[R]) put(row []R, x []float64, scale float64) {
	for j, v := range x {
		row[c.position[j]] = R(v * scale)
	}
}

func combinationOf[R matvec.Float](s *scratch, rows []int, kinds []uint8, from, cut, end int) combination[R] {
	c := combination[R]{rows: rows, position: vector[int](s, len(rows)), from: from, cut: cut, end: end}
	var starts [4]int
	for _, row := range rows {
		starts[kinds[row]+1]++
	}
	starts[2] += starts[1]
	starts[3] += starts[2]
	c.first, c.second = starts[2], starts[1]
	for i, row := range rows {
		c.position[i] = starts[kinds[row]]
		starts[kinds[row]]++
	}
	return c
}

// combine replaces the rows of x by turns times them; the columns of turns belong to the sorted rows. It uses memory for as
// many elements as the rows have.
func (c *combination[R]) combine(x, turns blas.Matrix[R], memory []R) {
	k, width := len(c.rows), c.end-c.from
	var s scratch
	sorted, product := blas.New(memory, k, width), zeros[R](&s, k, width)
	for i, row := range c.rows {
		copy(sorted.Row(c.position[i]), x.Row(row)[c.from:c.end])
	}
	left, right := c.cut-c.from, c.end-c.cut
	blas.AddProduct(product.Part(0, 0, k, left), 1, turns.Part(0, 0, k, c.first), sorted.Part(0, 0, c.first, left), 0)
	blas.AddProduct(product.Part(0, left, k, right), 1, turns.Part(0, c.second, k, k-c.second), sorted.Part(c.second, left, k-c.second, right), 0)
	for i, row := range c.rows {
		copy(x.Row(row)[c.from:c.end], product.Row(i))
	}
	s.recycle()
}

// rootCost is the time for a term of the secular equation and all its iterations, in nanoseconds.
const rootCost = 8

// solveAll computes all roots.
func (q *secular) solveAll(roots []root) {
	n := len(q.d)
	workers.ForRanges(n, rootCost*float64(n), func(from, to int) {
		var s scratch
		gaps := vector[float64](&s, n)
		for i := from; i < to; i++ {
			roots[i] = q.solve(i, gaps)
		}
		s.recycle()
	})
}

// correct replaces z by the weights for which the computed roots are exact. With them the vectors are orthogonal, however
// close the roots are (Gu and Eisenstat).
func (q *secular) correct(z []float64, roots []root) {
	n := len(q.d)
	workers.ForRanges(n, 2*float64(n), func(from, to int) {
		var s scratch
		product, gaps, divisors := vector[float64](&s, to-from), vector[float64](&s, n), vector[float64](&s, n)
		for j := range product {
			product[j] = 1
		}
		for i, r := range roots {
			q.gaps(gaps, r.origin)
			q.gaps(divisors, i)
			divisors[i] = 1
			matvec.ScaleQuotients(product, gaps[from:to], divisors[from:to], r.offset)
		}
		for j, v := range product {
			z[from+j] = math.Copysign(math.Sqrt(math.Abs(v)), z[from+j])
		}
		s.recycle()
	})
}

// vectors calls store with each vector, zⱼ/(dⱼ - λᵢ), and the reciprocal of its length.
func (q *secular) vectors(z []float64, roots []root, store func(i int, x []float64, scale float64)) {
	n := len(q.d)
	workers.ForRanges(n, 2*float64(n), func(from, to int) {
		var s scratch
		x := vector[float64](&s, n)
		for i := from; i < to; i++ {
			q.gaps(x, roots[i].origin)
			sum := matvec.Quotients(x, z, roots[i].offset)
			store(i, x, 1/math.Sqrt(sum))
		}
		s.recycle()
	})
}
