package fft

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// realOp is a transform of n real numbers to the frequencies from 0 to n/2, and hermitianOp the transform of these to n
// real numbers. Both do half the work of a transform of n complex numbers.
type (
	realOp struct {
		transformOp
		n int
	}
	hermitianOp struct{ realOp }
)

// fromReal transforms real x.
func (op realOp) fromReal(x *nd.Array) *nd.Array {
	y := op.launch(x, x.DType().Complex(), op.n/2+1)
	op.fn.Record(op, []*nd.Array{x}, y)
	return y
}

// toReal transforms the complex numbers x.
func (op realOp) toReal(x *nd.Array) *nd.Array {
	y := op.launch(x, x.DType().Real(), op.n)
	op.fn.Record(hermitianOp{op}, []*nd.Array{x}, y)
	return y
}

// launch returns the transform, with the given length along the axis.
func (op realOp) launch(x *nd.Array, t dtype.DType, length int) *nd.Array {
	shape := x.Shape()
	shape[op.axis] = length
	y := op.fn.NewLike(t, shape, x)
	in, out := x.Detach(), y.MoveAxis([]int{op.axis}, []int{-1})
	along := in.MoveAxis([]int{op.axis}, []int{-1})
	loop := out.Shape()
	loop[len(loop)-1] = op.n
	l := op.fn.Launch(x.Device(), loop)
	l.Inverse, l.Scale = op.inverse, op.scale
	l.WriteStrides(out, out.Strides())
	l.ReadStrides(along, along.Strides())
	l.Run(device.Device.FFT)
	release.Unless(out, y)
	release.Unless(along, in)
	release.Unless(in, x)
	return y
}

// VJP is the transform of the other direction to real numbers. That one counts frequencies that have a counterpart
// twice, and so gets their halves.
func (op realOp) VJP(c *nd.Call) {
	op.inverse = !op.inverse
	gy := c.Gy(0)
	weights := counterparts(op.n, op.axis, gy, 0.5)
	half := converted(ops.Multiply(gy, weights), gy.DType().Complex())
	weights.Release()
	gx := op.toReal(half)
	half.Release()
	c.SetGx(0, gx)
}

// VJP is the transform of the other direction from real numbers. Frequencies that have a counterpart count twice.
func (op hermitianOp) VJP(c *nd.Call) {
	op.inverse = !op.inverse
	single := op.fromReal(c.Gy(0))
	weights := counterparts(op.n, op.axis, single, 2)
	gx := ops.Multiply(single, weights)
	weights.Release()
	single.Release()
	c.SetGx(0, gx)
}

// counterparts returns weights of the frequencies from 0 to n/2, as an array that broadcasts to half: paired for those
// whose conjugate is another frequency, 1 for the others.
func counterparts(n, axis int, half *nd.Array, paired float64) *nd.Array {
	weights := make([]float64, n/2+1)
	for k := range weights {
		weights[k] = paired
		if k == 0 || 2*k == n {
			weights[k] = 1
		}
	}
	shape := make([]int, half.Rank()-axis)
	for k := range shape {
		shape[k] = 1
	}
	shape[0] = len(weights)
	return converted(nd.FromSliceOn(half.Device(), weights, shape...), half.DType().Real())
}

// converted returns x.AsType(t), and releases x if that is another array.
func converted(x *nd.Array, t dtype.DType) *nd.Array {
	y := x.AsType(t)
	release.Unless(x, y)
	return y
}
