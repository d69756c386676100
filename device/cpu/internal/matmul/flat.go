package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Flat multiplies two contiguous matrices, as MatMul does, if their elements are floats.
func Flat(t dtype.DType, m, n, k int, y, a, b unsafe.Pointer) bool {
	if isa.Current() == isa.Generic || t != dtype.Float32 && t != dtype.Float64 {
		return false
	}
	p := task{m: m, n: n, k: k, a: elements{a, t, k, 1}, b: elements{b, t, 1, n}, c: elements{y, t, n, 1}, dtype: t}
	if t == dtype.Float32 {
		multiplyElements[float32](&p, false)
	} else {
		multiplyElements[float64](&p, false)
	}
	return true
}
