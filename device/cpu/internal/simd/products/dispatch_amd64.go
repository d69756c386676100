//go:build !purego

package products

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// MostColumns returns the largest N of a batch: as many vectors as leave registers for four rows of sums.
func MostColumns[T Float]() int {
	size := int(unsafe.Sizeof(*new(T)))
	switch isa.Current() {
	case isa.AVX512:
		return 4 * 64 / size
	case isa.AVX2:
		return 2 * 32 / size
	}
	return 0
}

//go:noinline
func multiply[T Float](b *Batch) {
	if isa.Current() == isa.Generic {
		plain[T](b)
		return
	}
	lanes := 32 / int(unsafe.Sizeof(*new(T)))
	wide := isa.Current() == isa.AVX512
	if wide {
		lanes *= 2
	}
	vectors := (b.N + lanes - 1) / lanes
	last := b.N - (vectors-1)*lanes
	if unsafe.Sizeof(*new(T)) == 4 {
		multiplySingle(b, wide, vectors, last)
	} else {
		multiplyDouble(b, wide, vectors, last)
	}
}

func multiplySingle(p *Batch, wide bool, vectors, last int) {
	a, b, c := (*float32)(p.A), (*float32)(p.B), (*float32)(p.C)
	switch {
	case !wide && vectors == 1:
		multiply1AVX2F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case !wide:
		multiply2AVX2F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 1:
		multiply1AVX512F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 2:
		multiply2AVX512F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 3:
		multiply3AVX512F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	default:
		multiply4AVX512F32(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	}
}

func multiplyDouble(p *Batch, wide bool, vectors, last int) {
	a, b, c := (*float64)(p.A), (*float64)(p.B), (*float64)(p.C)
	switch {
	case !wide && vectors == 1:
		multiply1AVX2F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case !wide:
		multiply2AVX2F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 1:
		multiply1AVX512F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 2:
		multiply2AVX512F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	case vectors == 3:
		multiply3AVX512F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	default:
		multiply4AVX512F64(p.Count, p.M, p.K, last, a, p.ANext, p.ALine, p.ADepth, b, p.BNext, p.BLine, c, p.CNext, p.CLine)
	}
}
