package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// MaskedSoftmax returns Softmax of the elements at which a mask, which broadcasts, is true, and 0 for the others. It
// works along an axis; the default is the last. MXNet's softmax with a length does the same.
// PyTorch: masked.softmax. MXNet: softmax (with a length).
func MaskedSoftmax(x, mask *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.MaskedSoftmax"
	fn.Check(x, mask)
	made := fn.Temporaries(&x, &mask)
	defer made.Release()
	x, mask, axis := maskedScores(fn, x, mask, over)
	return made.Keep(Where(mask, Softmax(x, axis), 0))
}

// MaskedLogSoftmax returns LogSoftmax of the elements at which a mask, which broadcasts, is true, and 0 for the others.
// It works along an axis; the default is the last. MXNet's log_softmax with a length does the same.
// PyTorch: masked.log_softmax. MXNet: log_softmax (with a length).
func MaskedLogSoftmax(x, mask *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.MaskedLogSoftmax"
	fn.Check(x, mask)
	made := fn.Temporaries(&x, &mask)
	defer made.Release()
	x, mask, axis := maskedScores(fn, x, mask, over)
	return made.Keep(Where(mask, LogSoftmax(x, axis), 0))
}

// maskedScores returns x with -Inf at the elements at which the mask is false. If the mask is false all along the axis,
// it writes 0 there, because Softmax is undefined if all elements are -Inf.
func maskedScores(fn nd.Func, x, mask *nd.Array, over []Axes) (scores, where *nd.Array, along Axes) {
	x = argument.Float(fn, x)
	axis := fn.Axis(x, options.Read(fn, over), -1)
	if full, err := broadcast.Shapes(x.Shape(), mask.Shape()); err != nil || !broadcast.Equal(full, x.Shape()) {
		panic(fn.Errorf([]*nd.Array{x, mask}, "the mask does not broadcast to the array"))
	}
	mask = mask.AsType(dtype.Bool).BroadcastTo(x.Shape()...)
	some := Any(mask, Over(axis).KeepDims())
	fill := Where(some, math.Inf(-1), 0).AsType(x.DType())
	return Where(mask, x, fill), mask, Over(axis)
}
