package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// ApplyAlongAxis applies f to each row of x along an axis, where a row is an array with one axis. The results of f must
// have one shape; their axes replace that axis of x. f is called once per row, which is slow: a function that takes an
// axis, or one of whole arrays, does the same many times faster. The rows and the results of f are released when
// ApplyAlongAxis returns.
// NumPy: apply_along_axis.
func ApplyAlongAxis(x *nd.Array, axis Axes, f func(row *nd.Array) *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ApplyAlongAxis"
	fn.Check(x)
	along := oneAxis(fn, x, axis)
	n := x.Dim(along)
	lead := slices.Delete(x.Shape(), along, along+1)
	if broadcast.Size(lead) == 0 {
		panic(fn.Errorf([]*nd.Array{x}, "x has no rows along axis %d", along))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.MoveAxis([]int{along}, []int{-1}).Reshape(broadcast.Size(lead), n)
	rows := Unstack(x)
	for i, row := range rows {
		rows[i] = f(row)
	}
	y := Stack(rows)
	shape := y.Shape()[1:]
	y = y.Reshape(append(slices.Clone(lead), shape...)...)
	order := broadcast.AllAxes(y.Rank())
	own := order[len(lead):]
	order = slices.Concat(order[:along], own, order[along:len(lead)])
	return made.Keep(y.Transpose(order...).Contiguous())
}

// ApplyOverAxes applies f to x and the first axis, then to that result and the second axis, and so on. If f drops the
// axis, ApplyOverAxes puts it back with length 1.
// NumPy: apply_over_axes.
func ApplyOverAxes(x *nd.Array, axes Axes, f func(x *nd.Array, axis Axes) *nd.Array) *nd.Array {
	const fn nd.Func = "ops.ApplyOverAxes"
	fn.Check(x)
	rank := x.Rank()
	made := fn.Temporaries(&x)
	defer made.Release()
	for _, axis := range axes {
		axis = fn.Axis(x, nil, axis)
		y := f(x, Over(axis))
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

// Piecewise returns functions[k] of the elements of x where conditions[k] is true, converted to x's dtype. functions[k]
// gets these elements as an array with one axis and returns such an array or a Scalar. If several conditions are true,
// the last one counts. One extra function is for the elements at which no condition is true; without it those are 0. A
// function whose condition is true nowhere is not called. Piecewise waits for the device.
// NumPy: piecewise.
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
