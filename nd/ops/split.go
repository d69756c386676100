package ops

import (
	"github.com/ndgrad/ndgrad/nd"
)

// Split cuts x into equal parts along an axis (0 unless given), as views; the axis must be divisible. numpy.split, chainer
// split_axis.
func Split(x *nd.Array, parts int, opts ...AxisOptions) []*nd.Array {
	const fn = "ops.Split"
	axis := splitAxis(fn, x, parts, opts)
	if x.Dim(axis)%parts != 0 {
		panic(nd.Errorf(fn, []*nd.Array{x}, "%d parts of an axis of length %d are not equal: use ArraySplit", parts, x.Dim(axis)))
	}
	return cut(x, parts, axis)
}

// ArraySplit cuts x into parts along an axis (0 unless given), as views: where the axis is not divisible, the first ones
// are longer by one. numpy.array_split.
func ArraySplit(x *nd.Array, parts int, opts ...AxisOptions) []*nd.Array {
	return cut(x, parts, splitAxis("ops.ArraySplit", x, parts, opts))
}

func splitAxis(fn string, x *nd.Array, parts int, opts []AxisOptions) int {
	nd.Check(fn, x)
	axis := axisOr(fn, x, firstOf(opts).Axis, 0)
	if parts <= 0 {
		panic(nd.Errorf(fn, []*nd.Array{x}, "%d parts: want at least one", parts))
	}
	return axis
}

func cut(x *nd.Array, parts, axis int) []*nd.Array {
	n := x.Dim(axis)
	ys := make([]*nd.Array, parts)
	from := 0
	for k := range ys {
		to := from + n/parts
		if k < n%parts {
			to++
		}
		ys[k] = part(x, axis, from, to)
		from = to
	}
	return ys
}

// SplitAt cuts x before the given positions along an axis (0 unless given), as views; positions are those of nd.Span, so
// that negative ones count from the end and parts may be empty. numpy.split and array_split with a list.
func SplitAt(x *nd.Array, positions []int, opts ...AxisOptions) []*nd.Array {
	const fn = "ops.SplitAt"
	nd.Check(fn, x)
	axis := axisOr(fn, x, firstOf(opts).Axis, 0)
	ix := make([]nd.Index, axis+1)
	ys := make([]*nd.Array, 0, len(positions)+1)
	from := 0
	for _, to := range positions {
		ix[axis] = nd.Span(from, to)
		ys = append(ys, x.Index(ix...))
		from = to
	}
	ix[axis] = nd.From(from)
	return append(ys, x.Index(ix...))
}

// Unstack returns the views of x at every position of an axis (0 unless given), which they do not have: the inverse of
// Stack. nnabla split, chainer separate.
func Unstack(x *nd.Array, opts ...AxisOptions) []*nd.Array {
	const fn = "ops.Unstack"
	nd.Check(fn, x)
	axis := axisOr(fn, x, firstOf(opts).Axis, 0)
	ix := make([]nd.Index, axis+1)
	ys := make([]*nd.Array, x.Dim(axis))
	for k := range ys {
		ix[axis] = nd.At(k)
		ys[k] = x.Index(ix...)
	}
	return ys
}
