package blas

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// AddRows adds Σ factors[k]·(row k of x) to a row.
func AddRows[T Number](row, factors []T, x Matrix[T]) {
	if len(factors) == 0 || len(row) == 0 {
		return
	}
	if len(row) > fewElements {
		switch any(row[0]).(type) {
		case float32:
			rowSum[float32](row, factors, x)
			return
		case float64:
			rowSum[float64](row, factors, x)
			return
		}
	}
	for k, f := range factors {
		for j, v := range x.Row(k)[:len(row)] {
			row[j] += f * v
		}
	}
}

func rowSum[R gemm.Float, T Number](row, factors []T, x Matrix[T]) {
	size := size[T]()
	y := unsafe.Pointer(&row[0])
	gemm.Multiply[R](&gemm.Block{
		M: 1, N: len(row), K: len(factors), A: unsafe.Pointer(&factors[0]), ADepth: size,
		B: x.address(), BDepth: x.Line * size, C: y, D: y,
	})
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
