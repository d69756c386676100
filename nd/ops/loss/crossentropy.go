package loss

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/alongaxis"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// CrossEntropyOptions are the options of SoftmaxCrossEntropy, CategoricalCrossEntropy and CategoricalNLL.
type CrossEntropyOptions struct {
	// Axis is the axis of the classes; nil means 1, or the last axis if there is only one.
	Axis ops.Axes
	// Ignore is the label to ignore: its loss and gradient are 0; nil means -1.
	Ignore *int
	// Weight has a factor for the losses of each class; nil means 1.
	Weight *nd.Array
	// Smoothing is the share of every target that is spread evenly over all classes, from 0 to 1.
	Smoothing float64
	// Divergence makes the loss for targets that are probabilities their Kullback-Leibler divergence from the prediction,
	// Σ t·(log t - log p), which is 0 if both agree: the entropy of the targets is subtracted.
	Divergence bool
	// Reduction says how the losses are combined; the default is NoReduction. With labels, MeanReduction is the sum
	// divided by the sum of the weights of the labels that count; CountMeanReduction divides by their number, whatever
	// their weights. With probabilities, all examples count alike.
	Reduction Reduction
}

// CrossEntropyOption is a [CrossEntropyOptions], or the axis alone.
type CrossEntropyOption interface{ ops.Option }

// Option marks the struct as an option.
func (CrossEntropyOptions) Option() {}

func crossEntropyOver(axes ops.Axes, o CrossEntropyOptions) CrossEntropyOptions {
	o.Axis = axes
	return o
}

// SoftmaxCrossEntropy returns, for every example, log Σexp(x) - x[t] along the axis of the classes, with integer labels
// t: the negative log-likelihood of the label under Softmax. The axis stays, with length 1. Labels must lie in [0,
// classes) or be Ignore. If t holds floats in x's shape, they are the probabilities of the classes, and the result is
// the sum over the classes of t times the loss of the class as a label; a class with t = 0 and the score -Inf counts
// nothing. Chainer's softmax_cross_entropy has the default CountMeanReduction, and without its normalize
// BatchMeanReduction.
//
// Shapes: x (N, C, …), t (N, 1, …) or (N, …), or (N, C, …) for probabilities; the result (N, 1, …), or () with a
// Reduction.
// PyTorch: nn.functional.cross_entropy. NNabla: softmax_cross_entropy. Chainer: softmax_cross_entropy.
func SoftmaxCrossEntropy(x, t *nd.Array, opts ...CrossEntropyOption) *nd.Array {
	const fn nd.Func = "loss.SoftmaxCrossEntropy"
	fn.Check(x, t)
	o := options.Of(fn, opts, crossEntropyOver)
	givenX, givenT := x, t
	defer argument.Explain(fn, []*nd.Array{x, t}, func() []argument.Bounds { return o.bounds(fn, givenX, givenT) })
	defer func() {
		release.Unless(x, givenX)
		release.Unless(t, givenT)
	}()
	x = argument.Float(fn, x)
	op := crossEntropyOp{axis: fn.Axis(x, o.Axis, min(1, x.Rank()-1)), ignore: -1}
	if o.Ignore != nil {
		op.ignore = *o.Ignore
	}
	if t = o.targets(fn, x, t, op.axis); !o.isDefault() || !t.DType().IsInteger() {
		return op.withOptions(fn, o, x, t)
	}
	return op.run(fn, x, t)
}

// run returns the losses for labels.
func (op crossEntropyOp) run(fn nd.Func, x, t *nd.Array) *nd.Array {
	labels := t.AsType(dtype.Int64)
	defer release.Unless(labels, t)
	y := fn.NewLike(x.DType(), broadcast.ReduceShape(x.Shape(), []int{op.axis}, true), x)
	l := alongaxis.New(fn, x.Device(), x.Shape(), op.axis)
	l.Ignore = op.ignore
	l.Write(y)
	l.Read(x)
	l.Read(labels)
	l.Run(device.Device.CrossEntropy)
	fn.Record(op, []*nd.Array{x, labels}, y)
	return y
}

// withOptions returns the losses for labels or probabilities, with the options applied.
func (op crossEntropyOp) withOptions(fn nd.Func, o CrossEntropyOptions, x, t *nd.Array) *nd.Array {
	made := fn.Temporaries(&x, &t, &o.Weight)
	defer made.Release()
	if !t.DType().IsInteger() {
		return made.Keep(o.ofProbabilities(ops.LogSoftmax(x, ops.Over(op.axis)), t, op.axis))
	}
	var logP *nd.Array
	if o.Smoothing > 0 {
		logP = ops.LogSoftmax(x, ops.Over(op.axis))
	}
	return made.Keep(o.ofLabels(op.run(fn, x, t), t, logP, op.axis))
}

// crossEntropyOp is fused in the way of softmaxOp.
type crossEntropyOp struct{ axis, ignore int }

func (op crossEntropyOp) Claims() nd.Claims { return nd.Claims{In: 3} }

func (op crossEntropyOp) Composed(in []*nd.Array) []*nd.Array {
	x, t := in[0], in[1]
	if x.Dim(op.axis) == 0 {
		return []*nd.Array{ops.Sum(x, ops.Over(op.axis).KeepDims())} // without classes no label counts
	}
	counts := ops.NotEqual(t, op.ignore)
	x = ops.Where(counts, x, 0) // nothing that is ignored reaches a gradient
	picked := ops.TakeAlongAxis(ops.LogSoftmax(x, ops.Over(op.axis)), ops.Where(counts, t, 0), ops.Over(op.axis))
	return []*nd.Array{ops.Where(counts, ops.Negative(picked), 0)}
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
