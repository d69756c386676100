package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// Add returns a + b; for bools, a or b.
// NumPy: add. NNabla: add2, add_scalar.
func Add[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&ufunc.Add, a, b, opts)
}

var subtract = ufunc.Definition{Fn: "ops.Subtract", Two: true, Body: "a - b", Loop: ufunc.Number}

// Subtract returns a - b.
// NumPy: subtract. PyTorch: sub. NNabla: sub2, r_sub_scalar (with the scalar as a).
func Subtract[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&subtract, a, b, opts)
}

// Multiply returns a·b, element by element; for bools, a and b.
// NumPy: multiply. PyTorch: mul. NNabla: mul2, mul_scalar.
func Multiply[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&ufunc.Multiply, a, b, opts)
}

var divide = ufunc.Definition{Fn: "ops.Divide", Two: true, Body: "a / b", Loop: ufunc.Quotient}

// Divide returns a/b; integers give float64.
// NumPy: divide. PyTorch: div. NNabla: div2, r_div_scalar (with the scalar as a).
func Divide[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&divide, a, b, opts)
}

var floorDivide = ufunc.Definition{Fn: "ops.FloorDivide", Two: true, Body: "floordiv(a, b)", Loop: ufunc.RealNumber}

// FloorDivide returns the largest whole number not above a/b; for integers, 0 where b is 0. No gradient flows.
// NumPy: floor_divide.
func FloorDivide[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&floorDivide, a, b, opts)
}

var remainder = ufunc.Definition{Fn: "ops.Remainder", Two: true, Body: "mod(a, b)", Loop: ufunc.RealNumber}

// Remainder returns a - b·FloorDivide(a, b), which has b's sign; for integers, 0 where b is 0. The gradient of a is gy,
// also at jumps; the gradient of b is -gy·FloorDivide(a, b).
// NumPy: remainder.
func Remainder[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&remainder, a, b, opts)
}

var fmod = ufunc.Definition{Fn: "ops.Fmod", Two: true, Body: "fmod(a, b)", Loop: ufunc.RealNumber}

// Fmod returns the remainder as in C, which has a's sign. The gradient of a is gy, also at jumps.
// NumPy: fmod. Chainer: fmod.
func Fmod[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return call2(&fmod, a, b, opts) }

var power = ufunc.Definition{Fn: "ops.Power", Two: true, Body: "pow(a, b)", Loop: ufunc.BoolAsInt8}

// Power returns a to the power b. It panics for integers with a negative power. At a base of 0, the gradient of the
// base is 0 if the exponent is 0, and the gradient of the exponent is 0.
// NumPy: power. NNabla: pow2, pow_scalar, r_pow_scalar (with the scalar as a).
func Power[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return raised(nd.AsArray(a), nd.AsArray(b), opts)
}

func raised(a, b *nd.Array, opts []UfuncOption) *nd.Array {
	power.Fn.Check(a, b)
	if power.LoopType(ufuncOptions(power.Fn, opts), []*nd.Array{a, b}).IsInteger() && anyNegative(b) {
		panic(power.Fn.Errorf([]*nd.Array{a, b}, "integers to negative integer powers are not allowed"))
	}
	return call2(&power, a, b, opts)
}

// anyNegative reports whether any exponent is negative; it waits for the device.
func anyNegative(b *nd.Array) bool {
	if b.IsScalar() {
		return nd.Value[float64](b) < 0
	}
	if !b.DType().IsSigned() {
		return false
	}
	below := Less(b, 0)
	some := Any(below)
	defer release.Operands(nil, below, some)
	return nd.Value[bool](some)
}

var negative = ufunc.Definition{Fn: "ops.Negative", Body: "-x", Loop: ufunc.Number}

// Negative returns -x.
// NumPy: negative. PyTorch: neg.
func Negative(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&negative, x, opts) }

const absoluteBody = "abs(x)"

var absolute = ufunc.Definition{Fn: "ops.Absolute", Body: absoluteBody, Out: "R"}

// Absolute returns |x|, which is real for complex numbers. Its gradient at 0 is 0, unless UfuncOptions has a Kink for
// corners, which complex numbers do not accept.
// NumPy: absolute. NNabla: abs (with KinkRight).
func Absolute(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return callAtCorner(&absolute, absoluteAtCorner, x, opts)
}

var square = ufunc.Definition{Fn: "ops.Square", Body: "x * x", Loop: ufunc.BoolAsInt8}

// Square returns x².
// NumPy: square. Chainer: square.
func Square(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&square, x, opts) }

var reciprocal = ufunc.Definition{Fn: "ops.Reciprocal", Body: "T(1) / x", Loop: ufunc.BoolAsInt8}

// Reciprocal returns 1/x; for integers it is truncated, and 0 where x is 0.
// NumPy: reciprocal.
func Reciprocal(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&reciprocal, x, opts)
}

var positive = ufunc.Definition{Fn: "ops.Positive", Body: "x", Loop: ufunc.Number}

// Positive returns a copy of x.
// NumPy: positive. NNabla: identity. Chainer: identity.
func Positive(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&positive, x, opts) }

var sign = ufunc.Definition{Fn: "ops.Sign", Body: "sign(x)", Loop: ufunc.Number}

// Sign returns -1, 0 or 1; for a complex number, x/|x|. No gradient flows through the sign of a real number; SignSTE
// has a gradient.
// NumPy: sign.
func Sign(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&sign, x, opts) }

var fabs = ufunc.Definition{Fn: "ops.Fabs", Body: "abs(x)", Loop: ufunc.RealFloat}

// Fabs returns |x| as a float. Its gradient at 0 is 0.
// NumPy: fabs.
func Fabs(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&fabs, x, opts) }

// doublePrecision returns the dtype in which FloatPower computes.
func doublePrecision(t dtype.DType) dtype.DType {
	if t.IsComplex() {
		return dtype.Complex128
	}
	return dtype.Float64
}

var floatPower = ufunc.Definition{Fn: "ops.FloatPower", Two: true, Body: "pow(a, b)", Loop: doublePrecision}

// FloatPower returns a to the power b in float64 or complex128, so that integers may have negative powers.
// NumPy: float_power.
func FloatPower[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array {
	return call2(&floatPower, a, b, opts)
}

var divMod = ufunc.Definition{Fn: "ops.DivMod", Two: true, Body: "y = floordiv(a, b); z = mod(a, b)", Out: "T, T", Loop: ufunc.RealNumber}

// DivMod returns FloorDivide(a, b) and Remainder(a, b).
// NumPy: divmod.
func DivMod[A, B nd.Operand](a A, b B, opts ...PairOptions) (quotient, remainder *nd.Array) {
	return callTwo(&divMod, opts, nd.AsArray(a), nd.AsArray(b))
}

// integral returns the dtype in which functions of whole numbers compute.
func integral(t dtype.DType) dtype.DType { return ufunc.BitType(ufunc.BoolAsInt8(t)) }

// integer is like integral, but refuses bools.
func integer(t dtype.DType) dtype.DType { return ufunc.Only(t.IsInteger(), t) }

var gcd = ufunc.Definition{Fn: "ops.Gcd", Two: true, Body: "gcd(a, b)", Loop: integer}

// Gcd returns the greatest common divisor of |a| and |b|.
// NumPy: gcd.
func Gcd[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return call2(&gcd, a, b, opts) }

var lcm = ufunc.Definition{Fn: "ops.Lcm", Two: true, Body: "lcm(a, b)", Loop: integer}

// Lcm returns the least common multiple of |a| and |b|.
// NumPy: lcm.
func Lcm[A, B nd.Operand](a A, b B, opts ...UfuncOption) *nd.Array { return call2(&lcm, a, b, opts) }

// AddN returns the sum of all arrays, which broadcast.
// NNabla: add_n.
func AddN(xs ...*nd.Array) *nd.Array { return fold("ops.AddN", Add, xs) }

// MulN returns the product of all arrays, which broadcast.
// NNabla: mul_n.
func MulN(xs ...*nd.Array) *nd.Array { return fold("ops.MulN", Multiply, xs) }

func fold(fn nd.Func, f func(a, b *nd.Array, opts ...UfuncOption) *nd.Array, xs []*nd.Array) *nd.Array {
	if len(xs) == 0 {
		panic(fn.Errorf(nil, "want at least one array"))
	}
	y := Positive(xs[0])
	for _, x := range xs[1:] {
		y = release.Replace(y, f(y, x))
	}
	return fn.Made(y)
}

// LinearInterpolate returns p·x + (1-p)·y.
// Chainer: linear_interpolate.
func LinearInterpolate(p, x, y *nd.Array) *nd.Array {
	linearInterpolate.Fn.Check(p, x, y)
	return linearInterpolate.Compute(nil, p, x, y)
}

var linearInterpolate = ufunc.Definition{Fn: "ops.LinearInterpolate", In: "T p, T x, T y1", Body: "p * x + (T(1) - p) * y1", Loop: ufunc.FloatOf}
