package cpu

import (
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// LU eliminates with exchanges of rows.
func (processor) LU(l *device.Launch) {
	f := factorisationOf(l)
	k := min(f.m, f.n)
	if k == 0 {
		return
	}
	factors, exchanges, matrices := f.operand(0), f.operand(1), f.operand(2)
	f.each(2*flopCost*float64(k)*float64(f.m)*float64(f.n), f.m*f.n, func(batch int, w workspace) {
		a := w.matrix(f.m, f.n)
		pivots := make([]int, k)
		matrices.block(batch).gather(a)
		lapack64.Getrf(a, pivots)
		factors.block(batch).scatter(a)
		to := exchanges.block(batch)
		for i, pivot := range pivots {
			row := int64(pivot)
			dtype.Convert(exchanges.dtype, to.at(i, 0), 1, dtype.Int64, unsafe.Pointer(&row), 1, 1)
		}
	})
}

// TriangularSolve substitutes.
func (processor) TriangularSolve(l *device.Launch) {
	f := factorisationOf(l)
	m, n := f.m, f.n
	if m == 0 || n == 0 {
		return
	}
	solutions, triangles, right := f.operand(0), f.operand(1), f.operand(2)
	shape := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: m}
	if l.Upper {
		shape.Uplo = blas.Upper
	}
	if l.UnitDiagonal {
		shape.Diag = blas.Unit
	}
	transposed := blas.NoTrans
	if l.Transposed {
		transposed = blas.Trans
	}
	f.each(flopCost*float64(m)*float64(m)*float64(n), m*m+m*n, func(batch int, w workspace) {
		t, x := w.matrix(m, m), w.matrix(m, n)
		triangles.block(batch).gather(t)
		right.block(batch).gather(x)
		triangle := shape
		triangle.Data, triangle.Stride = t.Data, t.Stride
		blas64.Trsm(blas.Left, transposed, 1, triangle, x)
		solutions.block(batch).scatter(x)
	})
}
