package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Cholesky finds L row by row (Cholesky and Banachiewicz): each element from those left of it and above.
func (d *Device) Cholesky(l *device.Launch) {
	lower, matrices := d.operand(l, 0), d.operand(l, 1)
	batch, inner := split(l, 2)
	n := inner[1]
	for _, index := range points(batch) {
		a, t := matrices.matrix(index, n, n), newMatrix(n, n)
		for i := range n {
			for j := range i + 1 {
				rest := a[i][j]
				for k := range j {
					rest -= float64(t[i][k] * t[j][k])
				}
				switch {
				case j < i:
					t[i][j] = rest / t[j][j]
				case rest > 0:
					t[i][i] = math.Sqrt(rest)
				default:
					panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
				}
			}
		}
		lower.setMatrix(index, t)
	}
}

// LU is Gaussian elimination: the row with the largest element of the column, or a not-a-number, comes first.
func (d *Device) LU(l *device.Launch) {
	factors, exchanges, matrices := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		a := matrices.matrix(index, m, n)
		for k := range min(m, n) {
			pivot := k
			for i := k; i < m; i++ {
				if math.IsNaN(a[i][k]) {
					pivot = i
					break
				}
				if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
					pivot = i
				}
			}
			a[k], a[pivot] = a[pivot], a[k]
			exchanges.store(exchanges.within(index, k, 0), value{i: int64(pivot)}, dtype.Int64)
			for i := k + 1; i < m && a[k][k] != 0; i++ {
				a[i][k] /= a[k][k]
				for j := k + 1; j < n; j++ {
					a[i][j] -= float64(a[i][k] * a[k][j])
				}
			}
		}
		factors.setMatrix(index, a)
	}
}

// TriangularSolve substitutes: from the first row on where what is left of T is its lower triangle, else from the last.
func (d *Device) TriangularSolve(l *device.Launch) {
	solutions, triangles, right := d.operand(l, 0), d.operand(l, 1), d.operand(l, 2)
	batch, inner := split(l, 2)
	m, n := inner[0], inner[1]
	for _, index := range points(batch) {
		t, x := triangles.matrix(index, m, m), right.matrix(index, m, n)
		if l.Transposed {
			t = transposed(t, m)
		}
		upper := l.Upper != l.Transposed
		for step := range m {
			i, from, to := step, 0, step
			if upper {
				i = m - 1 - step
				from, to = i+1, m
			}
			for j := range n {
				for k := from; k < to; k++ {
					x[i][j] -= float64(t[i][k] * x[k][j])
				}
				if !l.UnitDiagonal {
					x[i][j] /= t[i][i]
				}
			}
		}
		solutions.setMatrix(index, x)
	}
}
