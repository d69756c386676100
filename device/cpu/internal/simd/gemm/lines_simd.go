//go:build (amd64 || arm64) && !purego

package gemm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// lineProducts stores the inner products of the first rows of a, as many as a routine handles, with four lines of b. It
// returns the number of these rows.
//
//go:noinline
func lineProducts[T Element](sums *T, rows, k int, a unsafe.Pointer, aLine int, b unsafe.Pointer, bLine int) int {
	level := isa.Current()
	if level == isa.Generic {
		plainLines(sums, k, a, b, bLine)
		return 1
	}
	steps, mask := stepsOf[T](level, k)
	if !isFloat[T]() {
		return integerLines(routinesOf[T](level), rows, steps, a, aLine, b, bLine, mask, unsafe.Pointer(sums))
	}
	if rows == 1 {
		oneLine(level, steps, a, b, bLine, mask, sums, 1)
		return 1
	}
	if unsafe.Sizeof(*sums) == 4 {
		x, y, z := (*float32)(a), (*float32)(b), (*float32)(unsafe.Pointer(sums))
		switch {
		case level == isa.AVX512 && rows >= 4:
			lines4AVX512F32(steps, x, aLine, y, bLine, mask, z)
			return 4
		case level == isa.AVX512:
			lines2AVX512F32(steps, x, aLine, y, bLine, mask, z)
		default:
			lines2AVX2F32(steps, x, aLine, y, bLine, mask, z)
		}
		return 2
	}
	x, y, z := (*float64)(a), (*float64)(b), (*float64)(unsafe.Pointer(sums))
	switch {
	case level == isa.AVX512 && rows >= 4:
		lines4AVX512F64(steps, x, aLine, y, bLine, mask, z)
		return 4
	case level == isa.AVX512:
		lines2AVX512F64(steps, x, aLine, y, bLine, mask, z)
	default:
		lines2AVX2F64(steps, x, aLine, y, bLine, mask, z)
	}
	return 2
}

// stepsOf returns the number of whole vectors in k elements, and the mask of the rest.
func stepsOf[T Element](level isa.Level, k int) (steps int, mask uintptr) {
	lanes := formOf[T]().lanes
	rest := k % lanes
	mask = uintptr(1)<<rest - 1
	if level == isa.AVX2 && rest > 0 {
		mask = maskAVX2(rest, int(unsafe.Sizeof(*new(T))))
	}
	return k / lanes, mask
}

// lineGroups stores the inner products of one line of a with the first groups of four lines of b, as many as a routine handles. It returns
// the number of these groups.
//
//go:noinline
func lineGroups[T Element](sums *T, k int, a, b unsafe.Pointer, bLine, groups int) int {
	level := isa.Current()
	if level == isa.Generic || !isFloat[T]() {
		lineProducts(sums, 1, k, a, 0, b, bLine)
		return 1
	}
	steps, mask := stepsOf[T](level, k)
	oneLine(level, steps, a, b, bLine, mask, sums, groups)
	return groups
}

// oneLine multiplies one line of floats of a by groups of four lines of b.
func oneLine[T Element](level isa.Level, steps int, a, b unsafe.Pointer, bLine int, mask uintptr, sums *T, groups int) {
	if unsafe.Sizeof(*sums) == 4 {
		x, y, z := (*float32)(a), (*float32)(b), (*float32)(unsafe.Pointer(sums))
		if level == isa.AVX512 {
			lines1AVX512F32(steps, x, y, bLine, mask, z, groups)
		} else {
			lines1AVX2F32(steps, x, y, bLine, mask, z, groups)
		}
		return
	}
	x, y, z := (*float64)(a), (*float64)(b), (*float64)(unsafe.Pointer(sums))
	if level == isa.AVX512 {
		lines1AVX512F64(steps, x, y, bLine, mask, z, groups)
	} else {
		lines1AVX2F64(steps, x, y, bLine, mask, z, groups)
	}
}
