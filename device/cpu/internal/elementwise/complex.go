package elementwise

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// complexFunction2 returns functions that are computed in complex128 and rounded once, as scalar.ComplexFunctions are.
func complexFunction2(op device.Op) func(a, b complex128) complex128 {
	switch op {
	case device.OpMul:
		return scalar.CMul
	case device.OpDiv:
		return scalar.CDiv
	case device.OpPow:
		return scalar.CPow
	case device.OpMin:
		return scalar.CMin
	case device.OpMax:
		return scalar.CMax
	case device.OpFMin:
		return scalar.CFMin
	case device.OpFMax:
		return scalar.CFMax
	}
	return nil
}

// ComplexNumber is the constraint of the complex types.
type ComplexNumber interface{ ~complex64 | ~complex128 }

// complexLoop returns the loop of an opcode of a complex type T whose parts are of type P.
func complexLoop[T ComplexNumber, P scalar.Float](op device.Op) Loop {
	switch op {
	case device.OpAdd:
		return addLoop[T]
	case device.OpSub:
		return subLoop[T]
	case device.OpNeg:
		return negLoop[T]
	case device.OpEq:
		return eqLoop[T]
	case device.OpNe:
		return neLoop[T]
	case device.OpLt:
		return predicate2(func(x, y T) bool { return scalar.CLess(complex128(x), complex128(y)) })
	case device.OpLe:
		return predicate2(func(x, y T) bool { return scalar.CLessEqual(complex128(x), complex128(y)) })
	case device.OpGt:
		return predicate2(func(x, y T) bool { return scalar.CLess(complex128(y), complex128(x)) })
	case device.OpGe:
		return predicate2(func(x, y T) bool { return scalar.CLessEqual(complex128(y), complex128(x)) })
	case device.OpIsNaN:
		return predicate(func(x T) bool { return scalar.CIsNaN(complex128(x)) })
	case device.OpIsInf:
		return predicate(func(x T) bool { return isInfinite(complex128(x)) })
	case device.OpIsFinite:
		return predicate(func(x T) bool { return isFinite(complex128(x)) })
	case device.OpAbs:
		if unsafe.Sizeof(P(0)) == 4 {
			return modulusLoop(singleModulus)
		}
		return modulusLoop(doubleModulus)
	case device.OpReal:
		return partLoop[P](0)
	case device.OpImag:
		return partLoop[P](1)
	case device.OpConj:
		return conjLoop[P]
	}
	if f := complexFunction2(op); f != nil {
		return binary(func(x, y T) T { return T(f(complex128(x), complex128(y))) })
	}
	if f := scalar.ComplexFunctions[op]; f != nil {
		return unary(func(x T) T { return T(f(complex128(x))) })
	}
	return nil
}

func isInfinite(z complex128) bool { return math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) }

func isFinite(z complex128) bool { return scalar.IsFinite(real(z)) && scalar.IsFinite(imag(z)) }

// modulusLoop is the plain form of bytes.Modulus64 and bytes.Modulus128: it repeats their operations.
func modulusLoop[T ComplexNumber, P scalar.Float](modulus func(z T) P) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[P](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = modulus(x[i])
		}
	}
}

func singleModulus(z complex64) float32 {
	x, y := scalar.Abs(real(z)), scalar.Abs(imag(z))
	if high := float32(math.Inf(1)); x == high || y == high {
		return high
	}
	const exponents = 0x7f800000
	power := math.Float32bits(max(min(x, 0x1p120), min(y, 0x1p120), 0x1p-120)) & exponents
	factor := math.Float32frombits(power ^ exponents) // 2/power
	u, v := x*factor, y*factor
	root := float32(math.Sqrt(float64(float32(u*u) + float32(v*v))))
	return root * 0.5 * math.Float32frombits(power)
}

func doubleModulus(z complex128) float64 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if high := math.Inf(1); x == high || y == high {
		return high
	}
	const exponents = 0x7ff << 52
	power := math.Float64bits(max(min(x, 0x1p1000), min(y, 0x1p1000), 0x1p-1000)) & exponents
	factor := math.Float64frombits(power ^ exponents)
	u, v := x*factor, y*factor
	return math.Sqrt(float64(u*u)+float64(v*v)) * 0.5 * math.Float64frombits(power)
}

// partLoop returns the loop that copies one of the two parts.
func partLoop[P scalar.Float](part int) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[P](dst, n), memory.Slice[[2]P](a, n)
		for i := range z {
			z[i] = x[i][part]
		}
	}
}

func conjLoop[P scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[[2]P](dst, n), memory.Slice[[2]P](a, n)
	for i := range z {
		z[i] = [2]P{x[i][0], -x[i][1]}
	}
}
