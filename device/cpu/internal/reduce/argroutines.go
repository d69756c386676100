package reduce

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// madeArgRoutines caches the requested routines by type, those for the smallest value and those for the largest.
var madeArgRoutines [dtype.Count][2]atomic.Pointer[argRoutines]

// argRoutinesOf returns the routines that look for the largest or the smallest value (reduce.Max, reduce.Min) of a type.
func argRoutinesOf(t dtype.DType, op reduce.Op) *argRoutines {
	made := &madeArgRoutines[t][scalar.OneIf[int](op == reduce.Max)]
	if a := made.Load(); a != nil {
		return a
	}
	a := makeArgRoutines(t, op)
	made.Store(&a)
	return &a
}

func makeArgRoutines(t dtype.DType, op reduce.Op) argRoutines {
	switch t {
	case dtype.Bool, dtype.Uint8:
		return integerArgRoutines[uint8](op)
	case dtype.Int8:
		return integerArgRoutines[int8](op)
	case dtype.Int16:
		return integerArgRoutines[int16](op)
	case dtype.Int32:
		return integerArgRoutines[int32](op)
	case dtype.Int64:
		return integerArgRoutines[int64](op)
	case dtype.Uint16:
		return integerArgRoutines[uint16](op)
	case dtype.Uint32:
		return integerArgRoutines[uint32](op)
	case dtype.Uint64:
		return integerArgRoutines[uint64](op)
	case dtype.Float32:
		return floatArgRoutines[float32, int32](op)
	case dtype.Float64:
		return floatArgRoutines[float64, int64](op)
	case dtype.Complex64:
		return complexArgRoutines[complex64](op)
	}
	return complexArgRoutines[complex128](op)
}

func integerArgRoutines[T scalar.Integer](op reduce.Op) argRoutines {
	a := realArgRoutines[T](op)
	a.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) {
		reduce.IntegerRows(op, (*T)(dst), (*T)(x), rows, n, pitch)
	}
	a.find = func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.FindInteger((*T)(x), n, *(*T)(v)) }
	a.better = func(a, b unsafe.Pointer) bool { return *(*T)(a) < *(*T)(b) }
	if op == reduce.Max {
		a.better = func(a, b unsafe.Pointer) bool { return *(*T)(a) > *(*T)(b) }
	}
	return a
}

// floatArgRoutines returns the routines for floats, with indices as wide as the floats.
func floatArgRoutines[T scalar.Float, I reduce.RowIndex](op reduce.Op) argRoutines {
	a := realArgRoutines[T](op)
	a.extremes = func(dst, x unsafe.Pointer, rows, n, pitch int) { reduce.Rows(op, (*T)(dst), (*T)(x), rows, n, pitch) }
	a.find = func(x unsafe.Pointer, n int, v unsafe.Pointer) int { return reduce.Find((*T)(x), n, *(*T)(v)) }
	a.better = floatBetter[T](op)
	a.down = func(best, indices, x unsafe.Pointer, rows, n, pitch, first int) {
		reduce.ArgColumns(op, (*T)(best), (*I)(indices), (*T)(x), rows, n, pitch, first)
	}
	return a
}

func floatBetter[T scalar.Float](op reduce.Op) func(a, b unsafe.Pointer) bool {
	if op == reduce.Max {
		return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v <= w) && w == w }
	}
	return func(a, b unsafe.Pointer) bool { v, w := *(*T)(a), *(*T)(b); return !(v >= w) && w == w }
}

func realArgRoutines[T scalar.Integer | scalar.Float](op reduce.Op) argRoutines {
	if op == reduce.Max {
		return argRoutines{along: argMaxAlong[T], across: argMaxAcross[T]}
	}
	return argRoutines{along: argMinAlong[T], across: argMinAcross[T]}
}

func argMaxAlong[T scalar.Integer | scalar.Float](best, x unsafe.Pointer, n int) (index int, isLast bool) {
	index, v := -1, *(*T)(best)
	for i, w := range memory.Slice[T](x, n) {
		if !(w <= v) { // larger, or one of the two is NaN
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

// complexArgRoutines returns the routines for complex numbers; NaN is better than all other values.
func complexArgRoutines[T elementwise.ComplexNumber](op reduce.Op) argRoutines {
	better := func(a, b complex128) bool {
		if scalar.CIsNaN(a) || scalar.CIsNaN(b) {
			return !scalar.CIsNaN(b)
		}
		if op == reduce.Max {
			a, b = b, a
		}
		return scalar.CLess(a, b)
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
