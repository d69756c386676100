//go:build (amd64 || arm64) && !purego

package philox

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

// routines are the routines of one level. They draw multiples of width elements.
type routines struct {
	width      int
	words      func(n int, y *uint64, counter uint64, keys *uint64)
	coins      func(n int, y *uint8, counter uint64, keys *uint64, least uint32)
	uniforms32 func(n int, y *float32, counter uint64, keys *uint64, shift uint64, scale float32)
	uniforms64 func(n int, y *float64, counter uint64, keys *uint64)
	normals32  func(n int, y *float32, counter uint64, keys *uint64)
	normals64  func(n int, y *float64, counter uint64, keys *uint64)
}

var (
	avx2 = routines{8, wordsAVX2, coinsAVX2, uniforms32AVX2, uniforms64AVX2, normals32AVX2, normals64AVX2}

	avx512 = routines{16, wordsAVX512, coinsAVX512, uniforms32AVX512, uniforms64AVX512, normals32AVX512, normals64AVX512}
)

// current returns the routines for the current level, or nil if there are none.
func current() *routines {
	switch isa.Current() {
	case isa.AVX512:
		return &avx512
	case isa.AVX2:
		return &avx2
	}
	return nil
}

// piece bounds the number of numbers that one routine call draws. The goroutine can be preempted only between calls.
const piece = 1 << 13

// whole calls routine for pieces of the first n elements. The goroutine can be preempted when it enters routine.
//
//go:noinline
func whole[T any](y []T, n int, counter uint64, routine func(y []T, counter uint64)) {
	for from := 0; from < n; from += piece {
		routine(y[from:min(from+piece, n)], counter+uint64(from))
	}
}

// Words draws random 64-bit words.
func Words(y []uint64, counter uint64, keys *Keys) {
	n := 0
	if r := current(); r != nil {
		n = len(y) &^ (r.width - 1)
		whole(y, n, counter, func(y []uint64, counter uint64) { r.words(len(y), &y[0], counter, &keys[0]) })
	}
	plainWords(y[n:], counter+uint64(n), keys)
}

// Coins draws 1 if the first 24 bits of a word are at least least, else 0.
func Coins(y []uint8, counter uint64, keys *Keys, least uint32) {
	n := 0
	if r := current(); r != nil && least > 0 {
		n = len(y) &^ (r.width - 1)
		whole(y, n, counter, func(y []uint8, counter uint64) { r.coins(len(y), &y[0], counter, &keys[0], least) })
	}
	plainCoins(y[n:], counter+uint64(n), keys, least)
}

// Uniforms32 draws from [0, 1), with up to 24 random bits.
func Uniforms32(y []float32, counter uint64, keys *Keys, bits int) {
	n := 0
	if r := current(); r != nil {
		n = len(y) &^ (r.width - 1)
		shift, scale := uint64(32-bits), 1/float32(uint32(1)<<bits)
		whole(y, n, counter, func(y []float32, counter uint64) { r.uniforms32(len(y), &y[0], counter, &keys[0], shift, scale) })
	}
	plainUniforms32(y[n:], counter+uint64(n), keys, bits)
}

// Uniforms64 draws from [0, 1), with 53 random bits.
func Uniforms64(y []float64, counter uint64, keys *Keys) {
	n := 0
	if r := current(); r != nil {
		n = len(y) &^ (r.width - 1)
		whole(y, n, counter, func(y []float64, counter uint64) { r.uniforms64(len(y), &y[0], counter, &keys[0]) })
	}
	plainUniforms64(y[n:], counter+uint64(n), keys)
}

// Normals32 draws from the normal distribution.
func Normals32(y []float32, counter uint64, keys *Keys) {
	if r := current(); r != nil {
		normals(r, r.normals32, y, counter, keys)
		return
	}
	plainNormals(y, counter, keys)
}

// Normals64 draws from the normal distribution.
func Normals64(y []float64, counter uint64, keys *Keys) {
	if r := current(); r != nil {
		normals(r, r.normals64, y, counter, keys)
		return
	}
	plainNormals(y, counter, keys)
}

// normals draws all elements with the routine, the last ones through a buffer.
func normals[T float32 | float64](r *routines, routine func(n int, y *T, counter uint64, keys *uint64), y []T, counter uint64, keys *Keys) {
	n := len(y) &^ (r.width - 1)
	draw := func(y []T, counter uint64) { routine(len(y), &y[0], counter, &keys[0]) }
	whole(y, n, counter, draw)
	if n < len(y) {
		last := make([]T, r.width)
		draw(last, counter+uint64(n))
		copy(y[n:], last)
	}
}
