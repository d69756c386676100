package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Flat returns a function that combines what reduceOneRow combines; nil if values of type t are not combined in this way.
// Longer rows are combined in blocks.
func Flat(c device.Combine, t dtype.DType) device.FlatReduce {
	f, ok := foldOf(c, t)
	if !ok {
		return nil
	}
	return func(n int, y, x unsafe.Pointer) bool {
		if n > strided.BlockLen {
			return false
		}
		f.rows(y, x, 1, n, n)
		return true
	}
}
