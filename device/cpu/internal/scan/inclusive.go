package scan

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// inclusiveScans holds, by operation and type, a function that replaces each of n values by the combination of all up to it.
var inclusiveScans [device.CombineAny + 1][dtype.Count]func(p unsafe.Pointer, n int)

func init() {
	setIntegers[int8](dtype.Int8)
	setIntegers[int16](dtype.Int16)
	setIntegers[int32](dtype.Int32)
	setIntegers[int64](dtype.Int64)
	setIntegers[uint8](dtype.Uint8)
	setIntegers[uint16](dtype.Uint16)
	setIntegers[uint32](dtype.Uint32)
	setIntegers[uint64](dtype.Uint64)
	setInclusive(device.CombineSum, dtype.Float64, inclusiveSum[float64])
	setInclusive(device.CombineProd, dtype.Float64, inclusiveScan(func(a, b float64) float64 { return a * b }))
	setInclusive(device.CombineMax, dtype.Float64, inclusiveScan(scalar.Max[float64]))
	setInclusive(device.CombineMin, dtype.Float64, inclusiveScan(scalar.Min[float64]))
	setInclusive(device.CombineFMax, dtype.Float64, inclusiveScan(scalar.FMax[float64]))
	setInclusive(device.CombineFMin, dtype.Float64, inclusiveScan(scalar.FMin[float64]))
	setInclusive(device.CombineSum, dtype.Complex128, inclusiveSum[complex128])
	setInclusive(device.CombineProd, dtype.Complex128, inclusiveScan(scalar.CMul))
	setInclusive(device.CombineMax, dtype.Complex128, inclusiveScan(scalar.CMax))
	setInclusive(device.CombineMin, dtype.Complex128, inclusiveScan(scalar.CMin))
	setInclusive(device.CombineFMax, dtype.Complex128, inclusiveScan(scalar.CFMax))
	setInclusive(device.CombineFMin, dtype.Complex128, inclusiveScan(scalar.CFMin))
	either := inclusiveScan(func(a, b uint8) uint8 { return a | b })
	both := inclusiveScan(func(a, b uint8) uint8 { return a & b })
	for _, c := range []device.Combine{device.CombineSum, device.CombineMax, device.CombineFMax, device.CombineAny} {
		setInclusive(c, dtype.Bool, either)
	}
	for _, c := range []device.Combine{device.CombineProd, device.CombineMin, device.CombineFMin, device.CombineAll} {
		setInclusive(c, dtype.Bool, both)
	}
}

func setInclusive(c device.Combine, t dtype.DType, f func(p unsafe.Pointer, n int)) {
	inclusiveScans[c][t] = f
}

func setIntegers[T scalar.Integer](t dtype.DType) {
	largest := inclusiveScan(func(a, b T) T { return max(a, b) })
	smallest := inclusiveScan(func(a, b T) T { return min(a, b) })
	setInclusive(device.CombineSum, t, inclusiveSum[T])
	setInclusive(device.CombineProd, t, inclusiveScan(func(a, b T) T { return a * b }))
	setInclusive(device.CombineMax, t, largest)
	setInclusive(device.CombineMin, t, smallest)
	setInclusive(device.CombineFMax, t, largest)
	setInclusive(device.CombineFMin, t, smallest)
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
