//go:build (amd64 || arm64) && !purego

package sample

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

// corners, products and offsets compute n elements and report whether there is a routine. They check that the slices
// have room for n elements.

func corners[T float32 | float64](n int, locations []float64, axis *[4]float64, offsets []int, weights, slopes []T, apart int) bool {
	f, end := isa.FormOf[T](), apart+n-1
	if f.Level == isa.Generic || n == 0 {
		return n == 0
	}
	_, _, _, _ = locations[n-1], offsets[end], weights[end], slopes[end]
	p, o, w, s := &locations[0], &offsets[0], &weights[0], &slopes[0]
	switch wide := f.Level == isa.AVX512; {
	case wide && f.Double:
		cornersAVX512F64(n, p, &axis[0], o, isa.Doubles(w), isa.Doubles(s), apart)
	case wide:
		cornersAVX512F32(n, p, &axis[0], o, isa.Singles(w), isa.Singles(s), apart)
	case f.Double:
		cornersAVX2F64(n, p, &axis[0], o, isa.Doubles(w), isa.Doubles(s), apart)
	default:
		cornersAVX2F32(n, p, &axis[0], o, isa.Singles(w), isa.Singles(s), apart)
	}
	return true
}

func products[T float32 | float64](n int, low, high, from, corners []T, apart int) bool {
	form := isa.FormOf[T]()
	if form.Level == isa.Generic || n == 0 {
		return n == 0
	}
	_, _, _, _ = low[n-1], high[n-1], from[n-1], corners[apart+n-1]
	l, h, f, c := &low[0], &high[0], &from[0], &corners[0]
	switch wide := form.Level == isa.AVX512; {
	case wide && form.Double:
		productsAVX512F64(n, isa.Doubles(l), isa.Doubles(h), isa.Doubles(f), isa.Doubles(c), apart)
	case wide:
		productsAVX512F32(n, isa.Singles(l), isa.Singles(h), isa.Singles(f), isa.Singles(c), apart)
	case form.Double:
		productsAVX2F64(n, isa.Doubles(l), isa.Doubles(h), isa.Doubles(f), isa.Doubles(c), apart)
	default:
		productsAVX2F32(n, isa.Singles(l), isa.Singles(h), isa.Singles(f), isa.Singles(c), apart)
	}
	return true
}

func offsets(n int, low, high, from, corners []int, apart int) bool {
	level := isa.Current()
	if level == isa.Generic || n == 0 {
		return n == 0
	}
	_, _, _, _ = low[n-1], high[n-1], from[n-1], corners[apart+n-1]
	if level == isa.AVX512 {
		offsetsAVX512(n, &low[0], &high[0], &from[0], &corners[0], apart)
	} else {
		offsetsAVX2(n, &low[0], &high[0], &from[0], &corners[0], apart)
	}
	return true
}
