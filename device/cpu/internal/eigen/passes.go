package eigen

import (
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
		bothComplex(s, any(y).([]complex64), any(a).([]complex64), stride, any(x).([]complex64), any(factors).([]complex64))
	case []complex128:
		bothComplex(s, any(y).([]complex128), any(a).([]complex128), stride, any(x).([]complex128), any(factors).([]complex128))
	}
}

// dots is both without the sum of multiples.
func dots[T blas.Number](sums, a []T, stride int, x []T) {
	switch s := any(sums).(type) {
	case []float32:
		matvec.Dots(s, any(a).([]float32), stride, any(x).([]float32))
	case []float64:
		matvec.Dots(s, any(a).([]float64), stride, any(x).([]float64))
	default:
		for i := range sums {
			sums[i] = blas.Dot(a[i*stride:][:len(x)], x)
		}
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
		axpysComplex(y, any(a).([]complex64), stride, any(factors).([]complex64))
	case []complex128:
		axpysComplex(y, any(a).([]complex128), stride, any(factors).([]complex128))
	}
}

type complexNumber interface{ complex64 | complex128 }

func bothComplex[T complexNumber](sums, y, a []T, stride int, x, factors []T) {
	for i, f := range factors {
		row := a[i*stride:][:len(x)]
		sums[i] = blas.Dot(row, x)
		for j, v := range row {
			y[j] += f * v
		}
	}
}

func axpysComplex[T complexNumber](y, a []T, stride int, factors []T) {
	for i, f := range factors {
		for j, v := range a[i*stride:][:len(y)] {
			y[j] += f * v
		}
	}
}
