package memory

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Slice returns the n elements that start at p.
func Slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// Advance returns p advanced by a number of elements.
func Advance[T scalar.Number](p *T, elements int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), elements*int(unsafe.Sizeof(*p))))
}
