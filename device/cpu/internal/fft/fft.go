// Package fft computes discrete Fourier transforms along the last axis: the kernel FFT.
//
// Numbers lie in the lanes of vectors, and passes combine whole vectors (package simd/fft). What is in the lanes depends
// on the layout: neighbouring columns if another axis is contiguous, as many rows as there are lanes if rows are short,
// or parts of one long row. With AVX-512, rows of 64 numbers are transformed in registers, and rows of up to sharedRow
// numbers alone, or two together: a routine does the first half of them. Lengths with a prime factor above 13 use
// Bluestein's algorithm. float32 and float64 are computed in their own precision.
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
	if l.Operands[0].DType.Real() == dtype.Float32 && l.Operands[1].DType.Real() == dtype.Float32 {
		run[float32](l, dtype.Complex64)
	} else {
		run[float64](l, dtype.Complex128)
	}
}

// run computes with parts of type T, which c has.
func run[T simd.Float](l *device.Launch, c dtype.DType) {
	last := l.Rank - 1
	n := l.Shape[last]
	last = strided.SimplifyGroup(l, 0, last)
	t := &task[T]{n: n, xLen: n, yLen: n, swap: simd.Swapped(l.Inverse), scale: 1, x: strided.Within(l, 1, 0, last), y: strided.Within(l, 0, 0, last)}
	t.xStep, t.yStep = l.Operands[1].Strides[last], l.Operands[0].Strides[last]
	t.rows = l.Size() / n
	if l.Scale != 0 {
		t.scale = T(l.Scale)
	}
	contiguous := t.xStep == 1 && t.yStep == 1
	switch x, y := t.x.DType, t.y.DType; {
	case !x.IsComplex():
		t.yLen = n/2 + 1
		if contiguous && n%2 == 0 && x == c.Real() && y == c {
			t.fromReal()
			return
		}
	case !y.IsComplex():
		t.xLen = n/2 + 1
		if contiguous && n%2 == 0 && x == c && y == c.Real() {
			t.toReal()
			return
		}
	case x != c || y != c: // converted
	case contiguous || n == 1:
		t.contiguousRows()
		return
	case t.x.Strides[len(t.x.Strides)-1] == 1 && t.y.Strides[len(t.y.Strides)-1] == 1 && t.x.Row() > 1 && smooth(n) && n <= longestColumn:
		t.columns()
		return
	}
	t.convertedRows(c)
}

// longestColumn is the longest transform of columns side by side: longer ones do not fit in the cache.
const longestColumn = 1 << 14

// task is a launch, with operands over the axes that are not transformed.
type task[T simd.Float] struct {
	n, rows      int
	x, y         strided.View
	xStep, yStep int // along a row, in elements
	xLen, yLen   int // numbers in a row
	swap         simd.Swapped
	scale        T
	// For real numbers: what is done with each row before and after the transform of half as many complex numbers. Both
	// get the row's addresses in source and y, and whether workers may share it.
	before, after func(x, y unsafe.Pointer, sharing bool)
	source        strided.View
}

// numberBytes is the size of a complex number.
func numberBytes[T simd.Float]() int { return 2 * int(unsafe.Sizeof(*new(T))) }
