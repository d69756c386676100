package move

import "unsafe"

// MostRows is the largest number of rows that Interleave writes in turns.
const MostRows = 4

// Rows are the addresses of rows.
type Rows [MostRows]unsafe.Pointer

// Interleaves reports whether there are routines for Interleave with so many rows of elements of size bytes.
func Interleaves(rows, size int) bool { return interleaves(rows, size) }

// Interleave writes n elements of size bytes of each of the first rows in turns: the first of every row, the second of every row, and
// so on. size is 4 or 8.
func Interleave(dst unsafe.Pointer, src *Rows, rows, n, size int) {
	done := interleave(dst, src, rows, n, size)
	for row, from := range src[:rows] {
		for i := done; i < n; i++ {
			to, from := unsafe.Add(dst, (i*rows+row)*size), unsafe.Add(from, i*size)
			if size == 4 {
				*(*uint32)(to) = *(*uint32)(from)
			} else {
				*(*uint64)(to) = *(*uint64)(from)
			}
		}
	}
}
