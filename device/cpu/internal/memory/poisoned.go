//go:build race || poison || storm

package memory

import "unsafe"

// poison fills a block that nobody may read with a conspicuous pattern. So tests under the race detector, or with the
// tag poison, notice who reads freed memory, or a new block that a kernel did not write completely.
func poison(block unsafe.Pointer, bytes int) {
	room := unsafe.Slice((*byte)(block), bytes)
	for n := copy(room, "\xDB\xDB\xDB\xDB"); n < bytes; {
		n += copy(room[n:], room[:n])
	}
}
