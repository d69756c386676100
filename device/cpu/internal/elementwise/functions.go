package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// floatUnary returns the loop of a function of a float.
func floatUnary[T scalar.Float](f func(float64) float64) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = T(f(float64(x[i])))
		}
	}
}

// floatBinary returns the loop of a function of two floats.
func floatBinary[T scalar.Float](f func(a, b float64) float64) Loop {
	return func(dst, a, b, _ unsafe.Pointer, n int) {
		z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
		for i := range z {
			z[i] = T(f(float64(x[i]), float64(y[i])))
		}
	}
}

func ldexpLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[T](dst, n), memory.Slice[T](a, n), memory.Slice[int64](b, n)
	for i := range z {
		z[i] = scalar.Ldexp(x[i], y[i])
	}
}

// floatLoop returns the loop of an opcode of floats.
func floatLoop[T scalar.Float](op device.Op) Loop {
	switch op {
	case device.OpAdd:
		return addLoop[T]
	case device.OpSub:
		return subLoop[T]
	case device.OpMul:
		return mulLoop[T]
	case device.OpDiv:
		return divLoop[T]
	case device.OpFloorDiv:
		return binary(scalar.FloorDiv[T])
	case device.OpMod:
		return binary(scalar.Mod[T])
	case device.OpFmod:
		return binary(scalar.Fmod[T])
	case device.OpMin:
		return minLoop[T]
	case device.OpMax:
		return maxLoop[T]
	case device.OpFMin:
		return binary(scalar.FMin[T])
	case device.OpFMax:
		return binary(scalar.FMax[T])
	case device.OpCopySign:
		return binary(scalar.CopySign[T])
	case device.OpNextAfter:
		return binary(scalar.NextAfter[T])
	case device.OpLdexp:
		return ldexpLoop[T]
	case device.OpNeg:
		return negLoop[T]
	case device.OpAbs:
		return absLoop[T]
	case device.OpSign:
		return unary(scalar.Sign[T])
	case device.OpFloor:
		return unary(scalar.Floor[T])
	case device.OpCeil:
		return unary(scalar.Ceil[T])
	case device.OpTrunc:
		return unary(scalar.Trunc[T])
	case device.OpRint:
		return unary(scalar.Rint[T])
	case device.OpRoundAway:
		return unary(scalar.RoundHalfAway[T])
	case device.OpRoundFloat16:
		return unary(scalar.RoundFloat16[T])
	case device.OpRoundBFloat16:
		return unary(scalar.RoundBFloat16[T])
	case device.OpSqrt:
		return sqrtLoop[T]
	case device.OpIsNaN:
		return isNaNLoop[T]
	case device.OpIsInf:
		return predicate(scalar.IsInf[T])
	case device.OpIsFinite:
		return predicate(scalar.IsFinite[T])
	case device.OpSignBit:
		return predicate(scalar.SignBit[T])
	case device.OpComplex:
		return pairLoop[T]
	}
	if f := scalar.Functions[op]; f != nil {
		return floatUnary[T](f)
	}
	if f := scalar.Functions2[op]; f != nil {
		return floatBinary[T](f)
	}
	return comparison[T](op)
}

// pairLoop builds complex numbers from their parts.
func pairLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[[2]T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = [2]T{x[i], y[i]}
	}
}
