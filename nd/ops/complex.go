package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var conj = ufunc.Definition{Fn: "ops.Conj", Body: "conj(x)"}

// Conj returns the complex conjugate of x; x itself if its dtype is real; int8 for bools.
// NumPy: conj. PyTorch: conj_physical.
func Conj(x *nd.Array) *nd.Array {
	conj.Fn.Check(x)
	y := conjugate(x)
	number := y.AsType(ufunc.BoolAsInt8(x.DType()))
	if y != x {
		release.Replace(y, number)
	}
	return number
}

// conjugate is Conj that keeps bools as they are.
func conjugate(x *nd.Array) *nd.Array {
	if !x.DType().IsComplex() {
		return x
	}
	return conj.Apply1(x)
}

var realPart = ufunc.Definition{Fn: "ops.Real", Body: "real(x)", Out: "R"}

// Real returns the real part of x; x itself if its dtype is real.
// NumPy: real.
func Real(x *nd.Array) *nd.Array {
	realPart.Fn.Check(x)
	if !x.DType().IsComplex() {
		return x
	}
	return realPart.Apply1(x)
}

var imaginaryPart = ufunc.Definition{Fn: "ops.Imag", Body: "imag(x)", Out: "R"}

// Imag returns the imaginary part of x: zeros if its dtype is real.
// NumPy: imag.
func Imag(x *nd.Array) *nd.Array {
	imaginaryPart.Fn.Check(x)
	if !x.DType().IsComplex() {
		detached := x.Detach()
		return imaginaryPart.Fn.Made(release.Operands(nd.ZerosLike(detached), detached))
	}
	return imaginaryPart.Apply1(x)
}

// AngleOptions are the options of Angle.
type AngleOptions struct {
	// Deg gives degrees instead of radians.
	Deg bool
}

var (
	angle        = ufunc.Definition{Fn: "ops.Angle", Scalars: "R unit", Body: "atan2(T(0), x) * unit", Loop: angleType, Out: "R", Gradient: noSlope}
	complexAngle = ufunc.Definition{Fn: "ops.Angle", Scalars: "R unit", Body: "atan2(imag(x), real(x)) * unit", Out: "R"}
)

// angleType returns the dtype of arctan2 for integers whose first operand is a 0 without a dtype: for a bool, int64.
func angleType(t dtype.DType) dtype.DType {
	if t.IsBool() {
		return dtype.Float64
	}
	return ufunc.FloatOf(t)
}

// Angle returns the argument of complex numbers, in (-π, π]. For real numbers it is 0, or π if they are negative.
// NumPy: angle.
func Angle(x *nd.Array, opts ...AngleOptions) *nd.Array {
	angle.Fn.Check(x)
	unit := 1.0
	if options.Read(angle.Fn, opts).Deg {
		unit = 180 / math.Pi
	}
	if x.DType().IsComplex() {
		return complexAngle.Compute([]float64{unit}, x)
	}
	return angle.Compute([]float64{unit}, x)
}

var nonzeroImag = ufunc.Definition{Fn: "ops.IsComplex", Body: "imag(x) != 0", Out: "bool"}

// IsComplex returns a bool array that is true where the imaginary part of x is not 0; it is false everywhere for a real
// dtype. x.DType().IsComplex() reports whether the dtype is complex.
// NumPy: iscomplex.
func IsComplex(x *nd.Array) *nd.Array { return ofImag(&nonzeroImag, x, 0) }

var zeroImag = ufunc.Definition{Fn: "ops.IsReal", Body: "imag(x) == 0", Out: "bool"}

// IsReal returns a bool array that is true where the imaginary part of x is 0; it is true everywhere for a real dtype.
// NumPy: isreal.
func IsReal(x *nd.Array) *nd.Array { return ofImag(&zeroImag, x, 1) }

// ofImag applies d to the imaginary part of x; ofReal is its result for all real numbers.
func ofImag(d *ufunc.Definition, x *nd.Array, ofReal float64) *nd.Array {
	d.Fn.Check(x)
	if !x.DType().IsComplex() {
		return d.Fn.NewFilled(dtype.Bool, x.Shape(), ofReal, x)
	}
	return d.Apply1(x)
}

// RealIfCloseOptions are the options of RealIfClose.
type RealIfCloseOptions struct {
	// Tol is the bound on the imaginary parts. Above 1 it is a multiple of the dtype's epsilon (the distance from 1 to
	// the next number), else an absolute bound; 0 means 100.
	Tol float64
}

// RealIfClose returns the real part of x if all imaginary parts are closer to 0 than a tolerance, else x. It waits for
// the device.
// NumPy: real_if_close.
func RealIfClose(x *nd.Array, opts ...RealIfCloseOptions) *nd.Array {
	const fn nd.Func = "ops.RealIfClose"
	fn.Check(x)
	tol := options.Read(fn, opts).Tol
	if !x.DType().IsComplex() {
		return x
	}
	if tol == 0 {
		tol = 100
	}
	if tol > 1 {
		tol *= dtype.Info(x.DType()).Eps
	}
	given := x
	made := fn.Temporaries(&x)
	defer made.Release()
	if nd.Value[bool](All(Less(Absolute(Imag(x.Detach())), tol))) {
		return made.Keep(Real(x))
	}
	return given
}
