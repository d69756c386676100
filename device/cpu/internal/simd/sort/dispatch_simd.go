//go:build (amd64 || arm64) && !purego

package sort

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// vectors reports whether there are vector routines for numbers.
func vectors() bool { return isa.Current() == isa.AVX512 }

// parts partitions x: it copies the numbers less than the pivot to less, and the others to rest. It returns how many
// are less. less or rest may be x.
func parts[N Number](x, less, rest []N, pivot N) (count int) {
	for done := 0; done < len(x); done += piece {
		now := x[done:min(done+piece, len(x))]
		count += partsPiece(now, less[count:], rest[done-count:], pivot)
	}
	return count
}

//go:noinline
func partsPiece[N Number](x, less, rest []N, pivot N) int {
	n, from, low, high := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&less[0]), unsafe.Pointer(&rest[0])
	switch pivot := any(&pivot).(type) {
	case *int32:
		return partsAVX512I32(n, (*int32)(from), (*int32)(low), (*int32)(high), pivot)
	case *int64:
		return partsAVX512I64(n, (*int64)(from), (*int64)(low), (*int64)(high), pivot)
	case *float32:
		return partsAVX512F32(n, (*float32)(from), (*float32)(low), (*float32)(high), pivot)
	case *float64:
		return partsAVX512F64(n, (*float64)(from), (*float64)(low), (*float64)(high), pivot)
	}
	return 0
}

// middle returns a pivot: roughly the median of a few of the numbers.
//
//go:noinline
func middle[N Number](x []N) (m N) {
	n, from := min(len(x), middleOf), unsafe.Pointer(&x[0])
	switch m := any(&m).(type) {
	case *int32:
		*m = middleAVX512I32(n, (*int32)(from))
	case *int64:
		*m = middleAVX512I64(n, (*int64)(from))
	case *float32:
		*m = middleAVX512F32(n, (*float32)(from))
	case *float64:
		*m = middleAVX512F64(n, (*float64)(from))
	}
	return m
}

// network sorts the numbers of from into x, which may be from. There is at least one number, and all fit the registers.
//
//go:noinline
func network[N Number](x, from []N) {
	n, src := len(x), unsafe.Pointer(&from[0])
	switch x := any(&x[0]).(type) {
	case *int32:
		switch from := (*int32)(src); {
		case n <= 32:
			sort32AVX512I32(n, x, from)
		case n <= 64:
			sort64AVX512I32(n, x, from)
		case n <= 128:
			sort128AVX512I32(n, x, from)
		default:
			sort256AVX512I32(n, x, from)
		}
	case *int64:
		switch from := (*int64)(src); {
		case n <= 16:
			sort16AVX512I64(n, x, from)
		case n <= 32:
			sort32AVX512I64(n, x, from)
		case n <= 64:
			sort64AVX512I64(n, x, from)
		default:
			sort128AVX512I64(n, x, from)
		}
	case *float32:
		switch from := (*float32)(src); {
		case n <= 32:
			sort32AVX512F32(n, x, from)
		case n <= 64:
			sort64AVX512F32(n, x, from)
		case n <= 128:
			sort128AVX512F32(n, x, from)
		default:
			sort256AVX512F32(n, x, from)
		}
	case *float64:
		switch from := (*float64)(src); {
		case n <= 16:
			sort16AVX512F64(n, x, from)
		case n <= 32:
			sort32AVX512F64(n, x, from)
		case n <= 64:
			sort64AVX512F64(n, x, from)
		default:
			sort128AVX512F64(n, x, from)
		}
	}
}

// take copies numbers and reports whether they can be sorted by value alone: see CopyParts.
func take[N Number](x, from []N) (ok bool) {
	lanes := 64 / int(unsafe.Sizeof(N(0)))
	whole := len(from) - len(from)%lanes
	if whole > 0 && !takeVectors(x, from[:whole]) {
		return false
	}
	for i, v := range from[whole:] {
		if special(v) {
			return false
		}
		x[whole+i] = v
	}
	return true
}

//go:noinline
func takeVectors[N Number](x, from []N) (ok bool) {
	n, src := len(from), unsafe.Pointer(&from[0])
	switch y := any(&x[0]).(type) {
	case *float32:
		return takeAVX512F32(n, y, (*float32)(src)) == 0
	case *float64:
		return takeAVX512F64(n, y, (*float64)(src)) == 0
	}
	copy(x, from) // all integers can
	return true
}

// takeParts is parts for numbers that have not been checked. It also reports whether they can be sorted by value alone: see
// CopyParts.
func takeParts[N Number](x, less, rest []N, pivot N) (count int, ok bool) {
	for done := 0; done < len(x); done += piece {
		now := x[done:min(done+piece, len(x))]
		n, ok := takePartsPiece(now, less[count:], rest[done-count:], pivot)
		if !ok {
			return 0, false
		}
		count += n
	}
	return count, true
}

//go:noinline
func takePartsPiece[N Number](x, less, rest []N, pivot N) (count int, ok bool) {
	n, from, low, high := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&less[0]), unsafe.Pointer(&rest[0])
	var special int
	switch pivot := any(&pivot).(type) {
	case *int32:
		count = partsAVX512I32(n, (*int32)(from), (*int32)(low), (*int32)(high), pivot)
	case *int64:
		count = partsAVX512I64(n, (*int64)(from), (*int64)(low), (*int64)(high), pivot)
	case *float32:
		count, special = takePartsAVX512F32(n, (*float32)(from), (*float32)(low), (*float32)(high), pivot)
	case *float64:
		count, special = takePartsAVX512F64(n, (*float64)(from), (*float64)(low), (*float64)(high), pivot)
	}
	return count, special == 0
}

func evenPositions[T scalar.Float](e *Even, positions []int64, row, values []T, right bool) (done, other int) {
	const lanes = 8
	if !vectors() {
		return 0, len(values)
	}
	for whole := len(values) - len(values)%lanes; done < whole; {
		part := min(piece, whole-done)
		n := evenPiece(e, part, &positions[done], &row[0], &values[done], right)
		if done += n; n < part {
			return done, lanes
		}
	}
	return done, len(values) - done
}

//go:noinline
func evenPiece[T scalar.Float](e *Even, n int, positions *int64, row, values *T, right bool) int {
	r, v := unsafe.Pointer(row), unsafe.Pointer(values)
	single := unsafe.Sizeof(*row) == 4
	switch {
	case single && right:
		return evenUpToAVX512F32(n, positions, (*float32)(r), (*float32)(v), &e.First)
	case single:
		return evenBelowAVX512F32(n, positions, (*float32)(r), (*float32)(v), &e.First)
	case right:
		return evenUpToAVX512F64(n, positions, (*float64)(r), (*float64)(v), &e.First)
	}
	return evenBelowAVX512F64(n, positions, (*float64)(r), (*float64)(v), &e.First)
}
