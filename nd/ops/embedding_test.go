package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
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
