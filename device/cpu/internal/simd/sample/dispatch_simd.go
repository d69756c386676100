//go:build (amd64 || arm64) && !purego

package sample

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// piece bounds the number of products, or elements of a row, that one call computes.
const piece = 1 << 14

// sums computes the sums. It reports whether none is NaN, and whether there is a routine.
func sums[T float32 | float64](y, values, weights []T, corners, stride int) (numbers, ok bool) {
	if isa.Current() == isa.Generic {
		return true, false
	}
	numbers = true
	step := max(16, piece/corners&^15)
	for done := 0; done < len(y); done += step {
		n := min(step, len(y)-done)
		lost := sumsPiece(n, corners, unsafe.Pointer(&y[done]), unsafe.Pointer(&values[done]), unsafe.Pointer(&weights[done]), stride, int(unsafe.Sizeof(T(0))))
		numbers = numbers && lost == 0
	}
	return numbers, true
}

//go:noinline
func sumsPiece(n, corners int, y, values, weights unsafe.Pointer, stride, size int) int {
	switch wide := isa.Current() == isa.AVX512; {
	case wide && size == 4:
		return sumsAVX512F32(n, corners, (*float32)(y), (*float32)(values), (*float32)(weights), stride)
	case wide:
		return sumsAVX512F64(n, corners, (*float64)(y), (*float64)(values), (*float64)(weights), stride)
	case size == 4:
		return sumsAVX2F32(n, corners, (*float32)(y), (*float32)(values), (*float32)(weights), stride)
	}
	return sumsAVX2F64(n, corners, (*float64)(y), (*float64)(values), (*float64)(weights), stride)
}

// mix computes Mix and reports whether there is a routine.
func mix[T float32 | float64](y, a, b []T, wa, wb T) bool {
	if isa.Current() == isa.Generic {
		return false
	}
	weights := [2]T{wa, wb}
	for done := 0; done < len(y); done += piece {
		n := min(piece, len(y)-done)
		mixPiece(n, unsafe.Pointer(&y[done]), unsafe.Pointer(&a[done]), unsafe.Pointer(&b[done]), unsafe.Pointer(&weights), int(unsafe.Sizeof(wa)))
	}
	return true
}

//go:noinline
func mixPiece(n int, y, a, b, weights unsafe.Pointer, size int) {
	switch wide := isa.Current() == isa.AVX512; {
	case wide && size == 4:
		mixAVX512F32(n, (*float32)(y), (*float32)(a), (*float32)(b), (*float32)(weights))
	case wide:
		mixAVX512F64(n, (*float64)(y), (*float64)(a), (*float64)(b), (*float64)(weights))
	case size == 4:
		mixAVX2F32(n, (*float32)(y), (*float32)(a), (*float32)(b), (*float32)(weights))
	default:
		mixAVX2F64(n, (*float64)(y), (*float64)(a), (*float64)(b), (*float64)(weights))
	}
}
