package lapack

import (
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
)

// SVD makes the matrix bidiagonal and iterates from there. A matrix with infinities or NaNs has no decomposition.
func SVD(l *device.Launch) {
	f := factorisationOf(l)
	if f.isComplex(3) {
		complexSVD(f)
		return
	}
	m, n := f.m, f.n
	k := min(m, n)
	job, columnsU, rowsV := lapack.SVDStore, k, k
	switch {
	case !f.has(0) && !f.has(2):
		job, columnsU, rowsV = lapack.SVDNone, 0, 0
	case l.Full:
		job, columnsU, rowsV = lapack.SVDAll, m, n
	}
	left, values, right, matrices := f.operand(0), f.operand(1), f.operand(2), f.operand(3)
	lwork := 1
	if k > 0 {
		lwork = workSize(func(work []float64) {
			floats := m*n + m*columnsU + rowsV*n // gonum slices them
			s := memory.TakeScratch(8 * floats)
			w := workspace{memory.Room[float64](s, 0, floats)}
			lapack64.Gesvd(job, job, w.matrix(m, n), w.matrix(m, columnsU), w.matrix(rowsV, n), nil, work, -1)
			s.Recycle()
		})
	}
	floats := m*n + m*columnsU + rowsV*n + k + lwork
	f.each(20*flopCost*float64(m)*float64(n)*float64(max(k, 1)), floats, func(batch int, w workspace) {
		a, u, vt, s, work := w.matrix(m, n), w.matrix(m, columnsU), w.matrix(rowsV, n), w.vector(k), w.vector(lwork)
		matrices.load(batch, a)
		switch {
		case k == 0 && l.Full:
			setIdentity(u)
			setIdentity(vt)
		case k > 0 && (!allFinite(a.Data) || !lapack64.Gesvd(job, job, a, u, vt, s, work, lwork)):
			panic(&device.MatrixError{Kernel: "SVD", Msg: "it did not converge"})
		}
		values.storeVector(batch, s)
		if f.has(0) {
			left.store(batch, u)
		}
		if f.has(2) {
			right.store(batch, vt)
		}
	})
}

// workSize returns how many numbers of workspace a LAPACK function needs, which the function stores in the first
// number.
func workSize(ask func(work []float64)) int {
	work := []float64{1}
	ask(work)
	return max(int(work[0]), 1)
}
