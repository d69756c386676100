package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
)

// CrossEntropyOptions are the options of SoftmaxCrossEntropy.
type CrossEntropyOptions struct {
	// Axis is the axis of the classes; nil means 1 (the last one where there is only one).
	Axis Axes
	// Ignore is the label that does not count: its loss and gradient are 0; nil means -1.
	Ignore *int
}

// SoftmaxCrossEntropy returns, for every example, log Σexp(x) - x[t] along the axis of the classes, with integer labels t:
// the negative log-likelihood of the label under Softmax. The axis stays, with length 1. Labels must lie in [0, classes)
// or be Ignore. nnabla softmax_cross_entropy; chainer softmax_cross_entropy is its mean over the labels that count.
// torch.nn.functional.cross_entropy.
//
// Shapes: x (N, C, …), t (N, 1, …) or (N, …); the result (N, 1, …).
func SoftmaxCrossEntropy(x, t *nd.Array, opts ...CrossEntropyOption) *nd.Array {
	const fn nd.Func = "ops.SoftmaxCrossEntropy"
	fn.Check(x, t)
	o := options.Of(fn, opts, Axes.crossEntropy)
	givenX, givenT := x, t
	defer func() {
		releaseUnless(x, givenX)
		releaseUnless(t, givenT)
	}()
	x = floating(fn, x)
	op := crossEntropyOp{axis: fn.Axis(x, o.Axis, min(1, x.Rank()-1)), ignore: -1}
	if o.Ignore != nil {
		op.ignore = *o.Ignore
	}
	want := broadcast.ReduceShape(x.Shape(), []int{op.axis}, true)
	if t.Rank() == x.Rank()-1 {
		t = t.ExpandDims(op.axis)
	}
	if !t.DType().IsInteger() || !broadcast.Equal(t.Shape(), want) {
		panic(fn.Errorf([]*nd.Array{x, t}, "want integer labels of shape %s", broadcast.FormatShape(want)))
	}
	if t.DType() != dtype.Int64 {
		wide := t.AsType(dtype.Int64)
		releaseUnless(t, givenT)
		t = wide
	}
	y := fn.NewLike(x.DType(), want, x)
	l := alongaxis.New(fn, x.Device(), x.Shape(), op.axis)
	l.Ignore = op.ignore
	l.Write(y)
	l.Read(x)
	l.Read(t)
	l.Run(device.Device.CrossEntropy)
	fn.Record(op, []*nd.Array{x, t}, y)
	return y
}

// crossEntropyOp is fused as softmaxOp is.
type crossEntropyOp struct{ axis, ignore int }

func (op crossEntropyOp) Claims() nd.Claims { return nd.Claims{In: 3} }

func (op crossEntropyOp) Composed(in []*nd.Array) []*nd.Array {
	x, t := in[0], in[1]
	if x.Dim(op.axis) == 0 {
		return []*nd.Array{Sum(x, Over(op.axis).KeepDims())} // no label counts
	}
	counts := NotEqual(t, nd.Scalar(op.ignore))
	picked := TakeAlongAxis(LogSoftmax(x, Over(op.axis)), Where(counts, t, nd.Scalar(0)), op.axis)
	return []*nd.Array{Where(counts, Negative(picked), nd.Scalar(0))}
}

func (op crossEntropyOp) VJP(c *nd.Call) {
	x := c.In(0)
	gx := c.Func().NewLike(x.DType(), x.Shape(), c.Gy(0))
	l := alongaxis.New(c.Func(), x.Device(), x.Shape(), op.axis)
	l.Ignore = op.ignore
	l.Write(gx)
	l.Read(x)
	l.Read(c.In(1))
	l.Read(c.Gy(0))
	l.Run(device.Device.CrossEntropyGrad)
	c.SetGx(0, gx)
}
