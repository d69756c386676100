package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// losses are the operators that compare scores with labels.
func losses() map[string]operator {
	return map[string]operator{
		"NegativeLogLikelihoodLoss": func(n *node) run {
			l := n.likelihood()
			return func(c *call) []model.Value { return one(l.of(c, c.x(0))) }
		},
		"SoftmaxCrossEntropyLoss": func(n *node) run {
			l := n.likelihood()
			return func(c *call) []model.Value {
				logs := ops.LogSoftmax(c.x(0), ops.Over(1))
				return some(l.of(c, logs), logs)
			}
		},
	}
}

// likelihood are the attributes of a loss.
type likelihood struct {
	reduction string
	ignore    *int
}

func (n *node) likelihood() likelihood {
	l := likelihood{reduction: n.text("reduction", "mean", "none", "sum", "mean")}
	if n.has("ignore_index") {
		at := n.int("ignore_index", 0)
		l.ignore = &at
	}
	return l
}

// of returns the negative logarithms of the probabilities of the labels, input 1, with the weights of the classes, input 2.
func (l likelihood) of(c *call, logs *nd.Array) *nd.Array {
	labels, weights := c.x(1), c.optional(2)
	if logs.Rank() < 2 || labels.Rank() != logs.Rank()-1 {
		c.refuse("want scores with one more axis than the labels: the axis of the classes")
	}
	var counts *nd.Array // the weight of each label
	if l.ignore != nil {
		counted := ops.NotEqual(labels, nd.Scalar(*l.ignore))
		labels = ops.Where(counted, labels, nd.Scalar(0))
		counts = counted.AsType(logs.DType())
	}
	if weights != nil {
		own := ops.Take(weights, labels)
		if counts != nil {
			own = ops.Multiply(own, counts)
		}
		counts = own
	}
	y := ops.Negative(ops.TakeAlongAxis(logs, labels.ExpandDims(1), ops.Over(1)).Squeeze(1))
	if counts != nil {
		y = ops.Multiply(y, counts)
	}
	switch {
	case l.reduction == "none":
		return y
	case l.reduction == "sum":
		return ops.Sum(y)
	case counts == nil:
		return ops.Mean(y)
	}
	return ops.Divide(ops.Sum(y), ops.Sum(counts))
}
