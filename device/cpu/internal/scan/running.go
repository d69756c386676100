package scan

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// runnings holds, by operation and type, what replaces each of n values by the combination of all up to it.
var runnings [device.CombineAny + 1][dtype.Count]func(p unsafe.Pointer, n int)

func init() {
	setIntegerRunnings[int8](dtype.Int8)
	setIntegerRunnings[int16](dtype.Int16)
	setIntegerRunnings[int32](dtype.Int32)
	setIntegerRunnings[int64](dtype.Int64)
	setIntegerRunnings[uint8](dtype.Uint8)
	setIntegerRunnings[uint16](dtype.Uint16)
	setIntegerRunnings[uint32](dtype.Uint32)
	setIntegerRunnings[uint64](dtype.Uint64)
	setRunning(device.CombineSum, dtype.Float64, runningSum[float64])
	setRunning(device.CombineProd, dtype.Float64, running(func(a, b float64) float64 { return a * b }))
	setRunning(device.CombineMax, dtype.Float64, running(scalar.Max[float64]))
	setRunning(device.CombineMin, dtype.Float64, running(scalar.Min[float64]))
	setRunning(device.CombineFMax, dtype.Float64, running(scalar.FMax[float64]))
	setRunning(device.CombineFMin, dtype.Float64, running(scalar.FMin[float64]))
	setRunning(device.CombineSum, dtype.Complex128, runningSum[complex128])
	setRunning(device.CombineProd, dtype.Complex128, running(scalar.CMul))
	setRunning(device.CombineMax, dtype.Complex128, running(scalar.CMax))
	setRunning(device.CombineMin, dtype.Complex128, running(scalar.CMin))
	setRunning(device.CombineFMax, dtype.Complex128, running(scalar.CFMax))
	setRunning(device.CombineFMin, dtype.Complex128, running(scalar.CFMin))
	either := running(func(a, b uint8) uint8 { return a | b })
	both := running(func(a, b uint8) uint8 { return a & b })
	for _, c := range []device.Combine{device.CombineSum, device.CombineMax, device.CombineFMax, device.CombineAny} {
		setRunning(c, dtype.Bool, either)
	}
	for _, c := range []device.Combine{device.CombineProd, device.CombineMin, device.CombineFMin, device.CombineAll} {
		setRunning(c, dtype.Bool, both)
	}
}

func setRunning(c device.Combine, t dtype.DType, f func(p unsafe.Pointer, n int)) { runnings[c][t] = f }

func setIntegerRunnings[T scalar.Integer](t dtype.DType) {
	largest := running(func(a, b T) T { return max(a, b) })
	smallest := running(func(a, b T) T { return min(a, b) })
	setRunning(device.CombineSum, t, runningSum[T])
	setRunning(device.CombineProd, t, running(func(a, b T) T { return a * b }))
	setRunning(device.CombineMax, t, largest)
	setRunning(device.CombineMin, t, smallest)
	setRunning(device.CombineFMax, t, largest)
	setRunning(device.CombineFMin, t, smallest)
}

func runningSum[T scalar.Number](p unsafe.Pointer, n int) {
	x := memory.Slice[T](p, n)
	total := x[0]
	for i := 1; i < len(x); i++ {
		total += x[i]
		x[i] = total
	}
}

func running[T any](f func(a, b T) T) func(p unsafe.Pointer, n int) {
	return func(p unsafe.Pointer, n int) {
		x := memory.Slice[T](p, n)
		total := x[0]
		for i := 1; i < len(x); i++ {
			total = f(total, x[i])
			x[i] = total
		}
	}
}
