package elementwise

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// complexFunctions2 are computed in complex128 and rounded once, as scalar.ComplexFunctions are.
var complexFunctions2 = map[device.Op]func(a, b complex128) complex128{
	device.OpMul:  scalar.CMul,
	device.OpDiv:  scalar.CDiv,
	device.OpPow:  scalar.CPow,
	device.OpMin:  scalar.CMin,
	device.OpMax:  scalar.CMax,
	device.OpFMin: scalar.CFMin,
	device.OpFMax: scalar.CFMax,
}

// ComplexNumber is the complex types.
type ComplexNumber interface{ ~complex64 | ~complex128 }

// setComplexes sets the loops of a complex type T whose parts are of type P.
func setComplexes[T ComplexNumber, P scalar.Float](t dtype.DType) {
	set := func(op device.Op, f Loop) { Loops[op][t] = f }
	for op, f := range scalar.ComplexFunctions {
		if f != nil {
			set(device.Op(op), unary(func(x T) T { return T(f(complex128(x))) }))
		}
	}
	for op, f := range complexFunctions2 {
		set(op, binary(func(x, y T) T { return T(f(complex128(x), complex128(y))) }))
	}
	set(device.OpAdd, addLoop[T])
	set(device.OpSub, subLoop[T])
	set(device.OpNeg, negLoop[T])
	set(device.OpEq, eqLoop[T])
	set(device.OpNe, neLoop[T])
	set(device.OpLt, predicate2(func(x, y T) bool { return scalar.CLess(complex128(x), complex128(y)) }))
	set(device.OpLe, predicate2(func(x, y T) bool { return scalar.CLessEqual(complex128(x), complex128(y)) }))
	set(device.OpGt, predicate2(func(x, y T) bool { return scalar.CLess(complex128(y), complex128(x)) }))
	set(device.OpGe, predicate2(func(x, y T) bool { return scalar.CLessEqual(complex128(y), complex128(x)) }))
	set(device.OpIsNaN, predicate(func(x T) bool { return scalar.CIsNaN(complex128(x)) }))
	set(device.OpIsInf, predicate(func(x T) bool { return isInfinite(complex128(x)) }))
	set(device.OpIsFinite, predicate(func(x T) bool { return isFinite(complex128(x)) }))
	set(device.OpAbs, modulusLoop[T, P])
	set(device.OpReal, partLoop[P](0))
	set(device.OpImag, partLoop[P](1))
	set(device.OpConj, conjLoop[P])
}

func isInfinite(z complex128) bool { return math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) }

func isFinite(z complex128) bool { return scalar.IsFinite(real(z)) && scalar.IsFinite(imag(z)) }

func modulusLoop[T ComplexNumber, P scalar.Float](dst, a, _, _ unsafe.Pointer, n int) {
	z, x := memory.Slice[P](dst, n), memory.Slice[T](a, n)
	for i := range z {
		z[i] = P(scalar.CAbs(complex128(x[i])))
	}
}

// partLoop makes the loop that takes one of the two parts.
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
