package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// convertedPiece bounds the number of elements of one call: the goroutine can be preempted only between calls.
// convertedUnit is a multiple of the number of elements that any routine converts at a time.
const (
	convertedPiece = 1 << 15
	convertedUnit  = 16
)

// Convert is dtype.Convert for contiguous elements on both sides.
func Convert(to dtype.DType, dst unsafe.Pointer, from dtype.DType, src unsafe.Pointer, n int) {
	toSize, fromSize := to.Size(), from.Size()
	whole, done := n-n%convertedUnit, 0
	for done < whole {
		part := min(convertedPiece, whole-done)
		if !convertPiece(to, from, part, (*byte)(unsafe.Add(dst, done*toSize)), (*byte)(unsafe.Add(src, done*fromSize))) {
			break
		}
		done += part
	}
	if done < n {
		dtype.Convert(to, unsafe.Add(dst, done*toSize), 1, from, unsafe.Add(src, done*fromSize), 1, n-done)
	}
}
