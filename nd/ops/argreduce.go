package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ArgOptions are the options of functions that find places along an axis.
type ArgOptions struct {
	// Axis is the axis to search, negative ones counted from the end; nil means the flattened array.
	Axis Axes
	// KeepDims leaves the searched axis in the result, with length 1.
	KeepDims bool
	// DType is the dtype of the result; by default int64.
	DType dtype.DType
	// Out receives the result, converted to its dtype, which must be one whose values int64 holds. It must have the shape.
	Out *nd.Array
}

// argReduction finds the largest or smallest element.
type argReduction struct {
	fn      nd.Func
	combine device.Combine
}

var (
	argMax = argReduction{"ops.ArgMax", device.CombineMax}
	argMin = argReduction{"ops.ArgMin", device.CombineMin}
)

// ArgMax returns (int64) where along an axis the largest element is, the first of several; a not-a-number counts as the
// largest. numpy.argmax, chainer argmax. No gradient flows.
func ArgMax(x *nd.Array, opts ...ArgOption) *nd.Array {
	return argMax.call(x, options.OfReduction(argMax.fn, opts, Axes.arg, KeptAxes.arg, Output.arg))
}

// ArgMin returns (int64) where along an axis the smallest element is, the first of several; a not-a-number counts as the
// smallest. numpy.argmin, chainer argmin. No gradient flows.
func ArgMin(x *nd.Array, opts ...ArgOption) *nd.Array {
	return argMin.call(x, options.OfReduction(argMin.fn, opts, Axes.arg, KeptAxes.arg, Output.arg))
}

func (d argReduction) call(x *nd.Array, o ArgOptions) *nd.Array {
	d.fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	axes := broadcast.AllAxes(x.Rank())
	if axis := reduction.WithoutAxes(x, o.Axis); axis != nil && len(axis)+x.Rank() > 0 { // NumPy allows axis 0 of an array without axes
		axes = []int{d.fn.Axis(x, axis, 0)}
	}
	shape := broadcast.ReduceShape(x.Shape(), axes, o.KeepDims)
	result := dtype.Int64
	if o.DType.Valid() {
		result = o.DType
	}
	if o.Out != nil {
		ufunc.CheckTaken(d.fn, x, o.Out, shape, dtype.Int64)
	}
	y := d.along(x, axes)
	y = release.Replace(y, y.AsType(result))
	y = release.Replace(y, y.Reshape(shape...))
	return reduction.Into(o.Out, y)
}

// along finds the places along some axes, in one axis of results.
func (d argReduction) along(x *nd.Array, axes []int) *nd.Array {
	if reduction.Count(x.Shape(), axes) == 0 {
		panic(d.fn.Errorf([]*nd.Array{x}, "attempt to search an empty sequence"))
	}
	detached := x.Detach()
	rows, _ := asRows(detached, axes)
	detached.Release()
	y := d.rows(rows)
	rows.Release()
	return y
}

// rows finds the places in the rows of a matrix.
func (d argReduction) rows(x *nd.Array) *nd.Array {
	y := d.fn.NewLike(dtype.Int64, []int{x.Dim(0)}, x)
	l := d.fn.Launch(x.Device(), x.Shape())
	l.Combine, l.Reduced = d.combine, 1
	l.WriteStrides(y, []int{1, 0})
	l.Read(x)
	l.Run(device.Device.ArgReduce)
	return y
}

// ExtremeOptions are the options of MaxWithIndex and MinWithIndex.
type ExtremeOptions struct {
	// Axes are the axes to reduce, negative ones counted from the end; nil means all.
	Axes Axes
	// KeepDims leaves the reduced axes in the results, with length 1.
	KeepDims bool
}

// MaxWithIndex returns what Max returns, and (int64) where it was found: the position in the reduced axes, flattened.
// nnabla max with with_index. torch.max with a dim.
func MaxWithIndex(x *nd.Array, opts ...ExtremeOption) (values, positions *nd.Array) {
	const fn nd.Func = "ops.MaxWithIndex"
	return argMax.withValues(fn, Max, x, options.OfKept(fn, opts, Axes.extreme, KeptAxes.extreme))
}

// MinWithIndex returns what Min returns, and (int64) where it was found: the position in the reduced axes, flattened.
// nnabla min with with_index. torch.min with a dim.
func MinWithIndex(x *nd.Array, opts ...ExtremeOption) (values, positions *nd.Array) {
	const fn nd.Func = "ops.MinWithIndex"
	return argMin.withValues(fn, Min, x, options.OfKept(fn, opts, Axes.extreme, KeptAxes.extreme))
}

func (d argReduction) withValues(fn nd.Func, extreme func(*nd.Array, ...ReduceOption) *nd.Array, x *nd.Array, o ExtremeOptions) (values, positions *nd.Array) {
	fn.Check(x)
	d.fn = fn
	axes, shape := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	values = extreme(x, ReduceOptions{Axes: axes, KeepDims: o.KeepDims})
	positions = d.along(x, axes)
	return values, release.Replace(positions, positions.Reshape(shape...))
}
