package move

import "unsafe"

// Interleaves reports whether there are routines for Interleave with so many rows of elements of size bytes.
func Interleaves(rows, size int) bool { return interleaves(rows, size) }

// Interleave writes n elements of size bytes of each of some rows in turns: the first of every row, the second of every row, and so on. The
// distance of the rows is in bytes; it may be 0.
func Interleave(dst, src unsafe.Pointer, distance, rows, n, size int) {
	done := interleave(dst, src, distance, rows, n, size)
	for row := range rows {
		for i := done; i < n; i++ {
			to, from := unsafe.Add(dst, (i*rows+row)*size), unsafe.Add(src, row*distance+i*size)
			if size == 4 {
				*(*uint32)(to) = *(*uint32)(from)
			} else {
				*(*uint64)(to) = *(*uint64)(from)
			}
		}
	}
}
