package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

var sum = reduction.Definition{Fn: "ops.Sum", Combine: device.CombineSum, Widens: true, VJP: sumVJP}

// Sum returns Σx over the given axes, added pairwise.
// NumPy: sum. NNabla: sum. Chainer: sum.
func Sum(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&sum, x, opts) }

func sumVJP(op reduction.Op, c *nd.Call) {
	c.SetGx(0, op.Spread(c, c.Gy(0)).BroadcastTo(c.Shape(0)...))
}

var mean = reduction.Definition{Fn: "ops.Mean", Strict: true, Post: "x / count * unit", Guarded: true, Combine: device.CombineSum, Result: dtype.MeanType, VJP: meanVJP}

// Mean returns Σx/n over the given axes; for no elements NaN. It is right if only the sum leaves the range; with Where it
// waits for the device to know that.
// NumPy: mean. NNabla: mean.
func Mean(x *nd.Array, opts ...ReduceOption) *nd.Array {
	const fn nd.Func = "ops.Mean"
	o := reduceOptions(fn, opts)
	if o.Out != nil && o.DType.Valid() && !o.DType.IsInexact() && o.Where == nil && o.Initial == nil {
		return wholeMean(x, o)
	}
	return combineWith(&mean, x, o)
}

// wholeMean is Mean with a requested integer dtype for the sum and with Out: as in NumPy, Out receives the quotient as
// a float.
func wholeMean(x *nd.Array, o ReduceOptions) *nd.Array {
	mean.Fn.Check(x)
	axes, shape := reduction.ReducedAxes(mean.Fn, x, o.Axes, o.KeepDims)
	ufunc.CheckOut(mean.Fn, x, o.Out, shape)
	total := combineWith(&sum, x, ReduceOptions{Axes: axes, KeepDims: o.KeepDims, DType: o.DType})
	return reduction.Into(o.Out, release.Replace(total, Divide(total, reduction.Count(x.Shape(), axes))))
}

func meanVJP(op reduction.Op, c *nd.Call) {
	n := 1
	for _, k := range op.Axes {
		n *= c.Shape(0)[k]
	}
	c.SetGx(0, Divide(op.Spread(c, c.Gy(0)), n).BroadcastTo(c.Shape(0)...))
}

var prod = reduction.Definition{Fn: "ops.Prod", Combine: device.CombineProd, Widens: true, VJP: prodVJP}

// Prod returns the product of x over the given axes. Its gradient, the product of the other elements, is correct at
// zeros too.
// NumPy: prod. NNabla: prod. Chainer: prod.
func Prod(x *nd.Array, opts ...ReduceOption) *nd.Array { return combine(&prod, x, opts) }

// prodVJP multiplies the product of the elements before an element by the product of those after it, which needs no
// division.
func prodVJP(op reduction.Op, c *nd.Call) {
	rows, back := asRows(c.In(0), op.Axes)
	along := ScanOptions{Axis: Over(1), Exclusive: true, DType: rows.DType()}
	before := CumProd(rows, along)
	along.Reverse = true
	others := Multiply(before, CumProd(rows, along))
	c.SetGx(0, back(Multiply(c.Gy(0).Reshape(rows.Dim(0), 1), Conj(others))))
}

var countNonzero = reduction.Definition{Fn: "ops.CountNonzero", In: "bool x", Combine: device.CombineSum, Result: toInt64}

func toInt64(dtype.DType) dtype.DType { return dtype.Int64 }

// CountNonzero returns (int64) the number of elements along the given axes that are not 0. No gradient flows.
// NumPy: count_nonzero.
func CountNonzero(x *nd.Array, opts ...ReduceOption) *nd.Array {
	return combine(&countNonzero, x, opts)
}

var largest = reduction.Definition{Fn: "ops.Max", Combine: device.CombineMax, Filled: true, VJP: extremeVJP}

// Max returns the largest element along the given axes, or NaN if an element is NaN. At a tie its gradient goes to the
// first of the equal elements, unless ReduceOptions has a Kink for ties; NaNs count as equal.
// NumPy: max, amax. PyTorch: max, amax (with KinkEven). NNabla: max. Chainer: max (with KinkAll).
func Max(x *nd.Array, opts ...ReduceOption) *nd.Array { return extreme(&largest, x, opts) }

var smallest = reduction.Definition{Fn: "ops.Min", Combine: device.CombineMin, Filled: true, VJP: extremeVJP}

// Min returns the smallest element along the given axes, or NaN if an element is NaN. At a tie its gradient goes to the
// first of the equal elements, unless ReduceOptions has a Kink for ties; NaNs count as equal.
// NumPy: min, amin. PyTorch: min, amin (with KinkEven). NNabla: min. Chainer: min (with KinkAll).
func Min(x *nd.Array, opts ...ReduceOption) *nd.Array { return extreme(&smallest, x, opts) }

var nanLargest = reduction.Definition{Fn: "ops.NanMax", Combine: device.CombineFMax, Filled: true, VJP: nanExtremeVJP}

// NanMax is Max of the elements that are not NaN; if all elements are NaN, the result is NaN.
// NumPy: nanmax.
func NanMax(x *nd.Array, opts ...ReduceOption) *nd.Array {
	return combine(&nanLargest, x, opts)
}

var nanSmallest = reduction.Definition{Fn: "ops.NanMin", Combine: device.CombineFMin, Filled: true, VJP: nanExtremeVJP}

// NanMin is Min of the elements that are not NaN; if all elements are NaN, the result is NaN.
// NumPy: nanmin.
func NanMin(x *nd.Array, opts ...ReduceOption) *nd.Array {
	return combine(&nanSmallest, x, opts)
}

// nanExtremeVJP finds the extreme after replacing NaNs by a value that no number exceeds.
func nanExtremeVJP(op reduction.Op, c *nd.Call) {
	x, least := c.In(0).Detach(), math.Inf(-1)
	if op.Definition.Combine == device.CombineFMin {
		least = math.Inf(1)
	}
	sendToExtreme(op, c, Where(IsNaN(x), least, x), false)
}

// sendToExtreme sends the gradient to the first or the last of the elements of x that are equal to the extreme.
func sendToExtreme(op reduction.Op, c *nd.Call, x *nd.Array, last bool) {
	arg := argMax
	if op.Definition.Combine == device.CombineMin || op.Definition.Combine == device.CombineFMin {
		arg = argMin
	}
	rows, back := asRows(x, op.Axes)
	n := rows.Dim(0)
	zeros := nd.ZerosLike(rows, c.Gy(0).DType())
	row := c.Own(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: rows.Device()}))
	var index *nd.Array
	if last {
		index = Subtract(rows.Dim(1)-1, arg.rows(rows.Flip(1)))
	} else {
		index = arg.rows(rows)
	}
	indices := []*nd.Array{row, index}
	c.SetGx(0, back(op.Definition.Fn.Scatter(device.CombineSum, zeros, []int{0, 1}, 0, indices, c.Gy(0).Reshape(n), device.BoundsRaise)))
}

// asRows moves the given axes to the end and merges the axes into two, with one row for each result of the reduction.
// back undoes this.
func asRows(x *nd.Array, axes []int) (rows *nd.Array, back func(*nd.Array) *nd.Array) {
	order := broadcast.MovedLast(x.Rank(), axes)
	moved := x.Transpose(order...)
	shape, width := moved.Shape(), 1
	for _, n := range shape[len(shape)-len(axes):] {
		width *= n
	}
	height := 1
	for _, n := range shape[:len(shape)-len(axes)] {
		height *= n
	}
	rows = moved.Reshape(height, width)
	moved.Release()
	return rows, func(r *nd.Array) *nd.Array {
		y := r.Reshape(shape...)
		return release.Replace(y, y.Transpose(broadcast.InversePermutation(order)...))
	}
}
