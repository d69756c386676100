//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// reverse copies the last elements to the beginning of dst, and returns how many it copied.
func reverse(dst, src unsafe.Pointer, n, size int) (done int) {
	if isa.Current() == isa.Generic || size != 4 && size != 8 {
		return 0
	}
	const unit = 32
	for whole := n - n%unit; done < whole; {
		part := min(piece/size/unit*unit, whole-done)
		reversePiece(part, (*byte)(unsafe.Add(dst, done*size)), (*byte)(unsafe.Add(src, (n-done-part)*size)), size)
		done += part
	}
	return done
}

//go:noinline
func reversePiece(n int, dst, src *byte, size int) {
	switch wide := isa.Current() == isa.AVX512; {
	case size == 4 && wide:
		reverseAVX512U32(n, dst, src)
	case size == 4:
		reverseAVX2U32(n, dst, src)
	case wide:
		reverseAVX512U64(n, dst, src)
	default:
		reverseAVX2U64(n, dst, src)
	}
}
