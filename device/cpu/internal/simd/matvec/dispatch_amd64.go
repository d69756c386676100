//go:build !purego

package matvec

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// pass reads n elements of four rows.
//
//go:noinline
func pass[T Float](k kind, n int, a unsafe.Pointer, line int, x, y, factors, sums unsafe.Pointer) {
	level := isa.Current()
	if level == isa.Generic {
		plainPass[T](k, n, a, line, x, y, factors, sums)
		return
	}
	if unsafe.Sizeof(*new(T)) == 4 {
		passSingle(k, level == isa.AVX512, n, (*float32)(a), line, (*float32)(x), (*float32)(y), (*float32)(factors), (*float32)(sums))
		return
	}
	passDouble(k, level == isa.AVX512, n, (*float64)(a), line, (*float64)(x), (*float64)(y), (*float64)(factors), (*float64)(sums))
}

func passSingle(k kind, wide bool, n int, a *float32, line int, x, y, factors, sums *float32) {
	switch {
	case k == both && wide:
		bothAVX512F32(n, a, line, x, y, factors, sums)
	case k == both:
		bothAVX2F32(n, a, line, x, y, factors, sums)
	case k == dots && wide:
		dotsAVX512F32(n, a, line, x, y, factors, sums)
	case k == dots:
		dotsAVX2F32(n, a, line, x, y, factors, sums)
	case wide:
		axpysAVX512F32(n, a, line, x, y, factors, sums)
	default:
		axpysAVX2F32(n, a, line, x, y, factors, sums)
	}
}

func passDouble(k kind, wide bool, n int, a *float64, line int, x, y, factors, sums *float64) {
	switch {
	case k == both && wide:
		bothAVX512F64(n, a, line, x, y, factors, sums)
	case k == both:
		bothAVX2F64(n, a, line, x, y, factors, sums)
	case k == dots && wide:
		dotsAVX512F64(n, a, line, x, y, factors, sums)
	case k == dots:
		dotsAVX2F64(n, a, line, x, y, factors, sums)
	case wide:
		axpysAVX512F64(n, a, line, x, y, factors, sums)
	default:
		axpysAVX2F64(n, a, line, x, y, factors, sums)
	}
}

//go:noinline
func rotatePiece[T Float](x, y []T, c, s T) {
	level := isa.Current()
	if level == isa.Generic || len(x) == 0 {
		plainRotate(x, y, c, s)
		return
	}
	n, v, w := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])
	switch wide := level == isa.AVX512; {
	case unsafe.Sizeof(c) == 4 && wide:
		rotateAVX512F32(n, (*float32)(v), (*float32)(w), float32(c), float32(s))
	case unsafe.Sizeof(c) == 4:
		rotateAVX2F32(n, (*float32)(v), (*float32)(w), float32(c), float32(s))
	case wide:
		rotateAVX512F64(n, (*float64)(v), (*float64)(w), float64(c), float64(s))
	default:
		rotateAVX2F64(n, (*float64)(v), (*float64)(w), float64(c), float64(s))
	}
}

//go:noinline
func reflectPiece[T Float](x, y, z []T, factors *[5]T) {
	level := isa.Current()
	if level == isa.Generic || len(x) == 0 {
		plainReflect(x, y, z, factors)
		return
	}
	n, p, q, r, f := len(x), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&z[0]), unsafe.Pointer(factors)
	switch wide := level == isa.AVX512; {
	case unsafe.Sizeof(x[0]) == 4 && wide:
		reflectAVX512F32(n, (*float32)(p), (*float32)(q), (*float32)(r), (*float32)(f))
	case unsafe.Sizeof(x[0]) == 4:
		reflectAVX2F32(n, (*float32)(p), (*float32)(q), (*float32)(r), (*float32)(f))
	case wide:
		reflectAVX512F64(n, (*float64)(p), (*float64)(q), (*float64)(r), (*float64)(f))
	default:
		reflectAVX2F64(n, (*float64)(p), (*float64)(q), (*float64)(r), (*float64)(f))
	}
}
