package lapack

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// panelColumns is how many columns are eliminated, or rows substituted, one by one; what follows them is a matrix product.
const panelColumns = 48

// LU eliminates with exchanges of rows. (That of gonum is wrong where pivots are subnormal.)
func LU(l *device.Launch) {
	f := factorisationOf(l)
	k := min(f.m, f.n)
	if k == 0 {
		return
	}
	if f.isComplex(2) {
		complexLU(f)
		return
	}
	factors, exchanges, matrices := f.operand(0), f.operand(1), f.operand(2)
	f.each(2*flopCost*float64(k)*float64(f.m)*float64(f.n), f.m*f.n+k, func(batch int, w workspace) {
		a := w.matrix(f.m, f.n)
		pivots := w.integers(k)
		matrices.load(batch, a)
		eliminate(a, pivots)
		factors.store(batch, a)
		to := exchanges.Block(batch)
		for i, pivot := range pivots {
			row := int64(pivot)
			dtype.Convert(exchanges.DType, to.At(i, 0), 1, dtype.Int64, unsafe.Pointer(&row), 1, 1)
		}
	})
}

// eliminate replaces a by its factors, panel by panel.
func eliminate(a blas64.General, pivots []int) {
	for from := 0; from < len(pivots); from += panelColumns {
		to := min(from+panelColumns, len(pivots))
		eliminatePanel(a, pivots, from, to)
		if to == a.Cols {
			continue
		}
		beside := submatrix(a, from, to, to-from, a.Cols-to)
		substituteForward(submatrix(a, from, from, to-from, to-from), beside, true)
		if to < a.Rows {
			subtractProduct(submatrix(a, to, to, a.Rows-to, a.Cols-to), submatrix(a, to, from, a.Rows-to, to-from), beside)
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
