package gemm

// dotPiece bounds how long one call of a routine is: its caller can be preempted between two.
const dotPiece = 1 << 14

// Dot32 returns the inner product of two vectors of the same length.
func Dot32(a, b []float32) float32 {
	var sum float32
	for len(a) > dotPiece {
		sum += dot32(a[:dotPiece], b[:dotPiece])
		a, b = a[dotPiece:], b[dotPiece:]
	}
	return sum + dot32(a, b)
}

// Dot64 returns the inner product of two vectors of the same length.
func Dot64(a, b []float64) float64 {
	var sum float64
	for len(a) > dotPiece {
		sum += dot64(a[:dotPiece], b[:dotPiece])
		a, b = a[dotPiece:], b[dotPiece:]
	}
	return sum + dot64(a, b)
}

// plainDot is the definition of the routines.
func plainDot[T float32 | float64](a, b []T) T {
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
