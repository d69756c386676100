package ref

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// boolean computes an opcode for bools. Addition is or, multiplication is and; false is less than true.
func boolean(op device.Op, a, b bool) value {
	switch op {
	case device.OpAdd, device.OpOr, device.OpMax, device.OpFMax:
		return truth(a || b)
	case device.OpMul, device.OpAnd, device.OpMin, device.OpFMin:
		return truth(a && b)
	case device.OpXor, device.OpNe:
		return truth(a != b)
	case device.OpEq:
		return truth(a == b)
	case device.OpLt:
		return truth(!a && b)
	case device.OpLe:
		return truth(!a || b)
	case device.OpGt:
		return truth(a && !b)
	case device.OpGe:
		return truth(a || !b)
	case device.OpNot:
		return truth(!a)
	case device.OpAbs:
		return truth(a)
	case device.OpIsNaN, device.OpIsInf:
		return truth(false)
	case device.OpIsFinite:
		return truth(true)
	}
	return undefined(op, "bool")
}

// integer computes an opcode for integers, which wrap around.
func integer[T scalar.Integer](op device.Op, a, b T) value {
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
	case device.OpIsNaN, device.OpIsInf:
		return truth(false)
	case device.OpIsFinite:
		return truth(true)
	}
	return value{i: int64(integerResult(op, a, b))}
}

func integerResult[T scalar.Integer](op device.Op, a, b T) T {
	switch op {
	case device.OpAdd:
		return a + b
	case device.OpSub:
		return a - b
	case device.OpMul:
		return a * b
	case device.OpDiv:
		return scalar.TruncDivInt(a, b)
	case device.OpFloorDiv:
		return scalar.FloorDivInt(a, b)
	case device.OpMod:
		return scalar.ModInt(a, b)
	case device.OpFmod:
		return scalar.FmodInt(a, b)
	case device.OpPow:
		return scalar.PowInt(a, b)
	case device.OpMin, device.OpFMin:
		return min(a, b)
	case device.OpMax, device.OpFMax:
		return max(a, b)
	case device.OpGcd:
		return scalar.Gcd(a, b)
	case device.OpLcm:
		return scalar.Lcm(a, b)
	case device.OpAnd:
		return a & b
	case device.OpOr:
		return a | b
	case device.OpXor:
		return a ^ b
	case device.OpShl:
		return scalar.Shl(a, b)
	case device.OpShr:
		return scalar.Shr(a, b)
	case device.OpNeg:
		return -a
	case device.OpNot:
		return ^a
	case device.OpAbs:
		return scalar.AbsInt(a)
	case device.OpSign:
		return scalar.SignInt(a)
	case device.OpFloor, device.OpCeil, device.OpTrunc:
		return a
	}
	undefined(op, "integers")
	return 0
}
