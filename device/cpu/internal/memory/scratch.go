package memory

import (
	"sync"
	"unsafe"
)

// Scratch is room for intermediate values, kept from one kernel to the next.
type Scratch struct{ words []uint64 }

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// largestKept bounds what is kept: a kernel that needs more is long enough to make it anew.
const largestKept = 32 << 20

// TakeScratch returns room for a number of bytes, of any content.
func TakeScratch(bytes int) *Scratch {
	s := scratches.Get().(*Scratch)
	s.Grow(bytes)
	return s
}

// Grow makes room for a number of bytes. What s held before may be lost.
func (s *Scratch) Grow(bytes int) {
	if n := WordsFor(bytes); n > len(s.words) {
		n = max(n, min(2*len(s.words), largestKept/8))
		s.words = unsafe.Slice((*uint64)(unwritten(8*n)), n)
	}
}

// At returns the address of a byte of s, which must have room.
func (s *Scratch) At(offset int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.words)), offset)
}

// Recycle gives s back to TakeScratch; nobody may use it, or what it held, any more.
func (s *Scratch) Recycle() {
	if len(s.words) <= largestKept/8 {
		scratches.Put(s)
	}
}

// Room returns s as n elements of type T from a byte offset on, a multiple of 8.
func Room[T any](s *Scratch, offset, n int) []T {
	return unsafe.Slice((*T)(s.At(offset)), n)
}
