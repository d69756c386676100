// Package fft computes discrete Fourier transforms along the last axis: the kernel FFT.
//
// Numbers lie in the lanes of vectors, and passes combine whole vectors (package simd/fft). What is in the lanes depends
// on the layout: neighbouring columns if another axis is contiguous, as many rows as there are lanes if rows are short,
// or parts of one long row. Lengths with a prime factor above 13 use Bluestein's algorithm. float32 and float64 are
// computed in their own precision.
package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FFT transforms the rows of a launch.
func FFT(l *device.Launch) {
	if l.Size() == 0 {
		return
	}
	if l.Operands[0].DType == dtype.Complex64 && l.Operands[1].DType == dtype.Complex64 {
		run[float32](l, dtype.Complex64)
	} else {
		run[float64](l, dtype.Complex128)
	}
}

// run computes with parts of type T, which c has.
func run[T simd.Float](l *device.Launch, c dtype.DType) {
	last := l.Rank - 1
	strided.SimplifyGroup(l, 0, last)
	last = l.Rank - 1
	t := &task[T]{n: l.Shape[last], swap: simd.Swapped(l.Inverse), scale: 1, x: strided.Within(l, 1, 0, last), y: strided.Within(l, 0, 0, last)}
	t.xStep, t.yStep = l.Operands[1].Strides[last], l.Operands[0].Strides[last]
	t.rows = l.Size() / t.n
	switch own := t.x.DType == c && t.y.DType == c; {
	case own && (t.n == 1 || t.xStep == 1 && t.yStep == 1):
		t.contiguousRows()
	case own && last > 0 && t.x.Strides[last-1] == 1 && t.y.Strides[last-1] == 1 && t.x.Shape[last-1] > 1 && smooth(t.n) && t.n <= longestColumn:
		t.columns()
	default:
		t.convertedRows(c)
	}
}

// longestColumn is the longest transform of columns side by side: longer ones do not fit in the cache.
const longestColumn = 1 << 14

// task is a launch, with operands over the axes that are not transformed.
type task[T simd.Float] struct {
	n, rows      int
	x, y         strided.View
	xStep, yStep int // along a row, in elements
	swap         simd.Swapped
	scale        T
}

// numberBytes is the size of a complex number.
func numberBytes[T simd.Float]() int { return 2 * int(unsafe.Sizeof(*new(T))) }
