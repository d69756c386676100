package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestDilatedPooling compares dilated windows with windows of every second element, and their gradients with
// differences.
func TestDilatedPooling(t *testing.T) {
	x := normal(1, dtype.Float64, 2, 9)
	even := x.Index(nd.All(), nd.Span(0, 9).By(2))
	o := ops.PoolingOptions{Stride: []int{2}, Dilation: []int{2}}
	side := ops.PoolingOptions{Stride: []int{1}}
	close64(t, ops.MaxPooling(x, []int{3}, o), ops.MaxPooling(even, []int{3}, side), 0)
	close64(t, ops.SumPooling(x, []int{3}, o), ops.SumPooling(even, []int{3}, side), 1e-14)
	padded := ops.AveragePoolingOptions{Stride: []int{1}, Dilation: []int{3}, Pad: []int{2}, IncludingPad: new(false)}
	y := ops.AveragePooling(nd.FromSlice([]float64{1, 2, 3, 4, 5}, 1, 5), []int{2}, padded)
	wantFloats(t, "AveragePooling", y, 2, 3, 2.5, 3.5, 3, 4)
	high := []int{1, 1, 2, 2}
	many := normal(2, dtype.Float64, 1, 2, 2, 5, 5)
	deep := ops.MaxPooling(many, high, ops.PoolingOptions{Dilation: []int{1, 1, 3, 2}, Stride: []int{1, 1, 1, 1}})
	flat := ops.MaxPooling(many.Reshape(4, 5, 5), []int{2, 2}, ops.PoolingOptions{Dilation: []int{3, 2}, Stride: []int{1, 1}})
	close64(t, deep.Reshape(4, 2, 3), flat, 0)
	for _, f := range []gradcheck.Function{
		func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.MaxPooling(xs[0], []int{3}, o)) },
		func(xs ...*nd.Array) *nd.Array { return ops.Square(ops.AveragePooling(xs[0], []int{2}, padded)) },
	} {
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	refuses(t, "dilations from 1", func() { ops.MaxPooling(x, []int{2}, ops.PoolingOptions{Dilation: []int{0}}) })
	refuses(t, "fits into axis", func() { ops.MaxPooling(x, []int{2}, ops.PoolingOptions{Dilation: []int{9}}) })
}

// TestColumnsAreTransposed checks that ⟨Im2Col(x), y⟩ is ⟨x, Col2Im(y)⟩.
func TestColumnsAreTransposed(t *testing.T) {
	x := normal(1, dtype.Float64, 2, 3, 5, 6)
	o := ops.Im2ColOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, CoverAll: true}
	columns := ops.Im2Col(x, []int{2, 3}, o)
	y := normal(2, dtype.Float64, columns.Shape()...)
	images := ops.Col2Im(y, []int{5, 6}, []int{2, 3}, o)
	close64(t, ops.Sum(ops.Multiply(columns, y)), ops.Sum(ops.Multiply(x, images)), 1e-12)
	close64(t, ops.Col2Im(y.Reshape(2, 18, -1), []int{5, 6}, []int{2, 3}, o), images, 0)
	refuses(t, "in multiples of 6", func() { ops.Col2Im(y.Index(nd.All(), nd.From(1)), []int{5, 6}, []int{2, 3}, o) })
	refuses(t, "lengths for each axis", func() { ops.Col2Im(y, []int{5}, []int{2, 3}, o) })
}

// TestAdaptivePooling uses windows of all lengths, of one element and of none, and axes that stay.
func TestAdaptivePooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 3, 4, 2}, 1, 5)
	wantFloats(t, "AdaptiveAveragePooling", ops.AdaptiveAveragePooling(x, []int{2}), 3, 3)
	wantFloats(t, "as it is", ops.AdaptiveAveragePooling(x, []int{-1}), 1, 5, 3, 4, 2)
	y, index := ops.AdaptiveMaxPoolingWithIndex(x, []int{3})
	wantFloats(t, "AdaptiveMaxPooling", y, 5, 5, 4)
	want(t, index, "array([[1, 1, 3]])")
	_, g := gradOf(func(x *nd.Array) *nd.Array { return ops.AdaptiveMaxPooling(x, []int{3}) }, x)
	wantFloats(t, "its gradient", g, 0, 2, 0, 1, 0)
	refuses(t, "no elements", func() { ops.AdaptiveMaxPooling(nd.Ones([]int{0}), []int{2}) })
	refuses(t, "at least one length", func() { ops.AdaptiveMaxPooling(x, nil) })
}

// TestEmbedding checks that the row of the padding gets no gradient, and counts in no bag.
func TestEmbedding(t *testing.T) {
	w, at := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2), nd.FromSlice([]int64{0, 2, 2, 1}, 2, 2)
	y, g := gradOf(func(w *nd.Array) *nd.Array { return ops.Embedding(at, w, ops.EmbeddingOptions{Padding: new(-1)}) }, w)
	wantFloats(t, "Embedding", y, 1, 2, 5, 6, 5, 6, 3, 4)
	wantFloats(t, "its gradient", g, 1, 1, 1, 1, 0, 0)
	y, g = gradOf(func(w *nd.Array) *nd.Array { return ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Padding: new(2)}) }, w)
	wantFloats(t, "EmbeddingBag", y, 1, 2, 3, 4)
	wantFloats(t, "its gradient", g, 1, 1, 1, 1, 0, 0)
	refuses(t, "one of 3 rows", func() { ops.Embedding(at, w, ops.EmbeddingOptions{Padding: new(3)}) })
	refuses(t, "mean, sum or max", func() { ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Mode: "min"}) })
	refuses(t, "and mode sum", func() { ops.EmbeddingBag(at, w, ops.EmbeddingBagOptions{Weight: at}) })
	refuses(t, "that do not fall", func() {
		ops.EmbeddingBag(at.Reshape(4), w, ops.EmbeddingBagOptions{Offsets: nd.FromSlice([]int64{0, 5})})
	})
}

// TestRMSNormalization uses 16-bit floats whose squares overflow, and parts of several axes.
func TestRMSNormalization(t *testing.T) {
	x := nd.FromSlice([]float64{300, 400, 0, 0}, 2, 2)
	half := ops.RMSNormalization(x.AsType(dtype.Float16), nil)
	if half.DType() != dtype.Float16 {
		t.Errorf("%s of float16", half.DType())
	}
	close64(t, half.AsType(dtype.Float64), nd.FromSlice([]float64{0.6 * 1.4142, 0.8 * 1.4142, 0, 0}, 2, 2), 1e-3)
	y := normal(1, dtype.Float64, 2, 3, 4)
	close64(t, ops.RMSNormalization(y, nil, ops.Over(1, 2)), ops.RMSNormalization(y.Reshape(2, 12), nil).Reshape(2, 3, 4), 1e-14)
}
