//go:build race || poison || storm

package memory

import "unsafe"

// poison fills a block that nobody may look at with a conspicuous pattern, so that tests under the race detector, or with
// the tag poison, see who does: a reader of freed memory, or of a new block that a kernel did not write wholly.
func poison(block unsafe.Pointer, bytes int) {
	room := unsafe.Slice((*byte)(block), bytes)
	for n := copy(room, "\xDB\xDB\xDB\xDB"); n < bytes; {
		n += copy(room[n:], room[:n])
	}
}
