package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// argRoutinesOf holds the routines by type.
var argRoutinesOf [dtype.Count]struct{ largest, smallest argRoutines }

func init() {
	setArgRoutines[uint8](dtype.Bool)
	setArgRoutines[int8](dtype.Int8)
	setArgRoutines[int16](dtype.Int16)
	setArgRoutines[int32](dtype.Int32)
	setArgRoutines[int64](dtype.Int64)
	setArgRoutines[uint8](dtype.Uint8)
	setArgRoutines[uint16](dtype.Uint16)
	setArgRoutines[uint32](dtype.Uint32)
	setArgRoutines[uint64](dtype.Uint64)
	setArgRoutines[float32](dtype.Float32)
	setArgRoutines[float64](dtype.Float64)
	setComplexArgRoutines[complex64](dtype.Complex64)
	setComplexArgRoutines[complex128](dtype.Complex128)
	setFloatArgRoutines[float32, int32](dtype.Float32)
	setFloatArgRoutines[float64, int64](dtype.Float64)
	setIntegerArgRoutines[uint8](dtype.Bool)
	setIntegerArgRoutines[int8](dtype.Int8)
	setIntegerArgRoutines[int16](dtype.Int16)
	setIntegerArgRoutines[int32](dtype.Int32)
	setIntegerArgRoutines[int64](dtype.Int64)
	setIntegerArgRoutines[uint8](dtype.Uint8)
	setIntegerArgRoutines[uint16](dtype.Uint16)
	setIntegerArgRoutines[uint32](dtype.Uint32)
	setIntegerArgRoutines[uint64](dtype.Uint64)
}

// setIntegerArgRoutines adds the routines that only integers have.
func setIntegerArgRoutines[T scalar.Integer](t dtype.DType) {
	find := func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.FindInteger((*T)(x), n, *(*T)(v)) }
	for _, op := range []reduce.Op{reduce.Max, reduce.Min} {
		p, better := &argRoutinesOf[t].largest, func(a, b unsafe.Pointer) bool { return *(*T)(a) > *(*T)(b) }
		if op == reduce.Min {
			p, better = &argRoutinesOf[t].smallest, func(a, b unsafe.Pointer) bool { return *(*T)(a) < *(*T)(b) }
		}
		p.better = better
		p.find = find
		p.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) {
			reduce.IntegerRows(op, (*T)(dst), (*T)(x), rows, n, pitch)
		}
	}
}

// setFloatArgRoutines adds the routines that only floats have.
func setFloatArgRoutines[T scalar.Float, I reduce.Place](t dtype.DType) {
	for op, p := range map[reduce.Op]*argRoutines{reduce.Max: &argRoutinesOf[t].largest, reduce.Min: &argRoutinesOf[t].smallest} {
		p.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) { reduce.Rows(op, (*T)(dst), (*T)(x), rows, n, pitch) }
		p.find = func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.Find((*T)(x), n, *(*T)(v)) }
		p.better = floatBetter[T](op)
		p.down = func(best, indices, x unsafe.Pointer, rows, n, pitch, first int) {
			reduce.Places(op, (*T)(best), (*I)(indices), (*T)(x), rows, n, pitch, first)
		}
	}
}

func floatBetter[T scalar.Float](op reduce.Op) func(a, b unsafe.Pointer) bool {
	if op == reduce.Max {
		return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v <= w) && w == w }
	}
	return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v >= w) && w == w }
}

func setArgRoutines[T scalar.Integer | scalar.Float](t dtype.DType) {
	argRoutinesOf[t].largest = argRoutines{along: argMaxAlong[T], across: argMaxAcross[T]}
	argRoutinesOf[t].smallest = argRoutines{along: argMinAlong[T], across: argMinAcross[T]}
}

func argMaxAlong[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, n int) (index int, isLast bool) {
	index, v := -1, *(*T)(best)
	for i, w := range memory.Slice[T](x, n) {
		if !(w <= v) { // larger, or one of the two is no number
			if v != v {
				break
			}
			index, v = i, w
		}
	}
	*(*T)(best) = v
	return index, v != v
}

func argMinAlong[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, n int) (index int, isLast bool) {
	index, v := -1, *(*T)(best)
	for i, w := range memory.Slice[T](x, n) {
		if !(w >= v) {
			if v != v {
				break
			}
			index, v = i, w
		}
	}
	*(*T)(best) = v
	return index, v != v
}

func argMaxAcross[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, indices []int64, index int64) {
	values := memory.Slice[T](best, len(indices))
	for i, w := range memory.Slice[T](x, len(indices)) {
		if v := values[i]; !(w <= v) && v == v {
			values[i], indices[i] = w, index
		}
	}
}

func argMinAcross[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, indices []int64, index int64) {
	values := memory.Slice[T](best, len(indices))
	for i, w := range memory.Slice[T](x, len(indices)) {
		if v := values[i]; !(w >= v) && v == v {
			values[i], indices[i] = w, index
		}
	}
}

func setComplexArgRoutines[T elementwise.ComplexNumber](t dtype.DType) {
	argRoutinesOf[t].largest = complexArgRoutines[T](func(a, b complex128) bool { return scalar.CLess(b, a) })
	argRoutinesOf[t].smallest = complexArgRoutines[T](scalar.CLess)
}

// complexArgRoutines makes the routines that look for the best value; a not-a-number is better than all others.
func complexArgRoutines[T elementwise.ComplexNumber](isBetter func(a, b complex128) bool) argRoutines {
	better := func(a, b complex128) bool {
		return !scalar.CIsNaN(b) && (scalar.CIsNaN(a) || isBetter(a, b))
	}
	along := func(best, x unsafe.Pointer, n int) (index int, isLast bool) {
		index, v := -1, complex128(*(*T)(best))
		for i, z := range memory.Slice[T](x, n) {
			if w := complex128(z); better(w, v) {
				index, v = i, w
			}
		}
		*(*T)(best) = T(v)
		return index, scalar.CIsNaN(v)
	}
	across := func(best, x unsafe.Pointer, indices []int64, index int64) {
		values := memory.Slice[T](best, len(indices))
		for i, w := range memory.Slice[T](x, len(indices)) {
			if better(complex128(w), complex128(values[i])) {
				values[i], indices[i] = w, index
			}
		}
	}
	return argRoutines{along: along, across: across}
}
