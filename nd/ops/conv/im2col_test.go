package conv_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestColumnsAreTransposed checks that ⟨Im2Col(x), y⟩ is ⟨x, Col2Im(y)⟩.
func TestColumnsAreTransposed(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 3, 5, 6)
	o := conv.Im2ColOptions{Pad: []int{1, 2}, Stride: []int{2, 1}, Dilation: []int{1, 2}, CoverAll: true}
	columns := conv.Im2Col(x, []int{2, 3}, o)
	y := opstest.Normal(2, dtype.Float64, columns.Shape()...)
	images := conv.Col2Im(y, []int{5, 6}, []int{2, 3}, o)
	opstest.Close(t, ops.Sum(ops.Multiply(columns, y)), ops.Sum(ops.Multiply(x, images)), 1e-12)
	opstest.Close(t, conv.Col2Im(y.Reshape(2, 18, -1), []int{5, 6}, []int{2, 3}, o), images, 0)
	opstest.Refuses(t, "in multiples of 6", func() { conv.Col2Im(y.Index(nd.All(), nd.From(1)), []int{5, 6}, []int{2, 3}, o) })
	opstest.Refuses(t, "lengths for each axis", func() { conv.Col2Im(y, []int{5}, []int{2, 3}, o) })
}
