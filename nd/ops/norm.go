package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// NormOptions are the options of Norm.
type NormOptions struct {
	// P is the order of the norm; nil means 2. It must be positive.
	P *float64
	// Axes are the axes to reduce; negative axes count from the end. Nil means all, an empty slice none.
	Axes Axes
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
}

// euclid is the Euclidean norm. Its squares do not leave the range.
var euclid = reduction.Definition{Fn: "ops.Norm", Strict: true, Squares: true, Guarded: true, Post: "sqrt(x) * unit",
	Combine: device.CombineSum, VJP: euclidVJP}

// alongUnit is the gradient of a norm n. x/n is computed first: it is at most 1, while g/n may leave the range.
var alongUnit = ufunc.Definition{Fn: "ops.Norm", In: "T x, R n, R g", Body: "m = n == 0 ? T(1) : n; y = n == 0 ? T(0) : x / m * g",
	Complex: "m = n == 0 ? R(1) : n; y = n == 0 ? T(0) : complex(real(x) / m * g, imag(x) / m * g)"}

// euclidVJP returns gy·x/‖x‖, and a constant 0 where the norm is 0.
func euclidVJP(op reduction.Op, c *nd.Call) {
	c.SetGx(0, alongUnit.Compute(nil, c.In(0), op.Spread(c, c.Out(0)), op.Spread(c, c.Gy(0))))
}

// Norm returns (Σ|x|^p)^(1/p) over the given axes, with p = 2 by default: the Euclidean norm. No power of an element
// leaves the range of the dtype, so that the norm is right whenever it is a number of the dtype. Its gradient at 0 is 0,
// and so is its second derivative there.
// NNabla: norm. MXNet: norm.
func Norm(x *nd.Array, opts ...NormOption) *nd.Array {
	const fn nd.Func = "ops.Norm"
	fn.Check(x)
	o := options.OfKept(fn, opts, Axes.norm, KeptAxes.norm)
	p := argument.ValueOr(o.P, 2)
	if !(p > 0) || math.IsInf(p, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "p = %v: want a positive power", p))
	}
	along := ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims}
	if x.DType().IsInexact() {
		switch p {
		case 1:
			lengths := Absolute(x)
			return release.Operands(Sum(lengths, along), lengths)
		case 2:
			return combineWith(&euclid, x, along)
		}
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	if !x.DType().IsInexact() {
		x = x.AsType(ufunc.Quotient(x.DType()))
	}
	switch p {
	case 1:
		return made.Keep(Sum(Absolute(x), along))
	case 2:
		return made.Keep(combineWith(&euclid, x, along))
	}
	return made.Keep(powerNorm(fn, x, p, along))
}

// positivePower has derivatives as ufunc.AbsPower has.
var positivePower = ufunc.Definition{Fn: "ops.Norm", In: "T x, T p", Body: "pow(x, p)",
	Gradient: "gx = x == 0 ? T(0) : gy * p * pow(x == 0 ? T(1) : x, p - 1)"}

// powerNorm returns the norm of order p. It divides by a power of two near the largest magnitude, so that no power leaves the range. The
// result does not depend on the divisor, therefore no gradient flows to that.
func powerNorm(fn nd.Func, x *nd.Array, p float64, along ReduceOptions) *nd.Array {
	if x.DType().IsComplex() {
		x = Absolute(x)
	}
	axes, shape := reduction.ReducedAxes(fn, x, along.Axes, along.KeepDims)
	if reduction.Count(x.Shape(), axes) == 0 {
		return Sum(x, along)
	}
	unit := ufunc.Unit.Apply1(Max(Absolute(x.Detach()), ReduceOptions{Axes: axes, KeepDims: true}))
	total := Sum(ufunc.AbsPower.Apply2(Divide(x, unit), nd.Scalar(p)), along)
	return Multiply(positivePower.Apply2(total, nd.Scalar(1/p)), unit.Reshape(shape...))
}
