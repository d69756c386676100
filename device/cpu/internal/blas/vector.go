package blas

import (
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gemm"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/lanes"
)

// Dot returns Σ conj(x)·y of two vectors of the same length.
func Dot[T Number](x, y []T) T {
	switch x := any(x).(type) {
	case []float32:
		return any(dotReal(x, any(y).([]float32))).(T)
	case []float64:
		return any(dotReal(x, any(y).([]float64))).(T)
	}
	var sum T
	for i, v := range x {
		sum += Conj(v) * y[i]
	}
	return sum
}

// fewElements is the length up to which a loop in Go is faster than the call of a routine.
const fewElements = 8

func dotReal[R gemm.Float](x, y []R) R {
	const piece = 1 << 14 // the goroutine cannot be preempted during a call
	var sum R
	for len(x) > piece {
		sum += gemm.Dot(x[:piece], y[:piece])
		x, y = x[piece:], y[piece:]
	}
	if len(x) <= fewElements {
		for i, v := range x {
			sum += v * y[i]
		}
		return sum
	}
	return sum + gemm.Dot(x, y[:len(x)])
}

// Axpy adds alpha·x to y.
func Axpy[T Number](y []T, alpha T, x []T) {
	x = x[:len(y)]
	if len(y) > fewElements && !IsComplex[T]() {
		SubtractOuter(New(y, 1, len(y)), []T{-alpha}, 1, x)
		return
	}
	for i, v := range x {
		y[i] += alpha * v
	}
}

// Scale sets y to alpha·x; y may be x.
func Scale[T Number](y []T, alpha T, x []T) {
	x = x[:len(y)]
	if len(y) > fewElements && !IsComplex[T]() {
		scaleRows(New(y, 1, len(y)), alpha, New(x, 1, len(x)))
		return
	}
	for i, v := range x {
		y[i] = alpha * v
	}
}

// scaleRows sets the rows of a matrix of real numbers to those of x times alpha.
func scaleRows[T Number](y Matrix[T], alpha T, x Matrix[T]) {
	factor, _ := Parts(alpha)
	if size[T]() == 4 {
		lanes.Scale(y.Rows, y.Columns, reals[float32](y.Data), y.Line, float32(factor), reals[float32](x.Data), x.Line)
	} else {
		lanes.Scale(y.Rows, y.Columns, reals[float64](y.Data), y.Line, factor, reals[float64](x.Data), x.Line)
	}
}
