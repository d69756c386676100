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

// SearchSorted uses binary search in rows. Values are searched in one of four types that holds them exactly.
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

// stepCost is the cost of one step, in nanoseconds.
const stepCost = 1.5

// searchSorted finds the positions of values in sorted rows of numbers of type t. The row does not vary along the last
// axes, so one row serves all points along them.
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

// numbersOf returns a row as numbers of type t, without a copy if possible.
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

// searchRow finds the positions of some values in a row: directly in memory, or in blocks if they have to be converted.
func searchRow[T any](y, x strided.View, t dtype.DType, row []T, from, to int, right bool, find func(positions []int64, row, values []T, right bool)) {
	if x.Flat && x.DType == t && y.Flat && y.DType == dtype.Int64 && x.Base != y.Base {
		find(memory.Slice[int64](y.At(from), to-from), row, memory.Slice[T](x.At(from), to-from), right)
		return
	}
	const block = 512
	space := memory.TakeScratch(block * (8 + t.Size()))
	positions, values := memory.Room[int64](space, 0, block), memory.Room[T](space, 8*block, block)
	for start := from; start < to; start += block {
		n := min(block, to-start)
		x.Load(unsafe.Pointer(&values[0]), t, start, n)
		find(positions[:n], row, values[:n], right)
		y.Store(unsafe.Pointer(&positions[0]), dtype.Int64, start, n)
	}
	space.Recycle()
}

// atOnce is how many values are searched at a time, since each step waits for memory.
const atOnce = 8

// searchOrdered searches for numbers. NaNs are at the end of the row, and the search leaves them out.
func searchOrdered[T cmp.Ordered](positions []int64, row, values []T, right bool) {
	numbers := row[:sort.Search(len(row), func(k int) bool { return row[k] != row[k] })]
	ofNaN := len(numbers)
	if right {
		ofNaN = len(row)
	}
	if even, ok := evenlySpaced(numbers, len(values)); ok {
		even.search(positions, numbers, values, right, ofNaN)
		return
	}
	searchHalves(positions, numbers, values, right)
	for i, v := range values {
		if v != v {
			positions[i] = int64(ofNaN)
		}
	}
}

// searchHalves searches by halving the row.
func searchHalves[T cmp.Ordered](positions []int64, numbers, values []T, right bool) {
	for from := 0; from < len(values); from += atOnce {
		var some [atOnce]T
		copy(some[:], values[from:])
		found := binarySearch(numbers, &some, right)
		copy(positions[from:], found[:])
	}
}

// binarySearch counts, for some values, the elements below, or with right those not above. It does not branch on the
// comparison, whose result cannot be predicted.
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

// searchComplex searches for one value at a time.
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
