//go:build !purego

package rows

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/isa"
)

func singles[T Float](p *T) *float32 { return (*float32)(unsafe.Pointer(p)) }
func doubles[T Float](p *T) *float64 { return (*float64)(unsafe.Pointer(p)) }

// form is the level of instructions and the type of elements.
type form struct {
	level  isa.Level
	double bool
}

func formOf[T Float]() form {
	var v T
	return form{isa.Current(), unsafe.Sizeof(v) == 8}
}

//go:noinline
func exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		exponentialsAVX512F32(singles(dst), singles(x), singles(v), singles(sums), rows, n, pitchDst, pitchX)
	case form{isa.AVX512, true}:
		exponentialsAVX512F64(doubles(dst), doubles(x), doubles(v), doubles(sums), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, false}:
		exponentialsAVX2F32(singles(dst), singles(x), singles(v), singles(sums), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, true}:
		exponentialsAVX2F64(doubles(dst), doubles(x), doubles(v), doubles(sums), rows, n, pitchDst, pitchX)
	default:
		plainExponentials(dst, x, v, sums, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func sumExponentials[T Float](x, v, sums *T, rows, n, pitchX int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		sumExponentialsAVX512F32(singles(x), singles(v), singles(sums), rows, n, pitchX)
	case form{isa.AVX512, true}:
		sumExponentialsAVX512F64(doubles(x), doubles(v), doubles(sums), rows, n, pitchX)
	case form{isa.AVX2, false}:
		sumExponentialsAVX2F32(singles(x), singles(v), singles(sums), rows, n, pitchX)
	case form{isa.AVX2, true}:
		sumExponentialsAVX2F64(doubles(x), doubles(v), doubles(sums), rows, n, pitchX)
	default:
		plainSumExponentials(x, v, sums, rows, n, pitchX)
	}
}

//go:noinline
func scale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		scaleAVX512F32(singles(dst), singles(x), singles(v), rows, n, pitchDst, pitchX)
	case form{isa.AVX512, true}:
		scaleAVX512F64(doubles(dst), doubles(x), doubles(v), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, false}:
		scaleAVX2F32(singles(dst), singles(x), singles(v), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, true}:
		scaleAVX2F64(doubles(dst), doubles(x), doubles(v), rows, n, pitchDst, pitchX)
	default:
		plainScale(dst, x, v, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func shift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		shiftAVX512F32(singles(dst), singles(x), singles(v), singles(w), rows, n, pitchDst, pitchX)
	case form{isa.AVX512, true}:
		shiftAVX512F64(doubles(dst), doubles(x), doubles(v), doubles(w), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, false}:
		shiftAVX2F32(singles(dst), singles(x), singles(v), singles(w), rows, n, pitchDst, pitchX)
	case form{isa.AVX2, true}:
		shiftAVX2F64(doubles(dst), doubles(x), doubles(v), doubles(w), rows, n, pitchDst, pitchX)
	default:
		plainShift(dst, x, v, w, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func weigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		weighAVX512F32(singles(dst), singles(x), singles(y), singles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX512, true}:
		weighAVX512F64(doubles(dst), doubles(x), doubles(y), doubles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX2, false}:
		weighAVX2F32(singles(dst), singles(x), singles(y), singles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX2, true}:
		weighAVX2F64(doubles(dst), doubles(x), doubles(y), doubles(v), rows, n, pitchDst, pitchX, pitchY)
	default:
		plainWeigh(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
	}
}

//go:noinline
func lessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	switch formOf[T]() {
	case form{isa.AVX512, false}:
		lessExponentialsAVX512F32(singles(dst), singles(x), singles(y), singles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX512, true}:
		lessExponentialsAVX512F64(doubles(dst), doubles(x), doubles(y), doubles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX2, false}:
		lessExponentialsAVX2F32(singles(dst), singles(x), singles(y), singles(v), rows, n, pitchDst, pitchX, pitchY)
	case form{isa.AVX2, true}:
		lessExponentialsAVX2F64(doubles(dst), doubles(x), doubles(y), doubles(v), rows, n, pitchDst, pitchX, pitchY)
	default:
		plainLessExponentials(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
	}
}
