package lapack

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
)

// LU eliminates recursively, with row exchanges.
func LU(l *device.Launch) {
	f := factorisationOf(l)
	switch {
	case f.m == 0:
	case f.isSmall() && !f.isComplex(3):
		f.run(3, luOfGroups[float32], luOfGroups[float64], nil, nil)
	default:
		f.run(3, luOf[float32], luOf[float64], luOf[complex64], luOf[complex128])
	}
}

func luOf[T blas.Number](f factorisation) {
	m, n, k := f.m, f.n, min(f.m, f.n)
	factors, exchanges, matrices := f.operand(0), f.exchanges(), f.operand(3)
	work := flops[T](float64(k) * (float64(m)*float64(n) - float64(k)*float64(m+n)/2 + float64(k)*float64(k)/3))
	workers.ForRanges(f.batches, work+float64(m*n), func(from, to int) {
		pivots, order := make([]int, k), make([]int, m)
		for batch := from; batch < to; batch++ {
			result(&factors, batch, m, n, func(a blas.Matrix[T]) {
				load(&matrices, batch, a)
				eliminate(a, pivots)
			})
			exchanges.store(batch, pivots, order)
		}
	})
}

// exchanges are the results of LU beside the factors: with which rows rows were exchanged, and, if the launch has the
// operand rows, which row of a each row became.
type exchanges struct {
	pivots, rows operand
	hasRows      bool
}

func (f *factorisation) exchanges() exchanges {
	return exchanges{f.operand(1), f.operand(2), f.has(2)}
}

// store stores the exchanges of a matrix; order has room for its rows.
func (e *exchanges) store(batch int, pivots, order []int) {
	if len(pivots) > 0 {
		storeIntegers(&e.pivots, batch, pivots)
	}
	if !e.hasRows {
		return
	}
	storeIntegers(&e.rows, batch, rowsAfter(pivots, order))
}

// rowsAfter sets each element of order to the number of the row that the exchanges move there, and returns order.
func rowsAfter(pivots, order []int) []int {
	for i := range order {
		order[i] = i
	}
	for i, pivot := range pivots {
		order[i], order[pivot] = order[pivot], order[i]
	}
	return order
}

// Widths of the parts of an elimination. A panel is eliminated in a transposed copy, whose rows are the panel's columns.
// In it, up to stripColumns columns are eliminated one by one. A matrix of fewPivots columns is eliminated row by row.
const (
	panelColumns = 32
	stripColumns = 8
	fewPivots    = 80
)

// eliminate replaces a by its factors.
func eliminate[T blas.Number](a blas.Matrix[T], pivots []int) {
	k := len(pivots)
	if k <= fewPivots && a.Rows <= 2*fewPivots && !blas.IsComplex[T]() {
		eliminateRows(a, pivots)
		return
	}
	left, right := a.Part(0, 0, a.Rows, k), a.Part(0, k, a.Rows, a.Columns-k)
	r := takeRoom[T](min(panelColumns, k) * a.Rows)
	eliminateColumns(left, pivots, r.left)
	r.scratch.Recycle()
	exchange(right, pivots)
	blas.Substitute(a.Part(0, 0, k, k), right, blas.UnitDiagonal)
}

// eliminateColumns eliminates all columns: it halves them down to panels. There are no more columns than rows. space has
// room for a panel.
func eliminateColumns[T blas.Number](a blas.Matrix[T], pivots []int, space []T) {
	m, n := a.Rows, a.Columns
	if n <= panelColumns {
		t := blas.New(space, n, m)
		blas.Copy(t, a.Transpose())
		eliminateTurned(t, 0, n, pivots)
		blas.Copy(a, t.Transpose())
		return
	}
	half := (n/2 + panelColumns - 1) / panelColumns * panelColumns
	left, right := a.Part(0, 0, m, half), a.Part(0, half, m, n-half)
	eliminateColumns(left, pivots[:half], space)
	exchange(right, pivots[:half])
	top, rest := right.Part(0, 0, half, n-half), right.Part(half, 0, m-half, n-half)
	blas.Substitute(a.Part(0, 0, half, half), top, blas.UnitDiagonal)
	blas.AddProduct(rest, -1, a.Part(half, 0, m-half, half), top, 0)
	eliminateColumns(rest, pivots[half:], space)
	exchange(left.Part(half, 0, m-half, half), pivots[half:])
	for k := half; k < n; k++ {
		pivots[k] += half
	}
}

// eliminateTurned eliminates the columns [from, to) of a panel, which are rows of t, from row number from on.
func eliminateTurned[T blas.Number](t blas.Matrix[T], from, to int, pivots []int) {
	if to-from <= stripColumns {
		for k := from; k < to; k++ {
			eliminateColumn(t, from, k, pivots)
		}
		return
	}
	half := from + (to-from)/2
	eliminateTurned(t, from, half, pivots)
	for j := half; j < to; j++ {
		row := t.Row(j)
		for k := from; k < half; k++ {
			row[k], row[pivots[k]] = row[pivots[k]], row[k]
		}
		for k := from; k < half; k++ {
			if v := row[k]; v != 0 {
				addTimesTo(row[k+1:half], -v, t.Row(k)[k+1:half])
			}
		}
	}
	if rest := t.Columns - half; rest > 0 {
		blas.AddProduct(t.Part(half, half, to-half, rest), -1, t.Part(half, from, to-half, half-from), t.Part(from, half, half-from, rest), blas.Alone)
	}
	eliminateTurned(t, half, to, pivots)
	for j := from; j < half; j++ {
		row := t.Row(j)
		for k := half; k < to; k++ {
			row[k], row[pivots[k]] = row[pivots[k]], row[k]
		}
	}
}

// eliminateColumn subtracts from column k, a row of t, what the columns [from, k) contribute, and divides it by its
// largest element, with which the first one is exchanged.
func eliminateColumn[T blas.Number](t blas.Matrix[T], from, k int, pivots []int) {
	row := t.Row(k)
	var factors [stripColumns]T
	for i := from; i < k; i++ {
		row[i], row[pivots[i]] = row[pivots[i]], row[i]
	}
	for i := from; i < k; i++ {
		v := row[i]
		factors[i-from] = v
		if v != 0 {
			addTimesTo(row[i+1:k], -v, t.Row(i)[i+1:k])
		}
	}
	below := row[k:]
	pivot := blas.SubtractRows(below, factors[:k-from], t.Part(from, k, k-from, len(below)))
	pivots[k] = k + pivot
	if pivot != 0 {
		for j := from; j <= k; j++ {
			other := t.Row(j)
			other[k], other[k+pivot] = other[k+pivot], other[k]
		}
	}
	if below[0] != 0 {
		blas.Divide(below[1:], below[0])
	}
}

// addTimesTo adds c·x to y, for short vectors.
func addTimesTo[T blas.Number](y []T, c T, x []T) {
	x = x[:len(y)]
	for i, v := range x {
		y[i] += c * v
	}
}

// eliminateRows eliminates column by column, with one product for the rows below.
func eliminateRows[T blas.Number](a blas.Matrix[T], pivots []int) {
	r := takeRoom[T](a.Rows)
	for k := range pivots {
		column := r.left[:a.Rows-k]
		for i := range column {
			column[i] = a.Data[(k+i)*a.Line+k]
		}
		pivot := blas.SubtractRows(column, nil, blas.Matrix[T]{})
		pivots[k] = k + pivot
		if pivot != 0 {
			swap(a.Row(k), a.Row(k+pivot))
			column[0], column[pivot] = column[pivot], column[0]
		}
		below := column[1:]
		storeQuotients(a, k, below, column[0])
		if rest := a.Columns - k - 1; rest > 0 && len(below) > 0 {
			blas.SubtractOuter(a.Part(k+1, k+1, len(below), rest), below, 1, a.Row(k)[k+1:])
		}
	}
	r.scratch.Recycle()
}

// storeQuotients divides the numbers of a column by d, unless d is 0, and stores them below the diagonal.
func storeQuotients[T blas.Number](a blas.Matrix[T], k int, column []T, d T) {
	inverse := T(1)
	switch {
	case d == 0:
	case blas.HasInverse(d):
		inverse = 1 / d
	default:
		blas.Divide(column, d)
	}
	at := (k+1)*a.Line + k
	for i, v := range column {
		v *= inverse
		column[i], a.Data[at] = v, v
		at += a.Line
	}
}

// exchange exchanges each row with the row that pivots says, one after the other.
func exchange[T blas.Number](a blas.Matrix[T], pivots []int) {
	for k := 0; k < len(pivots) && a.Columns > 0; k++ {
		if pivots[k] != k {
			swap(a.Row(k), a.Row(pivots[k]))
		}
	}
}

// swap exchanges two vectors.
func swap[T blas.Number](x, y []T) {
	var piece [64]T
	for len(x) > 0 {
		n := copy(piece[:], x)
		copy(x, y[:n])
		copy(y, piece[:n])
		x, y = x[n:], y[n:]
	}
}
