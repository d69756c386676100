package ops

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// ReshapeLikeOptions are the options of ReshapeLike. Negative numbers count from the end of the shape.
type ReshapeLikeOptions struct {
	// Begin and End bound the axes of x that are replaced: from Begin up to, but not including, End. Nil means the first
	// axis, and the end.
	Begin, End *int
	// LikeBegin and LikeEnd bound the axes of like whose lengths replace them. Nil means the first axis, and the end.
	LikeBegin, LikeEnd *int
}

// ReshapeLike returns the elements of x, in row-major order, in the shape of like, as a view if possible. With options,
// only some axes of x are replaced, by axes with the lengths of some axes of like: the number of elements must stay.
// MXNet: reshape_like.
func ReshapeLike(x, like *nd.Array, opts ...ReshapeLikeOptions) *nd.Array {
	const fn nd.Func = "ops.ReshapeLike"
	fn.Check(x, like)
	o := options.Read(fn, opts)
	begin, end := axisRange(fn, x, o.Begin, o.End)
	likeBegin, likeEnd := axisRange(fn, like, o.LikeBegin, o.LikeEnd)
	return x.Reshape(slices.Concat(x.Shape()[:begin], like.Shape()[likeBegin:likeEnd], x.Shape()[end:])...)
}

// axisRange returns the bounds of a range of axes of x.
func axisRange(fn nd.Func, x *nd.Array, begin, end *int) (from, to int) {
	from, to = argument.ValueOr(begin, 0), argument.ValueOr(end, x.Rank())
	for _, at := range []*int{&from, &to} {
		if *at < 0 {
			*at += x.Rank()
		}
	}
	if from < 0 || from > to || to > x.Rank() {
		panic(fn.Errorf([]*nd.Array{x}, "axes from %d to %d: want a range of the %d axes",
			argument.ValueOr(begin, 0), argument.ValueOr(end, x.Rank()), x.Rank()))
	}
	return from, to
}

// BroadcastLikeOptions are the options of BroadcastLike.
type BroadcastLikeOptions struct {
	// Axes are the axes of x that are repeated, each of length 1; nil means that x gets the whole shape of like.
	Axes Axes
	// LikeAxes are the axes of like that give them their lengths, as many as Axes; nil means Axes.
	LikeAxes Axes
}

// BroadcastLike returns a read-only view of x repeated to the shape of like, as [nd.Array.BroadcastTo] does. With Axes,
// only these axes of x are repeated, to the lengths of axes of like. The gradient is summed over what is repeated; none
// flows to like.
// PyTorch: Tensor.expand_as. NNabla: broadcast_to. MXNet: broadcast_like.
func BroadcastLike(x, like *nd.Array, opts ...BroadcastLikeOption) *nd.Array {
	const fn nd.Func = "ops.BroadcastLike"
	fn.Check(x, like)
	o := options.Of(fn, opts, Axes.broadcastLike)
	if o.Axes == nil && o.LikeAxes == nil {
		return x.BroadcastTo(like.Shape()...)
	}
	if o.LikeAxes == nil {
		o.LikeAxes = o.Axes
	}
	both := []*nd.Array{x, like}
	to, err := broadcast.Axes(o.Axes, x.Rank())
	if err != nil {
		panic(fn.Errorf(both, "Axes: %v", err))
	}
	from := slices.Clone(o.LikeAxes) // an axis of like may give its length to several
	if len(to) != len(from) {
		panic(fn.Errorf(both, "Axes %v and LikeAxes %v: want as many", o.Axes, o.LikeAxes))
	}
	shape := x.Shape()
	for k, axis := range to {
		if shape[axis] != 1 {
			panic(fn.Errorf(both, "axis %d has length %d: want 1", axis, shape[axis]))
		}
		if from[k], err = broadcast.Axis(from[k], like.Rank()); err != nil {
			panic(fn.Errorf(both, "LikeAxes: %v", err))
		}
		shape[axis] = like.Dim(from[k])
	}
	return x.BroadcastTo(shape...)
}

// AlignLike returns a view of x with as many axes as like, in which the first axis of x is at the given axis: all other
// new axes have length 1. So x broadcasts with like along these axes instead of along the last ones, as a number for each
// channel must:
//
//	y := ops.Add(images, ops.AlignLike(bias, images, ops.Over(1)))
//
// The lengths of x must be those of like from the axis on, or 1. A negative axis counts from the end of like's shape. A
// 0-d x fits at every axis.
// NNabla: broadcast_to (with axis). Chainer: bias, scale.
func AlignLike(x, like *nd.Array, axis Axes) *nd.Array {
	const fn nd.Func = "ops.AlignLike"
	fn.Check(x, like)
	both := []*nd.Array{x, like}
	if len(axis) != 1 {
		panic(fn.Errorf(both, "%d axes: want one", len(axis)))
	}
	at, rest := axis[0], like.Rank()-x.Rank()
	if at < 0 {
		at += like.Rank()
	}
	if at < 0 || at > rest {
		panic(fn.Errorf(both, "the axes of x do not fit from axis %d on", axis[0]))
	}
	for k, n := range x.Shape() {
		if n != 1 && n != like.Dim(at+k) {
			panic(fn.Errorf(both, "axis %d of x has length %d: want %d, as axis %d of like, or 1", k, n, like.Dim(at+k), at+k))
		}
	}
	around := make([]int, 0, rest)
	for k := range like.Rank() {
		if k < at || k >= at+x.Rank() {
			around = append(around, k)
		}
	}
	return x.ExpandDims(around...)
}

// SliceLike returns a view of the first elements of x along some axes, as many as like has along the same axes. Without
// axes it cuts along all axes, and like must have as many. Negative axes count from the end of x's shape. No gradient
// flows to like.
// MXNet: slice_like.
func SliceLike(x, like *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.SliceLike"
	fn.Check(x, like)
	both := []*nd.Array{x, like}
	axes := []int(options.Read(fn, over))
	if axes == nil {
		if x.Rank() != like.Rank() {
			panic(fn.Errorf(both, "want as many axes, or a choice of axes"))
		}
		axes = broadcast.AllAxes(x.Rank())
	}
	axes, err := broadcast.Axes(axes, x.Rank())
	if err != nil {
		panic(fn.Errorf(both, "%v", err))
	}
	ix := slices.Repeat([]nd.Index{nd.All()}, x.Rank())
	for _, axis := range axes {
		if axis >= like.Rank() || like.Dim(axis) > x.Dim(axis) {
			panic(fn.Errorf(both, "axis %d: want an axis of both arrays that is not longer in like", axis))
		}
		ix[axis] = nd.Until(like.Dim(axis))
	}
	return x.Index(ix...)
}

// ArangeLikeOptions are the options of ArangeLike.
type ArangeLikeOptions struct {
	// Start is the first number.
	Start float64
	// Step is the difference between neighbours; nil means 1.
	Step *float64
	// Repeat is how often each number stands in a row; 0 means 1.
	Repeat int
	// Axis chooses an axis of x: the result is a vector of its length. Nil means the shape of x.
	Axis Axes
}

// ArangeLike returns evenly spaced numbers on the device of x, in its dtype, and in its shape or as a vector along one of
// its axes. The element at the row-major index k is
//
//	Start + Step·⌊k/Repeat⌋
//
// No gradient flows to x.
// MXNet: arange_like.
func ArangeLike(x *nd.Array, opts ...ArangeLikeOption) *nd.Array {
	const fn nd.Func = "ops.ArangeLike"
	fn.Check(x)
	o := options.Of(fn, opts, Axes.arangeLike)
	if o.Repeat < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "Repeat %d: want at least 1", o.Repeat))
	}
	shape := x.Shape()
	if o.Axis != nil {
		shape = []int{x.Dim(fn.Axis(x, o.Axis, 0))}
	}
	n, step := broadcast.Size(shape), argument.ValueOr(o.Step, 1)
	each := max(1, min(o.Repeat, n))
	count := (n + each - 1) / each
	made := fn.Temporaries(&x)
	defer made.Release()
	on := nd.ArrayOptions{DType: dtype.Float64, Device: x.Device()}
	first, apart := nd.Scalar(o.Start), nd.Scalar(step)
	if x.DType().IsInteger() && isWhole(o.Start) && isWhole(step) { // int64 holds sums that float64 rounds
		on.DType, first, apart = dtype.Int64, nd.Scalar(int64(o.Start)), nd.Scalar(int64(step))
	}
	numbers := Add(Multiply(made.Own(nd.ArangeInt(0, count, 1, on)), apart), first).AsType(x.DType())
	return made.Keep(Repeat(numbers, each).Index(nd.Until(n)).Reshape(shape...))
}

// isWhole reports whether v is a whole number that float64 represents exactly, as it does its neighbours.
func isWhole(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < 1<<53 }
