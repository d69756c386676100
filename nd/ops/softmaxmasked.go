package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// MaskedSoftmax returns Softmax of the elements at which a mask, which broadcasts, is true, and 0 for the others. It
// works along an axis; the default is the last. With Length, elements beyond it count as masked.
// PyTorch: masked.softmax. MXNet: softmax (with a length).
func MaskedSoftmax(x, mask *nd.Array, opts ...SoftmaxOption) *nd.Array {
	const fn nd.Func = "ops.MaskedSoftmax"
	fn.Check(x, mask)
	return softmaxOf(fn, x, mask, options.Of(fn, opts, Axes.softmax), false)
}

// MaskedLogSoftmax returns LogSoftmax of the elements at which a mask, which broadcasts, is true, and 0 for the others.
// It works along an axis; the default is the last. With Length, elements beyond it count as masked.
// PyTorch: masked.log_softmax. MXNet: log_softmax (with a length).
func MaskedLogSoftmax(x, mask *nd.Array, opts ...SoftmaxOption) *nd.Array {
	const fn nd.Func = "ops.MaskedLogSoftmax"
	fn.Check(x, mask)
	return softmaxOf(fn, x, mask, options.Of(fn, opts, Axes.softmax), true)
}

// maskedSoftmax computes with -Inf at the elements at which the mask is false. If the mask is false all along the axis,
// it computes with 0 there, because Softmax is undefined if all elements are -Inf.
func maskedSoftmax(fn nd.Func, x, mask *nd.Array, axis int, log bool) *nd.Array {
	if full, err := broadcast.Shapes(x.Shape(), mask.Shape()); err != nil || !broadcast.Equal(full, x.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, mask}, "the mask does not broadcast to the array"))
	}
	mask = mask.AsType(dtype.Bool).BroadcastTo(x.Shape()...)
	some := Any(mask, Over(axis).KeepDims())
	fill := Where(some, math.Inf(-1), 0).AsType(x.DType())
	return Where(mask, softmax(fn, Where(mask, x, fill), Over(axis), log), 0)
}

// withinLength returns a mask of the elements of x whose index along the axis is less than a length, and at which the
// given mask is true unless it is nil.
func withinLength(fn nd.Func, made *nd.Temporaries, x, mask, length *nd.Array, axis int) *nd.Array {
	fn.Check(x, length)
	rows := broadcast.ReduceShape(x.Shape(), []int{axis}, false)
	if full, err := broadcast.Shapes(rows, length.Shape()); err != nil || !broadcast.Equal(full, rows) || !length.DType().IsInteger() || length.IsScalar() {
		panic(fn.Errorf([]*nd.Array{x, length}, "want a Length of integers that broadcasts to shape %s", broadcast.FormatShape(rows)))
	}
	n := x.Dim(axis)
	shape := broadcast.Ones(x.Rank())
	shape[axis] = n
	positions := made.Own(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: x.Device()})).Reshape(shape...)
	within := Less(positions, length.BroadcastTo(rows...).ExpandDims(axis))
	if mask == nil {
		return within
	}
	return LogicalAnd(within, mask)
}
