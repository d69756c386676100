package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
	"github.com/ndgrad/ndgrad/nd/ops/internal/view"
)

// CumMax returns the running maxima along an axis, or of the flattened array, and their indices (int64); at a tie the
// last index. From a NaN on, the maximum is NaN. The gradient goes to the elements at the indices.
// NumPy: maximum.accumulate (for the values). PyTorch: cummax.
func CumMax(x *nd.Array, over ...Axes) (values, indices *nd.Array) {
	const fn nd.Func = "ops.CumMax"
	return runningExtreme(fn, device.CombineMax, x, options.Read(fn, over))
}

// CumMin returns the running minima along an axis, or of the flattened array, and their indices: see CumMax.
// NumPy: minimum.accumulate (for the values). PyTorch: cummin.
func CumMin(x *nd.Array, over ...Axes) (values, indices *nd.Array) {
	const fn nd.Func = "ops.CumMin"
	return runningExtreme(fn, device.CombineMin, x, options.Read(fn, over))
}

func runningExtreme(fn nd.Func, combine device.Combine, x *nd.Array, over Axes) (values, indices *nd.Array) {
	fn.Check(x)
	if x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "complex numbers have no order here"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x, axis := flatOr(fn, x, over)
	seen := x.Detach()
	extreme := scanOp{fn: fn, combine: combine, axis: axis}.apply(seen, x.DType())
	isNew := Equal(seen, extreme)
	if x.DType().IsFloat() {
		isNew = LogicalOr(isNew, IsNaN(seen))
	}
	along := broadcast.Ones(x.Rank())
	along[axis] = x.Dim(axis)
	numbers := made.Own(nd.ArangeInt(0, x.Dim(axis), 1, nd.ArrayOptions{Device: x.Device()})).Reshape(along...)
	indices = scanOp{fn: fn, combine: device.CombineMax, axis: axis}.apply(Where(isNew, numbers, 0), dtype.Int64)
	return made.Keep(TakeAlongAxis(x, indices, Over(axis))), made.Keep(indices)
}

// ofPossible is x; no gradient flows to the logarithm of 0.
var ofPossible = ufunc.Definition{Fn: "ops.LogCumSumExp", Body: "y = x", Gradient: "gx = x == -inf ? T(0) : gy"}

// LogCumSumExp returns log Σexp(x) of the elements up to each index along an axis, or of the flattened array, without
// overflow. It runs log₂n steps, each of which doubles the number of elements in a sum. The gradient of an element that
// is -Inf is 0.
// PyTorch: logcumsumexp.
func LogCumSumExp(x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.LogCumSumExp"
	fn.Check(x)
	made := fn.Temporaries(&x)
	defer made.Release()
	y, axis := flatOr(fn, x.AsType(dtype.FloatType(x.DType())), options.Read(fn, over))
	if ufunc.Recorded(y) {
		y = ofPossible.Apply1(y)
	}
	n := y.Dim(axis)
	for d := 1; d < n; d *= 2 {
		longer := LogAddExp(view.Span(y, axis, d, n), view.Span(y, axis, 0, n-d))
		y = Concatenate([]*nd.Array{view.Span(y, axis, 0, d), longer}, Over(axis))
	}
	return made.Keep(y)
}

// Mode returns the most frequent element along an axis (the default is the last) and the index of its last occurrence
// (int64). Among equally frequent elements it is the smallest. NaNs count as different from each other. The gradient
// goes to the elements at the indices.
// PyTorch: mode.
func Mode(x *nd.Array, over ...Axes) (values, indices *nd.Array) {
	const fn nd.Func = "ops.Mode"
	fn.Check(x)
	axis := fn.Axis(x, options.Read(fn, over), -1)
	n := x.Dim(axis)
	if n == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "axis %d has no elements", axis))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	order := ArgSort(x.Detach(), SortOptions{Axis: Over(axis)})
	sorted := TakeAlongAxis(x.Detach(), order, Over(axis))
	along := broadcast.Ones(x.Rank())
	along[axis] = n
	numbers := made.Own(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: x.Device()})).Reshape(along...)
	isNew := NotEqual(view.Span(sorted, axis, 1, n), view.Span(sorted, axis, 0, n-1))
	begins := Where(isNew, view.Span(numbers, axis, 1, n), 0)
	begins = Concatenate([]*nd.Array{nd.ZerosLike(view.Span(order, axis, 0, 1)), begins}, Over(axis))
	begins = scanOp{fn: fn, combine: device.CombineMax, axis: axis}.apply(begins, dtype.Int64)
	last := ArgMax(Subtract(numbers, begins), ArgOptions{Axis: Over(axis), KeepDims: true}) // the end of the longest run
	indices = TakeAlongAxis(order, last, Over(axis))
	return made.Keep(TakeAlongAxis(x, indices, Over(axis)).Squeeze(axis)), made.Keep(indices.Squeeze(axis))
}
