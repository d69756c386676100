package gemm

import "unsafe"

// Dot returns the inner product of two vectors of the same length. A long one is better cut: its caller cannot be
// preempted within.
func Dot[T Float](a, b []T) T {
	if unsafe.Sizeof(*new(T)) == 4 {
		return T(dot32(single(a), single(b)))
	}
	return T(dot64(double(a), double(b)))
}

func single[T Float](x []T) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func double[T Float](x []T) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// plainDot is the definition of the routines.
func plainDot[T Float](a, b []T) T {
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
