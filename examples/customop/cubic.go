package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// cubicRoot has a gradient by the implicit function theorem, dy/dx = 1/(3y² + 1), not through the steps of the
// iteration.
var cubicRoot = grad.Function{
	Name:    "customop.CubicRoot",
	Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{solve(in[0])} },
	Backward: func(c *nd.Call) {
		slope := ops.Add(ops.Multiply(ops.Square(c.Out(0)), 3), 1)
		c.SetGx(0, ops.Divide(c.Gy(0), slope)) // made of ops functions, so that it can be differentiated again
	},
}

// CubicRoot returns the y with y³ + y = x.
func CubicRoot(x *nd.Array) *nd.Array { return cubicRoot.Call(x)[0] }

// solve makes Newton steps until they are small, which takes a dozen.
func solve(x *nd.Array) *nd.Array {
	y := ops.Cbrt(x)
	for range 50 {
		residual := ops.Subtract(ops.Add(ops.Multiply(ops.Square(y), y), y), x)
		step := ops.Divide(residual, ops.Add(ops.Multiply(ops.Square(y), 3), 1))
		y = ops.Subtract(y, step)
		if nd.Value[bool](ops.All(ops.LessEqual(ops.Absolute(step), ops.Multiply(ops.Absolute(y), 1e-15)))) {
			break
		}
	}
	return y
}
