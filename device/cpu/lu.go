package cpu

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// panel is how many columns are eliminated, or rows substituted, one by one; what follows them is a matrix product.
const panel = 48

// LU eliminates with exchanges of rows. (That of gonum is wrong where pivots are subnormal.)
func (processor) LU(l *device.Launch) {
	f := factorisationOf(l)
	k := min(f.m, f.n)
	if k == 0 {
		return
	}
	factors, exchanges, matrices := f.operand(0), f.operand(1), f.operand(2)
	f.each(2*flopCost*float64(k)*float64(f.m)*float64(f.n), f.m*f.n, func(batch int, w workspace) {
		a := w.matrix(f.m, f.n)
		pivots := make([]int, k)
		matrices.gather(batch, a)
		eliminate(a, pivots)
		factors.scatter(batch, a)
		to := exchanges.block(batch)
		for i, pivot := range pivots {
			row := int64(pivot)
			dtype.Convert(exchanges.dtype, to.at(i, 0), 1, dtype.Int64, unsafe.Pointer(&row), 1, 1)
		}
	})
}

// eliminate replaces a by its factors, panel by panel.
func eliminate(a blas64.General, pivots []int) {
	for from := 0; from < len(pivots); from += panel {
		to := min(from+panel, len(pivots))
		eliminatePanel(a, pivots, from, to)
		if to == a.Cols {
			continue
		}
		beside := part(a, from, to, to-from, a.Cols-to)
		substituteForward(part(a, from, from, to-from, to-from), beside, true)
		if to < a.Rows {
			subtractProduct(part(a, to, to, a.Rows-to, a.Cols-to), part(a, to, from, a.Rows-to, to-from), beside)
		}
	}
}

// eliminatePanel eliminates the columns [from, to) within themselves, and exchanges whole rows.
func eliminatePanel(a blas64.General, pivots []int, from, to int) {
	for k := from; k < to; k++ {
		pivots[k] = pivotOf(a, k)
		if pivots[k] != k {
			blas64.Swap(rowOf(a, k, 0, a.Cols), rowOf(a, pivots[k], 0, a.Cols))
		}
		pivot := a.Data[k*a.Stride+k]
		if pivot == 0 {
			continue
		}
		for i := k + 1; i < a.Rows; i++ {
			a.Data[i*a.Stride+k] /= pivot
			if k+1 < to {
				blas64.Axpy(-a.Data[i*a.Stride+k], rowOf(a, k, k+1, to), rowOf(a, i, k+1, to))
			}
		}
	}
}

// pivotOf returns the row from k on with the largest element in column k; a not-a-number counts as that.
func pivotOf(a blas64.General, k int) int {
	best := k
	for i := k; i < a.Rows; i++ {
		v := math.Abs(a.Data[i*a.Stride+k])
		if math.IsNaN(v) {
			return i
		}
		if v > math.Abs(a.Data[best*a.Stride+k]) {
			best = i
		}
	}
	return best
}

// TriangularSolve substitutes. A transposed triangle is turned first.
func (processor) TriangularSolve(l *device.Launch) {
	f := factorisationOf(l)
	m, n := f.m, f.n
	if m == 0 || n == 0 {
		return
	}
	solutions, triangles, right := f.operand(0), f.operand(1), f.operand(2)
	if l.Transposed {
		triangles.line, triangles.depth = triangles.depth, triangles.line
	}
	substitute := substituteForward
	if l.Upper != l.Transposed {
		substitute = substituteBackward
	}
	f.each(flopCost*float64(m)*float64(m)*float64(n), m*m+m*n, func(batch int, w workspace) {
		t, x := w.matrix(m, m), w.matrix(m, n)
		triangles.gather(batch, t)
		right.gather(batch, x)
		substitute(t, x, l.UnitDiagonal)
		solutions.scatter(batch, x)
	})
}

// substituteForward replaces x by T⁻¹·x for the lower triangle T of t.
func substituteForward(t, x blas64.General, unit bool) {
	for from := 0; from < x.Rows; from += panel {
		to := min(from+panel, x.Rows)
		for i := from; i < to; i++ {
			row := rowOf(x, i, 0, x.Cols)
			for k := from; k < i; k++ {
				blas64.Axpy(-t.Data[i*t.Stride+k], rowOf(x, k, 0, x.Cols), row)
			}
			divideRow(row, t, i, unit)
		}
		if to < x.Rows {
			subtractProduct(part(x, to, 0, x.Rows-to, x.Cols), part(t, to, from, x.Rows-to, to-from), part(x, from, 0, to-from, x.Cols))
		}
	}
}

// substituteBackward replaces x by T⁻¹·x for the upper triangle T of t.
func substituteBackward(t, x blas64.General, unit bool) {
	for to := x.Rows; to > 0; to -= panel {
		from := max(to-panel, 0)
		for i := to - 1; i >= from; i-- {
			row := rowOf(x, i, 0, x.Cols)
			for k := i + 1; k < to; k++ {
				blas64.Axpy(-t.Data[i*t.Stride+k], rowOf(x, k, 0, x.Cols), row)
			}
			divideRow(row, t, i, unit)
		}
		if from > 0 {
			subtractProduct(part(x, 0, 0, from, x.Cols), part(t, 0, from, from, to-from), part(x, from, 0, to-from, x.Cols))
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

// part is a part of a matrix, which has elements.
func part(a blas64.General, row, column, rows, columns int) blas64.General {
	first := row*a.Stride + column
	return blas64.General{Rows: rows, Cols: columns, Stride: a.Stride, Data: a.Data[first : first+(rows-1)*a.Stride+columns]}
}

// rowOf is the part of a row from one column to another.
func rowOf(a blas64.General, i, from, to int) blas64.Vector {
	return blas64.Vector{N: to - from, Inc: 1, Data: a.Data[i*a.Stride+from : i*a.Stride+to]}
}
