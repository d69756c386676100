package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ArgReduce goes through the values of each output in their order.
func (processor) ArgReduce(l *device.Launch) {
	kept := l.Rank - l.Reduced
	outputs, length := product(l.Shape[:kept]), product(l.Shape[kept:l.Rank])
	if outputs == 0 {
		return
	}
	if length == 0 {
		panic("cpu: ArgReduce of no values")
	}
	a := argReduction{y: viewWithin(l, 0, 0, kept), x: viewWithin(l, 1, 0, kept), row: viewWithin(l, 1, kept, l.Rank), length: length}
	a.dtype = dtype.ComputeType(a.x.dtype)
	a.search = searches[a.dtype].smallest
	if l.Combine == device.CombineMax {
		a.search = searches[a.dtype].largest
	}
	forRanges(outputs, float64(length)*argCost, a.run)
}

// argCost is what an element takes, in nanoseconds.
const argCost = 1

// argReduction is an ArgReduce at work.
type argReduction struct {
	y, x   view // over the kept axes
	row    view // over the reduced ones
	length int
	dtype  dtype.DType
	search search
}

// search looks for a better value than best among n values and returns where the first of the best is, and writes it to
// best; -1 if there is none. It sets isLast where nothing can be better.
type search func(best unsafe.Pointer, x unsafe.Pointer, n int) (place int, isLast bool)

func (a *argReduction) run(from, to int) {
	buffer := takeScratch(blockLen * a.dtype.Size())
	for output := from; output < to; output++ {
		row := a.row
		row.base = a.x.at(output)
		place := int64(a.place(&row, buffer))
		dtype.Convert(a.y.dtype, a.y.at(output), 1, dtype.Int64, unsafe.Pointer(&place), 1, 1)
	}
	buffer.recycle()
}

func (a *argReduction) place(row *view, buffer *scratch) int {
	var best [2]uint64
	copy(elements[byte](unsafe.Pointer(&best), a.dtype.Size()), elements[byte](a.start(row, buffer), a.dtype.Size()))
	place := 0
	for start := 0; start < a.length; start += blockLen {
		n := min(blockLen, a.length-start)
		block := buffer.at(0)
		if row.flat && row.dtype == a.dtype {
			block = row.element(start)
		} else {
			row.load(block, a.dtype, start, n)
		}
		k, isLast := a.search(unsafe.Pointer(&best), block, n)
		if k >= 0 {
			place = start + k
		}
		if isLast {
			break
		}
	}
	return place
}

// start returns the first value.
func (a *argReduction) start(row *view, buffer *scratch) unsafe.Pointer {
	row.load(buffer.at(0), a.dtype, 0, 1)
	return buffer.at(0)
}

// searches holds the searches by type.
var searches [dtype.Count]struct{ largest, smallest search }

func init() {
	setSearches[uint8](dtype.Bool)
	setSearches[int8](dtype.Int8)
	setSearches[int16](dtype.Int16)
	setSearches[int32](dtype.Int32)
	setSearches[int64](dtype.Int64)
	setSearches[uint8](dtype.Uint8)
	setSearches[uint16](dtype.Uint16)
	setSearches[uint32](dtype.Uint32)
	setSearches[uint64](dtype.Uint64)
	setSearches[float32](dtype.Float32)
	setSearches[float64](dtype.Float64)
	setComplexSearches[complex64](dtype.Complex64)
	setComplexSearches[complex128](dtype.Complex128)
}

func setSearches[T scalar.Integer | scalar.Float](t dtype.DType) {
	searches[t].largest = func(best, x unsafe.Pointer, n int) (int, bool) {
		place, v := -1, *(*T)(best)
		for i, w := range elements[T](x, n) {
			if !(w <= v) { // larger, or not a number; v is a number
				if v != v {
					break
				}
				place, v = i, w
			}
		}
		*(*T)(best) = v
		return place, v != v
	}
	searches[t].smallest = func(best, x unsafe.Pointer, n int) (int, bool) {
		place, v := -1, *(*T)(best)
		for i, w := range elements[T](x, n) {
			if !(w >= v) {
				if v != v {
					break
				}
				place, v = i, w
			}
		}
		*(*T)(best) = v
		return place, v != v
	}
}

func setComplexSearches[T complexNumber](t dtype.DType) {
	searchFor := func(better func(a, b complex128) bool) search {
		return func(best, x unsafe.Pointer, n int) (int, bool) {
			place, v := -1, complex128(*(*T)(best))
			for i, z := range elements[T](x, n) {
				w := complex128(z)
				if !scalar.CIsNaN(v) && (scalar.CIsNaN(w) || better(w, v)) {
					place, v = i, w
				}
			}
			*(*T)(best) = T(v)
			return place, scalar.CIsNaN(v)
		}
	}
	searches[t].largest = searchFor(func(a, b complex128) bool { return scalar.CLess(b, a) })
	searches[t].smallest = searchFor(scalar.CLess)
}
