package move

import "unsafe"

// piece bounds the number of bytes that one routine call copies. The goroutine can be preempted only between calls.
const piece = 512 << 10

// Copy copies n bytes between memory areas that do not overlap, past the caches if stream is set. Within the caches
// Go's own copy is as fast as any routine.
func Copy(dst, src unsafe.Pointer, n int, stream bool) { CopyRows(dst, 0, src, 0, 1, n, stream) }

// CopyRows copies rows of n bytes, dstRow and srcRow bytes apart, as Copy does. (A row past the caches that is waited for
// takes twice as long as rows that are waited for together.)
func CopyRows(dst unsafe.Pointer, dstRow int, src unsafe.Pointer, srcRow, rows, n int, stream bool) {
	for i := range rows {
		copyRow(unsafe.Add(dst, i*dstRow), unsafe.Add(src, i*srcRow), n, stream)
	}
	if stream {
		fence()
	}
}

func copyRow(dst, src unsafe.Pointer, n int, stream bool) {
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

// Fill stores an element of size bytes n times, past the caches if stream is set. The element must lie outside dst.
func Fill(dst, element unsafe.Pointer, size, n int, stream bool) {
	var pattern [16]byte
	for at := 0; at < len(pattern); at += size {
		copy(pattern[at:], unsafe.Slice((*byte)(element), size))
	}
	bytes, done := size*n, 0
	if pattern != [16]byte{} {
		done = fillVectors(dst, &pattern, size, bytes, stream)
		if stream {
			fence()
		}
	}
	plainFill(unsafe.Slice((*byte)(dst), bytes)[done:], &pattern)
}

// plainFill fills dst with repetitions of a pattern.
func plainFill(dst []byte, pattern *[16]byte) {
	if *pattern == [16]byte{} {
		for len(dst) > 0 {
			part := min(piece, len(dst))
			clear(dst[:part])
			dst = dst[part:]
		}
		return
	}
	const chunk = 4096 // the part that is copied repeatedly, once it is filled
	for filled := copy(dst, pattern[:]); filled < len(dst); {
		filled += copy(dst[filled:], dst[:min(filled, chunk)])
	}
}
