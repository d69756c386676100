package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// VarOptions are the options of Var and Std.
type VarOptions struct {
	// Axes are the axes to reduce; negative axes count from the end. Nil means all, an empty slice none.
	Axes Axes
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
	// DDof is subtracted from the number of elements before the division: 1 gives the unbiased variance.
	DDof float64
	// DType is the dtype of the result and of the computation, a float or complex one. The default is the dtype of
	// Mean, or the real dtype that belongs to it.
	DType dtype.DType
	// Out receives the result, converted to its dtype, which for Std and NanStd must be a float or complex one. It must
	// have the shape of the result. Without DType, the computation uses the dtype to which the array and Out promote.
	Out *nd.Array
	// Mean is the centre of the deviations, instead of the mean of x itself. It broadcasts to x's shape, like the
	// result of Mean with KeepDims. Gradients flow to it.
	Mean *nd.Array
	// Where is a bool array that broadcasts to x's shape. Elements where it is false are left out.
	Where *nd.Array
}

// deviation defines a reduction of squared deviations from the mean m. The mean is computed first, so that the sum is
// well-conditioned.
type deviation struct {
	fn       nd.Func
	root     bool
	distance ufunc.Definition
	after    ufunc.Definition
}

func newDeviation(fn nd.Func, post string, root bool) *deviation {
	return &deviation{
		fn: fn, root: root,
		distance: ufunc.Definition{Fn: fn, In: "T x, T m", Body: "x - m"},
		after:    ufunc.Definition{Fn: fn, In: "T x, T unit", Scalars: "T count", Body: post},
	}
}

var (
	variance          = newDeviation("ops.Var", "x / count * unit * unit", false)
	standardDeviation = newDeviation("ops.Std", "sqrt(x / count) * unit", true)
)

// Var returns the variance Σ|x - mean|²/(n - DDof) over the given axes, which is real. The variance of no elements is
// NaN. Integers give float64.
// NumPy: var.
func Var(x *nd.Array, opts ...VarOption) *nd.Array {
	return variance.call(x, options.OfReduction(variance.fn, opts, Axes.variance, KeptAxes.variance, Output.variance))
}

// Std returns the standard deviation, the square root of Var. It is right also if the variance leaves the range of the
// dtype. Its gradient is 0 if the standard deviation is 0.
// NumPy: std.
func Std(x *nd.Array, opts ...VarOption) *nd.Array {
	return standardDeviation.call(x, options.OfReduction(standardDeviation.fn, opts, Axes.variance, KeptAxes.variance, Output.variance))
}

func (d *deviation) call(x *nd.Array, o VarOptions) *nd.Array {
	d.fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	axes, shape := reduction.ReducedAxes(d.fn, x, o.Axes, o.KeepDims)
	t := meanTypeOf(x, o.DType, o.Out)
	if o.Mean != nil {
		o.checkMean(d.fn, x)
		if !o.DType.Valid() && !o.Mean.IsScalar() {
			t = dtype.Promote(t, o.Mean.DType())
		}
	}
	if !t.IsInexact() {
		panic(d.fn.Errorf([]*nd.Array{x}, "a variance of dtype %s: want a float or complex dtype", t))
	}
	if o.Out != nil {
		ufunc.CheckOut(d.fn, x, o.Out, shape)
		if d.root && !o.Out.DType().IsInexact() {
			panic(d.fn.Errorf([]*nd.Array{x, o.Out}, "an Out of dtype %s: want a float or complex dtype", o.Out.DType()))
		}
	}
	if o.Where != nil {
		checkWhere(d.fn, x, o.Where)
		return chosenDeviation(d.fn, x, o, t, shape, d.root)
	}
	op := deviationOp{d: d, axes: axes, wide: deviationType(x, t), n: math.Max(float64(reduction.Count(x.Shape(), axes))-o.DDof, 0)}
	if !o.DType.Valid() {
		t = t.Real()
	}
	y := o.Out
	if y == nil || ufunc.Recorded(x) || !dtype.CanCast(t, y.DType(), dtype.CastSameKind) {
		y = d.fn.NewLike(t, shape, x)
	}
	in, detached := []*nd.Array{x}, x.Detach()
	if o.Mean == nil {
		mean := op.mean(detached)
		op.launch(y, detached, mean)
		mean.Release()
	} else {
		given := o.Mean
		if given.IsScalar() {
			given = argument.As(d.fn, x, given, op.wide)
		}
		op.given, in = true, append(in, given)
		mean := given.Detach()
		op.launch(y, detached, mean)
		mean.Release()
	}
	detached.Release()
	d.fn.Record(op, in, y)
	if y != o.Out {
		return reduction.Into(o.Out, y)
	}
	return y
}

// deviationType returns the dtype in which a variance of dtype t is computed. For complex numbers it is complex,
// whatever t is, because their imaginary parts count.
func deviationType(x *nd.Array, t dtype.DType) dtype.DType {
	if t = dtype.ComputeType(t); x.DType().IsComplex() {
		return dtype.Promote(t, dtype.Complex64)
	}
	return t
}

// checkMean panics if x's elements cannot be measured from the Mean.
func (o *VarOptions) checkMean(fn nd.Func, x *nd.Array) {
	fn.Check(x, o.Mean)
	if _, err := o.Mean.Layout().BroadcastTo(x.Layout().Shape); err != nil {
		panic(fn.Errorf([]*nd.Array{x, o.Mean}, "want a Mean that broadcasts to the array's shape"))
	}
	if o.Mean.DType().IsComplex() && !x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, o.Mean}, "a complex Mean of real numbers"))
	}
}

// deviationOp is a recorded variance or standard deviation, with the divisor n.
type deviationOp struct {
	d     *deviation
	axes  []int
	wide  dtype.DType // the dtype of the computation
	n     float64
	given bool // the mean is the second input
}

func (op deviationOp) mean(x *nd.Array) *nd.Array {
	return Mean(x, ReduceOptions{Axes: op.axes, KeepDims: true, DType: op.wide})
}

func (op deviationOp) launch(y, x, mean *nd.Array) {
	n := []device.Scalar{device.ScalarOf(op.n, op.wide.Real())}
	op.d.fn.SumSquares(op.d.distance.Program(op.wide), op.d.after.Program(op.wide.Real()), op.axes, n, y, x, mean)
}

func (op deviationOp) Claims() nd.Claims {
	claims := nd.Claims{In: 1}
	if op.given {
		claims.In = 3
	}
	if op.d.root {
		claims.Out = 1
	}
	return claims
}

func (op deviationOp) Traced() any { return traced.Deviation{Axes: op.axes, N: op.n, Root: op.d.root} }

// VJP: the dependence of the mean on x contributes nothing, because the deviations from it add up to 0.
func (op deviationOp) VJP(c *nd.Call) {
	x := c.In(0)
	spread := reduction.Op{Axes: op.axes}.Spread
	g := Divide(spread(c, c.Gy(0)), op.n)
	var center *nd.Array
	if op.given {
		center = c.In(1)
	} else {
		center = op.mean(x)
	}
	gx := Subtract(x, center)
	if op.d.root {
		gx = alongUnit.Compute(nil, gx, spread(c, c.Out(0)), g)
	} else {
		gx = Multiply(gx, Multiply(g, 2))
	}
	if !op.given {
		c.SetGx(0, gx)
		return
	}
	if c.Needs(0) {
		c.SetGx(0, gx)
	}
	if c.Needs(1) {
		c.SetGx(1, c.Func().SumTo(Negative(gx), c.Shape(1)))
	}
}

// PTP returns the distance between the largest and the smallest element along the given axes ("peak to peak"). For
// integers it wraps if it is out of range. Its gradient is that of Max minus that of Min.
// NumPy: ptp.
func PTP(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.PTP"
	o := reduceOptions(fn, opts)
	o.isPlain(fn, x)
	out := o.Out
	if o.Out = nil; out == nil {
		most, least := Max(x, o), Min(x, o)
		return fn.Made(release.Operands(Subtract(most, least), most, least))
	}
	fn.Check(x)
	checkedShape(fn, x, ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims, Out: out})
	most, least := Max(x, o), Min(x, o)
	most = release.Replace(most, most.AsType(out.DType())) // as NumPy, which stores the maximum in Out first
	return fn.Made(release.Operands(Subtract(most, least, Into(out)), most, least))
}

// LogSumExp returns log Σexp(x) over the given axes without overflow, for complex numbers too. For no elements it
// returns -Inf. If all elements are -Inf, or exp underflows, the gradient is 0. If elements are +Inf, they get the same part
// of the gradient.
// PyTorch: logsumexp. Chainer: logsumexp.
func LogSumExp(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.LogSumExp"
	fn.Check(x)
	o := reduceOptions(fn, opts)
	o.isPlain(fn, x)
	given := x
	x = x.AsType(dtype.FloatType(x.DType()))
	defer release.Unless(x, given)
	axes, shape := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	if o.Out != nil {
		ufunc.CheckOut(fn, x, o.Out, shape)
	}
	y := logSumExp(x, axes)
	y = release.Replace(y, y.Reshape(shape...))
	if o.DType.Valid() {
		y = release.Replace(y, y.AsType(o.DType))
	}
	return fn.Made(reduction.Into(o.Out, y))
}

// logSumExp keeps the reduced axes. It does not subtract an infinite maximum, because the difference of infinities is
// undefined.
func logSumExp(x *nd.Array, axes []int) *nd.Array {
	along := ReduceOptions{Axes: axes, KeepDims: true}
	if x.Size() == 0 {
		total := Sum(x, along)
		return release.Operands(logarithmOfSum.Apply1(total), total)
	}
	if t := x.DType(); !ufunc.Recorded(x) && (t == dtype.Float32 || t == dtype.Float64) {
		return fusedLogSumExp(x, axes)
	}
	made := nd.Func("ops.LogSumExp").Temporaries(&x)
	defer made.Release()
	shift := Max(Real(x.Detach()), along)
	if x.DType().IsComplex() {
		shift = Where(Equal(Absolute(shift), math.Inf(1)), 0, shift)
		return made.Keep(Add(logarithmOfSum.Apply1(Sum(Exp(Subtract(x, shift)), along)), shift))
	}
	shift = Where(Equal(shift, math.Inf(-1)), 0, shift)
	return made.Keep(Add(logarithmOfSum.Apply1(Sum(shares.Compute(nil, x, shift), along)), shift))
}

// shares are the exponentials of x relative to that of the largest element. If this is infinite, the elements that are infinite have the
// same share, for the value and for the gradient.
var shares = ufunc.Definition{Fn: "ops.LogSumExp", In: "T x, T shift", Body: "shift == inf ? T(x == inf) : exp(x - shift)",
	Gradient: "gx = gy * (shift == inf ? T(x == inf) : exp(x - shift))"}

// These are the programs of fusedLogSumExp; logSumExp uses the last one, too.
var (
	finiteShift    = ufunc.Definition{Fn: "ops.LogSumExp", Body: "fabs(x) == inf ? 0 : x"}
	shiftedExp     = ufunc.Definition{Fn: "ops.LogSumExp", In: "T x, T shift", Body: "exp(x - shift)"}
	logarithmOfSum = ufunc.Definition{Fn: "ops.LogSumExp", Body: "x == 0 ? T(-inf) : log(x)"} // the gradient at 0 is 0
)

// fusedLogSumExp is logSumExp for arrays that are not recorded: it adds up the exponentials as they are computed.
func fusedLogSumExp(x *nd.Array, axes []int) *nd.Array {
	const fn nd.Func = "ops.LogSumExp"
	t := x.DType()
	largest := Max(x, ReduceOptions{Axes: axes, KeepDims: true})
	shift := release.Replace(largest, ufunc.Run(fn, finiteShift.Program(t), nil, ufunc.Options{}, []*nd.Array{largest}))
	y := fn.NewLike(t, shift.Shape(), x)
	fn.Reduce(shiftedExp.Program(t), logarithmOfSum.Program(t), device.CombineSum, axes, nil, y, x, shift)
	return release.Replace(y, release.Replace(shift, Add(y, shift)))
}
