//go:build (amd64 || arm64) && !purego

package gemm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// lineProducts stores the inner products of the first rows of a, as many as a routine handles, with four lines of b. It
// returns the number of these rows.
//
// //go:noinline
//
//go:noinline
func lineProducts[T Element](sums *T, rows, k int, a unsafe.Pointer, aLine int, b unsafe.Pointer, bLine int) int {
	level := isa.Current()
	if level == isa.Generic {
		plainLines(sums, k, a, b, bLine)
		return 1
	}
	size, lanes := int(unsafe.Sizeof(*new(T))), formOf[T]().lanes
	steps, rest := k/lanes, k%lanes
	mask := uintptr(1)<<rest - 1
	if level == isa.AVX2 && rest > 0 {
		mask = maskAVX2(rest, size)
	}
	if !isFloat[T]() {
		return integerLines(routinesOf[T](level), rows, steps, a, aLine, b, bLine, mask, unsafe.Pointer(sums))
	}
	if size == 4 {
		x, y, z := (*float32)(a), (*float32)(b), (*float32)(unsafe.Pointer(sums))
		switch {
		case level == isa.AVX512 && rows >= 4:
			lines4AVX512F32(steps, x, aLine, y, bLine, mask, z)
			return 4
		case level == isa.AVX512 && rows >= 2:
			lines2AVX512F32(steps, x, aLine, y, bLine, mask, z)
			return 2
		case level == isa.AVX512:
			lines1AVX512F32(steps, x, aLine, y, bLine, mask, z)
		case rows >= 2:
			lines2AVX2F32(steps, x, aLine, y, bLine, mask, z)
			return 2
		default:
			lines1AVX2F32(steps, x, aLine, y, bLine, mask, z)
		}
		return 1
	}
	x, y, z := (*float64)(a), (*float64)(b), (*float64)(unsafe.Pointer(sums))
	switch {
	case level == isa.AVX512 && rows >= 4:
		lines4AVX512F64(steps, x, aLine, y, bLine, mask, z)
		return 4
	case level == isa.AVX512 && rows >= 2:
		lines2AVX512F64(steps, x, aLine, y, bLine, mask, z)
		return 2
	case level == isa.AVX512:
		lines1AVX512F64(steps, x, aLine, y, bLine, mask, z)
	case rows >= 2:
		lines2AVX2F64(steps, x, aLine, y, bLine, mask, z)
		return 2
	default:
		lines1AVX2F64(steps, x, aLine, y, bLine, mask, z)
	}
	return 1
}
