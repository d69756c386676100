package lapack

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
)

// Eig makes the matrix triangular by rotations of the axes, except for 2×2 blocks of a real matrix, and then
// substitutes. A matrix with infinities or NaNs has no eigenvalues.
func Eig(l *device.Launch) {
	f := factorisationOf(l)
	n := f.n
	if n == 0 {
		return
	}
	if f.isComplex(2) {
		complexEig(f)
		return
	}
	values, vectors, matrices := f.operand(0), f.operand(1), f.operand(2)
	job, size := lapack.RightEVNone, 0
	if f.has(1) {
		job, size = lapack.RightEVCompute, n
	}
	none := blas64.General{Rows: n, Cols: n, Stride: n}
	square := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)} // gonum slices it
	lwork := workSize(func(work []float64) {
		lapack64.Geev(lapack.LeftEVNone, job, square, make([]float64, n), make([]float64, n), none, square, work, -1)
	})
	f.each(25*flopCost*cube(n), n*n+3*size*n+4*n+lwork, func(batch int, w workspace) {
		a, v := w.matrix(n, n), none
		if f.has(1) {
			v = w.matrix(n, n)
		}
		re, im, work := w.vector(n), w.vector(n), w.vector(lwork)
		matrices.load(batch, a)
		if !allFinite(a.Data) || lapack64.Geev(lapack.LeftEVNone, job, a, re, im, none, v, work, lwork) != 0 {
			panic(&device.MatrixError{Kernel: "Eig", Msg: "the eigenvalues did not converge"})
		}
		eigenvalues := complexMatrix{n, 1, w.complexes(n)}
		for k := range re {
			eigenvalues.data[k] = complex(re[k], im[k])
		}
		values.storeComplex(batch, eigenvalues)
		if f.has(1) {
			vectors.storeComplex(batch, pairedVectors(v, im, w.complexMatrix(n, n)))
		}
	})
}

// pairedVectors builds complex vectors from LAPACK's result: two columns of a conjugate pair are the real and the
// imaginary part of the pair's first vector.
func pairedVectors(v blas64.General, im []float64, z complexMatrix) complexMatrix {
	for i := range z.rows {
		row, to := v.Data[i*v.Stride:], z.row(i)
		for k := 0; k < z.columns; k++ {
			if im[k] == 0 {
				to[k] = complex(row[k], 0)
				continue
			}
			to[k], to[k+1] = complex(row[k], row[k+1]), complex(row[k], -row[k+1])
			k++
		}
	}
	return z
}

// workSize returns the size of the memory that a routine of gonum asks for.
func workSize(ask func(work []float64)) int {
	var size [1]float64
	ask(size[:])
	return int(size[0])
}
