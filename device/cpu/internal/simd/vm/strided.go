package vm

import "unsafe"

// Gather copies n elements of size bytes, which lie step elements apart, to contiguous memory at dst.
func Gather(dst, src unsafe.Pointer, step, n, size int) {
	switch size {
	case 1:
		gather[uint8](dst, src, step, n)
	case 2:
		gather[uint16](dst, src, step, n)
	case 4:
		if step == 2 {
			done := everySecond4(dst, src, n)
			dst, src, n = unsafe.Add(dst, 4*done), unsafe.Add(src, 8*done), n-done
		}
		gather[uint32](dst, src, step, n)
	case 8:
		if step == 2 {
			done := everySecond8(dst, src, n)
			dst, src, n = unsafe.Add(dst, 8*done), unsafe.Add(src, 16*done), n-done
		}
		gather[uint64](dst, src, step, n)
	case 16:
		gather[[2]uint64](dst, src, step, n)
	}
}

func gather[T any](dst, src unsafe.Pointer, step, n int) {
	z := unsafe.Slice((*T)(dst), n)
	bytes := step * int(unsafe.Sizeof(z[0]))
	for len(z) >= 4 {
		z[0] = *(*T)(src)
		z[1] = *(*T)(unsafe.Add(src, bytes))
		z[2] = *(*T)(unsafe.Add(src, 2*bytes))
		z[3] = *(*T)(unsafe.Add(src, 3*bytes))
		z = z[4:]
		if len(z) == 0 {
			return
		}
		src = unsafe.Add(src, 4*bytes)
	}
	for i := range z {
		z[i] = *(*T)(unsafe.Add(src, i*bytes))
	}
}
