package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
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

// positivePower has derivatives as ufunc.AbsPower has.
var positivePower = ufunc.Definition{Fn: "ops.Norm", In: "T x, T p", Body: "pow(x, p)",
	Gradient: "gx = x == 0 ? T(0) : gy * p * pow(x == 0 ? T(1) : x, p - 1)"}

var euclid = reduction.Definition{Fn: "ops.Norm", Strict: true, Body: "x * x", Post: "sqrt(x)", Combine: device.CombineSum, VJP: euclidVJP}

// squaredModulus is differentiable at elements that are 0, where |x| is not.
var squaredModulus = ufunc.Definition{Fn: "ops.Norm", In: "T x", Body: "real(x)*real(x) + imag(x)*imag(x)", Out: "R"}

// euclidVJP returns gy·x/‖x‖, and a constant 0 where the norm is 0.
func euclidVJP(op reduction.Op, c *nd.Call) {
	y := op.Spread(c, c.Out(0))
	zero := Equal(y.Detach(), 0)
	y = Where(zero, 1, y)
	c.SetGx(0, Multiply(c.In(0), Where(zero, 0, Divide(op.Spread(c, c.Gy(0)), y))))
}

// Norm returns (Σ|x|^p)^(1/p) over the given axes, with p = 2 by default: the Euclidean norm. Its gradient at 0 is 0,
// and so is its second derivative there.
// NNabla: norm. MXNet: norm.
func Norm(x *nd.Array, opts ...NormOption) *nd.Array {
	const fn nd.Func = "ops.Norm"
	fn.Check(x)
	o := options.OfKept(fn, opts, Axes.norm, KeptAxes.norm)
	p := 2.0
	if o.P != nil {
		p = *o.P
	}
	if !(p > 0) || math.IsInf(p, 1) {
		panic(fn.Errorf([]*nd.Array{x}, "p = %v: want a positive power", p))
	}
	along := ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims}
	if x.DType().IsFloat() {
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
	if x.DType().IsComplex() {
		if p == 2 {
			return made.Keep(ufunc.RootOfSquares.Apply1(Sum(squaredModulus.Apply1(x), along)))
		}
		x = Absolute(x)
	}
	switch p {
	case 1:
		return made.Keep(Sum(Absolute(x), along))
	case 2:
		return made.Keep(combineWith(&euclid, x, along))
	}
	return made.Keep(positivePower.Apply2(Sum(ufunc.AbsPower.Apply2(x, nd.Scalar(p)), along), nd.Scalar(1/p)))
}
