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

// Eigh makes the matrix tridiagonal and decomposes that by divide and conquer. A matrix with infinities or NaNs has no
// eigenvalues.
func Eigh(l *device.Launch) {
	f := factorisationOf(l)
	if f.n > 0 {
		f.run(2, eighOf[float32, float32], eighOf[float64, float64], eighOf[complex64, float32], eighOf[complex128, float64])
	}
}

// eighOf is Eigh for matrices of type T, whose real type is R.
func eighOf[T blas.Number, R matvec.Float](f factorisation) {
	n, work := f.n, 4./3
	if f.has(1) {
		work = 5
	}
	if f.rotatesInGroups() && !blas.IsComplex[T]() {
		eighInGroups[R](f, func(batch int) { eighEach[T, R](&f, batch, batch+1) })
		return
	}
	workers.ForRanges(f.batches, flops[T](work*cube(n))+50*float64(n*n), func(from, to int) { eighEach[T, R](&f, from, to) })
}

// eighEach is Eigh for some matrices of the batch.
func eighEach[T blas.Number, R matvec.Float](f *factorisation, from, to int) {
	n, isUpper, wantsVectors := f.n, f.launch.Upper, f.has(1)
	values, vectors, matrices := f.operand(0), f.operand(1).transposed(), f.operand(2)
	if isUpper { // the lower triangle of the transposed matrix
		matrices = matrices.transposed()
	}
	r, s := takeRoom[T](2*n*n), memory.TakeScratch(8*n)
	a, z, eigenvalues := r.matrix(n, n), blas.Matrix[T]{}, memory.Room[float64](s, 0, n)
	if wantsVectors {
		z = r.matrix(n, n)
	}
	for batch := from; batch < to; batch++ {
		load(&matrices, batch, a)
		if isUpper {
			blas.Conjugate(a)
		}
		clearBeside(a, false)
		for i := range n {
			re, _ := blas.Parts(a.Row(i)[i])
			a.Row(i)[i] = blas.Real[T](re)
		}
		if !eigen.Hermitian[T, R](a, eigenvalues, z) {
			panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
		}
		storeVector(&values, batch, dtype.Float64, eigenvalues)
		if wantsVectors {
			store(&vectors, batch, z)
		}
	}
	s.Recycle()
	r.scratch.Recycle()
}
