package eigen

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// both stores in sums the products of the rows of a with x, sums = conj(A)·x, and adds to y the sum of the rows' multiples,
// y += Aᵀ·factors. The rows have len(x) elements.
func both[T blas.Number](sums, y, a []T, stride int, x, factors []T) {
	switch s := any(sums).(type) {
	case []float32:
		matvec.Both(s, any(y).([]float32), any(a).([]float32), stride, any(x).([]float32), any(factors).([]float32))
	case []float64:
		matvec.Both(s, any(y).([]float64), any(a).([]float64), stride, any(x).([]float64), any(factors).([]float64))
	case []complex64:
		matvec.BothPairs(floats[float32](s), floats[float32](y), floats[float32](a), 2*stride, floats[float32](x), floats[float32](factors))
	case []complex128:
		matvec.BothPairs(floats[float64](s), floats[float64](y), floats[float64](a), 2*stride, floats[float64](x), floats[float64](factors))
	}
}

// dots is both without the sum of multiples.
func dots[T blas.Number](sums, a []T, stride int, x []T) {
	switch s := any(sums).(type) {
	case []float32:
		matvec.Dots(s, any(a).([]float32), stride, any(x).([]float32))
	case []float64:
		matvec.Dots(s, any(a).([]float64), stride, any(x).([]float64))
	case []complex64:
		matvec.DotsPairs(floats[float32](s), floats[float32](a), 2*stride, floats[float32](x))
	case []complex128:
		matvec.DotsPairs(floats[float64](s), floats[float64](a), 2*stride, floats[float64](x))
	}
}

// axpys is both without the products.
func axpys[T blas.Number](y, a []T, stride int, factors []T) {
	switch y := any(y).(type) {
	case []float32:
		matvec.Axpys(y, any(a).([]float32), stride, any(factors).([]float32))
	case []float64:
		matvec.Axpys(y, any(a).([]float64), stride, any(factors).([]float64))
	case []complex64:
		matvec.AxpysPairs(floats[float32](y), floats[float32](a), 2*stride, floats[float32](factors))
	case []complex128:
		matvec.AxpysPairs(floats[float64](y), floats[float64](a), 2*stride, floats[float64](factors))
	}
}

// floats returns complex numbers as pairs of floats.
func floats[R matvec.Float, T blas.Number](x []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
