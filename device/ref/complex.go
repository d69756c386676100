package ref

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// complexNumber computes an opcode for complex numbers. Complex numbers compare by their real parts and, at ties, by
// their imaginary parts.
func complexNumber(op device.Op, a, b complex128) value {
	switch op {
	case device.OpEq:
		return truth(a == b)
	case device.OpNe:
		return truth(a != b)
	case device.OpLt:
		return truth(scalar.CLess(a, b))
	case device.OpLe:
		return truth(scalar.CLessEqual(a, b))
	case device.OpGt:
		return truth(scalar.CLess(b, a))
	case device.OpGe:
		return truth(scalar.CLessEqual(b, a))
	case device.OpIsNaN:
		return truth(scalar.CIsNaN(a))
	case device.OpIsInf:
		return truth(math.IsInf(real(a), 0) || math.IsInf(imag(a), 0))
	case device.OpIsFinite:
		return truth(scalar.IsFinite(real(a)) && scalar.IsFinite(imag(a)))
	case device.OpAbs:
		return value{x: scalar.CAbs(a)}
	case device.OpReal:
		return value{x: real(a)}
	case device.OpImag:
		return value{x: imag(a)}
	}
	return value{z: complexResult(op, a, b)}
}

func complexResult(op device.Op, a, b complex128) complex128 {
	switch op {
	case device.OpAdd:
		return a + b
	case device.OpSub:
		return a - b
	case device.OpMul:
		return scalar.CMul(a, b)
	case device.OpDiv:
		return scalar.CDiv(a, b)
	case device.OpPow:
		return scalar.CPow(a, b)
	case device.OpMin:
		return scalar.CMin(a, b)
	case device.OpMax:
		return scalar.CMax(a, b)
	case device.OpFMin:
		return scalar.CFMin(a, b)
	case device.OpFMax:
		return scalar.CFMax(a, b)
	case device.OpNeg:
		return -a
	case device.OpConj:
		return complex(real(a), -imag(a))
	}
	if f := scalar.ComplexFunctions[op]; f != nil {
		return f(a)
	}
	undefined(op, "complex numbers")
	return 0
}
