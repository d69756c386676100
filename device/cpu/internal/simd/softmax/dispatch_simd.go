//go:build (amd64 || arm64) && !purego

package softmax

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

//go:noinline
func exponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, next int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		exponentialsAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX512, Double: true}:
		exponentialsAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX2}:
		exponentialsAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX2, Double: true}:
		exponentialsAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(sums), rows, n, pitchDst, pitchX, next)
	default:
		plainExponentials(dst, x, v, sums, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func sumExponentials[T Float](dst, x, v, sums *T, rows, n, pitchDst, pitchX, next int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		sumExponentialsAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX512, Double: true}:
		sumExponentialsAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX2}:
		sumExponentialsAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(sums), rows, n, pitchDst, pitchX, next)
	case isa.Form{Level: isa.AVX2, Double: true}:
		sumExponentialsAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(sums), rows, n, pitchDst, pitchX, next)
	default:
		plainSumExponentials(x, v, sums, rows, n, pitchX)
	}
}

//go:noinline
func scale[T Float](dst, x, v *T, rows, n, pitchDst, pitchX int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		scaleAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX512, Double: true}:
		scaleAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX2}:
		scaleAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX2, Double: true}:
		scaleAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), rows, n, pitchDst, pitchX)
	default:
		plainScale(dst, x, v, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func shift[T Float](dst, x, v, w *T, rows, n, pitchDst, pitchX int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		shiftAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(w), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX512, Double: true}:
		shiftAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(w), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX2}:
		shiftAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(v), isa.Singles(w), rows, n, pitchDst, pitchX)
	case isa.Form{Level: isa.AVX2, Double: true}:
		shiftAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(v), isa.Doubles(w), rows, n, pitchDst, pitchX)
	default:
		plainShift(dst, x, v, w, rows, n, pitchDst, pitchX)
	}
}

//go:noinline
func weigh[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		weighAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(y), isa.Singles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX512, Double: true}:
		weighAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(y), isa.Doubles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX2}:
		weighAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(y), isa.Singles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX2, Double: true}:
		weighAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(y), isa.Doubles(v), rows, n, pitchDst, pitchX, pitchY)
	default:
		plainWeigh(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
	}
}

//go:noinline
func lessExponentials[T Float](dst, x, y, v *T, rows, n, pitchDst, pitchX, pitchY int) {
	switch isa.FormOf[T]() {
	case isa.Form{Level: isa.AVX512}:
		lessExponentialsAVX512F32(isa.Singles(dst), isa.Singles(x), isa.Singles(y), isa.Singles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX512, Double: true}:
		lessExponentialsAVX512F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(y), isa.Doubles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX2}:
		lessExponentialsAVX2F32(isa.Singles(dst), isa.Singles(x), isa.Singles(y), isa.Singles(v), rows, n, pitchDst, pitchX, pitchY)
	case isa.Form{Level: isa.AVX2, Double: true}:
		lessExponentialsAVX2F64(isa.Doubles(dst), isa.Doubles(x), isa.Doubles(y), isa.Doubles(v), rows, n, pitchDst, pitchX, pitchY)
	default:
		plainLessExponentials(dst, x, y, v, rows, n, pitchDst, pitchX, pitchY)
	}
}
