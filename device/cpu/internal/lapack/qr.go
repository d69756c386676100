package lapack

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
)

// QR reduces the columns to a triangle by reflections, one after the other (Householder's method). The signs are
// LAPACK's: each diagonal element of R has the opposite sign of the element that it replaces.
func QR(l *device.Launch) {
	f := factorisationOf(l)
	m, n := f.m, f.n
	reflections := min(m, n)
	k := reflections
	if l.Full {
		k = m
	}
	if m == 0 {
		return
	}
	if f.isComplex(2) {
		complexQR(f)
		return
	}
	orthonormal, triangular, matrices := f.operand(0), f.operand(1), f.operand(2)
	lwork := max(workSize(func(work []float64) {
		lapack64.Geqrf(shapeOf(m, n), make([]float64, reflections), work, -1)
	}), workSize(func(work []float64) {
		lapack64.Orgqr(shapeOf(m, k), make([]float64, reflections), work, -1)
	}))
	floats := m*n + m*k + reflections + lwork
	f.each(4*flopCost*float64(m)*float64(max(n, k))*float64(max(k, 1)), floats, func(batch int, w workspace) {
		a, q, tau, work := w.matrix(m, n), w.matrix(m, k), w.vector(reflections), w.vector(lwork)
		matrices.load(batch, a)
		if reflections > 0 {
			lapack64.Geqrf(a, tau, work, lwork)
		}
		clear(q.Data)
		for i := range m {
			copy(q.Data[i*k:(i+1)*k], a.Data[i*n:i*n+reflections])
		}
		if reflections > 0 {
			lapack64.Orgqr(q, tau, work, lwork)
		} else if k > 0 {
			setIdentity(q)
		}
		clearTriangle(a, true)
		a.Rows = k
		orthonormal.store(batch, q)
		triangular.store(batch, a)
	})
}

// shapeOf returns a matrix that has only a shape, to ask how much memory its factorisation needs.
func shapeOf(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: max(columns, 1)}
}

// workSize returns how many numbers of workspace a LAPACK function needs, which the function stores in the first
// number.
func workSize(ask func(work []float64)) int {
	work := []float64{1}
	ask(work)
	return max(int(work[0]), 1)
}
