package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

func losses() []entry {
	return []entry{
		{typ: "SigmoidCrossEntropy", name: "sigmoid_cross_entropy", make: plain2(func(x, t *nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(x, t) })},
		{typ: "BinaryCrossEntropy", name: "binary_cross_entropy", make: plain2(loss.BinaryCrossEntropy)},
		{typ: "SoftmaxCrossEntropy", name: "softmax_cross_entropy", make: labelled(loss.SoftmaxCrossEntropy)},
		{typ: "CategoricalCrossEntropy", name: "categorical_cross_entropy", make: labelled(loss.CategoricalCrossEntropy)},
		{typ: "SquaredError", name: "squared_error", make: binary(loss.SquaredError)},
		{typ: "AbsoluteError", name: "absolute_error", make: binary(loss.AbsoluteError)},
		{typ: "HuberLoss", name: "huber_loss", make: func(a *arguments) operation {
			o := loss.HuberLossOptions{Delta: new(a.float("delta"))}
			return two(func(x, y *nd.Array) *nd.Array { return loss.HuberLoss(x, y, o) })
		}},
		{typ: "EpsilonInsensitiveLoss", name: "epsilon_insensitive_loss", make: func(a *arguments) operation {
			epsilon := a.float("epsilon")
			return two(func(x, y *nd.Array) *nd.Array { return loss.EpsilonInsensitiveLoss(x, y, epsilon) })
		}},
		{typ: "KLMultinomial", name: "kl_multinomial", make: func(a *arguments) operation {
			o := loss.KLMultinomialOptions{BaseAxis: new(a.int("base_axis"))}
			return two(func(p, q *nd.Array) *nd.Array { return loss.KLMultinomial(p, q, o) })
		}},
		{typ: "BinaryError", name: "binary_error", make: logical(plain2(func(x, t *nd.Array) *nd.Array {
			a, b := ops.GreaterEqual(x, 0.5), ops.GreaterEqual(t, 0.5)
			defer a.Release()
			defer b.Release()
			return ops.LogicalXor(a, b)
		}))},
		{typ: "TopNError", name: "top_n_error", make: topNError},
	}
}

// plain2 is a function of two arrays and no arguments.
func plain2(f func(x, y *nd.Array) *nd.Array) func(*arguments) operation {
	return func(*arguments) operation { return two(f) }
}

// labelled makes a loss of predictions and labels, which are integers in an array of any dtype.
func labelled(f func(x, t *nd.Array, opts ...loss.CrossEntropyOption) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		axis := a.axis("axis")
		return two(func(x, t *nd.Array) *nd.Array {
			return indices(t, func(t *nd.Array) *nd.Array { return f(x, t, axis) })
		})
	}
}

// topNError is 1 if the label is not among the n largest predictions, that is if more than n are as large as the label's.
func topNError(a *arguments) operation {
	axis, n := a.axis("axis"), a.int("n")
	return logical(plain2(func(x, t *nd.Array) *nd.Array {
		return indices(t, func(t *nd.Array) *nd.Array {
			own := ops.TakeAlongAxis(x, t, axis)
			defer own.Release()
			atLeast := ops.GreaterEqual(x, own)
			defer atLeast.Release()
			count := ops.Sum(atLeast, ops.ReduceOptions{Axes: axis, KeepDims: true})
			defer count.Release()
			return ops.Greater(count, n)
		})
	}))(a)
}
