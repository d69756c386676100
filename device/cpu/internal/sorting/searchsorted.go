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
		search(l, dtype.Float64, ordered[float64])
	case t.IsFloat():
		search(l, dtype.Float32, ordered[float32])
	case t == dtype.Uint64:
		search(l, dtype.Uint64, ordered[uint64])
	case t.IsComplex():
		search(l, dtype.Complex128, lexicographic)
	default:
		search(l, dtype.Int64, ordered[int64])
	}
}

// searchCost is what one step takes, in nanoseconds.
const searchCost = 1.5

// search finds the places of values in rows of numbers of type t. One row serves all points along the last axes, along which
// it does not vary.
func search[T any](l *device.Launch, t dtype.DType, find func(places []int64, row, values []T, right bool)) {
	kept := l.Rank
	for kept > 0 && (l.Operands[1].Strides[kept-1] == 0 || l.Shape[kept-1] == 1) {
		kept--
	}
	rows, y, x := strided.Within(l, 1, 0, kept), strided.Within(l, 0, 0, kept), strided.Within(l, 2, 0, kept)
	yRow, xRow := strided.Within(l, 0, kept, l.Rank), strided.Within(l, 2, kept, l.Rank)
	axis, per := l.Axes[0], broadcast.Size(l.Shape[kept:l.Rank])
	row := func(k int) []T { return numbersOf[T](t, rows.At(k), rows.DType, axis) }
	cost := searchCost * float64(bits.Len(uint(axis.Size)))
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

// searchRow finds the places of some values of a row.
func searchRow[T any](y, x strided.View, t dtype.DType, row []T, from, to int, right bool, find func(places []int64, row, values []T, right bool)) {
	const block = 512
	var places [block]int64
	values := make([]T, min(block, to-from))
	for start := from; start < to; start += block {
		n := min(block, to-start)
		x.Load(unsafe.Pointer(&values[0]), t, start, n)
		find(places[:n], row, values[:n], right)
		y.Store(unsafe.Pointer(&places), dtype.Int64, start, n)
	}
}

// together is how many values are looked for at a time, since each step waits for memory.
const together = 8

// ordered looks for numbers. What is not one stands at the end of the row, and is left to the end.
func ordered[T cmp.Ordered](places []int64, row, values []T, right bool) {
	numbers := row[:sort.Search(len(row), func(k int) bool { return row[k] != row[k] })]
	for from := 0; from < len(values); from += together {
		var some [together]T
		copy(some[:], values[from:])
		found := halve(numbers, &some, right)
		copy(places[from:], found[:])
	}
	ofNaN := len(numbers)
	if right {
		ofNaN = len(row)
	}
	for i, v := range values {
		if v != v {
			places[i] = int64(ofNaN)
		}
	}
}

// halve counts the elements below some values, or with right those not above. It does not branch on what it finds: that
// cannot be foretold.
func halve[T cmp.Ordered](row []T, values *[together]T, right bool) (places [together]int64) {
	for n := len(row); n > 0; n /= 2 {
		half := int64(n - n/2)
		if right {
			for i, v := range values {
				places[i] += half & -oneIf(row[places[i]+half-1] <= v)
			}
			continue
		}
		for i, v := range values {
			places[i] += half & -oneIf(row[places[i]+half-1] < v)
		}
	}
	return places
}

// oneIf is 1 or 0, without a branch.
func oneIf(b bool) int64 {
	var one int64
	if b {
		one = 1
	}
	return one
}

// lexicographic looks for one value at a time.
func lexicographic(places []int64, row, values []complex128, right bool) {
	for i, v := range values {
		places[i] = int64(sort.Search(len(row), func(k int) bool {
			if right {
				return comesBefore(v, row[k])
			}
			return !comesBefore(row[k], v)
		}))
	}
}

func comesBefore(a, b complex128) bool {
	if scalar.CIsNaN(a) || scalar.CIsNaN(b) {
		return keyLess(complexKey(a, false), complexKey(b, false))
	}
	return scalar.CLess(a, b)
}
