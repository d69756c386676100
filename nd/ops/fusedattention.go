package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// attentionOp is fused as softmaxOp is. Its inputs are queries, keys, values and perhaps a mask, all with the same axes
// before the last two, its outputs the result and the weights, which are nil where nobody asks for them.
type attentionOp struct {
	fn    nd.Func
	scale float64
}

// run returns the result, and the weights where they are wanted: of floats of 32 or 64 bits by one kernel.
func (op attentionOp) run(in []*nd.Array, wanted bool) (y, weights *nd.Array) {
	t := in[0].DType()
	for _, x := range in {
		if x.DType() != t || t != dtype.Float32 && t != dtype.Float64 {
			out := op.Composed(in)
			return out[0], out[1]
		}
	}
	q, v := in[0].Shape(), in[2].Shape()
	batch, last := len(q)-2, len(q)-1
	loop := append(q[:last:last], v[batch], q[last], v[last]) // (batch..., m, n, d, e)
	y = op.fn.NewLike(t, append(q[:last:last], v[last]), in...)
	if wanted {
		weights = op.fn.NewLike(t, append(q[:last:last], v[batch]), in...)
	}
	l := op.fn.Launch(y.Device(), loop)
	l.Scale = op.scale
	along := func(x *nd.Array, row, column int) []int {
		var room [nd.MaxRank]int
		strides := room[:len(loop)]
		own := x.Layout().Strides
		copy(strides, own[:batch])
		strides[batch+row], strides[batch+column] = own[batch], own[last]
		return strides
	}
	l.WriteStrides(y, along(y, 0, 3))
	if wanted {
		l.WriteStrides(weights, along(weights, 0, 1))
	} else {
		l.Skip()
	}
	l.ReadStrides(in[0], along(in[0], 0, 2))
	l.ReadStrides(in[1], along(in[1], 1, 2))
	l.ReadStrides(in[2], along(in[2], 1, 3))
	if len(in) > 3 {
		l.ReadStrides(in[3], along(in[3], 0, 1))
	}
	l.Run(device.Device.Attention)
	if wanted {
		op.fn.Record(op, in, y, weights)
	}
	return y, weights
}

func (op attentionOp) Claims() nd.Claims { return nd.Claims{In: 0b1111, Out: 0b10} }

func (op attentionOp) Composed(in []*nd.Array) []*nd.Array {
	scores := MatMul(MulScalar(in[0], op.scale), in[1].SwapAxes(-1, -2))
	if len(in) > 3 {
		scores = Add(scores, in[3])
	}
	weights := Softmax(scores)
	return []*nd.Array{MatMul(weights, in[2]), weights}
}

func (op attentionOp) VJP(c *nd.Call) {
	weights, gy, gw := c.Out(1), c.Gy(0), c.Gy(1)
	var own *nd.Array // gw, where it was made here
	if gy != nil {
		if c.Needs(2) {
			c.SetGx(2, MatMul(weights.SwapAxes(-1, -2), gy))
		}
		own = MatMul(gy, c.In(2).SwapAxes(-1, -2))
		if gw != nil {
			Add(own, gw, UfuncOptions{Out: own})
		}
		gw = own
	}
	scores := softmaxOp{fn: op.fn, axis: weights.Rank() - 1}.gradient(weights, gw)
	if own != nil {
		own.Release()
	}
	scaled := func(x *nd.Array) *nd.Array { return Multiply(x, nd.Scalar(op.scale), UfuncOptions{Out: x}) }
	if c.Needs(0) {
		c.SetGx(0, scaled(MatMul(scores, c.In(1))))
	}
	if c.Needs(1) {
		c.SetGx(1, scaled(MatMul(scores.SwapAxes(-1, -2), c.In(0))))
	}
	if c.Inputs() > 3 && c.Needs(3) {
		c.SetGx(3, scores)
	} else {
		scores.Release()
	}
}
