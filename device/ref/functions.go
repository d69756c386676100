package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// float computes an opcode for floats: arithmetic in T; functions in float64, with results rounded to T. The second
// argument of Ldexp is the integer n.
func float[T scalar.Float](op device.Op, a, b T, n int64) value {
	switch op {
	case device.OpEq:
		return truth(a == b)
	case device.OpNe:
		return truth(a != b)
	case device.OpLt:
		return truth(a < b)
	case device.OpLe:
		return truth(a <= b)
	case device.OpGt:
		return truth(a > b)
	case device.OpGe:
		return truth(a >= b)
	case device.OpIsNaN:
		return truth(scalar.IsNaN(a))
	case device.OpIsInf:
		return truth(scalar.IsInf(a))
	case device.OpIsFinite:
		return truth(scalar.IsFinite(a))
	case device.OpSignBit:
		return truth(scalar.SignBit(a))
	case device.OpLdexp:
		return value{x: float64(scalar.Ldexp(a, n))}
	case device.OpComplex:
		return value{z: complex(float64(a), float64(b))}
	}
	return value{x: float64(floatResult(op, a, b))}
}

func floatResult[T scalar.Float](op device.Op, a, b T) T {
	switch op {
	case device.OpAdd:
		return a + b
	case device.OpSub:
		return a - b
	case device.OpMul:
		return a * b
	case device.OpDiv:
		return a / b
	case device.OpFloorDiv:
		return scalar.FloorDiv(a, b)
	case device.OpMod:
		return scalar.Mod(a, b)
	case device.OpFmod:
		return scalar.Fmod(a, b)
	case device.OpMin:
		return scalar.Min(a, b)
	case device.OpMax:
		return scalar.Max(a, b)
	case device.OpFMin:
		return scalar.FMin(a, b)
	case device.OpFMax:
		return scalar.FMax(a, b)
	case device.OpCopySign:
		return scalar.CopySign(a, b)
	case device.OpNextAfter:
		return scalar.NextAfter(a, b)
	case device.OpNeg:
		return -a
	case device.OpAbs:
		return scalar.Abs(a)
	case device.OpSign:
		return scalar.Sign(a)
	case device.OpFloor:
		return scalar.Floor(a)
	case device.OpCeil:
		return scalar.Ceil(a)
	case device.OpTrunc:
		return scalar.Trunc(a)
	case device.OpSqrt:
		return T(scalar.Sqrt(float64(a)))
	case device.OpRint:
		return scalar.Rint(a)
	case device.OpRoundAway:
		return scalar.RoundHalfAway(a)
	case device.OpRoundFloat16:
		return scalar.RoundFloat16(a)
	case device.OpRoundBFloat16:
		return scalar.RoundBFloat16(a)
	}
	if f := scalar.Functions[op]; f != nil {
		return T(f(float64(a)))
	}
	if f := scalar.Functions2[op]; f != nil {
		return T(f(float64(a), float64(b)))
	}
	undefined(op, "floats")
	return 0
}
