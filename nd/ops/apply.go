package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ApplyAlongAxis returns what f makes of each row of x along an axis, an array of one axis: the axes of f's results, which
// must be of one shape, take the place of that axis. f is called for every row, which is dear; a function that takes an axis
// itself, or one of whole arrays, does the same many times faster. What f is given, and makes of it, is released afterwards.
// numpy.apply_along_axis.
func ApplyAlongAxis(x *nd.Array, axis int, f func(row *nd.Array) *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ApplyAlongAxis"
	fn.Check(x)
	axis = fn.Axis(x, nil, axis)
	n := x.Dim(axis)
	lead := slices.Delete(x.Shape(), axis, axis+1)
	if broadcast.Size(lead) == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "there are no rows along axis %d", axis))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.MoveAxis([]int{axis}, []int{-1}).Reshape(broadcast.Size(lead), n)
	rows := Unstack(x)
	for i, row := range rows {
		rows[i] = f(row)
	}
	y := Stack(rows)
	shape := y.Shape()[1:]
	y = y.Reshape(append(slices.Clone(lead), shape...)...)
	order := broadcast.AllAxes(y.Rank())
	own := order[len(lead):]
	order = slices.Concat(order[:axis], own, order[axis:len(lead)])
	return made.Keep(y.Transpose(order...))
}

// ApplyOverAxes returns what f makes of x and the first axis, what f makes of that and the second, and so on. Where f drops
// the axis, it is put back with length 1. numpy.apply_over_axes.
func ApplyOverAxes(x *nd.Array, axes []int, f func(x *nd.Array, axis int) *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ApplyOverAxes"
	fn.Check(x)
	rank := x.Rank()
	made := fn.Temporaries(&x)
	defer made.Release()
	for _, axis := range axes {
		axis = fn.Axis(x, nil, axis)
		y := f(x, axis)
		fn.Check(y)
		if y.Rank() == rank-1 {
			y = y.ExpandDims(axis)
		}
		if y.Rank() != rank {
			panic(fn.Errorf([]*nd.Array{x, y}, "the function's result has %d axes: want %d, or one less", y.Rank(), rank))
		}
		x = y
	}
	return made.Keep(x)
}

// Piecewise returns, where conditions[k] is true, what functions[k] makes of the elements of x there (an array of one axis, or
// a Scalar), converted to x's dtype: of several true conditions the last one counts. One function more is for the elements of
// which no condition is true; else those are 0. A function is not called where its condition is true nowhere. It waits for the
// device. numpy.piecewise.
func Piecewise(x *nd.Array, conditions []*nd.Array, functions []func(x *nd.Array) *nd.Array) *nd.Array {
	const fn nd.Func = "ops.Piecewise"
	fn.Check(append([]*nd.Array{x}, conditions...)...)
	if n := len(conditions); len(functions) != n && len(functions) != n+1 {
		panic(fn.Errorf([]*nd.Array{x}, "%d functions for %d conditions: want as many, or one more", len(functions), n))
	}
	for k, c := range conditions {
		if !c.DType().IsBool() || !broadcast.Equal(c.Shape(), x.Shape()) {
			panic(fn.Errorf([]*nd.Array{x, c}, "condition %d: want a bool for every element", k))
		}
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	y := fn.NewFilled(x.DType(), x.Shape(), 0, x)
	if len(functions) > len(conditions) {
		rest := made.Own(nd.Ones(x.Shape(), nd.ArrayOptions{DType: dtype.Bool, Device: x.Device()}))
		for _, c := range conditions {
			rest.Assign(nd.Scalar(false), nd.Pick(c))
		}
		conditions = append(slices.Clone(conditions), rest)
	}
	for k, c := range conditions {
		part := x.Index(nd.Pick(c))
		if part.Size() == 0 {
			continue
		}
		y.Assign(functions[k](part), nd.Pick(c))
	}
	return made.Keep(y)
}
