package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// smallCost returns the nanoseconds per matrix for a number of products and sums, and for copying some elements.
func smallCost(products float64, elements int) float64 { return products*0.05 + float64(elements) }

// luOfGroups is LU of small matrices.
func luOfGroups[T lanes.Float](f factorisation) {
	m, n, k := f.m, f.n, min(f.m, f.n)
	factors, exchanges, matrices := f.operand(0), f.exchanges(), f.operand(3)
	eachGroup(&f, smallCost(float64(k*m*n), m*n), elementsOf(&matrices, m, n)+k, func(g group[T]) {
		a, pivots := g.load(&matrices, m, n), g.elements(k)
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			lanes.LU(m, n, part(a, lane), g.width, pivots[lane:], 0, a)
		}
		g.store(&factors, m, n, a)
		var column, rows [smallMatrix]int
		for lane := range g.count {
			for i := range k {
				column[i] = i + int(pivots[i*g.width+lane])
			}
			exchanges.store(g.first+lane, column[:k], rows[:m])
		}
	})
}

// choleskyOfGroups is Cholesky of small matrices.
func choleskyOfGroups[T lanes.Float](f factorisation) {
	n := f.n
	lower, symmetric := f.operand(0), f.operand(1)
	eachGroup(&f, smallCost(cube(n)/3, n*n), elementsOf(&symmetric, n, n), func(g group[T]) {
		a := g.load(&symmetric, n, n)
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			used := uint32(1)<<min(lanes.Width[T](), g.count-lane) - 1
			if lanes.Cholesky(n, part(a, lane))&used != used {
				panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
			}
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				clear(a.Data[i*a.Row+j*a.Column:][:g.width])
			}
		}
		g.store(&lower, n, n, a)
	})
}

// solveOfGroups substitutes in small matrices; alone does so for a single one, if there are infinities.
func solveOfGroups[T lanes.Float](f factorisation, triangles operand, backward, unit bool, alone func(batch int)) {
	m, n := f.m, f.n
	solutions, right := f.operand(0), f.operand(2)
	eachGroup(&f, smallCost(float64(m*m*n), m*m+m*n), elementsOf(&triangles, m, m)+elementsOf(&right, m, n)+n+1, func(g group[T]) {
		t, x := g.load(&triangles, m, m), g.load(&right, m, n)
		for lane := 0; lane < g.count; lane += lanes.Width[T]() {
			to, from := part(x, lane), part(t, lane)
			if backward {
				from, to = upward(m, from, to)
			}
			lanes.Substitute(m, n, from, to, unit)
		}
		g.store(&solutions, m, n, x)
		g.eachInfinite(m, n, x, alone)
	})
}

// upward returns the upper triangles and the right sides with m rows so that lanes.Substitute begins at the last row.
func upward[T lanes.Float](m int, t, x lanes.Rows[T]) (lanes.Rows[T], lanes.Rows[T]) {
	return lanes.Rows[T]{Data: t.Data[(m-1)*(t.Row+t.Column):], Row: -t.Row, Column: -t.Column},
		lanes.Rows[T]{Data: x.Data[(m-1)*x.Row:], Row: -x.Row, Column: x.Column}
}

// storeIntegers stores a vector of the batch.
func storeIntegers(m *operand, batch int, x []int) {
	b := m.Block(batch)
	if m.Line == 1 {
		to := memory.Slice[int64](b.Base, len(x))
		for i, v := range x {
			to[i] = int64(v)
		}
		return
	}
	for i, v := range x {
		*(*int64)(unsafe.Add(b.Base, 8*i*m.Line)) = int64(v)
	}
}
