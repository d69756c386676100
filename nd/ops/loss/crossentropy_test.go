package loss_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// TestCrossEntropyOptions checks that scores, probabilities and their logarithms have the same loss under all options.
func TestCrossEntropyOptions(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 4, 3, 2)
	labels := nd.FromSlice([]int8{0, 2, 7, 1, 1, 7, 2, 2}, 4, 2)
	weight := opstest.Vector(0.5, 2, 1)
	p := ops.Softmax(opstest.Normal(2, dtype.Float64, 4, 3, 2), ops.Over(1))
	for _, o := range []loss.CrossEntropyOptions{{}, {Weight: weight}, {Smoothing: 0.3}, {Weight: weight, Smoothing: 0.3, Reduction: "mean"}, {Weight: weight, Reduction: "sum"}} {
		o.Ignore = new(7)
		for _, target := range []*nd.Array{labels, labels.ExpandDims(1), p} {
			expected := loss.SoftmaxCrossEntropy(x, target, o)
			opstest.Close(t, loss.CategoricalNLL(ops.LogSoftmax(x, ops.Over(1)), target, o), expected, 1e-13)
			opstest.Close(t, loss.CategoricalCrossEntropy(ops.Softmax(x, ops.Over(1)), target, o), expected, 1e-13)
		}
	}
	none := loss.SoftmaxCrossEntropy(x, nd.FullLike(labels, 7), loss.CrossEntropyOptions{Ignore: new(7), Reduction: "mean"})
	opstest.Floats(t, "of no labels", none, math.NaN())
	opstest.Refuses(t, "a weight for each of 3", func() { loss.SoftmaxCrossEntropy(x, labels, loss.CrossEntropyOptions{Weight: opstest.Vector(1.0)}) })
	opstest.Refuses(t, "from 0 to 1", func() { loss.CategoricalNLL(x, labels, loss.CrossEntropyOptions{Smoothing: 1.5}) })
	opstest.Refuses(t, "want no, sum, mean, countmean or batchmean", func() { loss.CategoricalNLL(x, labels, loss.CrossEntropyOptions{Reduction: "none"}) })
	opstest.Refuses(t, "or probabilities like x", func() { loss.SoftmaxCrossEntropy(x, labels.AsType(dtype.Float64)) })
	opstest.Refuses(t, "1 or 2", func() {
		loss.MultiMargin(nd.Ones([]int{1, 2}), opstest.Vector[int64](0), loss.MultiMarginOptions{P: 3})
	})
	opstest.Refuses(t, "signed integers", func() { loss.MultiLabelMargin(nd.Ones([]int{1, 2}), nd.Ones([]int{1, 2})) })
}

// TestKLDivergence: an event without probability counts nothing.
func TestKLDivergence(t *testing.T) {
	opstest.Floats(t, "KLDivergence", loss.KLDivergence(opstest.Vector(math.Inf(-1), -1), opstest.Vector(0.0, 1)), 0, 1)
}
