package move

import "unsafe"

// Ahead is how many places more than rows TakeRows and AddRows are given: of rows that are fetched before their time, and
// may be any of the array.
const Ahead = 4

// TakeRows copies the rows of an array that begin at places, counted in elements of some bytes, one after the other. Rows
// have some bytes in all; they may be streamed past the caches.
func TakeRows(dst, array unsafe.Pointer, places []int, size, bytes int, stream bool) {
	n := len(places) - Ahead
	if takeRows(dst, array, places, size, bytes, stream) {
		return
	}
	for i, place := range places[:n] {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, i*bytes)), bytes), unsafe.Slice((*byte)(unsafe.Add(array, place*size)), bytes))
	}
}

// AddRows adds rows of some length that lie one after the other to those of an array that begin at places, in order.
func AddRows[T float32 | float64](array unsafe.Pointer, src unsafe.Pointer, places []int, length int) {
	n := len(places) - Ahead
	size := int(unsafe.Sizeof(T(0)))
	for from, step := 0, max(1, rowsPiece/length); from < n; from += step {
		rows, end := unsafe.Add(src, from*length*size), min(from+step, n)
		if !addRows(array, rows, places[from:end+Ahead], size, length) {
			plainAddRows[T](array, rows, places[from:end], length)
		}
	}
}

// rowsPiece is how many elements one call of a routine adds, more or less.
const rowsPiece = 1 << 15

func plainAddRows[T float32 | float64](array, src unsafe.Pointer, places []int, length int) {
	x := unsafe.Slice((*T)(src), len(places)*length)
	for _, place := range places {
		y := unsafe.Slice((*T)(unsafe.Add(array, place*int(unsafe.Sizeof(T(0))))), length)
		for k := range y {
			y[k] += x[k]
		}
		x = x[length:]
	}
}
