package elementwise

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/bytes"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Loop computes an opcode for n elements: dst from those of a, b and c that the opcode reads. The arrays are
// contiguous. dst may be one of the other arrays if their elements have the same size.
type Loop func(dst, a, b, c unsafe.Pointer, n int)

// LoopOf returns the loop of an opcode for the type that it reads: the type of its argument A, of B for OpSelect. It
// returns nil if the opcode does not support the type. Loops are created when a program asks for them: no table holds
// them all.
func LoopOf(op device.Op, t dtype.DType) Loop {
	loop := plainLoop(op, t)
	if r := routineOf(op, t); r.most != nil {
		return r.before(loop)
	}
	return loop
}

// plainLoop returns the loop in Go, without assembly.
func plainLoop(op device.Op, t dtype.DType) Loop {
	if op == device.OpSelect {
		return selectLoopOf(t.Size())
	}
	switch t {
	case dtype.Bool:
		return boolLoop(op)
	case dtype.Int8:
		return integerLoop[int8](op)
	case dtype.Int16:
		return integerLoop[int16](op)
	case dtype.Int32:
		return integerLoop[int32](op)
	case dtype.Int64:
		return integerLoop[int64](op)
	case dtype.Uint8:
		return integerLoop[uint8](op)
	case dtype.Uint16:
		return integerLoop[uint16](op)
	case dtype.Uint32:
		return integerLoop[uint32](op)
	case dtype.Uint64:
		return integerLoop[uint64](op)
	case dtype.Float32:
		return floatLoop[float32](op)
	case dtype.Float64:
		return floatLoop[float64](op)
	case dtype.Complex64:
		return complexLoop[complex64, float32](op)
	case dtype.Complex128:
		return complexLoop[complex128, float64](op)
	}
	return nil
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

// unary returns the loop of a function that stays within its type.
func unary[T any](f func(T) T) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// binary returns the loop of a function of two numbers that stays within its type.
func binary[T any](f func(a, b T) T) Loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
		for i := range z {
			z[i] = f(x[i], y[i])
		}
	}
}

// remainders computes x modulo a divisor: a multiplication by its reciprocal, rounded down, gives a quotient that is at most 2 too small.
func remainders(z, x []uint64, divisor uint64) {
	if divisor == 0 {
		for i, v := range x {
			z[i] = scalar.ModInt(v, divisor)
		}
		return
	}
	reciprocal := math.MaxUint64 / divisor
	for len(x) > 0 {
		part := min(len(x), singleLen)
		done := bytes.Remainders(z[:part], x[:part], divisor, reciprocal)
		remaindersOneByOne(z[done:part], x[done:part], divisor, reciprocal)
		z, x = z[part:], x[part:]
	}
}

func remaindersOneByOne(z, x []uint64, divisor, reciprocal uint64) {
	for i, v := range x {
		quotient, _ := bits.Mul64(v, reciprocal)
		rest := v - quotient*divisor
		if rest >= divisor {
			rest -= divisor
		}
		if rest >= divisor {
			rest -= divisor
		}
		z[i] = rest
	}
}

// integerLoop returns the loop of an opcode of integers.
func integerLoop[T scalar.Integer](op device.Op) Loop {
	switch op {
	case device.OpAdd:
		return addLoop[T]
	case device.OpSub:
		return subLoop[T]
	case device.OpMul:
		return mulLoop[T]
	case device.OpDiv:
		return binary(scalar.TruncDivInt[T])
	case device.OpFloorDiv:
		return binary(scalar.FloorDivInt[T])
	case device.OpMod:
		return binary(scalar.ModInt[T])
	case device.OpFmod:
		return binary(scalar.FmodInt[T])
	case device.OpPow:
		return binary(scalar.PowInt[T])
	case device.OpMin, device.OpFMin:
		return minIntLoop[T]
	case device.OpMax, device.OpFMax:
		return maxIntLoop[T]
	case device.OpGcd:
		return binary(scalar.Gcd[T])
	case device.OpLcm:
		return binary(scalar.Lcm[T])
	case device.OpAnd:
		return AndLoop[T]
	case device.OpOr:
		return OrLoop[T]
	case device.OpXor:
		return xorLoop[T]
	case device.OpShl:
		return binary(scalar.Shl[T])
	case device.OpShr:
		return binary(scalar.Shr[T])
	case device.OpNeg:
		return negLoop[T]
	case device.OpNot:
		return notLoop[T]
	case device.OpAbs:
		return unary(scalar.AbsInt[T])
	case device.OpSign:
		return unary(scalar.SignInt[T])
	case device.OpFloor, device.OpCeil, device.OpTrunc:
		return copyLoop[T]
	case device.OpIsNaN, device.OpIsInf:
		return fillLoop(false)
	case device.OpIsFinite:
		return fillLoop(true)
	}
	return comparison[T](op)
}

// boolLoop returns the loop of an opcode of bools. A bool is a byte that is 0 or 1.
func boolLoop(op device.Op) Loop {
	switch op {
	case device.OpAdd, device.OpMax, device.OpFMax, device.OpOr:
		return OrLoop[uint8]
	case device.OpMul, device.OpMin, device.OpFMin, device.OpAnd:
		return AndLoop[uint8]
	case device.OpXor:
		return xorLoop[uint8]
	case device.OpNot:
		return unary(func(x uint8) uint8 { return x ^ 1 })
	case device.OpAbs:
		return copyLoop[uint8]
	case device.OpIsNaN, device.OpIsInf:
		return fillLoop(false)
	case device.OpIsFinite:
		return fillLoop(true)
	}
	return comparison[uint8](op)
}
