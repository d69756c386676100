package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

var conj = elementwise{fn: "ops.Conj", body: "conj(x)"}

// Conj returns the complex conjugate of x; x itself where it is real, and int8 of bools. numpy.conj.
func Conj(x *nd.Array) *nd.Array {
	conj.fn.Check(x)
	return conjugate(x).AsType(boolAsInt8(x.DType()))
}

// conjugate is Conj that leaves bools what they are.
func conjugate(x *nd.Array) *nd.Array {
	if !x.DType().IsComplex() {
		return x
	}
	return conj.call1(x, nil)
}

var realPart = elementwise{fn: "ops.Real", body: "real(x)", out: "R"}

// Real returns the real part of x; x itself where it is real. numpy.real.
func Real(x *nd.Array) *nd.Array {
	realPart.fn.Check(x)
	if !x.DType().IsComplex() {
		return x
	}
	return realPart.call1(x, nil)
}

var imaginaryPart = elementwise{fn: "ops.Imag", body: "imag(x)", out: "R"}

// Imag returns the imaginary part of x: zeros where it is real. numpy.imag.
func Imag(x *nd.Array) *nd.Array {
	imaginaryPart.fn.Check(x)
	if !x.DType().IsComplex() {
		return nd.ZerosLike(x.Detach())
	}
	return imaginaryPart.call1(x, nil)
}

// AngleOptions are the options of Angle.
type AngleOptions struct {
	// Deg gives degrees instead of radians.
	Deg bool
}

var (
	angle        = elementwise{fn: "ops.Angle", scalars: "R unit", body: "atan2(T(0), x) * unit", loop: angleType, out: "R", gradient: noSlope}
	complexAngle = elementwise{fn: "ops.Angle", scalars: "R unit", body: "atan2(imag(x), real(x)) * unit", out: "R"}
)

// angleType is the loop of arctan2 for integers, the first operand being a 0 without a dtype: with a bool, int64.
func angleType(t dtype.DType) dtype.DType {
	if t.IsBool() {
		return dtype.Float64
	}
	return floatOf(t)
}

// Angle returns the argument of complex numbers, in (-π, π]; of real ones, 0 or, where negative, π. numpy.angle.
func Angle(x *nd.Array, opts ...AngleOptions) *nd.Array {
	angle.fn.Check(x)
	unit := 1.0
	if firstOf(opts).Deg {
		unit = 180 / math.Pi
	}
	if x.DType().IsComplex() {
		return complexAngle.call(nil, []float64{unit}, x)
	}
	return angle.call(nil, []float64{unit}, x)
}
