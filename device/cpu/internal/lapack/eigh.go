package lapack

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
)

// scaleToRange divides numbers by a power of two if squares of the largest leave the range, and returns the power, or 1.
func scaleToRange(x []float64) (unit float64) {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || largest > 0x1p-400 && largest < 0x1p400 || !(largest < math.Inf(1)) {
		return 1
	}
	_, exponent := math.Frexp(largest)
	unit = math.Ldexp(1, max(exponent-1, -1022))
	for i := range x {
		x[i] /= unit
	}
	return unit
}

// Eigh makes the matrix tridiagonal and iterates from there. A matrix with infinities or NaNs has no eigenvalues.
func Eigh(l *device.Launch) {
	f := factorisationOf(l)
	n := f.n
	if n == 0 {
		return
	}
	if f.isComplex(2) {
		complexEigh(f)
		return
	}
	values, vectors, matrices := f.operand(0), f.operand(1), f.operand(2)
	job, uplo := lapack.EVNone, blas.Lower
	if f.has(1) {
		job = lapack.EVCompute
	}
	if l.Upper {
		uplo = blas.Upper
	}
	lwork := workSize(func(work []float64) {
		lapack64.Syev(job, blas64.Symmetric{Uplo: uplo, N: n, Stride: n}, nil, work, -1)
	})
	f.each(9*flopCost*cube(n), n*n+n+lwork, func(batch int, w workspace) {
		a, eigenvalues, work := w.matrix(n, n), w.vector(n), w.vector(lwork)
		matrices.load(batch, a)
		clearTriangle(a, l.Upper)
		unit := scaleToRange(a.Data)
		symmetric := blas64.Symmetric{Uplo: uplo, N: n, Data: a.Data, Stride: a.Stride}
		if !allFinite(a.Data) || !lapack64.Syev(job, symmetric, eigenvalues, work, lwork) {
			panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
		}
		for i := range eigenvalues {
			eigenvalues[i] *= unit
		}
		values.storeVector(batch, eigenvalues)
		if f.has(1) {
			vectors.store(batch, a)
		}
	})
}
