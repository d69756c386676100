package lapack

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ndgrad/ndgrad/device"
)

// TriangularSolve substitutes. For a transposed triangle it exchanges the strides.
func TriangularSolve(l *device.Launch) {
	f := factorisationOf(l)
	m, n := f.m, f.n
	if m == 0 || n == 0 {
		return
	}
	solutions, triangles, right := f.operand(0), f.operand(1), f.operand(2)
	if l.Transposed {
		triangles.Line, triangles.Depth = triangles.Depth, triangles.Line
	}
	if f.isComplex(1) {
		complexTriangularSolve(f, triangles)
		return
	}
	substitute := substituteForward
	if l.Upper != l.Transposed {
		substitute = substituteBackward
	}
	f.each(flopCost*float64(m)*float64(m)*float64(n), m*m+m*n, func(batch int, w workspace) {
		t, x := w.matrix(m, m), w.matrix(m, n)
		triangles.load(batch, t)
		right.load(batch, x)
		substitute(t, x, l.UnitDiagonal)
		solutions.store(batch, x)
	})
}

// substituteForward replaces x by T⁻¹·x for the lower triangle T of t.
func substituteForward(t, x blas64.General, unit bool) {
	for from := 0; from < x.Rows; from += panelColumns {
		to := min(from+panelColumns, x.Rows)
		for i := from; i < to; i++ {
			row := rowOf(x, i, 0, x.Cols)
			for k := from; k < i; k++ {
				blas64.Axpy(-t.Data[i*t.Stride+k], rowOf(x, k, 0, x.Cols), row)
			}
			divideRow(row, t, i, unit)
		}
		if to < x.Rows {
			subtractProduct(submatrix(x, to, 0, x.Rows-to, x.Cols), submatrix(t, to, from, x.Rows-to, to-from), submatrix(x, from, 0, to-from, x.Cols))
		}
	}
}

// substituteBackward replaces x by T⁻¹·x for the upper triangle T of t.
func substituteBackward(t, x blas64.General, unit bool) {
	for to := x.Rows; to > 0; to -= panelColumns {
		from := max(to-panelColumns, 0)
		for i := to - 1; i >= from; i-- {
			row := rowOf(x, i, 0, x.Cols)
			for k := i + 1; k < to; k++ {
				blas64.Axpy(-t.Data[i*t.Stride+k], rowOf(x, k, 0, x.Cols), row)
			}
			divideRow(row, t, i, unit)
		}
		if from > 0 {
			subtractProduct(submatrix(x, 0, 0, from, x.Cols), submatrix(t, 0, from, from, to-from), submatrix(x, from, 0, to-from, x.Cols))
		}
	}
}

func divideRow(row blas64.Vector, t blas64.General, i int, unit bool) {
	if unit {
		return
	}
	divisor := t.Data[i*t.Stride+i]
	for j := range row.Data {
		row.Data[j] /= divisor
	}
}

// subtractProduct replaces c by c - a·b.
func subtractProduct(c, a, b blas64.General) {
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, a, b, 1, c)
}

// submatrix returns a part of a matrix, which must not be empty.
func submatrix(a blas64.General, row, column, rows, columns int) blas64.General {
	first := row*a.Stride + column
	return blas64.General{Rows: rows, Cols: columns, Stride: a.Stride, Data: a.Data[first : first+(rows-1)*a.Stride+columns]}
}

// rowOf returns the part of a row from one column to another.
func rowOf(a blas64.General, i, from, to int) blas64.Vector {
	return blas64.Vector{N: to - from, Inc: 1, Data: a.Data[i*a.Stride+from : i*a.Stride+to]}
}
