package lapack

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/eigen"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SVD makes the matrix bidiagonal and decomposes that by divide and conquer; it computes singular values alone by the dqds
// algorithm. A matrix with infinities or NaNs has no decomposition.
func SVD(l *device.Launch) {
	f := factorisationOf(l)
	f.run(3, svdOf[float32, float32], svdOf[float64, float64], svdOf[complex64, float32], svdOf[complex128, float64])
}

// svdOf is SVD for matrices of type T, whose real type is R.
func svdOf[T blas.Number, R matvec.Float](f factorisation) {
	m, n, work := min(f.m, f.n), max(f.m, f.n), 8./3
	if f.has(0) || f.has(2) {
		work = 10
	}
	if f.rotatesInGroups() && !blas.IsComplex[T]() && (m == n || !f.launch.Full) {
		svdInGroups[R](f, func(batch int) { svdEach[T, R](&f, batch, batch+1) })
		return
	}
	workers.ForRanges(f.batches, flops[T](work*float64(m)*float64(m)*float64(n))+50*float64(m*n), func(from, to int) { svdEach[T, R](&f, from, to) })
}

// svdEach is SVD for some matrices of the batch. A tall matrix is replaced by its adjoint, which exchanges left and right vectors.
func svdEach[T blas.Number, R matvec.Float](f *factorisation, from, to int) {
	isTall, wantsVectors := f.m > f.n, f.has(0) || f.has(2)
	m, n := min(f.m, f.n), max(f.m, f.n)
	values, left, right, matrices := f.operand(1), f.operand(0).transposed(), f.operand(2), f.operand(3)
	if isTall {
		matrices = matrices.transposed()
	}
	rightRows := m
	if f.launch.Full {
		rightRows = n
	}
	r, s := takeRoom[T](m*n+m*m+rightRows*n), memory.TakeScratch(8*m)
	a, singular := r.matrix(m, n), memory.Room[float64](s, 0, m)
	var u, v blas.Matrix[T] // the rows are transposed vectors
	if wantsVectors {
		u, v = r.matrix(m, m), r.matrix(rightRows, n)
	}
	for batch := from; batch < to; batch++ {
		load(&matrices, batch, a)
		if isTall {
			blas.Conjugate(a)
		}
		if !eigen.Singular[T, R](a, singular, u, v) {
			panic(&device.MatrixError{Kernel: "SVD", Msg: "it did not converge"})
		}
		storeVector(&values, batch, dtype.Float64, singular)
		if !wantsVectors {
			continue
		}
		columns, rows := u, v
		if isTall {
			columns, rows = v, u
		}
		blas.Conjugate(rows)
		if f.has(0) {
			store(&left, batch, columns)
		}
		if f.has(2) {
			store(&right, batch, rows)
		}
	}
	s.Recycle()
	r.scratch.Recycle()
}
