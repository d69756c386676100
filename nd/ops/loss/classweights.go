package loss

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// CategoricalNLL returns, for every example, -x[t] along the axis of the classes, where x holds logarithms of
// probabilities. Targets t and options are those of SoftmaxCrossEntropy.
//
// Shapes: x (N, C, …), t (N, 1, …) or (N, …), or (N, C, …) for probabilities; the result (N, 1, …).
// PyTorch: nn.functional.nll_loss.
func CategoricalNLL(x, t *nd.Array, opts ...CrossEntropyOption) *nd.Array {
	const fn nd.Func = "loss.CategoricalNLL"
	fn.Check(x, t)
	o := options.Of(fn, opts, crossEntropyOver)
	made := fn.Temporaries(&x, &t, &o.Weight)
	defer made.Release()
	given := []*nd.Array{x, t}
	defer argument.Explain(fn, given, func() []argument.Bounds { return o.bounds(fn, given[0], given[1]) })
	x = argument.Float(fn, x)
	axis := fn.Axis(x, o.Axis, min(1, x.Rank()-1))
	t = o.targets(fn, x, t, axis)
	if !t.DType().IsInteger() {
		return made.Keep(o.ofProbabilities(x, t, axis))
	}
	return made.Keep(o.ofLabels(losses(x, t, axis, argument.ValueOr(o.Ignore, -1)), t, x, axis))
}

// losses returns the losses for labels, 0 for the ignored one.
func losses(logP, t *nd.Array, axis, ignore int) *nd.Array {
	counts := ops.NotEqual(t, ignore)
	return ops.Where(counts, ops.Negative(ops.TakeAlongAxis(logP, indicesOf(t, counts, logP.Dim(axis)), ops.Over(axis))), 0)
}

// isDefault reports whether no option changes the losses of labels.
func (o CrossEntropyOptions) isDefault() bool {
	return o.Weight == nil && o.Smoothing == 0 && !o.Reduction.reduces()
}

// targets checks the options and the targets. It returns labels with the axis of the classes, or probabilities.
func (o CrossEntropyOptions) targets(fn nd.Func, x, t *nd.Array, axis int) *nd.Array {
	in := []*nd.Array{x, t}
	if w := o.Weight; w != nil {
		in = append(in, w)
		fn.Check(w)
		if w.Rank() != 1 || w.Dim(0) != x.Dim(axis) || w.DType().IsComplex() {
			panic(fn.Errorf(in, "want a weight for each of %d classes", x.Dim(axis)))
		}
	}
	if !(o.Smoothing >= 0 && o.Smoothing <= 1) {
		panic(fn.Errorf(in, "Smoothing = %v: want a number from 0 to 1", o.Smoothing))
	}
	o.Reduction.check(fn, in)
	if t.DType().IsFloat() && broadcast.Equal(t.Shape(), x.Shape()) {
		return t
	}
	want := broadcast.ReduceShape(x.Shape(), []int{axis}, true)
	labels := t
	if t.Rank() == x.Rank()-1 {
		labels = t.ExpandDims(axis)
	}
	if !t.DType().IsInteger() || !broadcast.Equal(labels.Shape(), want) {
		panic(fn.Errorf(in, "want integer labels of shape %s, or probabilities like x", broadcast.FormatShape(want)))
	}
	return labels
}

// weightsAlong returns the weights along the axis of the classes, or 1 if there are no weights.
func (o CrossEntropyOptions) weightsAlong(x *nd.Array, axis int) *nd.Array {
	if o.Weight == nil {
		return nd.Scalar(1)
	}
	shape := broadcast.Ones(x.Rank())
	shape[axis] = -1
	return o.Weight.AsType(x.DType()).Reshape(shape...)
}

// ofLabels applies the options to the losses of labels t. logP, the logarithms of all probabilities, is used only with
// Smoothing.
func (o CrossEntropyOptions) ofLabels(loss, t, logP *nd.Array, axis int) *nd.Array {
	if o.isDefault() {
		return loss
	}
	counts := ops.NotEqual(t, argument.ValueOr(o.Ignore, -1))
	var share *nd.Array
	if o.Weight != nil {
		share = ops.Where(counts, ops.Take(o.Weight.AsType(loss.DType()), ops.Where(counts, t, 0), ops.Over(0)), 0)
		loss = ops.Multiply(loss, share)
	}
	if o.Smoothing > 0 {
		even := ops.Mean(ops.Multiply(logP, o.weightsAlong(logP, axis)), ops.Over(axis).KeepDims())
		loss = ops.Subtract(ops.Multiply(loss, 1-o.Smoothing), ops.Where(counts, ops.Multiply(even, o.Smoothing), 0))
	}
	return o.Reduction.of(loss, counts, share)
}

// likelihoodTerm is t·log(p). A class that is neither expected nor possible counts nothing.
var likelihoodTerm = ufunc.Definition{Fn: "loss.SoftmaxCrossEntropy", In: "T t, T p", Body: "t == 0 && p == -inf ? T(0) : t * p"}

// ofProbabilities returns the losses for targets that are probabilities.
func (o CrossEntropyOptions) ofProbabilities(logP, t *nd.Array, axis int) *nd.Array {
	t = t.AsType(dtype.Promote(t.DType(), logP.DType()))
	if o.Smoothing > 0 {
		t = ops.Add(ops.Multiply(t, 1-o.Smoothing), o.Smoothing/float64(max(1, logP.Dim(axis))))
	}
	if o.Divergence {
		each := klDivergence.Compute(nil, logP, t)
		if o.Weight != nil {
			each = ops.Multiply(each, o.weightsAlong(logP, axis))
		}
		return o.Reduction.of(ops.Sum(each, ops.Over(axis).KeepDims()), nil, nil)
	}
	if o.Weight != nil {
		t = ops.Multiply(t, o.weightsAlong(logP, axis))
	}
	return o.Reduction.of(ops.Negative(ops.Sum(likelihoodTerm.Compute(nil, t, logP), ops.Over(axis).KeepDims())), nil, nil)
}
