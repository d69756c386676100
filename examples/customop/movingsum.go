package main

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// MovingSum returns the sums of all runs of width neighbours along the last axis, of which there are n - width + 1. x is of a
// float dtype. Its gradient is again a moving sum.
func MovingSum(x *nd.Array, width int) *nd.Array {
	const fn nd.Func = "customop.MovingSum" // how messages, launches and arrays name it
	fn.Check(x)
	if !x.DType().IsFloat() || x.Rank() == 0 || width < 1 || width > x.Dim(-1) {
		panic(fn.Errorf([]*nd.Array{x}, "a width of %d: want floats, and a width from 1 to the length of the last axis", width))
	}

	last := x.Rank() - 1
	shape := x.Shape()
	shape[last] -= width - 1
	y := fn.NewLike(x.DType(), shape, x)

	// The kernel Reduce goes over the shape of y and, in the axis that it adds up, over the run. A step along the run moves x
	// as a step along its last axis does, and does not move y: windows are a matter of strides, and nothing is copied.
	l := fn.Launch(x.Device(), append(shape, width))
	l.Program, l.Combine, l.Reduced = identity.Of(dtype.ComputeType(x.DType())), device.CombineSum, 1
	l.WriteStrides(y, append(y.Strides(), 0))
	l.ReadStrides(x, append(x.Strides(), x.Strides()[last]))
	l.Run(device.Device.Reduce)

	fn.Record(movingSum{width}, []*nd.Array{x}, y)
	return y
}

// movingSum is what a tape remembers of a call: an nd.Op.
type movingSum struct{ width int }

// Claims says that the gradient reads no values: what went in and came out may be freed and overwritten.
func (movingSum) Claims() nd.Claims { return nd.Claims{} }

// VJP adds the gradient of every sum to all that it is made of. That is the moving sum of the gradients with zeros around them:
// a function that can itself be differentiated, so that all orders exist.
func (op movingSum) VJP(c *nd.Call) {
	around := make([][2]int, len(c.Shape(0)))
	around[len(around)-1] = [2]int{op.width - 1, op.width - 1}
	c.SetGx(0, MovingSum(ops.Pad(c.Gy(0), around), op.width))
}

// identity is the program that the kernel runs on every element before it is added up.
var identity = device.Programs{Source: device.Source{Name: "identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}}
