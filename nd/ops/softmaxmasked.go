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
	return maskedSoftmax(fn, x, mask, options.Of(fn, opts, Axes.softmax), false)
}

// MaskedLogSoftmax returns LogSoftmax of the elements at which a mask, which broadcasts, is true, and 0 for the others.
// It works along an axis; the default is the last. With Length, elements beyond it count as masked.
// PyTorch: masked.log_softmax. MXNet: log_softmax (with a length).
func MaskedLogSoftmax(x, mask *nd.Array, opts ...SoftmaxOption) *nd.Array {
	const fn nd.Func = "ops.MaskedLogSoftmax"
	return maskedSoftmax(fn, x, mask, options.Of(fn, opts, Axes.softmax), true)
}

// maskedSoftmax computes with -Inf at the elements at which the mask is false. If the mask is false all along the axis,
// it computes with 0 there, because Softmax is undefined if all elements are -Inf.
func maskedSoftmax(fn nd.Func, x, mask *nd.Array, o SoftmaxOptions, log bool) *nd.Array {
	fn.Check(x, mask)
	made := fn.Temporaries(&x, &mask, &o.Length)
	defer made.Release()
	x, axis := o.scores(fn, x)
	if full, err := broadcast.Shapes(x.Shape(), mask.Shape()); err != nil || !broadcast.Equal(full, x.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, mask}, "the mask does not broadcast to the array"))
	}
	mask = mask.AsType(dtype.Bool).BroadcastTo(x.Shape()...)
	if o.Length != nil {
		mask = LogicalAnd(mask, Less(o.lengths(fn, made, x, axis)))
	}
	some := Any(mask, Over(axis).KeepDims())
	fill := Where(some, math.Inf(-1), 0).AsType(x.DType())
	y := Where(mask, softmax(fn, Where(mask, x, fill), Over(axis), log), 0)
	return made.Keep(o.result(y))
}
