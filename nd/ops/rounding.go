package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// noSlope is the gradient of functions that are constant almost everywhere.
const noSlope = "gx = T(0)"

var floor = ufunc.Definition{Fn: "ops.Floor", Body: "floor(x)", Loop: ufunc.RealType, Gradient: noSlope}

// Floor returns the largest whole number not above x. Integers keep their dtype. Its gradient is 0; FloorSTE has a
// straight-through gradient.
// NumPy: floor. Chainer: floor.
func Floor(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&floor, x, opts) }

var ceil = ufunc.Definition{Fn: "ops.Ceil", Body: "ceil(x)", Loop: ufunc.RealType, Gradient: noSlope}

// Ceil returns the smallest whole number not below x. Integers keep their dtype. Its gradient is 0; CeilSTE has a
// straight-through gradient.
// NumPy: ceil. Chainer: ceil.
func Ceil(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&ceil, x, opts) }

var trunc = ufunc.Definition{Fn: "ops.Trunc", Body: "trunc(x)", Loop: ufunc.RealType, Gradient: noSlope}

// Trunc returns x without its fraction. Integers keep their dtype. Its gradient is 0.
// NumPy: trunc, fix.
func Trunc(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&trunc, x, opts) }

var rint = ufunc.Definition{Fn: "ops.Rint", Body: "rint(x)", Loop: ufunc.FloatOf, Gradient: noSlope}

// Rint returns the nearest whole number; halves go to the even one. Integers become floats. Its gradient is 0.
// NumPy: rint.
func Rint(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&rint, x, opts) }

// RoundOptions are the options of Round.
type RoundOptions struct {
	// Decimals is the number of decimal places; negative numbers round to tens, hundreds and so on.
	Decimals int
	// Out receives the result, converted to its dtype (which same_kind casting must allow). It must have the shape of
	// the result, except for leading axes of length 1. Integers rounded to tens are then computed as float64.
	Out *nd.Array
}

// Round returns x rounded to decimal places, half to even. Like NumPy, it multiplies by a power of ten, rounds and
// divides again, so that 0.285 becomes 0.28 (its product with 100 is 28.499…). Integers keep their dtype; bools become
// float16, and for them Decimals must be 0 unless Out is a float or complex array. Its gradient is 0.
// NumPy: round, around.
func Round(x *nd.Array, opts ...RoundOption) *nd.Array {
	const fn nd.Func = "ops.Round"
	fn.Check(x)
	made := fn.Temporaries(&x)
	defer made.Release()
	o := options.Of(fn, opts, Output.round)
	y := x
	switch scale := math.Pow10(max(o.Decimals, -o.Decimals)); {
	case x.DType().IsInexact() && o.Decimals != 0:
		y = roundToDecimals(x, o.Decimals)
	case x.DType().IsBool() && o.Decimals != 0 && (o.Out == nil || !o.Out.DType().IsInexact()):
		panic(fn.Errorf([]*nd.Array{x}, "bools have no decimals"))
	case x.DType().IsInteger() && o.Decimals >= 0:
	case math.IsInf(scale, 1): // of integers, which all round to 0
		y = Multiply(Rint(x), 0)
		if o.Out == nil {
			y = y.AsType(x.DType())
		}
	case x.DType().IsInteger() && o.Out == nil:
		y = Multiply(Rint(Divide(x, scale)), scale).AsType(x.DType())
	case o.Decimals == 0:
		y = Rint(x)
	default:
		y = Multiply(Rint(Divide(x, scale)), scale)
	}
	if o.Out == nil {
		if y == x {
			return made.Keep(x.Copy())
		}
		return made.Keep(y)
	}
	fn.Check(x, o.Out)
	if o.Out.Size() != x.Size() {
		ufunc.CheckOut(fn, x, o.Out, x.Shape())
	}
	return made.Keep(Positive(y, Into(o.Out)))
}

// These round to a power of ten. A number whose multiple leaves the range is far above that power: it stays as it is.
var (
	roundBelowOne = ufunc.Definition{Fn: "ops.Round", In: "T x, R s", Body: "p = x*s; y = abs(p) < inf ? rint(p)/s : x",
		Complex: "p = real(x)*s; q = imag(x)*s; y = complex(abs(p) < inf ? rint(p)/s : real(x), abs(q) < inf ? rint(q)/s : imag(x))", Gradient: noSlope}
	roundToZero = ufunc.Definition{Fn: "ops.Round", Body: "abs(x) < inf ? x*0 : x",
		Complex: "p = real(x); q = imag(x); y = complex(abs(p) < inf ? p*0 : p, abs(q) < inf ? q*0 : q)", Gradient: noSlope}
)

// roundToDecimals is Round of inexact numbers to decimals other than 0.
func roundToDecimals(x *nd.Array, decimals int) *nd.Array {
	t := x.DType()
	most := int(math.Log10(dtype.Info(t).Max)) // of the powers of ten of t
	scale := nd.Scalar(math.Pow10(max(decimals, -decimals)))
	switch {
	case decimals > 0 && decimals <= most && t.Size() > 2:
		return roundBelowOne.Apply2(x, scale)
	case decimals > 0 && decimals <= most: // as in NumPy, every step is rounded to 16 bits
		p := Multiply(x, scale)
		return Where(IsFinite(p), Divide(Rint(p), scale), x)
	case decimals < 0 && -decimals <= most:
		return Multiply(Rint(Divide(x, scale)), scale)
	case t.Size() == 2:
		return roundToDecimals(x.AsType(dtype.Float32), decimals).AsType(t)
	case decimals < 0:
		return roundToZero.Apply1(x)
	case decimals > 2*most:
		return x
	}
	part := nd.Scalar(math.Pow10(decimals - most))
	return Divide(roundBelowOne.Apply2(Multiply(x, part), nd.Scalar(math.Pow10(most))), part)
}

// A straight-through gradient treats a function as the identity.
const straightThrough = "gx = gy"

var roundHalfAway = ufunc.Definition{Fn: "ops.RoundHalfAway", Body: "round(x)", Loop: ufunc.RealFloat, Gradient: straightThrough}

// RoundHalfAway returns the nearest whole number; halves go away from zero. Its gradient is straight-through: gy.
// NNabla: round. MXNet: round_ste.
func RoundHalfAway(x *nd.Array, opts ...UfuncOption) *nd.Array {
	return call1(&roundHalfAway, x, opts)
}

var floorSTE = ufunc.Definition{Fn: "ops.FloorSTE", Body: "floor(x)", Loop: ufunc.RealFloat, Gradient: straightThrough}

// FloorSTE is Floor with a straight-through gradient: gy.
// NNabla: floor.
func FloorSTE(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&floorSTE, x, opts) }

var ceilSTE = ufunc.Definition{Fn: "ops.CeilSTE", Body: "ceil(x)", Loop: ufunc.RealFloat, Gradient: straightThrough}

// CeilSTE is Ceil with a straight-through gradient: gy.
// NNabla: ceil.
func CeilSTE(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&ceilSTE, x, opts) }

// SignSTEOptions are the options of SignSTE.
type SignSTEOptions struct {
	// Alpha is the value at x = 0; nil means 1, as in NNabla. MXNet's is 0.
	Alpha *float64
}

var signSTE = ufunc.Definition{Fn: "ops.SignSTE", Scalars: "T alpha", Body: "x == 0 ? alpha : sign(x)", Loop: ufunc.RealFloat,
	Gradient: straightThrough}

// SignSTE returns 1 for positive x, -1 for negative x, and alpha for 0. Its gradient is straight-through: gy.
// NNabla: sign. MXNet: sign_ste.
func SignSTE(x *nd.Array, opts ...SignSTEOptions) *nd.Array {
	return signSTE.Compute([]float64{argument.ValueOr(options.Read(signSTE.Fn, opts).Alpha, 1)}, x)
}
