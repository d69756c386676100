package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// reductions are the operators that reduce axes, and those that work along one.
func reductions() map[string]operator {
	square := func(x *nd.Array) *nd.Array { return ops.Square(x) }
	absolute := func(x *nd.Array) *nd.Array { return ops.Absolute(x) }
	return map[string]operator{
		"ReduceSum":       reduction(13, of(ops.Sum)),
		"ReduceProd":      reduction(18, of(ops.Prod)),
		"ReduceMean":      reduction(18, of(ops.Mean)),
		"ReduceMax":       reduction(18, extreme(of(ops.Max), false)),
		"ReduceMin":       reduction(18, extreme(of(ops.Min), true)),
		"ReduceL1":        reduction(18, sumOf(absolute)),
		"ReduceL2":        reduction(18, norm),
		"ReduceSumSquare": reduction(18, sumOf(square)),
		"ReduceLogSum":    reduction(18, func(x *nd.Array, o ops.ReduceOptions) *nd.Array { return ops.Log(ops.Sum(x, o)) }),
		"ReduceLogSumExp": reduction(18, of(ops.LogSumExp)),
		"ArgMax":          argument(ops.ArgMax),
		"ArgMin":          argument(ops.ArgMin),
		"CumSum":          cumulative(ops.CumSum),
		"CumProd":         cumulative(ops.CumProd),
		"Softmax":         softmax(stepwiseSoftmax),
		"LogSoftmax":      softmax(func(x *nd.Array, over ops.Axes) *nd.Array { return ops.LogSoftmax(x, over) }),
		"Hardmax": softmax(func(x *nd.Array, over ops.Axes) *nd.Array {
			at, classes := nd.Func("Hardmax").Axis(x, over, 0), broadcast.Ones(x.Rank())
			classes[at] = x.Dim(at)
			largest := ops.ArgMax(x, ops.ArgOptions{Axis: over, KeepDims: true})
			return ops.Equal(nd.ArangeInt(0, x.Dim(at), 1).Reshape(classes...).To(x.Device()), largest).AsType(x.DType())
		}),
	}
}

// reducing is a function that reduces axes.
type reducing func(x *nd.Array, o ops.ReduceOptions) *nd.Array

// of is a reduction of the library.
func of(f func(x *nd.Array, opts ...ops.ReduceOption) *nd.Array) reducing {
	return func(x *nd.Array, o ops.ReduceOptions) *nd.Array { return f(x, o) }
}

// reduction is an operator whose axes are an attribute before an opset, and an input since then. It keeps the dtype.
func reduction(since int, f reducing) operator {
	return func(n *node) run {
		keep, nothing := n.int("keepdims", 1) != 0, n.opset >= since && n.flag("noop_with_empty_axes")
		axes := n.axes(since, 1)
		return func(c *call) []model.Value {
			x, over := c.x(0), axes(c)
			if len(over) == 0 {
				over = nil
				if nothing {
					over = []int{}
				}
			}
			y := f(x, ops.ReduceOptions{Axes: over, KeepDims: keep})
			return one(y.AsType(x.DType()))
		}
	}
}

// sumOf is the sum of a function of the elements.
func sumOf(inner func(*nd.Array) *nd.Array) reducing {
	return func(x *nd.Array, o ops.ReduceOptions) *nd.Array { return ops.Sum(inner(x), o) }
}

// norm is the Euclidean norm, also of integers.
func norm(x *nd.Array, o ops.ReduceOptions) *nd.Array {
	return ops.Norm(x, ops.NormOptions{Axes: o.Axes, KeepDims: o.KeepDims})
}

// extreme is Max or Min, also of bools and of no elements, for which it is the dtype's smallest or largest value.
func extreme(f reducing, least bool) reducing {
	return func(x *nd.Array, o ops.ReduceOptions) *nd.Array {
		if x.Size() == 0 {
			o.Initial = bound(x.DType(), !least)
		}
		return f(x, o)
	}
}

// bound returns the smallest or the largest value of a dtype.
func bound(t dtype.DType, smallest bool) *nd.Array {
	limits := dtype.Info(t)
	switch {
	case t.IsFloat() && smallest:
		return nd.Scalar(math.Inf(-1))
	case t.IsFloat():
		return nd.Scalar(math.Inf(1))
	case smallest:
		return nd.Scalar(limits.MinInt)
	}
	return nd.Scalar(limits.MaxInt)
}

// argument is the index of an extreme, of the first or of the last one.
func argument(f func(x *nd.Array, opts ...ops.ArgOption) *nd.Array) operator {
	return func(n *node) run {
		axis, keep := n.int("axis", 0), n.int("keepdims", 1) != 0
		last := n.flag("select_last_index")
		return func(c *call) []model.Value {
			x := c.x(0)
			o := ops.ArgOptions{Axis: ops.Over(axis), KeepDims: keep}
			if !last {
				return one(f(x, o))
			}
			y := f(x.Flip(axis), o)
			return one(ops.Subtract(nd.Scalar(x.Dim(c.fn.Axis(x, []int{axis}, 0))-1), y))
		}
	}
}

// cumulative is a running sum or product.
func cumulative(f func(x *nd.Array, opts ...ops.ScanOption) *nd.Array) operator {
	return func(n *node) run {
		exclusive, reverse := n.flag("exclusive"), n.flag("reverse")
		return func(c *call) []model.Value {
			x := c.x(0)
			return one(f(x, ops.ScanOptions{Axis: ops.Over(c.int(1)), Exclusive: exclusive, Reverse: reverse, DType: x.DType()}))
		}
	}
}

// softmax is a function along an axis. Before opset 13 all axes from the given one on count as one.
func softmax(f func(x *nd.Array, over ops.Axes) *nd.Array) operator {
	return func(n *node) run {
		if n.opset >= 13 {
			axis := n.int("axis", -1)
			return func(c *call) []model.Value { return one(f(c.x(0), ops.Over(axis))) }
		}
		axis := n.int("axis", 1)
		return func(c *call) []model.Value {
			x := c.x(0)
			at := axis
			if at < 0 {
				at += x.Rank()
			}
			if at < 0 || at > x.Rank() {
				c.refuse("axis %d", axis)
			}
			rows := 1
			for _, length := range x.Shape()[:at] {
				rows *= length
			}
			columns := 1
			for _, length := range x.Shape()[at:] {
				columns *= length
			}
			return one(f(x.Reshape(rows, columns), ops.Over(1)).Reshape(x.Shape()...))
		}
	}
}
