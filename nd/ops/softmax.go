package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// Softmax returns exp(x)/Σexp(x) along an axis; the default is the last (in Chainer it is axis 1).
// PyTorch: softmax. NNabla: softmax. Chainer: softmax. MXNet: softmax.
func Softmax(x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.Softmax"
	return softmax(fn, x, options.Read(fn, over), false)
}

// LogSoftmax returns the logarithm of Softmax, x - log Σexp(x), along an axis; the default is the last.
// PyTorch: log_softmax. NNabla: log_softmax. Chainer: log_softmax.
func LogSoftmax(x *nd.Array, over ...Axes) *nd.Array {
	const fn nd.Func = "ops.LogSoftmax"
	return softmax(fn, x, options.Read(fn, over), true)
}

func softmax(fn nd.Func, x *nd.Array, over Axes, log bool) *nd.Array {
	fn.Check(x)
	given := x
	x = argument.Float(fn, x)
	op := softmaxOp{fn: fn, axis: fn.Axis(x, over, -1), log: log}
	y := fn.NewLike(x.DType(), x.Shape(), x)
	l := alongaxis.New(fn, x.Device(), y.Shape(), op.axis)
	l.Log = log
	l.Write(y)
	l.Read(x)
	l.Run(device.Device.Softmax)
	fn.Record(op, []*nd.Array{x}, y)
	release.Unless(x, given)
	return y
}

// softmaxOp is fused: one kernel forward and one backward. Its definition by differentiable functions is Composed.
type softmaxOp struct {
	fn   nd.Func
	axis int
	log  bool
}

func (op softmaxOp) Composed(in []*nd.Array) []*nd.Array {
	if in[0].Size() == 0 {
		return []*nd.Array{Exp(in[0])} // an empty array has no maximum to subtract
	}
	along := Over(op.axis).KeepDims()
	shifted := Subtract(in[0], Max(in[0].Detach(), along))
	e := Exp(shifted)
	if op.log {
		return []*nd.Array{Subtract(shifted, Log(Sum(e, along)))}
	}
	return []*nd.Array{Divide(e, Sum(e, along))}
}

func (op softmaxOp) VJP(c *nd.Call) { c.SetGx(0, op.gradient(c.Out(0), c.Gy(0))) }

// gradient returns the gradient with respect to the argument, computed from the result and its gradient.
func (op softmaxOp) gradient(y, gy *nd.Array) *nd.Array {
	gx := op.fn.NewLike(y.DType(), y.Shape(), gy)
	l := alongaxis.New(op.fn, gx.Device(), gx.Shape(), op.axis)
	l.Log = op.log
	l.Write(gx)
	l.Read(y)
	l.Read(gy)
	l.Run(device.Device.SoftmaxGrad)
	return gx
}
