//go:build (amd64 || arm64) && !purego

package gemm

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

//go:noinline
func dot32(a, b []float32) float32 {
	switch n := len(a) &^ 63; {
	case n == 0 || isa.Current() == isa.Generic:
		return plainDot(a, b)
	case isa.Current() == isa.AVX512:
		return dotAVX512F32(n, &a[0], &b[0]) + plainDot(a[n:], b[n:])
	default:
		return dotAVX2F32(n, &a[0], &b[0]) + plainDot(a[n:], b[n:])
	}
}

//go:noinline
func dot64(a, b []float64) float64 {
	switch n := len(a) &^ 31; {
	case n == 0 || isa.Current() == isa.Generic:
		return plainDot(a, b)
	case isa.Current() == isa.AVX512:
		return dotAVX512F64(n, &a[0], &b[0]) + plainDot(a[n:], b[n:])
	default:
		return dotAVX2F64(n, &a[0], &b[0]) + plainDot(a[n:], b[n:])
	}
}
