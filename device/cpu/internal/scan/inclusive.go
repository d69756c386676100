package scan

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// inclusive returns a function that replaces each of n values by the combination of all values up to it.
func inclusive(c device.Combine, t dtype.DType) func(p unsafe.Pointer, n int) {
	switch t {
	case dtype.Bool:
		switch c {
		case device.CombineSum, device.CombineMax, device.CombineFMax, device.CombineAny:
			return inclusiveScan(func(a, b uint8) uint8 { return a | b })
		}
		return inclusiveScan(func(a, b uint8) uint8 { return a & b })
	case dtype.Int8:
		return inclusiveOfIntegers[int8](c)
	case dtype.Int16:
		return inclusiveOfIntegers[int16](c)
	case dtype.Int32:
		return inclusiveOfIntegers[int32](c)
	case dtype.Int64:
		return inclusiveOfIntegers[int64](c)
	case dtype.Uint8:
		return inclusiveOfIntegers[uint8](c)
	case dtype.Uint16:
		return inclusiveOfIntegers[uint16](c)
	case dtype.Uint32:
		return inclusiveOfIntegers[uint32](c)
	case dtype.Uint64:
		return inclusiveOfIntegers[uint64](c)
	case dtype.Float64:
		return inclusiveOfFloats(c)
	}
	return inclusiveOfComplexes(c)
}

func inclusiveOfIntegers[T scalar.Integer](c device.Combine) func(p unsafe.Pointer, n int) {
	switch c {
	case device.CombineSum:
		return inclusiveSum[T]
	case device.CombineProd:
		return inclusiveScan(func(a, b T) T { return a * b })
	case device.CombineMax, device.CombineFMax:
		return inclusiveScan(func(a, b T) T { return max(a, b) })
	}
	return inclusiveScan(func(a, b T) T { return min(a, b) })
}

func inclusiveOfFloats(c device.Combine) func(p unsafe.Pointer, n int) {
	switch c {
	case device.CombineSum:
		return inclusiveSum[float64]
	case device.CombineProd:
		return inclusiveScan(func(a, b float64) float64 { return a * b })
	case device.CombineMax:
		return inclusiveScan(scalar.Max[float64])
	case device.CombineMin:
		return inclusiveScan(scalar.Min[float64])
	case device.CombineFMax:
		return inclusiveScan(scalar.FMax[float64])
	}
	return inclusiveScan(scalar.FMin[float64])
}

func inclusiveOfComplexes(c device.Combine) func(p unsafe.Pointer, n int) {
	switch c {
	case device.CombineSum:
		return inclusiveSum[complex128]
	case device.CombineProd:
		return inclusiveScan(scalar.CMul)
	case device.CombineMax:
		return inclusiveScan(scalar.CMax)
	case device.CombineMin:
		return inclusiveScan(scalar.CMin)
	case device.CombineFMax:
		return inclusiveScan(scalar.CFMax)
	}
	return inclusiveScan(scalar.CFMin)
}

func inclusiveSum[T scalar.Number](p unsafe.Pointer, n int) {
	x := memory.Slice[T](p, n)
	total := x[0]
	for i := 1; i < len(x); i++ {
		total += x[i]
		x[i] = total
	}
}

func inclusiveScan[T any](f func(a, b T) T) func(p unsafe.Pointer, n int) {
	return func(p unsafe.Pointer, n int) {
		x := memory.Slice[T](p, n)
		total := x[0]
		for i := 1; i < len(x); i++ {
			total = f(total, x[i])
			x[i] = total
		}
	}
}
