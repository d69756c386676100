package elementwise

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Loop computes an opcode for n elements: dst from a, b and c, as far as the opcode reads them. The arrays are
// contiguous. dst may be one of the others where the elements have the same size.
type Loop func(dst, a, b, c unsafe.Pointer, n int)

// Loops holds the loop of each opcode by the type of what it reads: of its argument A, of B for OpSelect.
var Loops [device.OpCount][dtype.Count]Loop

func init() {
	setBools()
	setIntegers[int8](dtype.Int8)
	setIntegers[int16](dtype.Int16)
	setIntegers[int32](dtype.Int32)
	setIntegers[int64](dtype.Int64)
	setIntegers[uint8](dtype.Uint8)
	setIntegers[uint16](dtype.Uint16)
	setIntegers[uint32](dtype.Uint32)
	setIntegers[uint64](dtype.Uint64)
	setFloats[float32](dtype.Float32)
	setFloats[float64](dtype.Float64)
	setComplexes[complex64, float32](dtype.Complex64)
	setComplexes[complex128, float64](dtype.Complex128)
	for _, t := range device.ComputeTypes {
		Loops[device.OpSelect][t] = selects[t.Size()]
	}
	setByteRoutines()
}

func addLoop[T scalar.Number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func subLoop[T scalar.Number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func mulLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func divLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] / y[i]
	}
}

func negLoop[T scalar.Number](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = -x[i]
	}
}

func copyLoop[T any](dst, a, _, _ unsafe.Pointer, n int) {
	copy(memory.Slice[T](dst, n), memory.Slice[T](a, n))
}

func minIntLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = min(x[i], y[i])
	}
}

func maxIntLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = max(x[i], y[i])
	}
}

func minLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = scalar.Min(x[i], y[i])
	}
}

func maxLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = scalar.Max(x[i], y[i])
	}
}

func absLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = scalar.Abs(x[i])
	}
}

func sqrtLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = T(math.Sqrt(float64(x[i])))
	}
}

// AndLoop computes a & b.
func AndLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

// OrLoop computes a | b.
func OrLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func xorLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

func notLoop[T scalar.Integer](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = ^x[i]
	}
}

// unary makes the loop of a function that stays within its type.
func unary[T any](f func(T) T) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// binary makes the loop of a function of two numbers that stays within its type.
func binary[T any](f func(a, b T) T) Loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

func setIntegers[T scalar.Integer](t dtype.DType) {
	set := func(op device.Op, f Loop) { Loops[op][t] = f }
	setComparisons[T](t)
	set(device.OpAdd, addLoop[T])
	set(device.OpSub, subLoop[T])
	set(device.OpMul, mulLoop[T])
	set(device.OpDiv, binary(scalar.TruncDivInt[T]))
	set(device.OpFloorDiv, binary(scalar.FloorDivInt[T]))
	set(device.OpMod, binary(scalar.ModInt[T]))
	set(device.OpFmod, binary(scalar.FmodInt[T]))
	set(device.OpPow, binary(scalar.PowInt[T]))
	set(device.OpMin, minIntLoop[T])
	set(device.OpMax, maxIntLoop[T])
	set(device.OpFMin, minIntLoop[T])
	set(device.OpFMax, maxIntLoop[T])
	set(device.OpGcd, binary(scalar.Gcd[T]))
	set(device.OpLcm, binary(scalar.Lcm[T]))
	set(device.OpAnd, AndLoop[T])
	set(device.OpOr, OrLoop[T])
	set(device.OpXor, xorLoop[T])
	set(device.OpShl, binary(scalar.Shl[T]))
	set(device.OpShr, binary(scalar.Shr[T]))
	set(device.OpNeg, negLoop[T])
	set(device.OpNot, notLoop[T])
	set(device.OpAbs, unary(scalar.AbsInt[T]))
	set(device.OpSign, unary(scalar.SignInt[T]))
	set(device.OpFloor, copyLoop[T])
	set(device.OpCeil, copyLoop[T])
	set(device.OpTrunc, copyLoop[T])
	set(device.OpIsNaN, fillLoop(false))
	set(device.OpIsInf, fillLoop(false))
	set(device.OpIsFinite, fillLoop(true))
}

// setBools uses that a bool is a byte that is 0 or 1.
func setBools() {
	set := func(op device.Op, f Loop) { Loops[op][dtype.Bool] = f }
	setComparisons[uint8](dtype.Bool)
	set(device.OpAdd, OrLoop[uint8])
	set(device.OpMul, AndLoop[uint8])
	set(device.OpMin, AndLoop[uint8])
	set(device.OpMax, OrLoop[uint8])
	set(device.OpFMin, AndLoop[uint8])
	set(device.OpFMax, OrLoop[uint8])
	set(device.OpAnd, AndLoop[uint8])
	set(device.OpOr, OrLoop[uint8])
	set(device.OpXor, xorLoop[uint8])
	set(device.OpNot, unary(func(x uint8) uint8 { return x ^ 1 }))
	set(device.OpAbs, copyLoop[uint8])
	set(device.OpIsNaN, fillLoop(false))
	set(device.OpIsInf, fillLoop(false))
	set(device.OpIsFinite, fillLoop(true))
}
