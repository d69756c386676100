package sorting

import (
	"cmp"
	"math/bits"
	"sort"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// SearchSorted halves rows. Types that one of four holds are searched as that.
func SearchSorted(l *device.Launch) {
	strided.EnsureAxis(l)
	if l.Size() == 0 {
		return
	}
	switch t := l.Operands[1].DType; {
	case t == dtype.Float64:
		searchSorted(l, dtype.Float64, searchOrdered[float64])
	case t.IsFloat():
		searchSorted(l, dtype.Float32, searchOrdered[float32])
	case t == dtype.Uint64:
		searchSorted(l, dtype.Uint64, searchOrdered[uint64])
	case t.IsComplex():
		searchSorted(l, dtype.Complex128, searchComplex)
	default:
		searchSorted(l, dtype.Int64, searchOrdered[int64])
	}
}

// stepCost is what one step takes, in nanoseconds.
const stepCost = 1.5

// searchSorted finds where values belong in sorted rows of numbers of type t. One row serves all points along the last axes,
// along which it does not vary.
func searchSorted[T any](l *device.Launch, t dtype.DType, find func(positions []int64, row, values []T, right bool)) {
	kept := l.Rank
	for kept > 0 && (l.Operands[1].Strides[kept-1] == 0 || l.Shape[kept-1] == 1) {
		kept--
	}
	rows, y, x := strided.Within(l, 1, 0, kept), strided.Within(l, 0, 0, kept), strided.Within(l, 2, 0, kept)
	yRow, xRow := strided.Within(l, 0, kept, l.Rank), strided.Within(l, 2, kept, l.Rank)
	axis, per := l.Axes[0], broadcast.Size(l.Shape[kept:l.Rank])
	row := func(k int) []T { return numbersOf[T](t, rows.At(k), rows.DType, axis) }
	cost := stepCost * float64(bits.Len(uint(axis.Size)))
	if kept == 0 {
		numbers := row(0)
		workers.ForRanges(per, cost, func(from, to int) { searchRow(yRow, xRow, t, numbers, from, to, l.Right, find) })
		return
	}
	workers.ForRanges(broadcast.Size(l.Shape[:kept]), cost*float64(per)+float64(axis.Size), func(from, to int) {
		for k := from; k < to; k++ {
			yRow, xRow := yRow, xRow
			yRow.Base, xRow.Base = y.At(k), x.At(k)
			searchRow(yRow, xRow, t, row(k), 0, per, l.Right, find)
		}
	})
}

// numbersOf returns a row as numbers of type t, where it lies if it can.
func numbersOf[T any](t dtype.DType, p unsafe.Pointer, from dtype.DType, axis device.IndexAxis) []T {
	if from == t && axis.Stride == 1 {
		return memory.Slice[T](p, axis.Size)
	}
	row := make([]T, axis.Size)
	if len(row) > 0 {
		dtype.Convert(t, unsafe.Pointer(&row[0]), 1, from, p, axis.Stride, len(row))
	}
	return row
}

// searchRow finds where some values belong in a row.
func searchRow[T any](y, x strided.View, t dtype.DType, row []T, from, to int, right bool, find func(positions []int64, row, values []T, right bool)) {
	const block = 512
	var positions [block]int64
	values := make([]T, min(block, to-from))
	for start := from; start < to; start += block {
		n := min(block, to-start)
		x.Load(unsafe.Pointer(&values[0]), t, start, n)
		find(positions[:n], row, values[:n], right)
		y.Store(unsafe.Pointer(&positions), dtype.Int64, start, n)
	}
}

// atOnce is how many values are looked for at a time, since each step waits for memory.
const atOnce = 8

// searchOrdered looks for numbers. What is not one stands at the end of the row, and is left to the end.
func searchOrdered[T cmp.Ordered](positions []int64, row, values []T, right bool) {
	numbers := row[:sort.Search(len(row), func(k int) bool { return row[k] != row[k] })]
	for from := 0; from < len(values); from += atOnce {
		var some [atOnce]T
		copy(some[:], values[from:])
		found := binarySearch(numbers, &some, right)
		copy(positions[from:], found[:])
	}
	ofNaN := len(numbers)
	if right {
		ofNaN = len(row)
	}
	for i, v := range values {
		if v != v {
			positions[i] = int64(ofNaN)
		}
	}
}

// binarySearch counts, for some values, the elements below, or with right those not above. It does not branch on what it finds:
// that cannot be foretold.
func binarySearch[T cmp.Ordered](row []T, values *[atOnce]T, right bool) (positions [atOnce]int64) {
	for n := len(row); n > 0; n /= 2 {
		half := int64(n - n/2)
		if right {
			for i, v := range values {
				positions[i] += half & -scalar.OneIf[int64](row[positions[i]+half-1] <= v)
			}
			continue
		}
		for i, v := range values {
			positions[i] += half & -scalar.OneIf[int64](row[positions[i]+half-1] < v)
		}
	}
	return positions
}

// searchComplex looks for one value at a time.
func searchComplex(positions []int64, row, values []complex128, right bool) {
	for i, v := range values {
		positions[i] = int64(sort.Search(len(row), func(k int) bool {
			if right {
				return complexLess(v, row[k])
			}
			return !complexLess(row[k], v)
		}))
	}
}

func complexLess(a, b complex128) bool {
	if scalar.CIsNaN(a) || scalar.CIsNaN(b) {
		return keyLess(complexKey(a, false), complexKey(b, false))
	}
	return scalar.CLess(a, b)
}
