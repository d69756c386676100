package cpu

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// loop computes an opcode for n elements: dst from a, b and c, as far as the opcode reads them. The arrays are
// contiguous. dst may be one of the others where the elements have the same size.
type loop func(dst, a, b, c unsafe.Pointer, n int)

// loops holds the loop of each opcode by the type of what it reads: of its argument A, of B for OpSelect.
var loops [device.OpCount][dtype.Count]loop

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
		loops[device.OpSelect][t] = selects[t.Size()]
	}
	setSingles()
}

// number is the types whose +, - and * loops can use.
type number interface {
	scalar.Integer | scalar.Float | ~complex64 | ~complex128
}

// elements returns n elements as a slice.
func elements[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

func addLoop[T number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func subLoop[T number](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func mulLoop[T scalar.Integer | scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func divLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] / y[i]
	}
}

func negLoop[T number](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := elements[T](dst, n), elements[T](a, n)
	for i := range z {
		z[i] = -x[i]
	}
}

func copyLoop[T any](dst, a, _, _ unsafe.Pointer, n int) {
	copy(elements[T](dst, n), elements[T](a, n))
}

func minIntLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = min(x[i], y[i])
	}
}

func maxIntLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = max(x[i], y[i])
	}
}

func minLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = scalar.Min(x[i], y[i])
	}
}

func maxLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = scalar.Max(x[i], y[i])
	}
}

func absLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := elements[T](dst, n), elements[T](a, n)
	for i := range z {
		z[i] = scalar.Abs(x[i])
	}
}

func sqrtLoop[T scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := elements[T](dst, n), elements[T](a, n)
	for i := range z {
		z[i] = T(math.Sqrt(float64(x[i])))
	}
}

func andLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func orLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func xorLoop[T scalar.Integer](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

func notLoop[T scalar.Integer](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := elements[T](dst, n), elements[T](a, n)
	for i := range z {
		z[i] = ^x[i]
	}
}

// unary makes the loop of a function that stays within its type.
func unary[T any](f func(T) T) loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := elements[T](dst, n), elements[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// binary makes the loop of a function of two numbers that stays within its type.
func binary[T any](f func(a, b T) T) loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := elements[T](dst, n), elements[T](a, n), elements[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

func setIntegers[T scalar.Integer](t dtype.DType) {
	set := func(op device.Op, f loop) { loops[op][t] = f }
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
	set(device.OpAnd, andLoop[T])
	set(device.OpOr, orLoop[T])
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
	set := func(op device.Op, f loop) { loops[op][dtype.Bool] = f }
	setComparisons[uint8](dtype.Bool)
	set(device.OpAdd, orLoop[uint8])
	set(device.OpMul, andLoop[uint8])
	set(device.OpMin, andLoop[uint8])
	set(device.OpMax, orLoop[uint8])
	set(device.OpFMin, andLoop[uint8])
	set(device.OpFMax, orLoop[uint8])
	set(device.OpAnd, andLoop[uint8])
	set(device.OpOr, orLoop[uint8])
	set(device.OpXor, xorLoop[uint8])
	set(device.OpNot, unary(func(x uint8) uint8 { return x ^ 1 }))
	set(device.OpAbs, copyLoop[uint8])
	set(device.OpIsNaN, fillLoop(false))
	set(device.OpIsInf, fillLoop(false))
	set(device.OpIsFinite, fillLoop(true))
}
