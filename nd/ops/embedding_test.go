package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestEmbedding checks that the row of the padding gets no gradient, and counts in no bag.
func TestEmbedding(t *testing.T) {
	w, at := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2), nd.FromSlice([]int64{0, 2, 2, 1}, 2, 2)
	y, g := opstest.ValueAndGrad(func(w *nd.Array) *nd.Array { return ops.Embedding(at, w, ops.EmbeddingOptions{Padding: new(-1)}) }, w)
	opstest.Floats(t, "Embedding", y, 1, 2, 5, 6, 5, 6, 3, 4)
	opstest.Floats(t, "its gradient", g, 1, 1, 1, 1, 0, 0)
	y, g = opstest.ValueAndGrad(func(w *nd.Array) *nd.Array { return ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Padding: new(2)}) }, w)
	opstest.Floats(t, "EmbeddingBag", y, 1, 2, 3, 4)
	opstest.Floats(t, "its gradient", g, 1, 1, 1, 1, 0, 0)
	opstest.Refuses(t, "one of 3 rows", func() { ops.Embedding(at, w, ops.EmbeddingOptions{Padding: new(3)}) })
	opstest.Refuses(t, "mean, sum or max", func() { ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Mode: "min"}) })
	opstest.Refuses(t, "and mode sum", func() { ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Weight: at}) })
	opstest.Refuses(t, "that do not fall", func() {
		ops.EmbeddingBag(at.Reshape(4), w, ops.EmbeddingBagOptions{Offsets: nd.FromSlice([]int64{0, 5})})
	})
}

// TestIgnoredRows compares with Chainer 7.8.1: a label to ignore gives zeros, and no gradient.
func TestIgnoredRows(t *testing.T) {
	w, at := nd.FromSlice([]float64{0, 1, 2, 3, 4, 5}, 3, 2), nd.FromSlice([]int32{2, 7, 0, 7}, 2, 2)
	o := ops.EmbeddingOptions{IgnoreLabel: new(7)}
	y, g := opstest.ValueAndGrad(func(w *nd.Array) *nd.Array { return ops.Embedding(at, w, o) }, w)
	opstest.Floats(t, "Embedding", y, 4, 5, 0, 0, 0, 1, 0, 0)
	opstest.Floats(t, "its gradient", g, 1, 1, 0, 0, 1, 1)
	lookup := func(xs ...*nd.Array) *nd.Array { return ops.Embedding(at.T(), xs[0], o) }
	gradcheck.Check(t, lookup, w)
	gradcheck.CheckSecondOrder(t, lookup, w)

	// -1 is not the last row, an ignored row stays out whatever it holds, and infinite gradients do not reach a row.
	last, wild := opstest.Vector[int64](-1, 2, -2), nd.FromSlice([]float64{1, math.Inf(1), math.NaN()}, 3, 1)
	y, g = opstest.ValueAndGrad(func(w *nd.Array) *nd.Array {
		rows := ops.Embedding(last, w, ops.EmbeddingOptions{IgnoreLabel: new(-1), Padding: new(2)})
		return ops.Multiply(rows, nd.FromSlice([]float64{math.Inf(1), 1, 2}, 3, 1)).Index(nd.Pick([]int{1, 2}))
	}, wild)
	opstest.Floats(t, "Embedding", y, math.NaN(), math.Inf(1))
	opstest.Floats(t, "its gradient", g, 0, 2, 0)
	opstest.Floats(t, "the last row ignored", ops.Embedding(last, wild, ops.EmbeddingOptions{IgnoreLabel: new(2)}), math.NaN(), 0, math.Inf(1))

	bytes := ops.Embedding(opstest.Vector[uint8](0, 255), nd.FromSlice([]int8{5}, 1), ops.EmbeddingOptions{IgnoreLabel: new(255)})
	opstest.Repr(t, bytes, "array([5, 0], dtype=int8)")
	opstest.Repr(t, ops.Embedding(opstest.Vector[uint8](0), nd.FromSlice([]int8{5}, 1), ops.EmbeddingOptions{IgnoreLabel: new(-1)}), "array([5], dtype=int8)")
	if y := ops.Embedding(nd.Zeros([]int{0, 2}, dtype.Int64), w, o); !slices.Equal(y.Shape(), []int{0, 2, 2}) {
		t.Errorf("of no labels: shape %v", y.Shape())
	}
	opstest.Floats(t, "a 0-d label", ops.Embedding(nd.Full(nil, int64(7)), w, o), 0, 0)
	opstest.Refuses(t, "ops.Embedding", func() { ops.Embedding(opstest.Vector[int64](3), w, o) })
	opstest.Refuses(t, "integer indices", func() { ops.Embedding(w, w, o) })
}
