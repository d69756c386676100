package memory

import (
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"unsafe"
)

// Slice returns n elements as a slice.
func Slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// Advance returns the address so many elements further.
func Advance[T scalar.Number](p *T, elements int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), elements*int(unsafe.Sizeof(*p))))
}
