package reduce

import (
	"bytes"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/reduce"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// fold combines values of one type. For bools, Max is any and Min is all.
type fold struct {
	op    reduce.Op
	dtype dtype.DType
}

// foldOf returns the fold of values of type t; ok is false if there is none.
func foldOf(c device.Combine, t dtype.DType) (f fold, ok bool) {
	f.dtype = t
	switch c {
	case device.CombineSum:
		f.op = reduce.Sum
	case device.CombineProd:
		f.op = reduce.Prod
	case device.CombineMax:
		f.op = reduce.Max
	case device.CombineMin:
		f.op = reduce.Min
	case device.CombineFMax:
		f.op = reduce.FMax
	case device.CombineFMin:
		f.op = reduce.FMin
	case device.CombineAll:
		return fold{reduce.Min, t}, t.IsBool()
	case device.CombineAny:
		return fold{reduce.Max, t}, t.IsBool()
	default:
		return fold{}, false
	}
	switch {
	case t.IsInexact():
		return f, dtype.ComputeType(t) == t
	case f.op == reduce.FMax, t.IsBool() && f.op == reduce.Sum:
		f.op = reduce.Max
	case f.op == reduce.FMin, t.IsBool() && f.op == reduce.Prod:
		f.op = reduce.Min
	}
	return f, true
}

// rows combines each of the given number of rows of n values, pitch values apart, to one value in dst.
func (f fold) rows(dst, src unsafe.Pointer, rows, n, pitch int) {
	switch f.dtype {
	case dtype.Bool:
		boolRows(f.op, dst, src, rows, n, pitch)
	case dtype.Int8:
		integerRows[int8](f.op, dst, src, rows, n, pitch)
	case dtype.Int16:
		integerRows[int16](f.op, dst, src, rows, n, pitch)
	case dtype.Int32:
		integerRows[int32](f.op, dst, src, rows, n, pitch)
	case dtype.Int64:
		integerRows[int64](f.op, dst, src, rows, n, pitch)
	case dtype.Uint8:
		integerRows[uint8](f.op, dst, src, rows, n, pitch)
	case dtype.Uint16:
		integerRows[uint16](f.op, dst, src, rows, n, pitch)
	case dtype.Uint32:
		integerRows[uint32](f.op, dst, src, rows, n, pitch)
	case dtype.Uint64:
		integerRows[uint64](f.op, dst, src, rows, n, pitch)
	case dtype.Float32:
		reduce.Rows(f.op, (*float32)(dst), (*float32)(src), rows, n, pitch)
	case dtype.Float64:
		reduce.Rows(f.op, (*float64)(dst), (*float64)(src), rows, n, pitch)
	case dtype.Complex64:
		complexRows[complex64](f.op, dst, src, rows, n, pitch)
	case dtype.Complex128:
		complexRows[complex128](f.op, dst, src, rows, n, pitch)
	}
}

// columns combines each of the given number of rows of n values, pitch values apart, into the n values at dst.
func (f fold) columns(dst, src unsafe.Pointer, rows, n, pitch int) {
	switch f.dtype {
	case dtype.Bool:
		boolColumns(f.op, dst, src, rows, n, pitch)
	case dtype.Int8:
		integerColumns[int8](f.op, dst, src, rows, n, pitch)
	case dtype.Int16:
		integerColumns[int16](f.op, dst, src, rows, n, pitch)
	case dtype.Int32:
		integerColumns[int32](f.op, dst, src, rows, n, pitch)
	case dtype.Int64:
		integerColumns[int64](f.op, dst, src, rows, n, pitch)
	case dtype.Uint8:
		integerColumns[uint8](f.op, dst, src, rows, n, pitch)
	case dtype.Uint16:
		integerColumns[uint16](f.op, dst, src, rows, n, pitch)
	case dtype.Uint32:
		integerColumns[uint32](f.op, dst, src, rows, n, pitch)
	case dtype.Uint64:
		integerColumns[uint64](f.op, dst, src, rows, n, pitch)
	case dtype.Float32:
		reduce.Columns(f.op, (*float32)(dst), (*float32)(src), rows, n, pitch)
	case dtype.Float64:
		reduce.Columns(f.op, (*float64)(dst), (*float64)(src), rows, n, pitch)
	case dtype.Complex64:
		complexColumns[complex64](f.op, dst, src, rows, n, pitch)
	case dtype.Complex128:
		complexColumns[complex128](f.op, dst, src, rows, n, pitch)
	}
}

func integerRows[T scalar.Integer](op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	if op != reduce.Prod {
		reduce.IntegerRows(op, (*T)(dst), (*T)(src), rows, n, pitch)
		return
	}
	for i, z := 0, memory.Slice[T](dst, rows); i < rows; i++ {
		z[i] = reduce.Product(foldRow[T](src, i, n, pitch))
	}
}

func integerColumns[T scalar.Integer](op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	if op != reduce.Prod {
		reduce.IntegerColumns(op, (*T)(dst), (*T)(src), rows, n, pitch)
		return
	}
	z := memory.Slice[T](dst, n)
	for i := range rows {
		for k, w := range foldRow[T](src, i, n, pitch) {
			z[k] *= w
		}
	}
}

func complexRows[T elementwise.ComplexNumber](op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	f := complexFunction(op)
	for i, z := 0, memory.Slice[T](dst, rows); i < rows; i++ {
		row := foldRow[T](src, i, n, pitch)
		if op == reduce.Sum {
			z[i] = reduce.Total(row)
			continue
		}
		v := row[0]
		for _, w := range row[1:] {
			v = T(f(complex128(v), complex128(w)))
		}
		z[i] = v
	}
}

func complexColumns[T elementwise.ComplexNumber](op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	f, z := complexFunction(op), memory.Slice[T](dst, n)
	for i := range rows {
		row := foldRow[T](src, i, n, pitch)
		if op == reduce.Sum {
			for k, w := range row {
				z[k] += w
			}
			continue
		}
		for k, w := range row {
			z[k] = T(f(complex128(z[k]), complex128(w)))
		}
	}
}

// complexFunction returns the function that combines two numbers, nil for Sum.
func complexFunction(op reduce.Op) func(a, b complex128) complex128 {
	switch op {
	case reduce.Prod:
		return scalar.CMul
	case reduce.Max:
		return scalar.CMax
	case reduce.Min:
		return scalar.CMin
	case reduce.FMax:
		return scalar.CFMax
	case reduce.FMin:
		return scalar.CFMin
	}
	return nil
}

// foldRow returns row i of rows of n values.
func foldRow[T any](src unsafe.Pointer, i, n, pitch int) []T {
	var zero T
	return memory.Slice[T](unsafe.Add(src, i*pitch*int(unsafe.Sizeof(zero))), n)
}

func boolRows(op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	sought := op == reduce.Max // the value that decides the result
	for i, z := 0, memory.Slice[bool](dst, rows); i < rows; i++ {
		z[i] = contains(foldRow[bool](src, i, n, pitch), sought) == sought
	}
}

// longScan is the number of bools from which on the search with wide vectors is faster, although it starts later.
const longScan = 2048

// contains looks for a value.
func contains(x []bool, v bool) bool {
	if len(x) < longScan {
		return bytes.IndexByte(memory.Slice[byte](unsafe.Pointer(unsafe.SliceData(x)), len(x)), *(*byte)(unsafe.Pointer(&v))) >= 0
	}
	return reduce.FindInteger((*uint8)(unsafe.Pointer(unsafe.SliceData(x))), len(x), *(*uint8)(unsafe.Pointer(&v))) < len(x)
}

func boolColumns(op reduce.Op, dst, src unsafe.Pointer, rows, n, pitch int) {
	combine := elementwise.AndLoop[uint8]
	if op == reduce.Max {
		combine = elementwise.OrLoop[uint8]
	}
	for i := range rows {
		combine(dst, dst, unsafe.Add(src, i*pitch), nil, n)
	}
}
