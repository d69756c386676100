package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// NormOptions are the options of Norm.
type NormOptions struct {
	// P is the power; nil means 2. It must be positive.
	P *float64
	// Axes are the axes to reduce, negative ones counted from the end; nil means all, an empty slice none.
	Axes []int
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
}

var (
	rootOfSquares = elementwise{fn: "ops.Norm", body: "sqrt(x)", gradient: "gx = y == 0 ? T(0) : gy / (y * 2)"}
	absPower      = elementwise{fn: "ops.Norm", in: "T x, T p", body: "pow(abs(x), p)",
		gradient: "gx = x == 0 ? T(0) : gy * sign(x) * p * pow(abs(x), p - 1)"}
	positivePower = elementwise{fn: "ops.Norm", in: "T x, T p", body: "pow(x, p)", gradient: "gx = x == 0 ? T(0) : gy * p * pow(x, p - 1)"}
)

var euclid = reduction{fn: "ops.Norm", strict: true, body: "x * x", post: "sqrt(x)", combine: device.CombineSum, vjp: euclidVJP}

// euclidVJP sends x/‖x‖, and 0 where all is 0.
func euclidVJP(op reduceOp, c *nd.Call) {
	y := op.spread(c, c.Out(0))
	y = Where(Equal(y.Detach(), nd.Scalar(0)), nd.Scalar(1), y)
	c.SetGx(0, Multiply(c.In(0), Divide(op.spread(c, c.Gy(0)), y)))
}

// Norm returns (Σ|x|^p)^(1/p) over the given axes, with p = 2 by default: Euclid's length. Its gradient at 0 is 0. nnabla
// norm, mxnet norm.
func Norm(x *nd.Array, opts ...NormOptions) *nd.Array {
	const fn = "ops.Norm"
	nd.Check(fn, x)
	o := firstOf(opts)
	p := 2.0
	if o.P != nil {
		p = *o.P
	}
	if !(p > 0) || math.IsInf(p, 1) {
		panic(nd.Errorf(fn, []*nd.Array{x}, "p = %v: want a positive power", p))
	}
	over := ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims}
	if !x.DType().IsInexact() {
		x = x.AsType(quotient(x.DType()))
	}
	if x.DType().IsComplex() {
		x = Absolute(x)
	}
	switch p {
	case 1:
		return Sum(Absolute(x), over)
	case 2:
		return euclid.call(x, []ReduceOptions{over})
	}
	return positivePower.call2(Sum(absPower.call2(x, nd.Scalar(p), nil), over), nd.Scalar(1/p), nil)
}
