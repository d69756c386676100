//go:build (amd64 || arm64) && !purego

package gemm

import (
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// copyPanel copies rows of n elements, at most two vectors.
//
//go:noinline
func copyPanel[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, srcLine, n, rows int) {
	level := isa.Current()
	if level == isa.Generic {
		plainCopyPanel[T](dst, dstLine, src, srcLine, n, rows)
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	lanes := formOf[T]().lanes
	two := n > lanes
	used := n
	if two {
		used = n - lanes
	}
	mask := uintptr(1)<<used - 1
	if level == isa.AVX2 {
		mask = maskAVX2(used, size)
	}
	if size == 4 {
		d, s := (*float32)(dst), (*float32)(src)
		switch {
		case level == isa.AVX512 && two:
			copyPanel2AVX512F32(rows, s, srcLine, d, dstLine, mask)
		case level == isa.AVX512:
			copyPanel1AVX512F32(rows, s, srcLine, d, dstLine, mask)
		case two:
			copyPanel2AVX2F32(rows, s, srcLine, d, dstLine, mask)
		default:
			copyPanel1AVX2F32(rows, s, srcLine, d, dstLine, mask)
		}
		return
	}
	d, s := (*float64)(dst), (*float64)(src)
	switch {
	case level == isa.AVX512 && two:
		copyPanel2AVX512F64(rows, s, srcLine, d, dstLine, mask)
	case level == isa.AVX512:
		copyPanel1AVX512F64(rows, s, srcLine, d, dstLine, mask)
	case two:
		copyPanel2AVX2F64(rows, s, srcLine, d, dstLine, mask)
	default:
		copyPanel1AVX2F64(rows, s, srcLine, d, dstLine, mask)
	}
}

// turn copies n lines of k elements to the columns of dst. It copies as many lines at a time as a vector has lanes. It
// stores whole vectors, which may reach into the next row, so it copies the last columns first. If there are too few
// lines to fill a vector, the last line is read repeatedly.
func turn[T Element](dst unsafe.Pointer, dstLine int, src unsafe.Pointer, line, n, k int) {
	size := int(unsafe.Sizeof(*new(T)))
	whole := k / (16 / size) * (16 / size)
	if isa.Current() == isa.Generic {
		whole = 0
	}
	lanes := formOf[T]().lanes
	for j := (n - 1) / lanes * lanes; j >= 0 && whole > 0; j -= lanes {
		turnLines[T](unsafe.Add(dst, j*size), dstLine, unsafe.Add(src, j*line), line, min(lanes, n-j), whole)
	}
	if whole < k {
		plainTurn[T](unsafe.Add(dst, whole*dstLine), dstLine, unsafe.Add(src, whole*size), line, k-whole, n)
	}
}

//go:noinline
func turnLines[T Element](dst unsafe.Pointer, dstLine int, b unsafe.Pointer, line, n, k int) {
	var lines [16]uintptr
	for i := range lines {
		lines[i] = uintptr(b) + uintptr(min(i, n-1)*line)
	}
	wide := isa.Current() == isa.AVX512
	if unsafe.Sizeof(*new(T)) == 4 {
		if wide {
			turnPanelAVX512F32(k/4, &lines, (*float32)(dst), dstLine)
		} else {
			turnPanelAVX2F32(k/4, (*[8]uintptr)(lines[:]), (*float32)(dst), dstLine)
		}
	} else {
		if wide {
			turnPanelAVX512F64(k/2, (*[8]uintptr)(lines[:]), (*float64)(dst), dstLine)
		} else {
			turnPanelAVX2F64(k/2, (*[4]uintptr)(lines[:]), (*float64)(dst), dstLine)
		}
	}
	runtime.KeepAlive(b)
}

// interleave makes steps times as many groups as a vector of columns holds. It returns the number of these columns, or
// 0 if there is no routine.
//
//go:noinline
func interleave[T Group](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, line, steps int, change T) int {
	if isa.Current() == isa.Generic {
		return 0
	}
	if Reorders[T]() {
		src, line = unsafe.Add(src, line), -line
	}
	if each[T]() == 2 {
		interleavePairs(steps, (*uint32)(src), srcStep, line, (*uint32)(dst), dstStep, uint32(change))
		return 16
	}
	interleaveQuads(steps, (*uint32)(src), srcStep, line, (*uint32)(dst), dstStep, uint32(change))
	return 32
}

// changeAll copies groups and flips bits of each. It copies as many groups as the routine handles and returns their
// number.
//
//go:noinline
func changeAll[T Group](dst []T, src unsafe.Pointer, change T) int {
	if isa.Current() == isa.Generic {
		return 0
	}
	if Reorders[T]() {
		return exchangeAll(unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)), src)
	}
	n := len(dst) / 8
	if n > 0 {
		changeGroups(n, (*uint32)(src), 32, 0, (*uint32)(unsafe.Pointer(&dst[0])), 32, uint32(change))
	}
	return 8 * n
}
