//go:build (amd64 || arm64) && !purego

package sort

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// piece bounds the number of numbers that one call compares. The goroutine can be preempted only between calls.
const piece = 1 << 16

// skip returns how many numbers, in whole groups, precede the first group with a number beyond the bound.
func skip[T float32 | float64](x []T, bound T, smallest bool) int {
	if isa.Current() == isa.Generic {
		return 0
	}
	skipped := 0
	for whole := len(x) - len(x)%groupLen; skipped < whole; {
		part := min(piece, whole-skipped)
		n := skipPiece(part, x[skipped:], bound, smallest)
		skipped += n
		if n < part {
			break
		}
	}
	return skipped
}

//go:noinline
func skipPiece[T float32 | float64](n int, x []T, bound T, smallest bool) int {
	wide := isa.Current() == isa.AVX512
	p := unsafe.Pointer(&x[0])
	if unsafe.Sizeof(bound) == 4 {
		x, bound := (*float32)(p), float32(bound)
		switch {
		case wide && smallest:
			return belowAVX512F32(n, x, &bound)
		case wide:
			return aboveAVX512F32(n, x, &bound)
		case smallest:
			return belowAVX2F32(n, x, &bound)
		}
		return aboveAVX2F32(n, x, &bound)
	}
	q, limit := (*float64)(p), float64(bound)
	switch {
	case wide && smallest:
		return belowAVX512F64(n, q, &limit)
	case wide:
		return aboveAVX512F64(n, q, &limit)
	case smallest:
		return belowAVX2F64(n, q, &limit)
	}
	return aboveAVX2F64(n, q, &limit)
}

// keys is Keys for the numbers that fill whole vectors, and returns how many they are.
func keys[K Key](dst, src []K, before, after K) (done int, special bool) {
	if !vectors() {
		return 0, false
	}
	lanes := 64 / int(unsafe.Sizeof(before))
	for whole := len(src) - len(src)%lanes; done < whole; {
		part := min(piece, whole-done)
		special = keysPiece(part, &dst[done], &src[done], before, after) || special
		done += part
	}
	return done, special
}

//go:noinline
func keysPiece[K Key](n int, dst, src *K, before, after K) (special bool) {
	y, x := unsafe.Pointer(dst), unsafe.Pointer(src)
	if unsafe.Sizeof(before) == 4 {
		b, a := int32(before), int32(after)
		return keysAVX512I32(n, (*int32)(y), (*int32)(x), &b, &a) != 0
	}
	b, a := int64(before), int64(after)
	return keysAVX512I64(n, (*int64)(y), (*int64)(x), &b, &a) != 0
}
