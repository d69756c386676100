package main

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// MovingSum returns the n - width + 1 sums of width neighbours along the last axis of length n. x has a float dtype.
// The gradient is again a moving sum.
func MovingSum(x *nd.Array, width int) *nd.Array {
	const fn nd.Func = "customop.MovingSum" // the name in messages, launches and arrays
	fn.Check(x)
	if !x.DType().IsFloat() || x.Rank() == 0 || width < 1 || width > x.Dim(-1) {
		panic(fn.Errorf([]*nd.Array{x}, "a width of %d: want floats, and a width from 1 to the length of the last axis", width))
	}

	last := x.Rank() - 1
	shape := x.Shape()
	shape[last] -= width - 1
	y := fn.NewLike(x.DType(), shape, x)

	// The kernel Reduce iterates over the shape of y and over the run, the axis that it sums. A step along the run
	// moves in x like a step along its last axis, and does not move in y. Strides express the windows, and nothing is
	// copied.
	l := fn.Launch(x.Device(), append(shape, width))
	l.Program, l.Combine, l.Reduced = identity.Of(dtype.ComputeType(x.DType())), device.CombineSum, 1
	l.WriteStrides(y, append(y.Strides(), 0))
	l.ReadStrides(x, append(x.Strides(), x.Strides()[last]))
	l.Run(device.Device.Reduce)

	fn.Record(movingSum{width}, []*nd.Array{x}, y)
	return y
}

// movingSum is the record of a call on a tape: an nd.Op.
type movingSum struct{ width int }

// Claims says that the gradient reads no values, so inputs and outputs may be released and overwritten.
func (movingSum) Claims() nd.Claims { return nd.Claims{} }

// VJP adds the gradient of every sum to its terms. That is the moving sum of the gradients, padded with zeros: a
// function that can itself be differentiated, so gradients of all orders exist.
func (op movingSum) VJP(c *nd.Call) {
	around := make([][2]int, len(c.Shape(0)))
	around[len(around)-1] = [2]int{op.width - 1, op.width - 1}
	c.SetGx(0, MovingSum(ops.Pad(c.Gy(0), around), op.width))
}

// identity is the program that the kernel applies to every element before the sum.
var identity = device.Programs{Source: device.Source{Name: "identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}}
