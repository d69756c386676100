package lapack

import (
	"math"
	"math/cmplx"

	"github.com/ndgrad/ndgrad/device"
)

// complexCholesky computes L row by row: each element is that of the matrix minus the product of two rows.
func complexCholesky(f factorisation) {
	n := f.n
	lower, hermitian := f.operand(0), f.operand(1)
	f.each(complexCost*cube(n)/3, 2*n*n, func(batch int, w workspace) {
		a := w.complexMatrix(n, n)
		hermitian.loadComplex(batch, a)
		for i := range n {
			row := a.row(i)
			for j := range i {
				other := a.row(j)
				row[j] = (row[j] - inner(other[:j], row[:j])) / other[j]
			}
			square := real(row[i]) - real(inner(row[:i], row[:i]))
			if !(square > 0) {
				panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
			}
			row[i] = complex(math.Sqrt(square), 0)
			clear(row[i+1:])
		}
		lower.storeComplex(batch, a)
	})
}

// complexLU eliminates row by row.
func complexLU(f factorisation) {
	m, n := f.m, f.n
	k := min(m, n)
	factors, matrices := f.operand(0), f.operand(3)
	f.each(complexCost*float64(k)*float64(m)*float64(n), 2*m*n+k+m, func(batch int, w workspace) {
		a, pivots := w.complexMatrix(m, n), w.integers(k)
		matrices.loadComplex(batch, a)
		for j := range k {
			pivot := complexPivot(a, j)
			pivots[j] = pivot
			top := a.row(j)
			if pivot != j {
				for c, v := range a.row(pivot) {
					a.row(pivot)[c], top[c] = top[c], v
				}
			}
			for i := j + 1; i < m && top[j] != 0; i++ {
				row := a.row(i)
				row[j] /= top[j]
				addTimes(row[j+1:], -row[j], top[j+1:])
			}
		}
		f.storeExchanges(batch, pivots, w.integers(m))
		factors.storeComplex(batch, a)
	})
}

// complexPivot returns the row from k on with the largest |Re| + |Im| in column k, as LAPACK does; NaN counts as the
// largest.
func complexPivot(a complexMatrix, k int) int {
	best, largest := k, math.Inf(-1)
	for i := k; i < a.rows; i++ {
		z := a.data[i*a.columns+k]
		size := math.Abs(real(z)) + math.Abs(imag(z))
		if math.IsNaN(size) {
			return i
		}
		if size > largest {
			best, largest = i, size
		}
	}
	return best
}

// complexTriangularSolve substitutes, from the first row on or from the last one.
func complexTriangularSolve(f factorisation, triangles operand) {
	l, m, n := f.launch, f.m, f.n
	solutions, right := f.operand(0), f.operand(2)
	f.each(complexCost/2*float64(m)*float64(m)*float64(n), 2*(m*m+m*n), func(batch int, w workspace) {
		t, x := w.complexMatrix(m, m), w.complexMatrix(m, n)
		triangles.loadComplex(batch, t)
		right.loadComplex(batch, x)
		for step := range m {
			i, from, to := step, 0, step
			if l.Upper != l.Transposed {
				i = m - 1 - step
				from, to = i+1, m
			}
			row := x.row(i)
			for k := from; k < to; k++ {
				addTimes(row, -t.row(i)[k], x.row(k))
			}
			for j := 0; j < n && !l.UnitDiagonal; j++ {
				row[j] /= t.row(i)[i]
			}
		}
		solutions.storeComplex(batch, x)
	})
}

// complexQR reduces the columns to a triangle by reflections, one after the other, as QR does.
func complexQR(f factorisation) {
	m, n := f.m, f.n
	reflections := min(m, n)
	k := reflections
	if f.launch.Full {
		k = m
	}
	orthonormal, triangular, matrices := f.operand(0), f.operand(1), f.operand(2)
	floats := 2 * (m*n + m*k + reflections + m + max(n, k))
	f.each(2*complexCost*float64(m)*float64(max(n, k))*float64(max(k, 1)), floats, func(batch int, w workspace) {
		a, q, taus := w.complexMatrix(m, n), w.complexMatrix(m, k), w.complexes(reflections)
		column, row := w.complexes(m), w.complexes(max(n, k))
		matrices.loadComplex(batch, a)
		for j := range taus {
			v := below(a, j, j, column)
			beta, tau := reflect(v)
			taus[j] = tau
			reflectRows(a.from(j), j+1, v, cmplx.Conj(tau), row)
			a.row(j)[j] = complex(beta, 0)
			keep(a, j, j, v)
		}
		setComplexIdentity(q)
		for j := reflections - 1; j >= 0; j-- {
			v := below(a, j, j, column)
			v[0] = 1
			reflectRows(q.from(j), j, v, taus[j], row)
		}
		for i := range min(m, k) {
			clear(a.row(i)[:min(i, n)])
		}
		a.rows, a.data = k, a.data[:k*n]
		orthonormal.storeComplex(batch, q)
		triangular.storeComplex(batch, a)
	})
}

// setComplexIdentity sets the diagonal to 1 and all other elements to 0.
func setComplexIdentity(a complexMatrix) {
	clear(a.data)
	for i := range min(a.rows, a.columns) {
		a.row(i)[i] = 1
	}
}
