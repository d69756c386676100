package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var add = elementwise{fn: "ops.Add", two: true, body: "a + b"}

// Add returns a + b; of bools, a or b. numpy.add, nnabla add2, add_scalar.
func Add(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return add.call2(a, b, opts) }

var subtract = elementwise{fn: "ops.Subtract", two: true, body: "a - b", loop: number}

// Subtract returns a - b. numpy.subtract, nnabla sub2.
func Subtract(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return subtract.call2(a, b, opts) }

var multiply = elementwise{fn: "ops.Multiply", two: true, body: "a * b"}

// Multiply returns a·b, element by element; of bools, a and b. numpy.multiply, nnabla mul2, mul_scalar.
func Multiply(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return multiply.call2(a, b, opts) }

var divide = elementwise{fn: "ops.Divide", two: true, body: "a / b", loop: quotient}

// Divide returns a/b; integers give float64. numpy.divide and true_divide, nnabla div2.
func Divide(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return divide.call2(a, b, opts) }

var floorDivide = elementwise{fn: "ops.FloorDivide", two: true, body: "floordiv(a, b)", loop: realNumber}

// FloorDivide returns the largest whole number not above a/b; of integers, 0 where b is 0. numpy.floor_divide.
// No gradient flows.
func FloorDivide(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	return floorDivide.call2(a, b, opts)
}

var remainder = elementwise{fn: "ops.Remainder", two: true, body: "mod(a, b)", loop: realNumber}

// Remainder returns a - b·FloorDivide(a, b), which has b's sign; of integers, 0 where b is 0. The gradient of
// a is gy, at jumps too, and that of b -gy·FloorDivide(a, b). numpy.remainder and mod.
func Remainder(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return remainder.call2(a, b, opts) }

var fmod = elementwise{fn: "ops.Fmod", two: true, body: "fmod(a, b)", loop: realNumber}

// Fmod returns the remainder of C, which has a's sign. The gradient of a is gy, at jumps too. numpy.fmod, chainer fmod.
func Fmod(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return fmod.call2(a, b, opts) }

var power = elementwise{fn: "ops.Power", two: true, body: "pow(a, b)", loop: boolAsInt8}

// Power returns a to the power b. Integers to a negative power are refused. The gradient at a base
// of 0 is 0 for the exponent 0 and for the exponent itself. numpy.power, nnabla pow2, pow_scalar.
func Power(a, b *nd.Array, opts ...UfuncOptions) *nd.Array {
	power.fn.Check(a, b)
	if power.loopType(firstOf(opts), []*nd.Array{a, b}).IsInteger() && anyNegative(b) {
		panic(power.fn.Errorf([]*nd.Array{a, b}, "integers to negative integer powers are not allowed"))
	}
	return power.call2(a, b, opts)
}

// anyNegative looks at all exponents, which waits for the device.
func anyNegative(b *nd.Array) bool {
	if b.IsScalar() {
		return nd.Value[float64](b) < 0
	}
	return b.DType().IsSigned() && nd.Value[bool](Any(Less(b, nd.Scalar(0))))
}

func firstOf[T any](opts []T) (o T) {
	if len(opts) > 0 {
		o = opts[0]
	}
	return o
}

var negative = elementwise{fn: "ops.Negative", body: "-x", loop: number}

// Negative returns -x. numpy.negative.
func Negative(x *nd.Array, opts ...UfuncOptions) *nd.Array { return negative.call1(x, opts) }

var absolute = elementwise{fn: "ops.Absolute", body: "abs(x)", out: "R"}

// Absolute returns |x|, which is real for complex numbers. Its gradient at 0 is 0. numpy.absolute, nnabla abs.
func Absolute(x *nd.Array, opts ...UfuncOptions) *nd.Array { return absolute.call1(x, opts) }

var square = elementwise{fn: "ops.Square", body: "x * x", loop: boolAsInt8}

// Square returns x². numpy.square, chainer square.
func Square(x *nd.Array, opts ...UfuncOptions) *nd.Array { return square.call1(x, opts) }

var reciprocal = elementwise{fn: "ops.Reciprocal", body: "T(1) / x", loop: boolAsInt8}

// Reciprocal returns 1/x; of integers, truncated, and 0 for 0. numpy.reciprocal.
func Reciprocal(x *nd.Array, opts ...UfuncOptions) *nd.Array { return reciprocal.call1(x, opts) }

var positive = elementwise{fn: "ops.Positive", body: "x", loop: number}

// Positive returns a copy of x. numpy.positive, nnabla identity, chainer identity.
func Positive(x *nd.Array, opts ...UfuncOptions) *nd.Array { return positive.call1(x, opts) }

var sign = elementwise{fn: "ops.Sign", body: "sign(x)", loop: number}

// Sign returns -1, 0 or 1; of a complex number, x/|x|. No gradient flows through that of a real number: SignSTE has
// one. numpy.sign.
func Sign(x *nd.Array, opts ...UfuncOptions) *nd.Array { return sign.call1(x, opts) }

var fabs = elementwise{fn: "ops.Fabs", body: "abs(x)", loop: realFloat}

// Fabs returns |x| as a float. Its gradient at 0 is 0. numpy.fabs.
func Fabs(x *nd.Array, opts ...UfuncOptions) *nd.Array { return fabs.call1(x, opts) }

// doublePrecision is the loop of FloatPower.
func doublePrecision(t dtype.DType) dtype.DType {
	if t.IsComplex() {
		return dtype.Complex128
	}
	return dtype.Float64
}

var floatPower = elementwise{fn: "ops.FloatPower", two: true, body: "pow(a, b)", loop: doublePrecision}

// FloatPower returns a to the power b in float64 or complex128, so that integers may have negative powers.
// numpy.float_power.
func FloatPower(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return floatPower.call2(a, b, opts) }

var divMod = elementwise{fn: "ops.DivMod", two: true, body: "y = floordiv(a, b); z = mod(a, b)", out: "T, T", loop: realNumber}

// DivMod returns FloorDivide(a, b) and Remainder(a, b). numpy.divmod.
func DivMod(a, b *nd.Array) (quotient, remainder *nd.Array) { return divMod.callTwo(a, b) }

// integral is the loop of functions of whole numbers.
func integral(t dtype.DType) dtype.DType { return bitType(boolAsInt8(t)) }

// integer is the loop of functions of whole numbers, of which bools are none.
func integer(t dtype.DType) dtype.DType { return only(t.IsInteger(), t) }

var gcd = elementwise{fn: "ops.Gcd", two: true, body: "gcd(a, b)", loop: integer}

// Gcd returns the greatest common divisor of |a| and |b|. numpy.gcd.
func Gcd(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return gcd.call2(a, b, opts) }

var lcm = elementwise{fn: "ops.Lcm", two: true, body: "lcm(a, b)", loop: integer}

// Lcm returns the least common multiple of |a| and |b|. numpy.lcm.
func Lcm(a, b *nd.Array, opts ...UfuncOptions) *nd.Array { return lcm.call2(a, b, opts) }

// AddN returns the sum of all arrays, which broadcast. nnabla add_n.
func AddN(xs ...*nd.Array) *nd.Array { return fold("ops.AddN", Add, xs) }

// MulN returns the product of all arrays, which broadcast. nnabla mul_n.
func MulN(xs ...*nd.Array) *nd.Array { return fold("ops.MulN", Multiply, xs) }

func fold(fn nd.Func, f func(a, b *nd.Array, opts ...UfuncOptions) *nd.Array, xs []*nd.Array) *nd.Array {
	if len(xs) == 0 {
		panic(fn.Errorf(nil, "want at least one array"))
	}
	y := Positive(xs[0])
	for _, x := range xs[1:] {
		y = f(y, x)
	}
	return y
}

// LinearInterpolate returns p·x + (1-p)·y. chainer linear_interpolate.
func LinearInterpolate(p, x, y *nd.Array) *nd.Array {
	linearInterpolate.fn.Check(p, x, y)
	return linearInterpolate.call(nil, nil, p, x, y)
}

var linearInterpolate = elementwise{fn: "ops.LinearInterpolate", in: "T p, T x, T y1", body: "p * x + (T(1) - p) * y1", loop: floatOf}
