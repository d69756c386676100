package cpu

import (
	"sync"
	"unsafe"
)

// scratch is room for intermediate values, kept from one kernel to the next.
type scratch struct{ words []uint64 }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// largestKept bounds what is kept: a kernel that needs more is long enough to make it anew.
const largestKept = 32 << 20

// takeScratch returns room for a number of bytes, of any content.
func takeScratch(bytes int) *scratch {
	s := scratches.Get().(*scratch)
	s.grow(bytes)
	return s
}

func (s *scratch) grow(bytes int) {
	if n := wordsFor(bytes); n > len(s.words) {
		s.words = words(8 * max(n, min(2*len(s.words), largestKept/8)))
	}
}

// at returns the address of a byte of s, which must have room.
func (s *scratch) at(offset int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.words)), offset)
}

func (s *scratch) recycle() {
	if len(s.words) <= largestKept/8 {
		scratches.Put(s)
	}
}

// room returns s as n elements of type T from a byte offset on, a multiple of 8.
func room[T any](s *scratch, offset, n int) []T {
	return unsafe.Slice((*T)(s.at(offset)), n)
}
