package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var nanReplaced = ufunc.Definition{Fn: "ops.NanSum", In: "T x", Scalars: "T v", Body: "isnan(x) ? v : x"}

// withoutNaN returns x with NaN replaced by v; no gradient flows to replaced elements. It returns x itself if its dtype
// has no NaN.
func withoutNaN(x *nd.Array, v float64) *nd.Array {
	if !x.DType().IsInexact() {
		return x
	}
	return nanReplaced.Compute([]float64{v}, x)
}

var nanSum = reduction.Definition{Fn: "ops.NanSum", Body: "isnan(x) ? T(0) : x", Combine: device.CombineSum, Widens: true, VJP: nanSumVJP}

// NanSum is Sum with NaN taken as 0.
// NumPy: nansum.
func NanSum(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&nanSum, x, opts) }

func nanSumVJP(op reduction.Op, c *nd.Call) {
	c.SetGx(0, Where(IsNaN(c.In(0)), 0, op.Spread(c, c.Gy(0))))
}

// NanProd is Prod with NaN taken as 1.
// NumPy: nanprod.
func NanProd(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.NanProd"
	fn.Check(x)
	numbers := withoutNaN(x, 1)
	defer release.Unless(numbers, x)
	return fn.Made(Prod(numbers, opts...))
}

// NanMean returns the mean of the elements that are not NaN along the given axes, or NaN if all of them are. Integers
// give float64. For floats and complex numbers, DType and Out must be float or complex dtypes, too. It waits for the
// device, because it computes a sum again that leaves the range.
// NumPy: nanmean.
func NanMean(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.NanMean"
	fn.Check(x)
	o := reduceOptions(fn, opts)
	if !x.DType().IsInexact() {
		return fn.Made(Mean(x, o))
	}
	if o.Initial != nil {
		o.isPlain(fn, x)
	}
	if o.Where != nil {
		masked := nanUnless(fn, x, o.Where)
		o.Where = nil
		return release.Operands(NanMean(masked, o), masked)
	}
	t := inexactTypeOf(fn, x, o.DType, o.Out)
	loaded := ufunc.Loaded(x, t)
	shape := checkedShape(fn, loaded, o)
	y := numbersMean(loaded, o.Axes, t)
	release.Unless(loaded, x)
	y = release.Replace(y, y.Reshape(shape...))
	return fn.Made(reduction.Into(o.Out, release.Replace(y, y.AsType(t))))
}

// numbersMean returns the mean of the elements that are not NaN, with the reduced axes kept, computed and returned in
// t's compute type.
func numbersMean(x *nd.Array, axes []int, t dtype.DType) *nd.Array {
	along := ReduceOptions{Axes: axes, KeepDims: true, DType: dtype.ComputeType(t)}
	sum, n := NanSum(x, along), countNumbers(x, axes)
	n = release.Replace(n, n.AsType(along.DType.Real()))
	defer n.Release()
	if allFinite(sum) {
		return release.Operands(Divide(sum, n), sum)
	}
	sum.Release()
	numbers := withoutNaN(x, 0)
	return release.Operands(meanOfSome(numbers, n, along), numbers)
}

// meanOfSome returns the mean of n elements, for sums that leave the range: the mean of all, of which the others are 0,
// times their number divided by n.
func meanOfSome(x, n *nd.Array, along ReduceOptions) *nd.Array {
	of := Mean(x, along)
	all := 1.0
	if n.Size() > 0 {
		all = float64(x.Size() / n.Size())
	}
	by := Divide(all, n)
	return release.Operands(Multiply(of, by), of, by)
}

// countNumbers counts (int64) the elements that are not NaN along axes, which it keeps.
func countNumbers(x *nd.Array, axes []int) *nd.Array {
	detached := x.Detach()
	missing := IsNaN(detached)
	numbers := LogicalNot(missing)
	return release.Operands(CountNonzero(numbers, ReduceOptions{Axes: axes, KeepDims: true}), detached, missing, numbers)
}

// NanVar is Var of the elements that are not NaN. If DDof is not below their number, the result is NaN.
// NumPy: nanvar.
func NanVar(x *nd.Array, opts ...VarOption) *nd.Array {
	const fn nd.Func = "ops.NanVar"
	return nanDeviation(fn, x, options.OfReduction(fn, opts, Axes.variance, KeptAxes.variance, Output.variance), false)
}

// NanStd is Std of the elements that are not NaN, the square root of NanVar. Its gradient is 0 where it is 0.
// NumPy: nanstd.
func NanStd(x *nd.Array, opts ...VarOption) *nd.Array {
	const fn nd.Func = "ops.NanStd"
	return nanDeviation(fn, x, options.OfReduction(fn, opts, Axes.variance, KeptAxes.variance, Output.variance), true)
}

func nanDeviation(fn nd.Func, x *nd.Array, o VarOptions, root bool) *nd.Array {
	fn.Check(x)
	switch {
	case x.DType().IsInexact():
	case root:
		return Std(x, o)
	default:
		return Var(x, o)
	}
	if o.Where != nil {
		masked := nanUnless(fn, x, o.Where)
		o.Where = nil
		return release.Operands(nanDeviation(fn, masked, o, root), masked)
	}
	made := fn.Temporaries(&x, &o.Mean)
	defer made.Release()
	t := inexactTypeOf(fn, x, o.DType, o.Out)
	shape := checkedShape(fn, x, ReduceOptions{Axes: o.Axes, KeepDims: o.KeepDims, Out: o.Out})
	mean := o.Mean
	if mean != nil {
		o.checkMean(fn, x)
	}
	wide := deviationType(x, t)
	x = x.AsType(wide)
	var distance *nd.Array
	if mean == nil {
		distance = Subtract(x, numbersMean(x, o.Axes, wide))
		distance = Subtract(distance, numbersMean(distance.Detach(), o.Axes, wide)) // see distancesFromMean
	} else {
		if !mean.IsScalar() {
			mean = mean.AsType(wide)
		}
		distance = Subtract(x, mean)
	}
	distance = Where(IsNaN(x.Detach()), 0, distance)
	n := Subtract(countNumbers(x, o.Axes).AsType(wide.Real()), o.DDof)
	n = Where(Greater(n, 0), n, math.NaN())
	return made.Keep(o.deviation(distance, n, t, shape, root))
}

// deviation returns the variance, or its root, of n elements, given the distances from their mean.
func (o *VarOptions) deviation(distance, n *nd.Array, t dtype.DType, shape []int, root bool) *nd.Array {
	var y *nd.Array
	switch along := (ReduceOptions{Axes: reduction.WithoutAxes(distance, o.Axes), KeepDims: true}); {
	case root:
		y = Divide(combineWith(&euclid, distance, along), Sqrt(n))
	case distance.DType().IsComplex():
		y = Divide(Sum(Real(Multiply(distance, Conj(distance))), along), n)
	default:
		y = Divide(Sum(Multiply(distance, distance), along), n)
	}
	if !o.DType.Valid() {
		t = t.Real()
	}
	return reduction.Into(o.Out, y.Reshape(shape...).AsType(t))
}

// nanUnless returns x with NaN where a mask leaves an element out.
func nanUnless(fn nd.Func, x, where *nd.Array) *nd.Array {
	checkWhere(fn, x, where)
	return Where(where, x, math.NaN())
}

// meanTypeOf returns the dtype in which a mean is computed: the requested one, or that of x (float64 for integers)
// promoted with the dtype of Out.
func meanTypeOf(x *nd.Array, asked dtype.DType, out *nd.Array) dtype.DType {
	if asked.Valid() {
		return asked
	}
	return reduction.WithOut(dtype.MeanType(x.DType()), out)
}

// inexactTypeOf is meanTypeOf for functions that skip NaN. As in NumPy, their results are never integers.
func inexactTypeOf(fn nd.Func, x *nd.Array, asked dtype.DType, out *nd.Array) dtype.DType {
	t := meanTypeOf(x, asked, out)
	if !t.IsInexact() || out != nil && !out.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{x, out}, "x is %s: want a float or complex DType and Out", x.DType()))
	}
	return t
}

// checkedShape returns the shape of a reduction's result after it has checked the axes and Out.
func checkedShape(fn nd.Func, x *nd.Array, o ReduceOptions) []int {
	_, shape := reduction.ReducedAxes(fn, x, reduction.WithoutAxes(x, o.Axes), o.KeepDims)
	if o.Out != nil {
		ufunc.CheckOut(fn, x, o.Out, shape)
	}
	return shape
}

// NanCumSum is CumSum with NaN taken as 0.
// NumPy: nancumsum.
func NanCumSum(x *nd.Array, opts ...ScanOption) *nd.Array {
	const fn nd.Func = "ops.NanCumSum"
	fn.Check(x)
	numbers := withoutNaN(x, 0)
	defer release.Unless(numbers, x)
	return fn.Made(CumSum(numbers, opts...))
}

// NanCumProd is CumProd with NaN taken as 1.
// NumPy: nancumprod.
func NanCumProd(x *nd.Array, opts ...ScanOption) *nd.Array {
	const fn nd.Func = "ops.NanCumProd"
	fn.Check(x)
	numbers := withoutNaN(x, 1)
	defer release.Unless(numbers, x)
	return fn.Made(CumProd(numbers, opts...))
}

// NanArgMax returns (int64) the index of the largest number along an axis, the first one at a tie. It panics if all
// elements are NaN. It takes NaN as -Inf, as NumPy does: if the largest number is -Inf, the result may be the index of
// a NaN before it. It waits for the device. No gradient flows.
// NumPy: nanargmax.
func NanArgMax(x *nd.Array, opts ...ArgOption) *nd.Array {
	const fn nd.Func = "ops.NanArgMax"
	return nanArg(fn, argMax, x, options.OfReduction(fn, opts, Axes.arg, KeptAxes.arg, Output.arg), math.Inf(-1))
}

// NanArgMin returns (int64) the index of the smallest number along an axis, the first one at a tie. It panics if all
// elements are NaN. It takes NaN as +Inf, with the same effect as -Inf in NanArgMax. It waits for the device. No
// gradient flows.
// NumPy: nanargmin.
func NanArgMin(x *nd.Array, opts ...ArgOption) *nd.Array {
	const fn nd.Func = "ops.NanArgMin"
	return nanArg(fn, argMin, x, options.OfReduction(fn, opts, Axes.arg, KeptAxes.arg, Output.arg), math.Inf(1))
}

func nanArg(fn nd.Func, d argReduction, x *nd.Array, o ArgOptions, least float64) *nd.Array {
	fn.Check(x)
	d.fn = fn
	if !x.DType().IsInexact() {
		return d.call(x, o)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	along := ReduceOptions{}
	if o.Axis != nil {
		along.Axes = reduction.WithoutAxes(x, []int{fn.Axis(AtLeast1D(x), o.Axis, 0)})
	}
	axes, shape := reduction.ReducedAxes(fn, x, along.Axes, false)
	if reduction.Count(x.Shape(), axes) > 0 && broadcast.Size(shape) > 0 && nd.Value[bool](Any(All(IsNaN(x.Detach()), along))) {
		panic(fn.Errorf([]*nd.Array{x}, "All-NaN slice encountered"))
	}
	return made.Keep(d.call(withoutNaN(x.Detach(), least), o))
}
