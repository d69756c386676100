// Package lapack factors batches of matrices: the kernels Cholesky, LU, TriangularSolve, QR, SVD, Eigh and Eig.
//
// Cholesky (cholesky.go), LU (lu.go), TriangularSolve and QR (qr.go, reflections.go) compute in the type of the matrices,
// recursively or in blocks, so that most of the work is products of package blas. Small real matrices are factored side by
// side (group.go). For SVD, Eigh and Eig each matrix is copied to float64, for gonum's LAPACK, or to complex128, for
// algorithms of this package.
package lapack

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// factorisation is a loop over a batch of matrices with m rows and n columns. Each matrix is copied to a contiguous one
// in float64, on which LAPACK's algorithms work; the results are rounded once when they are stored.
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

// operand has the matrices of a batch in the launch's memory.
type operand struct{ matmul.Matrix }

// operand returns the matrices of an operand; if the operand is absent, there are none to load or store.
func (f *factorisation) operand(k int) operand {
	if !f.has(k) {
		return operand{}
	}
	return operand{matmul.MatrixOf(f.launch, k, f.axes, 0, 1)}
}

// each calls body for every matrix of the batch, in parallel if that is worth it, with memory for the given number of
// numbers. nanoseconds is the time per matrix.
func (f *factorisation) each(nanoseconds float64, floats int, body func(batch int, w workspace)) {
	workers.ForRanges(f.batches, nanoseconds, func(from, to int) {
		s := memory.TakeScratch(8 * floats)
		for batch := from; batch < to; batch++ {
			body(batch, workspace{memory.Room[float64](s, 0, floats)})
		}
		s.Recycle()
	})
}

// workspace is the remaining memory for one matrix's factors.
type workspace struct{ left []float64 }

func (w *workspace) vector(n int) []float64 {
	v := w.left[:n:n]
	w.left = w.left[n:]
	return v
}

func (w *workspace) matrix(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: max(columns, 1), Data: w.vector(rows * columns)}
}

// load copies a matrix of the batch to dst. An empty matrix has no address: it may lie after the end of the block.
func (m *operand) load(batch int, dst blas64.General) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	b := m.Block(batch)
	for i := range dst.Rows {
		dtype.Convert(dtype.Float64, unsafe.Pointer(&dst.Data[i*dst.Stride]), 1, b.DType, b.At(i, 0), b.Depth, dst.Cols)
	}
}

// store stores src in a matrix of the batch.
func (m *operand) store(batch int, src blas64.General) {
	if src.Rows == 0 || src.Cols == 0 {
		return
	}
	b := m.Block(batch)
	for i := range src.Rows {
		dtype.Convert(b.DType, b.At(i, 0), b.Depth, dtype.Float64, unsafe.Pointer(&src.Data[i*src.Stride]), 1, src.Cols)
	}
}

// storeVector stores src in a vector of the batch.
func (m *operand) storeVector(batch int, src []float64) {
	m.store(batch, blas64.General{Rows: len(src), Cols: 1, Stride: 1, Data: src})
}

// setIdentity makes a square matrix the identity.
func setIdentity(a blas64.General) {
	clear(a.Data)
	for i := range a.Rows {
		a.Data[i*a.Stride+i] = 1
	}
}

// clearTriangle sets the elements below the diagonal to 0, or those above it.
func clearTriangle(a blas64.General, below bool) {
	for i := 0; i < a.Rows && a.Cols > 0; i++ {
		row := a.Data[i*a.Stride : i*a.Stride+a.Cols]
		if below {
			clear(row[:min(i, a.Cols)])
		} else {
			clear(row[min(i+1, a.Cols):])
		}
	}
}

// allFinite reports whether all elements are finite: an iteration would not converge with infinities or NaNs.
func allFinite(x []float64) bool {
	for _, v := range x {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return false
		}
	}
	return true
}

// flopCost is the cost of a product and sum of a factorisation, in nanoseconds.
const flopCost = 0.5
