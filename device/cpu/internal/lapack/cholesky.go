package lapack

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
)

// Cholesky uses blocked Cholesky elimination.
func Cholesky(l *device.Launch) {
	f := factorisationOf(l)
	n := f.n
	if n == 0 {
		return
	}
	if f.isComplex(1) {
		complexCholesky(f)
		return
	}
	lower, symmetric := f.operand(0), f.operand(1)
	f.each(flopCost*cube(n)/3, n*n, func(batch int, w workspace) {
		a := w.matrix(n, n)
		symmetric.load(batch, a)
		if _, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Lower, N: n, Data: a.Data, Stride: a.Stride}); !ok {
			panic(&device.MatrixError{Kernel: "Cholesky", Msg: "the matrix is not positive definite"})
		}
		clearTriangle(a, false)
		lower.store(batch, a)
	})
}

func cube(n int) float64 { return float64(n) * float64(n) * float64(n) }
