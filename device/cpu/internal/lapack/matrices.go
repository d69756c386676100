// Package lapack factors batches of matrices: the kernels Cholesky, LU, TriangularSolve, Solve, QR, SVD, Eigh and Eig, in the
// type of the matrices.
//
// Cholesky (cholesky.go), LU (lu.go), TriangularSolve, Solve (solve.go) and QR (qr.go, reflections.go) work recursively or in blocks, so that
// most of the work is products of package blas. A real matrix of few rows is reduced or eliminated column by column. Small real matrices are factored side by side (group.go); so are their eigenvalues
// and singular values computed (groupspectra.go). Package eigen has those of one matrix.
package lapack

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// factorisation is a loop over a batch of matrices with m rows and n columns.
type factorisation struct {
	launch        *device.Launch
	axes          int // of the batch
	batches, m, n int
}

func factorisationOf(l *device.Launch) factorisation {
	axes := l.Rank - 2
	return factorisation{launch: l, axes: axes, batches: broadcast.Size(l.Shape[:axes]), m: l.Shape[axes], n: l.Shape[axes+1]}
}

// has reports whether an optional operand is present.
func (f *factorisation) has(k int) bool { return !f.launch.Operands[k].Memory.IsNil() }

// isComplex reports whether an operand has complex numbers.
func (f *factorisation) isComplex(k int) bool { return f.launch.Operands[k].DType.IsComplex() }

// operand has the matrices of a batch in the launch's memory.
type operand struct{ matmul.Matrix }

// operand returns the matrices of an operand; if the operand is absent, there are none to load or store.
func (f *factorisation) operand(k int) operand {
	if !f.has(k) {
		return operand{}
	}
	return operand{matmul.MatrixOf(f.launch, k, f.axes, 0, 1)}
}

// transposed returns the transposed matrices.
func (m operand) transposed() operand {
	m.Line, m.Depth = m.Depth, m.Line
	return m
}

// storeVector stores src, of the given dtype, in a vector of the batch.
func storeVector[E float64 | complex128](m *operand, batch int, t dtype.DType, src []E) {
	if len(src) > 0 {
		b := m.Block(batch)
		dtype.Convert(b.DType, b.Base, b.Line, t, unsafe.Pointer(&src[0]), 1, len(src))
	}
}
