package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ArgOptions are the options of functions that find indices along an axis.
type ArgOptions struct {
	// Axis is the axis to search, negative ones counted from the end; nil means the flattened array.
	Axis Axes
	// KeepDims leaves the searched axis in the result, with length 1.
	KeepDims bool
	// DType is the dtype of the result; by default int64.
	DType dtype.DType
	// Out receives the result, converted to its dtype. Its shape must be that of the result, and its dtype must be able
	// to hold values of int64.
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

// ArgMax returns (int64) the index of the largest element along an axis, the first one at a tie. NaN counts as the
// largest. No gradient flows.
// NumPy: argmax. Chainer: argmax.
func ArgMax(x *nd.Array, opts ...ArgOption) *nd.Array {
	return argMax.call(x, options.OfReduction(argMax.fn, opts, Axes.arg, KeptAxes.arg, Output.arg))
}

// ArgMin returns (int64) the index of the smallest element along an axis, the first one at a tie. NaN counts as the
// smallest. No gradient flows.
// NumPy: argmin. Chainer: argmin.
func ArgMin(x *nd.Array, opts ...ArgOption) *nd.Array {
	return argMin.call(x, options.OfReduction(argMin.fn, opts, Axes.arg, KeptAxes.arg, Output.arg))
}

func (d argReduction) call(x *nd.Array, o ArgOptions) *nd.Array {
	d.fn.Check(x)
	if x.IsScalar() {
		x = x.Copy()
	}
	axes := broadcast.AllAxes(x.Rank())
	if axis := reduction.WithoutAxes(x, o.Axis); axis != nil && len(axis)+x.Rank() > 0 { // NumPy allows axis 0 of a 0-d array
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
	y := d.overAxes(x, axes)
	y = release.Replace(y, y.AsType(result))
	y = release.Replace(y, y.Reshape(shape...))
	return reduction.Into(o.Out, y)
}

// overAxes finds the indices along some axes; the result has one axis.
func (d argReduction) overAxes(x *nd.Array, axes []int) *nd.Array {
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

// rows finds the index in each row of a matrix.
func (d argReduction) rows(x *nd.Array) *nd.Array {
	y := d.fn.NewLike(dtype.Int64, []int{x.Dim(0)}, x)
	l := d.fn.Launch(x.Device(), x.Shape())
	l.Combine, l.Reduced = d.combine, 1
	l.WriteStrides(y, []int{1, 0})
	l.Read(x)
	l.Run(device.Device.ArgReduce)
	if x.Links() {
		d.fn.Link(argOp{d.combine}, []*nd.Array{x}, y)
	}
	return y
}

// argOp is the search in each row of a matrix.
type argOp struct{ combine device.Combine }

func (argOp) VJP(*nd.Call)   {}
func (op argOp) Traced() any { return traced.ArgReduction{Combine: op.combine} }

// ExtremeOptions are the options of MaxWithIndex and MinWithIndex.
type ExtremeOptions struct {
	// Axes are the axes to reduce, negative ones counted from the end; nil means all.
	Axes Axes
	// KeepDims leaves the reduced axes in the results, with length 1.
	KeepDims bool
}

// MaxWithIndex returns the result of Max, and the index (int64) of each maximum within the flattened reduced axes.
// PyTorch: max (with a dim). NNabla: max (with with_index).
func MaxWithIndex(x *nd.Array, opts ...ExtremeOption) (values, positions *nd.Array) {
	const fn nd.Func = "ops.MaxWithIndex"
	return argMax.withValues(fn, Max, x, options.OfKept(fn, opts, Axes.extreme, KeptAxes.extreme))
}

// MinWithIndex returns the result of Min, and the index (int64) of each minimum within the flattened reduced axes.
// PyTorch: min (with a dim). NNabla: min (with with_index).
func MinWithIndex(x *nd.Array, opts ...ExtremeOption) (values, positions *nd.Array) {
	const fn nd.Func = "ops.MinWithIndex"
	return argMin.withValues(fn, Min, x, options.OfKept(fn, opts, Axes.extreme, KeptAxes.extreme))
}

func (d argReduction) withValues(fn nd.Func, extreme func(*nd.Array, ...ReduceOption) *nd.Array, x *nd.Array, o ExtremeOptions) (values, positions *nd.Array) {
	fn.Check(x)
	d.fn = fn
	axes, shape := reduction.ReducedAxes(fn, x, o.Axes, o.KeepDims)
	values = extreme(x, ReduceOptions{Axes: axes, KeepDims: o.KeepDims})
	positions = d.overAxes(x, axes)
	return values, release.Replace(positions, positions.Reshape(shape...))
}
