package eigen

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/matvec"
)

// triangle stores in sums the products of the rows of a lower triangle with x, sums = conj(A)·x, and adds to y the sum of the
// rows' multiples, y += Aᵀ·x, in both cases only with the elements before the group of rows that a row is in. It returns the
// number of rows of a group.
func triangle[T blas.Number](sums, y, a []T, stride int, x []T) (group int) {
	switch s := any(sums).(type) {
	case []float32:
		matvec.Triangle(s, any(y).([]float32), any(a).([]float32), stride, any(x).([]float32))
	case []float64:
		matvec.Triangle(s, any(y).([]float64), any(a).([]float64), stride, any(x).([]float64))
	case []complex64:
		matvec.TrianglePairs(floats[float32](s), floats[float32](y), floats[float32](a), 2*stride, floats[float32](x))
	case []complex128:
		matvec.TrianglePairs(floats[float64](s), floats[float64](y), floats[float64](a), 2*stride, floats[float64](x))
	}
	return matvec.Group(blas.IsComplex[T]())
}

// dots stores in sums the products of the rows of a with x, sums = conj(A)·x. The rows have len(x) elements.
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

// axpys adds to y the sum of multiples of the rows of a, y += Aᵀ·factors. The rows have len(y) elements.
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

// update subtracts f[i]·v + g[i]·w from row i of a, for real numbers, and stores in sums the products of the new rows with x: sums = A·x. The
// rows have len(x) elements.
func update[T blas.Number](sums, a []T, stride int, f, v, g, w, x []T) {
	switch s := any(sums).(type) {
	case []float32:
		matvec.Update(s, any(a).([]float32), stride, any(f).([]float32), any(v).([]float32), any(g).([]float32), any(w).([]float32), any(x).([]float32))
	case []float64:
		matvec.Update(s, any(a).([]float64), stride, any(f).([]float64), any(v).([]float64), any(g).([]float64), any(w).([]float64), any(x).([]float64))
	}
}

// floats returns complex numbers as pairs of floats.
func floats[R matvec.Float, T blas.Number](x []T) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
