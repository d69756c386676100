package lapack

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// panelColumns is how many columns are eliminated, or rows substituted, one by one; a matrix product handles the rest.
const panelColumns = 48

// LU eliminates with row exchanges. (gonum's LU is wrong for subnormal pivots.)
func LU(l *device.Launch) {
	f := factorisationOf(l)
	k := min(f.m, f.n)
	if f.m == 0 {
		return
	}
	if f.isComplex(3) {
		complexLU(f)
		return
	}
	factors, matrices := f.operand(0), f.operand(3)
	f.each(2*flopCost*float64(k)*float64(f.m)*float64(f.n), f.m*f.n+k+f.m, func(batch int, w workspace) {
		a := w.matrix(f.m, f.n)
		pivots := w.integers(k)
		matrices.load(batch, a)
		eliminate(a, pivots)
		factors.store(batch, a)
		f.storeExchanges(batch, pivots, w.integers(f.m))
	})
}

// storeExchanges stores with which rows rows were exchanged. If the launch has the operand rows, it also stores which
// row of a each row became; order has room for this.
func (f *factorisation) storeExchanges(batch int, pivots, order []int) {
	if len(pivots) > 0 {
		exchanges := f.operand(1)
		to := exchanges.Block(batch)
		for i, pivot := range pivots {
			storeInteger(exchanges.DType, to.At(i, 0), pivot)
		}
	}
	if !f.has(2) {
		return
	}
	rows := f.operand(2)
	to := rows.Block(batch)
	for i := range order {
		order[i] = i
	}
	for i, pivot := range pivots {
		order[i], order[pivot] = order[pivot], order[i]
	}
	for i, row := range order {
		storeInteger(rows.DType, to.At(i, 0), row)
	}
}

func storeInteger(t dtype.DType, at unsafe.Pointer, v int) {
	wide := int64(v)
	dtype.Convert(t, at, 1, dtype.Int64, unsafe.Pointer(&wide), 1, 1)
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

// pivotOf returns the row from k on with the largest element in column k; NaN counts as the largest.
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
