//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// compress copies the kept elements of whole groups of 16, until it has kept count elements. It returns the number of
// elements that it processed, and the number that it kept.
func compress(dst, src unsafe.Pointer, mask []bool, count, size int) (looked, kept int) {
	if isa.Current() < isa.AVX512 || size != 4 && size != 8 {
		return 0, 0
	}
	for whole := len(mask) - len(mask)%16; looked < whole && kept < count; {
		part := min(compressedPiece, whole-looked)
		kept += compressPiece(part, (*byte)(unsafe.Add(dst, kept*size)), (*byte)(unsafe.Add(src, looked*size)), (*byte)(unsafe.Pointer(&mask[looked])), size)
		looked += part
	}
	return looked, kept
}

// compressedPiece bounds the number of elements that one call processes. The goroutine can be preempted only between
// calls.
const compressedPiece = 1 << 16

//go:noinline
func compressPiece(n int, dst, src, mask *byte, size int) int {
	if size == 4 {
		return compressAVX512U32(n, dst, src, mask)
	}
	return compressAVX512U64(n, dst, src, mask)
}

// positions stores the indices of whole groups of 64. It returns the number of elements that it looked at, and that of the indices.
func positions(dst []int64, mask []bool, first int) (looked, kept int) {
	if isa.Current() < isa.AVX512 {
		return 0, 0
	}
	for whole := len(mask) &^ 63; looked < whole && kept < len(dst); {
		part := min(compressedPiece, whole-looked)
		kept += positionsPiece(part, (*byte)(unsafe.Pointer(&dst[kept])), (*byte)(unsafe.Pointer(&mask[looked])), first+looked)
		looked += part
	}
	return looked, kept
}

//go:noinline
func positionsPiece(n int, dst, mask *byte, first int) int {
	return positionsAVX512(n, dst, mask, first)
}
