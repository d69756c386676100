package move

import "unsafe"

// Ahead is the number of additional elements at the end of the offsets that TakeRows and AddRows receive. The rows there
// are only prefetched, so these elements may refer to any rows of the array.
const Ahead = 4

// TakeRows copies rows of an array to dst, one after another. offsets holds the offsets of the rows, in elements of size
// bytes. A row has bytes bytes. If stream is set, the rows are written past the caches.
func TakeRows(dst, array unsafe.Pointer, offsets []int, size, bytes int, stream bool) {
	n := len(offsets) - Ahead
	if takeRows(dst, array, offsets, size, bytes, stream) {
		if stream {
			fence()
		}
		return
	}
	for i, offset := range offsets[:n] {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*bytes)), bytes), unsafe.Slice((*byte)(unsafe.Add(array, offset*size)), bytes))
	}
}

// AddRows adds rows of length elements, which lie one after another in src, to the rows of an array whose offsets are
// given, in this order. An offset may repeat.
func AddRows[T float32 | float64](array unsafe.Pointer, src unsafe.Pointer, offsets []int, length int) {
	n := len(offsets) - Ahead
	size := int(unsafe.Sizeof(T(0)))
	for from, step := 0, max(1, rowsPiece/length); from < n; from += step {
		rows, end := unsafe.Add(src, from*length*size), min(from+step, n)
		if !addRows(array, rows, offsets[from:end+Ahead], size, length) {
			plainAddRows[T](array, rows, offsets[from:end], length)
		}
	}
}

// rowsPiece bounds the number of elements that one routine call adds, unless a single row has more.
const rowsPiece = 1 << 15

func plainAddRows[T float32 | float64](array, src unsafe.Pointer, offsets []int, length int) {
	x := unsafe.Slice((*T)(src), len(offsets)*length)
	for _, offset := range offsets {
		y := unsafe.Slice((*T)(unsafe.Add(array, offset*int(unsafe.Sizeof(T(0))))), length)
		for k := range y {
			y[k] += x[k]
		}
		x = x[length:]
	}
}
