package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// AverageOptions are the options of Average.
type AverageOptions struct {
	// Axis is the axis to reduce, or several, negative ones counted from the end; nil means all.
	Axis Axes
	// Weights have x's shape, or the lengths of the axes in the order of Axis; nil means equal weights.
	Weights *nd.Array
	// KeepDims leaves the reduced axes in the result, with length 1.
	KeepDims bool
}

// Average returns Σ(w·x)/Σw, the weighted mean, which is right if only the sums or the products leave the range. It
// refuses weights that add up to 0, and therefore waits for the device if it has weights.
// NumPy: average. Chainer: average, mean.
func Average(x *nd.Array, opts ...AverageOption) *nd.Array {
	const fn nd.Func = "ops.Average"
	fn.Check(x)
	o := options.OfKept(fn, opts, Axes.average, KeptAxes.average)
	if o.Weights == nil {
		return fn.Made(Mean(x, ReduceOptions{Axes: o.Axis, KeepDims: o.KeepDims}))
	}
	average, total := weightedMean(fn, x, o)
	return fn.Made(release.Operands(average, total))
}

// AverageAndWeight is Average that also returns the sum of the weights for each element of the result. Without weights
// that sum is the number of elements.
// NumPy: average (with returned).
func AverageAndWeight(x *nd.Array, opts ...AverageOption) (average, weight *nd.Array) {
	const fn nd.Func = "ops.AverageAndWeight"
	fn.Check(x)
	o := options.OfKept(fn, opts, Axes.average, KeptAxes.average)
	if o.Weights != nil {
		return weightedMean(fn, x, o)
	}
	average = Mean(x, ReduceOptions{Axes: o.Axis, KeepDims: o.KeepDims})
	axes, shape := reduction.ReducedAxes(fn, x, o.Axis, o.KeepDims)
	return average, fn.NewFilled(average.DType(), shape, float64(reduction.Count(x.Shape(), axes)), average)
}

func weightedMean(fn nd.Func, x *nd.Array, o AverageOptions) (average, total *nd.Array) {
	along := ReduceOptions{Axes: o.Axis, KeepDims: o.KeepDims}
	w := weightsOf(fn, x, o.Weights, o.Axis)
	defer release.Unless(w, o.Weights)
	t := ufunc.Quotient(ufunc.CommonType([]*nd.Array{x, w}))
	if !x.DType().IsInexact() {
		t = dtype.Promote(t, dtype.Float64)
	}
	along.DType = t
	total = Sum(w, along)
	if anyZero(total) {
		panic(fn.Errorf([]*nd.Array{x, o.Weights}, "the weights add up to 0"))
	}
	weighted := Multiply(x, w, UfuncOptions{DType: t})
	sum := Sum(weighted, along)
	average = release.Operands(Divide(sum, total), weighted, sum)
	if allFinite(average) {
		return average, total
	}
	average.Release()
	return averageOfLarge(fn, x, w, along), total
}

// averageOfLarge is for products or sums that leave the range. It divides the weights by a power of two above them, on
// which the result does not depend, and divides means instead of sums.
func averageOfLarge(fn nd.Func, x, w *nd.Array, along ReduceOptions) *nd.Array {
	made := fn.Temporaries(&x, &w)
	defer made.Release()
	w = w.AsType(along.DType)
	w = Multiply(Divide(w, ufunc.Unit.Apply1(Max(Absolute(w.Detach())))), 0.5)
	return made.Keep(Divide(Mean(Multiply(x, w, UfuncOptions{DType: along.DType}), along), Mean(w, along)))
}

// anyZero reports whether an element of x is 0.
func anyZero(x *nd.Array) bool {
	x = x.Detach()
	defer x.Release()
	all := All(x)
	defer all.Release()
	return !nd.Value[bool](all)
}

// weightsOf returns weights in x's shape. The weights given for some axes have these axes in the given order.
func weightsOf(fn nd.Func, x, w *nd.Array, axes Axes) *nd.Array {
	fn.Check(x, w)
	if broadcast.Equal(w.Shape(), x.Shape()) {
		return w
	}
	norm, _ := reduction.ReducedAxes(fn, x, axes, false)
	order := make([]int, len(norm)) // order[k] is the index in axes of the k-th axis, sorted
	lengths := make([]int, len(axes))
	for k, axis := range axes {
		axis, _ = broadcast.Axis(axis, x.Rank())
		order[slices.Index(norm, axis)], lengths[k] = k, x.Dim(axis)
	}
	if axes == nil || !slices.Equal(lengths, w.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, w}, "want weights of the array's shape, or one for every index along the axes"))
	}
	made := fn.Temporaries(&w)
	defer made.Release()
	shape := broadcast.ReduceShape(x.Shape(), broadcast.AllAxes(x.Rank()), true)
	for _, axis := range norm {
		shape[axis] = x.Dim(axis)
	}
	return made.Keep(w.Transpose(order...).Reshape(shape...).BroadcastTo(x.Shape()...))
}
