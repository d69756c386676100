package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// convertedPiece bounds the elements of one call, whose caller can be preempted between two; convertedUnit is a multiple of what
// any routine converts at a time.
const (
	convertedPiece = 1 << 15
	convertedUnit  = 16
)

// Convert is dtype.Convert of elements that lie one after the other on both sides.
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
