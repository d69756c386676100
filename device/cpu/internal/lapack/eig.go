package lapack

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/eigen"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Eig reduces the matrix to Hessenberg form, makes that triangular by the QR algorithm with many shifts, and substitutes. A
// matrix with infinities or NaNs has no eigenvalues.
func Eig(l *device.Launch) {
	f := factorisationOf(l)
	if f.n > 0 {
		f.run(2, eigOf[float32, complex64], eigOf[float64, complex128], eigOf[complex64, complex64], eigOf[complex128, complex128])
	}
}

// eigOf is Eig for matrices of type T, whose complex type is C.
func eigOf[T, C blas.Number](f factorisation) {
	n, wantsVectors := f.n, f.has(1)
	values, vectors, matrices := f.operand(0), f.operand(1).transposed(), f.operand(2)
	work := 10.
	if wantsVectors {
		work = 25
	}
	workers.ForRanges(f.batches, flops[T](work*cube(n))+100*float64(n*n), func(from, to int) {
		r, c, s := takeRoom[T](2*n*n), takeRoom[C](n*n), memory.TakeScratch(16*n)
		a, v, eigenvalues := r.matrix(n, n), blas.Matrix[T]{}, memory.Room[complex128](s, 0, n)
		if wantsVectors {
			v = r.matrix(n, n)
		}
		for batch := from; batch < to; batch++ {
			load(&matrices, batch, a)
			if !eigen.General(a, eigenvalues, v) {
				panic(&device.MatrixError{Kernel: "Eig", Msg: "the eigenvalues did not converge"})
			}
			storeVector(&values, batch, dtype.Complex128, eigenvalues)
			if wantsVectors {
				complexVectors := blas.New(c.left, n, n)
				pairVectors(complexVectors, v, eigenvalues)
				store(&vectors, batch, complexVectors)
			}
		}
		s.Recycle()
		c.scratch.Recycle()
		r.scratch.Recycle()
	})
}

// pairVectors builds complex rows: two rows for a conjugate pair of eigenvalues of a real matrix are the real and the imaginary
// part of the pair's first vector.
func pairVectors[C, T blas.Number](z blas.Matrix[C], v blas.Matrix[T], eigenvalues []complex128) {
	for k := 0; k < z.Rows; k++ {
		row, to := v.Row(k), z.Row(k)
		if blas.IsComplex[T]() || imag(eigenvalues[k]) == 0 {
			for i, x := range row {
				to[i] = blas.Complex[C](blas.Parts(x))
			}
			continue
		}
		for i, im := range v.Row(k + 1) {
			x, _ := blas.Parts(row[i])
			y, _ := blas.Parts(im)
			to[i], z.Row(k + 1)[i] = blas.Complex[C](x, y), blas.Complex[C](x, -y)
		}
		k++
	}
}
