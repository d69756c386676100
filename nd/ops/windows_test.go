package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestDilatedPooling holds windows with gaps to those of every second element, and their gradients to differences.
func TestDilatedPooling(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 9)
	even := x.Index(nd.All(), nd.Span(0, 9).By(2))
	o := ops.PoolingOptions{Stride: []int{2}, Dilation: []int{2}}
	side := ops.PoolingOptions{Stride: []int{1}}
	opstest.Close(t, ops.MaxPooling(x, []int{3}, o), ops.MaxPooling(even, []int{3}, side), 0)
	opstest.Close(t, ops.SumPooling(x, []int{3}, o), ops.SumPooling(even, []int{3}, side), 1e-14)
	padded := ops.AveragePoolingOptions{Stride: []int{1}, Dilation: []int{3}, Pad: []int{2}, IncludingPad: new(false)}
	y := ops.AveragePooling(nd.FromSlice([]float64{1, 2, 3, 4, 5}, 1, 5), []int{2}, padded)
	opstest.Floats(t, "AveragePooling", y, 2, 3, 2.5, 3.5, 3, 4)
	high := []int{1, 1, 2, 2}
	many := opstest.Normal(2, dtype.Float64, 1, 2, 2, 5, 5)
	deep := ops.MaxPooling(many, high, ops.PoolingOptions{Dilation: []int{1, 1, 3, 2}, Stride: []int{1, 1, 1, 1}})
	flat := ops.MaxPooling(many.Reshape(4, 5, 5), []int{2, 2}, ops.PoolingOptions{Dilation: []int{3, 2}, Stride: []int{1, 1}})
	opstest.Close(t, deep.Reshape(4, 2, 3), flat, 0)
	for _, f := range []gradcheck.Function{
		func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.MaxPooling(xs[0], []int{3}, o)) },
		func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.AveragePooling(xs[0], []int{2}, padded)) },
	} {
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	opstest.Refuses(t, "dilations from 1", func() { ops.MaxPooling(x, []int{2}, ops.PoolingOptions{Dilation: []int{0}}) })
	opstest.Refuses(t, "fits into axis", func() { ops.MaxPooling(x, []int{2}, ops.PoolingOptions{Dilation: []int{9}}) })
}

// TestColumnsAreTransposed: ⟨Im2Col(x), y⟩ is ⟨x, Col2Im(y)⟩.
func TestColumnsAreTransposed(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 3, 5, 6)
	o := ops.Im2ColOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, CoverAll: true}
	columns := ops.Im2Col(x, []int{2, 3}, o)
	y := opstest.Normal(2, dtype.Float64, columns.Shape()...)
	images := ops.Col2Im(y, []int{5, 6}, []int{2, 3}, o)
	opstest.Close(t, ops.Sum(ops.Multiply(columns, y)), ops.Sum(ops.Multiply(x, images)), 1e-12)
	opstest.Close(t, ops.Col2Im(y.Reshape(2, 18, -1), []int{5, 6}, []int{2, 3}, o), images, 0)
	opstest.Refuses(t, "in multiples of 6", func() { ops.Col2Im(y.Index(nd.All(), nd.From(1)), []int{5, 6}, []int{2, 3}, o) })
	opstest.Refuses(t, "lengths for each axis", func() { ops.Col2Im(y, []int{5}, []int{2, 3}, o) })
}

// TestAdaptivePooling: windows of all lengths, one element and none, and axes that stay.
func TestAdaptivePooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 3, 4, 2}, 1, 5)
	opstest.Floats(t, "AdaptiveAveragePooling", ops.AdaptiveAveragePooling(x, []int{2}), 3, 3)
	opstest.Floats(t, "as it is", ops.AdaptiveAveragePooling(x, []int{-1}), 1, 5, 3, 4, 2)
	y, index := ops.AdaptiveMaxPoolingWithIndex(x, []int{3})
	opstest.Floats(t, "AdaptiveMaxPooling", y, 5, 5, 4)
	opstest.Repr(t, index, "array([[1, 1, 3]])")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.AdaptiveMaxPooling(x, []int{3}) }, x)
	opstest.Floats(t, "its gradient", g, 0, 2, 0, 1, 0)
	opstest.Refuses(t, "no elements", func() { ops.AdaptiveMaxPooling(nd.Ones([]int{0}), []int{2}) })
	opstest.Refuses(t, "at least one length", func() { ops.AdaptiveMaxPooling(x, nil) })
}

// TestEmbedding: the padding's row gets no gradient, and counts in no bag.
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

// TestRMSNormalization: 16-bit floats whose squares overflow, and parts of several axes.
func TestRMSNormalization(t *testing.T) {
	x := nd.FromSlice([]float64{300, 400, 0, 0}, 2, 2)
	half := ops.RMSNormalization(x.AsType(dtype.Float16), nil)
	if half.DType() != dtype.Float16 {
		t.Errorf("%s of float16", half.DType())
	}
	opstest.Close(t, half.AsType(dtype.Float64), nd.FromSlice([]float64{0.6 * 1.4142, 0.8 * 1.4142, 0, 0}, 2, 2), 1e-3)
	y := opstest.Normal(1, dtype.Float64, 2, 3, 4)
	opstest.Close(t, ops.RMSNormalization(y, nil, ops.Over(1, 2)), ops.RMSNormalization(y.Reshape(2, 12), nil).Reshape(2, 3, 4), 1e-14)
}
