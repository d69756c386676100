package move

import "unsafe"

// Streamed is the size from which results are better written past the caches: they would not stay in those that are
// faster than memory by much, and memory that is written in whole lines need not be read first.
const Streamed = 8 << 20

// StreamedCopy is that size for copies, which take up the caches twice.
const StreamedCopy = 4 << 20

// piece is how many bytes one call of a routine copies at most: its caller can be preempted between two.
const piece = 512 << 10

// Copy copies n bytes, which do not overlap, or streams them past the caches. In them the runtime's routine is as fast as
// any.
func Copy(dst, src unsafe.Pointer, n int, stream bool) {
	done := 0
	if stream {
		done = copyStreaming(dst, src, n)
	}
	for done < n {
		part := min(piece, n-done)
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, done)), part), unsafe.Slice((*byte)(unsafe.Add(src, done)), part))
		done += part
	}
}

// Fill repeats an element of some bytes n times, or streams it past the caches. The element is not part of the result.
func Fill(dst, element unsafe.Pointer, size, n int, stream bool) {
	var pattern [16]byte
	for at := 0; at < len(pattern); at += size {
		copy(pattern[at:], unsafe.Slice((*byte)(element), size))
	}
	bytes, done := size*n, 0
	if pattern != [16]byte{} {
		done = fillVectors(dst, &pattern, size, bytes, stream)
	}
	plainFill(unsafe.Slice((*byte)(dst), bytes)[done:], &pattern)
}

// plainFill repeats a pattern in bytes, which begin where the pattern does.
func plainFill(dst []byte, pattern *[16]byte) {
	if *pattern == [16]byte{} {
		for len(dst) > 0 {
			part := min(piece, len(dst))
			clear(dst[:part])
			dst = dst[part:]
		}
		return
	}
	const chunk = 4096 // of which copies are made, once it is there
	for filled := copy(dst, pattern[:]); filled < len(dst); {
		filled += copy(dst[filled:], dst[:min(filled, chunk)])
	}
}
