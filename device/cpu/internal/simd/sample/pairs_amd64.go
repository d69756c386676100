//go:build !purego

package sample

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

// TakesPairs reports whether there are routines for pairs: then loading a pair at once is faster than loading its elements.
func TakesPairs() bool { return isa.Current() == isa.AVX512 }

// pairs and split compute n elements and report whether there is a routine. They check that the slices have room for n
// elements.

func pairs(n int, first, second []int, limit int, masks []byte, apart int) bool {
	if !TakesPairs() || n == 0 {
		return n == 0
	}
	_, _, _ = first[n-1], second[n-1], masks[apart+n/8-1]
	pairsAVX512(n, &first[0], &second[0], limit, &masks[0], apart)
	return true
}

func split[T float32 | float64](n int, low, high []T, pairs [][2]T, masks []byte, apart int) bool {
	if !TakesPairs() || n == 0 {
		return n == 0
	}
	_, _, _, _ = low[n-1], high[n-1], pairs[n-1], masks[apart+n/8-1]
	if l, h, p := &low[0], &high[0], &pairs[0][0]; isa.FormOf[T]().Double {
		splitAVX512F64(n, isa.Doubles(l), isa.Doubles(h), isa.Doubles(p), &masks[0], apart)
	} else {
		splitAVX512F32(n, isa.Singles(l), isa.Singles(h), isa.Singles(p), &masks[0], apart)
	}
	return true
}
