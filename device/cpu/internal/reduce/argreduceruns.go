package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// searches holds the searches by type.
var searches [dtype.Count]struct{ largest, smallest searchPair }

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
	setFloatSearches[float32, int32](dtype.Float32)
	setFloatSearches[float64, int64](dtype.Float64)
	setIntegerSearches[uint8](dtype.Bool)
	setIntegerSearches[int8](dtype.Int8)
	setIntegerSearches[int16](dtype.Int16)
	setIntegerSearches[int32](dtype.Int32)
	setIntegerSearches[int64](dtype.Int64)
	setIntegerSearches[uint8](dtype.Uint8)
	setIntegerSearches[uint16](dtype.Uint16)
	setIntegerSearches[uint32](dtype.Uint32)
	setIntegerSearches[uint64](dtype.Uint64)
}

// setIntegerSearches adds what integers have routines for.
func setIntegerSearches[T scalar.Integer](t dtype.DType) {
	find := func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.FindInteger((*T)(x), n, *(*T)(v)) }
	for _, op := range []reduce.Op{reduce.Max, reduce.Min} {
		p, better := &searches[t].largest, func(a, b unsafe.Pointer) bool { return *(*T)(a) > *(*T)(b) }
		if op == reduce.Min {
			p, better = &searches[t].smallest, func(a, b unsafe.Pointer) bool { return *(*T)(a) < *(*T)(b) }
		}
		p.better = better
		p.find = find
		p.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) {
			reduce.IntegerRows(op, (*T)(dst), (*T)(x), rows, n, pitch)
		}
	}
}

// setFloatSearches adds what floats have routines for.
func setFloatSearches[T scalar.Float, P reduce.Place](t dtype.DType) {
	for op, p := range map[reduce.Op]*searchPair{reduce.Max: &searches[t].largest, reduce.Min: &searches[t].smallest} {
		p.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) { reduce.Rows(op, (*T)(dst), (*T)(x), rows, n, pitch) }
		p.find = func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.Find((*T)(x), n, *(*T)(v)) }
		p.better = betterOf[T](op)
		p.down = func(best, places, x unsafe.Pointer, rows, n, pitch, first int) {
			reduce.Places(op, (*T)(best), (*P)(places), (*T)(x), rows, n, pitch, first)
		}
	}
}

func betterOf[T scalar.Float](op reduce.Op) func(a, b unsafe.Pointer) bool {
	if op == reduce.Max {
		return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v <= w) && w == w }
	}
	return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v >= w) && w == w }
}

func setSearches[T scalar.Integer | scalar.Float](t dtype.DType) {
	searches[t].largest = searchPair{along: largestAlong[T], across: largestAcross[T]}
	searches[t].smallest = searchPair{along: smallestAlong[T], across: smallestAcross[T]}
}

func largestAlong[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, n int) (place int, isLast bool) {
	place, v := -1, *(*T)(best)
	for i, w := range memory.Slice[T](x, n) {
		if !(w <= v) { // larger, or one of the two is no number
			if v != v {
				break
			}
			place, v = i, w
		}
	}
	*(*T)(best) = v
	return place, v != v
}

func smallestAlong[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, n int) (place int, isLast bool) {
	place, v := -1, *(*T)(best)
	for i, w := range memory.Slice[T](x, n) {
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

func largestAcross[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, places []int64, place int64) {
	values := memory.Slice[T](best, len(places))
	for i, w := range memory.Slice[T](x, len(places)) {
		if v := values[i]; !(w <= v) && v == v {
			values[i], places[i] = w, place
		}
	}
}

func smallestAcross[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, places []int64, place int64) {
	values := memory.Slice[T](best, len(places))
	for i, w := range memory.Slice[T](x, len(places)) {
		if v := values[i]; !(w >= v) && v == v {
			values[i], places[i] = w, place
		}
	}
}

func setComplexSearches[T elementwise.ComplexNumber](t dtype.DType) {
	searches[t].largest = complexSearches[T](func(a, b complex128) bool { return scalar.CLess(b, a) })
	searches[t].smallest = complexSearches[T](scalar.CLess)
}

// complexSearches makes the searches for the best value; a not-a-number is better than all others.
func complexSearches[T elementwise.ComplexNumber](isBetter func(a, b complex128) bool) searchPair {
	better := func(a, b complex128) bool {
		return !scalar.CIsNaN(b) && (scalar.CIsNaN(a) || isBetter(a, b))
	}
	along := func(best, x unsafe.Pointer, n int) (place int, isLast bool) {
		place, v := -1, complex128(*(*T)(best))
		for i, z := range memory.Slice[T](x, n) {
			if w := complex128(z); better(w, v) {
				place, v = i, w
			}
		}
		*(*T)(best) = T(v)
		return place, scalar.CIsNaN(v)
	}
	across := func(best, x unsafe.Pointer, places []int64, place int64) {
		values := memory.Slice[T](best, len(places))
		for i, w := range memory.Slice[T](x, len(places)) {
			if better(complex128(w), complex128(values[i])) {
				values[i], places[i] = w, place
			}
		}
	}
	return searchPair{along: along, across: across}
}
