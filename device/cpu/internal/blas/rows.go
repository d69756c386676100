package blas

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// SubtractRows subtracts Σ factors[k]·(row k of x) from a row, and returns the index of the element with the largest
// |Re| + |Im|; the first NaN counts as the largest.
func SubtractRows[T Number](row, factors []T, x Matrix[T]) (largest int) {
	switch any(*new(T)).(type) {
	case float32:
		return lanes.SubtractRows(reals[float32](row), reals[float32](factors), reals[float32](x.Data), x.Line)
	case float64:
		return lanes.SubtractRows(reals[float64](row), reals[float64](factors), reals[float64](x.Data), x.Line)
	}
	for k, f := range factors {
		Axpy(row, -f, x.Row(k)[:len(row)])
	}
	most := -1.0
	for i, v := range row {
		size := Size(v)
		if size > most {
			largest, most = i, size
		} else if size != size {
			return i
		}
	}
	return largest
}

// SubtractOuter subtracts f[i·distance]·u from row i of c, which has as many columns as u has elements.
func SubtractOuter[T Number](c Matrix[T], f []T, distance int, u []T) {
	if c.isEmpty() {
		return
	}
	switch any(*new(T)).(type) {
	case float32:
		lanes.SubtractOuter(c.Rows, reals[float32](c.Data), c.Line, reals[float32](f), distance, reals[float32](u[:c.Columns]))
	case float64:
		lanes.SubtractOuter(c.Rows, reals[float64](c.Data), c.Line, reals[float64](f), distance, reals[float64](u[:c.Columns]))
	default:
		for i := range c.Rows {
			Axpy(c.Row(i), -f[i*distance], u)
		}
	}
}

// Dots sets s[i] to Σ conj(v)·(row i of c).
func Dots[T Number](s, v []T, c Matrix[T]) {
	if len(s) == 0 {
		return
	}
	if len(v) > longest || IsComplex[T]() {
		for i := range s {
			s[i] = Dot(v, c.Row(i)[:len(v)])
		}
		return
	}
	size := size[T]()
	b := gemm.Block{M: 1, N: len(s), K: len(v), A: unsafe.Pointer(&v[0]), ADepth: size, B: c.address(), BDepth: size, C: unsafe.Pointer(&s[0])}
	if size == 4 {
		gemm.MultiplyLines[float32](&b, c.Line*size, len(s))
	} else {
		gemm.MultiplyLines[float64](&b, c.Line*size, len(s))
	}
}

// longest is the length from which on a row is too long for sums without pieces.
const longest = 1 << 14

// reals returns numbers as what they are.
func reals[R gemm.Float, T Number](x []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
