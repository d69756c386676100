package elementwise

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// floatUnary makes the loop of a function of a float.
func floatUnary[T scalar.Float](f func(float64) float64) Loop {
	return func(dst, a, _, _ unsafe.Pointer, n int) {
		z, x := memory.Slice[T](dst, n), memory.Slice[T](a, n)
		for i := range z {
			z[i] = T(f(float64(x[i])))
		}
	}
}

// floatBinary makes the loop of a function of two floats.
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

func setFloats[T scalar.Float](t dtype.DType) {
	set := func(op device.Op, f Loop) { Loops[op][t] = f }
	setComparisons[T](t)
	for op, f := range scalar.Functions {
		if f != nil {
			set(device.Op(op), floatUnary[T](f))
		}
	}
	for op, f := range scalar.Functions2 {
		if f != nil {
			set(device.Op(op), floatBinary[T](f))
		}
	}
	set(device.OpAdd, addLoop[T])
	set(device.OpSub, subLoop[T])
	set(device.OpMul, mulLoop[T])
	set(device.OpDiv, divLoop[T])
	set(device.OpFloorDiv, binary(scalar.FloorDiv[T]))
	set(device.OpMod, binary(scalar.Mod[T]))
	set(device.OpFmod, binary(scalar.Fmod[T]))
	set(device.OpMin, minLoop[T])
	set(device.OpMax, maxLoop[T])
	set(device.OpFMin, binary(scalar.FMin[T]))
	set(device.OpFMax, binary(scalar.FMax[T]))
	set(device.OpCopySign, binary(scalar.CopySign[T]))
	set(device.OpNextAfter, binary(scalar.NextAfter[T]))
	set(device.OpLdexp, ldexpLoop[T])
	set(device.OpNeg, negLoop[T])
	set(device.OpAbs, absLoop[T])
	set(device.OpSign, unary(scalar.Sign[T]))
	set(device.OpFloor, unary(scalar.Floor[T]))
	set(device.OpCeil, unary(scalar.Ceil[T]))
	set(device.OpTrunc, unary(scalar.Trunc[T]))
	set(device.OpRint, unary(scalar.Rint[T]))
	set(device.OpRoundAway, unary(scalar.RoundHalfAway[T]))
	set(device.OpSqrt, sqrtLoop[T])
	set(device.OpIsNaN, isNaNLoop[T])
	set(device.OpIsInf, predicate(scalar.IsInf[T]))
	set(device.OpIsFinite, predicate(scalar.IsFinite[T]))
	set(device.OpSignBit, predicate(scalar.SignBit[T]))
	set(device.OpComplex, pairLoop[T])
}

// pairLoop makes complex numbers of their parts.
func pairLoop[T scalar.Float](dst, a, b, _ unsafe.Pointer, n int) {
	z, x, y := memory.Slice[[2]T](dst, n), memory.Slice[T](a, n), memory.Slice[T](b, n)
	for i := range z {
		z[i] = [2]T{x[i], y[i]}
	}
}
