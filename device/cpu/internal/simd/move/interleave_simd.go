//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

func interleaves(rows, size int) bool {
	return isa.Current() >= isa.AVX512 && rows >= 2 && rows <= MostRows && (size == 4 || size == 8)
}

// interleave writes the first elements of the rows, and returns how many of each.
func interleave(dst unsafe.Pointer, src *Rows, rows, n, size int) (done int) {
	if !interleaves(rows, size) {
		return 0
	}
	const unit = 16
	var from [MostRows]*byte
	for whole := n - n%unit; done < whole; {
		part := min(piece/(rows*size)/unit*unit, whole-done)
		for row, start := range src[:rows] {
			from[row] = (*byte)(unsafe.Add(start, done*size))
		}
		interleavePiece(part, (*byte)(unsafe.Add(dst, done*rows*size)), &from, rows, size)
		done += part
	}
	return done
}

//go:noinline
func interleavePiece(n int, dst *byte, src *[MostRows]*byte, rows, size int) {
	switch {
	case size == 4 && rows == 2:
		interleave2AVX512U32(n, dst, src[0], src[1])
	case size == 4 && rows == 3:
		interleave3AVX512U32(n, dst, src[0], src[1], src[2])
	case size == 4:
		interleave4AVX512U32(n, dst, src[0], src[1], src[2], src[3])
	case rows == 2:
		interleave2AVX512U64(n, dst, src[0], src[1])
	case rows == 3:
		interleave3AVX512U64(n, dst, src[0], src[1], src[2])
	default:
		interleave4AVX512U64(n, dst, src[0], src[1], src[2], src[3])
	}
}
