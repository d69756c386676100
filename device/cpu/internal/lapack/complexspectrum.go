package lapack

import (
	"math/cmplx"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/ndgrad/ndgrad/device"
)

// complexEigh makes the matrix tridiagonal and real by reflections, Hᴴ·A·H = T. The eigenvectors of A are H times those of T.
func complexEigh(f factorisation) {
	n, upper := f.n, f.launch.Upper
	values, vectors, matrices := f.operand(0), f.operand(1), f.operand(2)
	job := lapack.EVNone
	if f.has(1) {
		job = lapack.EVCompute
	}
	lwork := workSize(func(work []float64) {
		lapack64.Syev(job, blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n}, nil, work, -1)
	})
	f.each(9*complexCost*cube(n), 2*(2*n*n+4*n)+n*n+n+lwork, func(batch int, w workspace) {
		a, v, taus := w.complexMatrix(n, n), w.complexMatrix(n, n), w.complexes(n)
		t, eigenvalues, work := w.matrix(n, n), w.vector(n), w.vector(lwork)
		matrices.loadComplex(batch, a)
		completeHermitian(a, upper)
		finite := allFiniteComplex(a.data)
		if finite {
			tridiagonalise(a, t, taus, w)
		}
		symmetric := blas64.Symmetric{Uplo: blas.Lower, N: n, Data: t.Data, Stride: t.Stride}
		if !finite || !allFinite(t.Data) || !lapack64.Syev(job, symmetric, eigenvalues, work, lwork) {
			panic(&device.MatrixError{Kernel: "Eigh", Msg: "the eigenvalues did not converge"})
		}
		values.storeVector(batch, eigenvalues)
		if !f.has(1) {
			return
		}
		for i, x := range t.Data {
			v.data[i] = complex(x, 0)
		}
		column, row := w.complexes(n), w.complexes(n)
		for j := n - 2; j >= 0; j-- {
			x := below(a, j+1, j, column)
			x[0] = 1
			reflectRows(v.from(j+1), 0, x, taus[j], row)
		}
		vectors.storeComplex(batch, v)
	})
}

// completeHermitian copies one triangle to the other, and makes the diagonal real.
func completeHermitian(a complexMatrix, upper bool) {
	for i := range a.rows {
		for j := range i {
			if upper {
				a.row(i)[j] = cmplx.Conj(a.row(j)[i])
			} else {
				a.row(j)[i] = cmplx.Conj(a.row(i)[j])
			}
		}
		a.row(i)[i] = complex(real(a.row(i)[i]), 0)
	}
}

// tridiagonalise stores the tridiagonal matrix in the lower triangle of t, and leaves the vectors of the reflections in
// the columns of a, below their first elements. It uses memory for three vectors from w.
func tridiagonalise(a complexMatrix, t blas64.General, taus []complex128, w workspace) {
	n := a.rows
	column, product := w.complexes(n), w.complexes(n)
	clear(t.Data)
	for j := range n {
		t.Data[j*n+j] = real(a.row(j)[j])
		if j == n-1 {
			break
		}
		v := below(a, j+1, j, column)
		beta, tau := reflect(v)
		t.Data[(j+1)*n+j], taus[j] = beta, tau
		// The remaining matrix becomes Hᴴ·A·H = A - u·vᴴ - v·uᴴ with u = τ·A·v - (|τ|²·vᴴ·A·v/2)·v.
		u := product[:len(v)]
		for i := range u {
			along := complex128(0)
			for k, x := range a.row(j + 1 + i)[j+1:] {
				along += x * v[k]
			}
			u[i] = tau * along
		}
		half := cmplx.Conj(tau) * inner(v, u) / 2
		addTimes(u, -half, v)
		for i := range u {
			row := a.row(j + 1 + i)[j+1:]
			x, y := u[i], v[i]
			for k := range row {
				row[k] -= x*cmplx.Conj(v[k]) + y*cmplx.Conj(u[k])
			}
		}
		keep(a, j+1, j, v)
	}
}

// complexSVD makes the matrix bidiagonal and real by reflections from both sides, Hᴴ·A·G = B. The singular vectors of A
// are H and G times those of B. A wide matrix is replaced by its adjoint, which exchanges left and right vectors.
func complexSVD(f factorisation) {
	wide := f.m < f.n
	m, n := max(f.m, f.n), min(f.m, f.n)
	job, columnsU := lapack.SVDAll, n
	switch {
	case !f.has(0) && !f.has(2):
		job = lapack.SVDNone
	case f.launch.Full:
		columnsU = m
	}
	left, values, right, matrices := f.operand(0), f.operand(1), f.operand(2), f.operand(3)
	if wide {
		left, right = right, left
	}
	lwork := 1
	if n > 0 {
		lwork = workSize(func(work []float64) {
			square := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)} // gonum slices it
			lapack64.Gesvd(job, job, square, square, square, nil, work, -1)
		})
	}
	floats := 2*(2*m*n+m*columnsU+2*n*n+2*n+m+max(n, columnsU)) + 3*n*n + n + lwork
	f.each(20*complexCost*float64(m)*float64(n)*float64(max(n, 1)), floats, func(batch int, w workspace) {
		given, a := w.complexMatrix(f.m, f.n), w.complexMatrix(m, n)
		b, ub, vb, s, work := w.matrix(n, n), w.matrix(n, n), w.matrix(n, n), w.vector(n), w.vector(lwork)
		tauH, tauG, column, row := w.complexes(n), w.complexes(n), w.complexes(m), w.complexes(max(n, columnsU))
		matrices.loadComplex(batch, given)
		if wide {
			adjoin(a, given)
		} else {
			copy(a.data, given.data)
		}
		finite := allFiniteComplex(a.data)
		if finite {
			bidiagonalise(a, b, tauH, tauG, column, row)
		}
		if !finite || !allFinite(b.Data) || n > 0 && !lapack64.Gesvd(job, job, b, ub, vb, s, work, lwork) {
			panic(&device.MatrixError{Kernel: "SVD", Msg: "it did not converge"})
		}
		values.storeVector(batch, s)
		if job == lapack.SVDNone {
			return
		}
		u, v := w.complexMatrix(m, columnsU), w.complexMatrix(n, n)
		setComplexIdentity(u)
		for i := range n {
			for j := range n {
				u.row(i)[j] = complex(ub.Data[i*n+j], 0)
				v.row(i)[j] = complex(vb.Data[j*n+i], 0)
			}
		}
		for j := n - 1; j >= 0; j-- {
			x := below(a, j, j, column)
			x[0] = 1
			reflectRows(u.from(j), 0, x, tauH[j], row)
			if j < n-1 {
				x := a.row(j)[j+1:]
				conjugate(x)
				x[0] = 1
				reflectRows(v.from(j+1), 0, x, tauG[j], row)
			}
		}
		storeVectors(left, batch, u, wide)
		storeVectors(right, batch, v, !wide)
	})
}

// storeVectors stores vectors, which are columns, as columns or as the rows of the adjoint.
func storeVectors(to operand, batch int, vectors complexMatrix, asRows bool) {
	if asRows {
		to.Line, to.Depth = to.Depth, to.Line
		conjugate(vectors.data)
	}
	to.storeComplex(batch, vectors)
}

// bidiagonalise stores the upper bidiagonal matrix in b, and leaves the vectors of the reflections in a: those from the
// left in its columns below the diagonal, those from the right, conjugated, in its rows, in both cases after their
// first elements.
func bidiagonalise(a complexMatrix, b blas64.General, tauH, tauG, column, row []complex128) {
	n := a.columns
	clear(b.Data)
	for j := range n {
		v := below(a, j, j, column)
		beta, tau := reflect(v)
		b.Data[j*n+j], tauH[j] = beta, tau
		reflectRows(a.from(j), j+1, v, cmplx.Conj(tau), row)
		keep(a, j, j, v)
		if j == n-1 {
			break
		}
		x := a.row(j)[j+1:]
		conjugate(x)
		beta, tau = reflect(x)
		b.Data[j*n+j+1], tauG[j] = beta, tau
		conjugate(x)
		reflectColumns(a.from(j+1), j+1, x, tau)
	}
}
