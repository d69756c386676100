package blas

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
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
