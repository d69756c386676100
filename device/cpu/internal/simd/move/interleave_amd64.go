//go:build !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

func interleaves(rows, size int) bool {
	return isa.Current() >= isa.AVX512 && rows >= 2 && rows <= 4 && (size == 4 || size == 8)
}

// interleave writes the first elements of the rows, and returns how many of each.
func interleave(dst, src unsafe.Pointer, distance, rows, n, size int) (done int) {
	if !interleaves(rows, size) {
		return 0
	}
	const unit = 16
	for whole := n - n%unit; done < whole; {
		part := min(piece/(rows*size)/unit*unit, whole-done)
		interleavePiece(part, (*byte)(unsafe.Add(dst, done*rows*size)), (*byte)(unsafe.Add(src, done*size)), distance, rows, size)
		done += part
	}
	return done
}

//go:noinline
func interleavePiece(n int, dst, src *byte, distance, rows, size int) {
	switch {
	case size == 4 && rows == 2:
		interleave2AVX512U32(n, dst, src, distance)
	case size == 4 && rows == 3:
		interleave3AVX512U32(n, dst, src, distance)
	case size == 4:
		interleave4AVX512U32(n, dst, src, distance)
	case rows == 2:
		interleave2AVX512U64(n, dst, src, distance)
	case rows == 3:
		interleave3AVX512U64(n, dst, src, distance)
	default:
		interleave4AVX512U64(n, dst, src, distance)
	}
}
