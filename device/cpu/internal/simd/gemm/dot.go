package gemm

import "unsafe"

// Dot returns the inner product of two vectors of the same length. Callers should split long vectors: the goroutine
// cannot be preempted during the call.
func Dot[T Element](a, b []T) T {
	if !isFloat[T]() {
		return dotIntegers(a, b)
	}
	if unsafe.Sizeof(*new(T)) == 4 {
		return T(dot32(single(a), single(b)))
	}
	return T(dot64(double(a), double(b)))
}

func single[T Element](x []T) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func double[T Element](x []T) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// dotIntegers uses the routine for products of lines, and passes b as each of the four lines of b.
func dotIntegers[T Element](a, b []T) (total T) {
	var sums [lineRows * lineColumns]T
	for k := 0; k < len(a); k += linePiece {
		lineProducts(&sums[0], 1, min(linePiece, len(a)-k), unsafe.Pointer(&a[k]), 0, unsafe.Pointer(&b[k]), 0)
		total += sums[0]
	}
	return total
}

// plainDot is the reference for the routines.
func plainDot[T Element](a, b []T) T {
	if addProduct, _ := adders[T](0); addProduct != nil {
		var sum T
		for i, v := range a {
			sum = addProduct(sum, v, b[i])
		}
		return sum
	}
	var s [4]T
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s[0] += a[i] * b[i]
		s[1] += a[i+1] * b[i+1]
		s[2] += a[i+2] * b[i+2]
		s[3] += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s[0] += a[i] * b[i]
	}
	return s[0] + s[1] + (s[2] + s[3])
}
