package move

import "unsafe"

// Reverse copies n elements of size bytes in reverse order, between memory areas that do not overlap. src is the first of the elements,
// which becomes the last.
func Reverse(dst, src unsafe.Pointer, n, size int) {
	done := reverse(dst, src, n, size)
	if done == n {
		return // no address behind the last element
	}
	dst, n = unsafe.Add(dst, done*size), n-done
	switch size {
	case 1:
		plainReverse[uint8](dst, src, n)
	case 2:
		plainReverse[uint16](dst, src, n)
	case 4:
		plainReverse[uint32](dst, src, n)
	case 8:
		plainReverse[uint64](dst, src, n)
	case 16:
		plainReverse[[2]uint64](dst, src, n)
	}
}

func plainReverse[T any](dst, src unsafe.Pointer, n int) {
	y, x := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n)
	for i := range y {
		y[i] = x[len(x)-1-i]
	}
}
