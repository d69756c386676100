package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var relu = ufunc.Definition{Fn: "ops.ReLU", Body: "max(0, x)", Loop: ufunc.RealNumber}

// ReLU returns max(0, x). Its gradient at 0 is 0.
// PyTorch: nn.functional.relu. NNabla: relu. Chainer: relu.
func ReLU(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&relu, x, opts) }

// LeakyReLUOptions are the options of LeakyReLU.
type LeakyReLUOptions struct {
	// Alpha is the slope for negative x; nil means 0.1, as in NNabla. Chainer's default is 0.2, MXNet's 0.25.
	Alpha *float64
}

var leakyReLU = ufunc.Definition{Fn: "ops.LeakyReLU", Scalars: "T alpha", Body: "x > 0 ? x : alpha * x", Loop: ufunc.RealFloat}

// LeakyReLU returns x if it is positive, otherwise alpha·x. Its gradient at 0 is alpha·gy.
// PyTorch: nn.functional.leaky_relu. NNabla: leaky_relu. Chainer: leaky_relu. MXNet: leaky_relu.
func LeakyReLU(x *nd.Array, opts ...LeakyReLUOptions) *nd.Array {
	return leakyReLU.Compute([]float64{argument.ValueOr(options.Read(leakyReLU.Fn, opts).Alpha, 0.1)}, x)
}

// PReLUOptions are the options of PReLU.
type PReLUOptions struct {
	// BaseAxis is the axis of x that corresponds to the first axis of w; negative axes count from the end. Nil means 1.
	BaseAxis *int
	// Kink chooses the gradient of x at 0, as at a corner; the default is KinkLeft.
	Kink Kink
}

const preluBody = "x > 0 ? x : w * x"

var prelu = ufunc.Definition{Fn: "ops.PReLU", In: "T x, T w", Body: preluBody, Loop: ufunc.RealFloat,
	Gradient: "gx = x > 0 ? gy : gy * w; gw = x > 0 ? T(0) : gy * x"}

// PReLU returns x if it is positive, otherwise w·x with learned slopes: one for all, or one for each index along the
// axes of x that begin with BaseAxis. The gradient of x at 0 is w·gy, unless the options have a Kink.
//
// Shapes: x (…, w's axes, …), w of one element or w's axes.
//
// Source: K. He et al., Delving Deep into Rectifiers, 2015.
// PyTorch: nn.functional.prelu. NNabla: prelu (with KinkRight). Chainer: prelu (with KinkRight).
// MXNet: leaky_relu (with act_type prelu).
func PReLU(x, w *nd.Array, opts ...PReLUOptions) *nd.Array {
	prelu.Fn.Check(x, w)
	o := options.Read(prelu.Fn, opts)
	d, scalars := &prelu, []float64(nil)
	if o.Kink != 0 {
		d, scalars = preluAtCorner.definition(), []float64{float64(o.Kink.atCorner(prelu.Fn, x, w))}
	}
	if w.Size() == 1 {
		w = w.Reshape()
	} else {
		w = alignAt(prelu.Fn, x, w, argument.Axis(prelu.Fn, x, o.BaseAxis, 1))
	}
	return release.Operands(d.Compute(scalars, x, w), w)
}

// alignAt appends axes of length 1 to w, so that its first axis broadcasts to the given axis of x.
func alignAt(fn nd.Func, x, w *nd.Array, axis int) *nd.Array {
	trailing := x.Rank() - axis - w.Rank()
	if trailing < 0 || !broadcast.Equal(w.Shape(), x.Shape()[axis:axis+w.Rank()]) {
		panic(fn.Errorf([]*nd.Array{x, w}, "want the shape of the axes from %d on", axis))
	}
	return w.Reshape(append(w.Shape(), broadcast.Ones(trailing)...)...)
}

// ELUOptions are the options of ELU.
type ELUOptions struct {
	// Alpha is the negated limit at -Inf; nil means 1.
	Alpha *float64
}

// expm1 gets no positive numbers, so that the branch not taken does not overflow in the gradient.
var elu = ufunc.Definition{Fn: "ops.ELU", Scalars: "T alpha", Body: "x >= 0 ? x : alpha * expm1(min(x, 0))", Loop: ufunc.RealFloat}

// ELU returns x if it is not negative, otherwise alpha·(exp(x) - 1). Its gradient at 0 is gy.
//
// Source: D.-A. Clevert et al., Fast and Accurate Deep Network Learning by Exponential Linear Units, 2015.
// PyTorch: nn.functional.elu. NNabla: elu. Chainer: elu. MXNet: leaky_relu (with act_type elu).
func ELU(x *nd.Array, opts ...ELUOptions) *nd.Array {
	return elu.Compute([]float64{argument.ValueOr(options.Read(elu.Fn, opts).Alpha, 1)}, x)
}

// SELUOptions are the options of SELU.
type SELUOptions struct {
	// Scale is the slope for positive x; nil means 1.05070098735548.
	Scale *float64
	// Alpha times Scale is the negated limit at -Inf; nil means 1.673263242354377.
	Alpha *float64
}

var selu = ufunc.Definition{Fn: "ops.SELU", Scalars: "T scale, T depth", Loop: ufunc.RealFloat,
	Body: "x > 0 ? scale * x : depth * expm1(min(x, 0))"}

// SELU returns scale·x if x is positive, otherwise scale·alpha·(exp(x) - 1). Its gradient at 0 is scale·alpha·gy.
//
// Source: G. Klambauer et al., Self-Normalizing Neural Networks, 2017.
// PyTorch: nn.functional.selu. NNabla: selu. MXNet: leaky_relu (with act_type selu).
func SELU(x *nd.Array, opts ...SELUOptions) *nd.Array {
	const fn nd.Func = "ops.SELU"
	o := options.Read(fn, opts)
	scale := argument.ValueOr(o.Scale, 1.05070098735548)
	return selu.Compute([]float64{scale, scale * argument.ValueOr(o.Alpha, 1.673263242354377)}, x)
}

// CReLU returns ReLU(x) and ReLU(-x), joined along an axis, which becomes twice as long.
//
// Source: W. Shang et al., Understanding and Improving Convolutional Neural Networks via Concatenated Rectified Linear
// Units, 2016.
// NNabla: crelu. Chainer: crelu.
func CReLU(x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.CReLU"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), 1)
	negative := Negative(x)
	halves := []*nd.Array{ReLU(x), ReLU(negative)}
	return release.Operands(concatenate(fn, halves, JoinOptions{Axis: Over(axis)}), negative, halves[0], halves[1])
}

// CELUOptions are the options of CELU.
type CELUOptions struct {
	// Alpha is the Alpha of ELU; nil means 1.
	Alpha *float64
	// Axis is the axis along which the halves are joined; nil means 1.
	Axis Axes
}

// CELU returns ELU(x) and ELU(-x), joined along an axis, which becomes twice as long. It is the concatenated ELU, not
// the continuously differentiable ELU of the same name.
// NNabla: celu.
func CELU(x *nd.Array, opts ...CELUOption) *nd.Array {
	const fn nd.Func = "ops.CELU"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.celu)
	axis, alpha := fn.Axis(x, o.Axis, 1), ELUOptions{Alpha: o.Alpha}
	negative := Negative(x)
	halves := []*nd.Array{ELU(x, alpha), ELU(negative, alpha)}
	return release.Operands(concatenate(fn, halves, JoinOptions{Axis: Over(axis)}), negative, halves[0], halves[1])
}

var relu6 = ufunc.Definition{Fn: "ops.ReLU6", Body: "min(6, max(0, x))", Loop: ufunc.RealNumber}

// ReLU6 returns x, clipped to [0, 6]. Its gradient at both bounds is 0.
// PyTorch: nn.functional.relu6. NNabla: relu6.
func ReLU6(x *nd.Array, opts ...UfuncOption) *nd.Array { return call1(&relu6, x, opts) }

// ClippedReLUOptions are the options of ClippedReLU.
type ClippedReLUOptions struct {
	// Z is the upper bound; nil means 20.
	Z *float64
}

var clippedReLU = ufunc.Definition{Fn: "ops.ClippedReLU", Scalars: "T bound", Body: "min(bound, max(0, x))", Loop: ufunc.RealFloat}

// ClippedReLU returns x, clipped to [0, z]. Its gradient at both bounds is 0.
// Chainer: clipped_relu.
func ClippedReLU(x *nd.Array, opts ...ClippedReLUOptions) *nd.Array {
	return clippedReLU.Compute([]float64{argument.ValueOr(options.Read(clippedReLU.Fn, opts).Z, 20)}, x)
}

// RReLUOptions are the options of RReLU.
type RReLUOptions struct {
	// LowerBound and UpperBound bound the slopes for negative x; nil means 0.125 and 0.334.
	LowerBound, UpperBound *float64
	// Rand draws a slope for every element. Nil means that every slope is (lower + upper)/2, as in inference.
	Rand *nd.Rand
}

// RReLU returns x if it is positive, otherwise slope·x with slopes drawn uniformly between the bounds.
//
// Source: B. Xu et al., Empirical Evaluation of Rectified Activations in Convolutional Network, 2015.
// PyTorch: nn.functional.rrelu. MXNet: leaky_relu (with act_type rrelu).
func RReLU(x *nd.Array, opts ...RReLUOptions) *nd.Array {
	const fn nd.Func = "ops.RReLU"
	fn.Check(x)
	o := options.Read(fn, opts)
	lower, upper := argument.ValueOr(o.LowerBound, 0.125), argument.ValueOr(o.UpperBound, 0.334)
	if lower > upper {
		panic(fn.Errorf([]*nd.Array{x}, "want bounds in order, not %v and %v", lower, upper))
	}
	if o.Rand == nil {
		return LeakyReLU(x, LeakyReLUOptions{Alpha: new((lower + upper) / 2)})
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, x)
	draws := fn.Random(o.Rand, device.DistributionUniform, x.Shape(), nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
	slopes := Add(Multiply(made.Own(draws), upper-lower), lower)
	return made.Keep(prelu.Compute(nil, x, slopes))
}

// MaxoutOptions are the options of Maxout.
type MaxoutOptions struct {
	// Axis is the axis of the groups; a negative axis counts from the end. Nil means 1.
	Axis Axes
	// Kink chooses the gradient at ties; the default is KinkFirst.
	Kink Kink
}

// Maxout returns the maxima of groups of poolSize neighbours along an axis, which becomes that much shorter. At a tie
// the gradient goes to the first of the equal elements, unless the options have a Kink.
//
// Source: I. Goodfellow et al., Maxout Networks, 2013.
// Chainer: maxout (with KinkAll).
func Maxout(x *nd.Array, poolSize int, opts ...MaxoutOption) *nd.Array {
	const fn nd.Func = "ops.Maxout"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.maxout)
	axis := fn.Axis(x, o.Axis, 1)
	if poolSize < 1 || x.Dim(axis)%poolSize != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "axis %d does not split into groups of %d", axis, poolSize))
	}
	shape := append([]int{}, x.Shape()[:axis]...)
	shape = append(shape, x.Dim(axis)/poolSize, poolSize)
	shape = append(shape, x.Shape()[axis+1:]...)
	x = x.Reshape(shape...)
	return release.Operands(Max(x, ReduceOptions{Axes: Over(axis + 1), Kink: o.Kink}), x)
}
