package memory

import (
	"sync"
	"unsafe"
)

// Scratch is memory for intermediate values, reused by later kernels.
type Scratch struct{ words []uint64 }

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// largestKept is the largest scratch that is kept: a kernel that needs more runs so long that it can allocate it each
// time.
const largestKept = 32 << 20

// TakeScratch returns scratch memory of the given number of bytes, with arbitrary content.
func TakeScratch(bytes int) *Scratch {
	s := scratches.Get().(*Scratch)
	s.Grow(bytes)
	return s
}

// Grow makes s at least the given number of bytes large. The old content of s may be lost.
func (s *Scratch) Grow(bytes int) {
	if n := WordsFor(bytes); n > len(s.words) {
		n = max(n, min(2*len(s.words), largestKept/8))
		s.words = unsafe.Slice((*uint64)(allocate(8*n)), n)
	}
}

// At returns the address of a byte of s, which must be within its size.
func (s *Scratch) At(offset int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.words)), offset)
}

// Recycle returns s to the pool of TakeScratch. Nobody may use s, or its memory, after that.
func (s *Scratch) Recycle() {
	if len(s.words) <= largestKept/8 {
		scratches.Put(s)
	}
}

// Room returns the n elements of type T that start at a byte offset of s, a multiple of 8.
func Room[T any](s *Scratch, offset, n int) []T {
	if n == 0 {
		return nil // an empty s has no address that may be a *T
	}
	return unsafe.Slice((*T)(s.At(offset)), n)
}
