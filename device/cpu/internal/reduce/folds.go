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

// fold combines values of one type. Rows are pitch values apart.
type fold struct {
	// rows combines each of the given number of rows of n values to one value in dst.
	rows func(dst, src unsafe.Pointer, rows, n, pitch int)
	// columns combines each of the given number of rows of n values into the n values at dst.
	columns func(dst, src unsafe.Pointer, rows, n, pitch int)
}

// folds holds the combiners by operation and type.
var folds [device.CombineAny + 1][dtype.Count]fold

func init() {
	setIntegerFolds[int8](dtype.Int8)
	setIntegerFolds[int16](dtype.Int16)
	setIntegerFolds[int32](dtype.Int32)
	setIntegerFolds[int64](dtype.Int64)
	setIntegerFolds[uint8](dtype.Uint8)
	setIntegerFolds[uint16](dtype.Uint16)
	setIntegerFolds[uint32](dtype.Uint32)
	setIntegerFolds[uint64](dtype.Uint64)
	setFloatFolds[float32](dtype.Float32)
	setFloatFolds[float64](dtype.Float64)
	setComplexFolds[complex64](dtype.Complex64)
	setComplexFolds[complex128](dtype.Complex128)
	all := fold{allRows, andColumns}
	anyOf := fold{anyRows, orColumns}
	set := func(c device.Combine, f fold) { folds[c][dtype.Bool] = f }
	set(device.CombineSum, anyOf)
	set(device.CombineProd, all)
	set(device.CombineMax, anyOf)
	set(device.CombineMin, all)
	set(device.CombineFMax, anyOf)
	set(device.CombineFMin, all)
	set(device.CombineAll, all)
	set(device.CombineAny, anyOf)
}

// foldOps are the operations of floats.
var foldOps = map[device.Combine]reduce.Op{
	device.CombineSum: reduce.Sum, device.CombineProd: reduce.Prod, device.CombineMax: reduce.Max, device.CombineMin: reduce.Min,
	device.CombineFMax: reduce.FMax, device.CombineFMin: reduce.FMin,
}

// setFloatFolds adds the routines of float32 or float64.
func setFloatFolds[T scalar.Float](t dtype.DType) {
	for c, op := range foldOps {
		folds[c][t] = fold{
			func(dst, src unsafe.Pointer, rows, n, pitch int) {
				reduce.Rows(op, (*T)(dst), (*T)(src), rows, n, pitch)
			},
			func(dst, src unsafe.Pointer, rows, n, pitch int) {
				reduce.Columns(op, (*T)(dst), (*T)(src), rows, n, pitch)
			},
		}
	}
}

func setIntegerFolds[T scalar.Integer](t dtype.DType) {
	largest, smallest := integerFold[T](reduce.Max), integerFold[T](reduce.Min)
	folds[device.CombineSum][t] = integerFold[T](reduce.Sum)
	folds[device.CombineProd][t] = fold{prodRows[T], prodColumns[T]}
	folds[device.CombineMax][t] = largest
	folds[device.CombineFMax][t] = largest
	folds[device.CombineMin][t] = smallest
	folds[device.CombineFMin][t] = smallest
}

func integerFold[T scalar.Integer](op reduce.Op) fold {
	return fold{
		func(dst, src unsafe.Pointer, rows, n, pitch int) {
			reduce.IntegerRows(op, (*T)(dst), (*T)(src), rows, n, pitch)
		},
		func(dst, src unsafe.Pointer, rows, n, pitch int) {
			reduce.IntegerColumns(op, (*T)(dst), (*T)(src), rows, n, pitch)
		},
	}
}

func setComplexFolds[T elementwise.ComplexNumber](t dtype.DType) {
	set := func(c device.Combine, f func(a, b complex128) complex128) {
		folds[c][t] = foldOf(func(a, b T) T { return T(f(complex128(a), complex128(b))) })
	}
	folds[device.CombineSum][t] = fold{sumRows[T], sumColumns[T]}
	set(device.CombineProd, scalar.CMul)
	set(device.CombineMax, scalar.CMax)
	set(device.CombineMin, scalar.CMin)
	set(device.CombineFMax, scalar.CFMax)
	set(device.CombineFMin, scalar.CFMin)
}

// foldOf makes the fold of a function, in order.
func foldOf[T any](f func(a, b T) T) fold {
	return fold{
		rows: func(dst, src unsafe.Pointer, rows, n, pitch int) {
			for i, z := 0, memory.Slice[T](dst, rows); i < rows; i++ {
				row := foldRow[T](src, i, n, pitch)
				v := row[0]
				for _, w := range row[1:] {
					v = f(v, w)
				}
				z[i] = v
			}
		},
		columns: func(dst, src unsafe.Pointer, rows, n, pitch int) {
			z := memory.Slice[T](dst, n)
			for i := range rows {
				for k, w := range foldRow[T](src, i, n, pitch) {
					z[k] = f(z[k], w)
				}
			}
		},
	}
}

// foldRow returns row i of rows of n values.
func foldRow[T any](src unsafe.Pointer, i, n, pitch int) []T {
	var zero T
	return memory.Slice[T](unsafe.Add(src, i*pitch*int(unsafe.Sizeof(zero))), n)
}

func sumRows[T scalar.Number](dst, src unsafe.Pointer, rows, n, pitch int) {
	for i, z := 0, memory.Slice[T](dst, rows); i < rows; i++ {
		z[i] = reduce.Total(foldRow[T](src, i, n, pitch))
	}
}

func sumColumns[T scalar.Number](dst, src unsafe.Pointer, rows, n, pitch int) {
	z := memory.Slice[T](dst, n)
	for i := range rows {
		for k, w := range foldRow[T](src, i, n, pitch) {
			z[k] += w
		}
	}
}

func prodRows[T scalar.Integer](dst, src unsafe.Pointer, rows, n, pitch int) {
	for i, z := 0, memory.Slice[T](dst, rows); i < rows; i++ {
		z[i] = reduce.Product(foldRow[T](src, i, n, pitch))
	}
}

func prodColumns[T scalar.Integer](dst, src unsafe.Pointer, rows, n, pitch int) {
	z := memory.Slice[T](dst, n)
	for i := range rows {
		for k, w := range foldRow[T](src, i, n, pitch) {
			z[k] *= w
		}
	}
}

func allRows(dst, src unsafe.Pointer, rows, n, pitch int) {
	for i, z := 0, memory.Slice[bool](dst, rows); i < rows; i++ {
		z[i] = !contains(foldRow[bool](src, i, n, pitch), false)
	}
}

func anyRows(dst, src unsafe.Pointer, rows, n, pitch int) {
	for i, z := 0, memory.Slice[bool](dst, rows); i < rows; i++ {
		z[i] = contains(foldRow[bool](src, i, n, pitch), true)
	}
}

// contains looks for a value.
func contains(x []bool, v bool) bool {
	return bytes.IndexByte(memory.Slice[byte](unsafe.Pointer(unsafe.SliceData(x)), len(x)), *(*byte)(unsafe.Pointer(&v))) >= 0
}

func andColumns(dst, src unsafe.Pointer, rows, n, pitch int) {
	for i := range rows {
		elementwise.AndLoop[uint8](dst, dst, unsafe.Add(src, i*pitch), nil, n)
	}
}

func orColumns(dst, src unsafe.Pointer, rows, n, pitch int) {
	for i := range rows {
		elementwise.OrLoop[uint8](dst, dst, unsafe.Add(src, i*pitch), nil, n)
	}
}
