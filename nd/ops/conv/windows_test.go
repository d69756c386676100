package conv_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestDilatedPooling holds windows with gaps to those of every second element, and their gradients to differences.
func TestDilatedPooling(t *testing.T) {
	x := opstest.Normal(1, dtype.Float64, 2, 9)
	even := x.Index(nd.All(), nd.Span(0, 9).By(2))
	o := conv.PoolingOptions{Stride: []int{2}, Dilation: []int{2}}
	side := conv.PoolingOptions{Stride: []int{1}}
	opstest.Close(t, conv.MaxPooling(x, []int{3}, o), conv.MaxPooling(even, []int{3}, side), 0)
	opstest.Close(t, conv.SumPooling(x, []int{3}, o), conv.SumPooling(even, []int{3}, side), 1e-14)
	padded := conv.AveragePoolingOptions{Stride: []int{1}, Dilation: []int{3}, Pad: []int{2}, IncludingPad: new(false)}
	y := conv.AveragePooling(nd.FromSlice([]float64{1, 2, 3, 4, 5}, 1, 5), []int{2}, padded)
	opstest.Floats(t, "AveragePooling", y, 2, 3, 2.5, 3.5, 3, 4)
	high := []int{1, 1, 2, 2}
	many := opstest.Normal(2, dtype.Float64, 1, 2, 2, 5, 5)
	deep := conv.MaxPooling(many, high, conv.PoolingOptions{Dilation: []int{1, 1, 3, 2}, Stride: []int{1, 1, 1, 1}})
	flat := conv.MaxPooling(many.Reshape(4, 5, 5), []int{2, 2}, conv.PoolingOptions{Dilation: []int{3, 2}, Stride: []int{1, 1}})
	opstest.Close(t, deep.Reshape(4, 2, 3), flat, 0)
	for _, f := range []gradcheck.Function{
		func(xs ...*nd.Array) *nd.Array { return ops.Square(conv.MaxPooling(xs[0], []int{3}, o)) },
		func(xs ...*nd.Array) *nd.Array { return ops.Square(conv.AveragePooling(xs[0], []int{2}, padded)) },
	} {
		gradcheck.Check(t, f, x)
		gradcheck.CheckSecondOrder(t, f, x)
	}
	opstest.Refuses(t, "dilations from 1", func() { conv.MaxPooling(x, []int{2}, conv.PoolingOptions{Dilation: []int{0}}) })
	opstest.Refuses(t, "fits into axis", func() { conv.MaxPooling(x, []int{2}, conv.PoolingOptions{Dilation: []int{9}}) })
}

// TestColumnsAreTransposed: ⟨Im2Col(x), y⟩ is ⟨x, Col2Im(y)⟩.
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

// TestAdaptivePooling: windows of all lengths, one element and none, and axes that stay.
func TestAdaptivePooling(t *testing.T) {
	x := nd.FromSlice([]float64{1, 5, 3, 4, 2}, 1, 5)
	opstest.Floats(t, "AdaptiveAveragePooling", conv.AdaptiveAveragePooling(x, []int{2}), 3, 3)
	opstest.Floats(t, "as it is", conv.AdaptiveAveragePooling(x, []int{-1}), 1, 5, 3, 4, 2)
	y, index := conv.AdaptiveMaxPoolingWithIndex(x, []int{3})
	opstest.Floats(t, "AdaptiveMaxPooling", y, 5, 5, 4)
	opstest.Repr(t, index, "array([[1, 1, 3]])")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return conv.AdaptiveMaxPooling(x, []int{3}) }, x)
	opstest.Floats(t, "its gradient", g, 0, 2, 0, 1, 0)
	opstest.Refuses(t, "no elements", func() { conv.AdaptiveMaxPooling(nd.Ones([]int{0}), []int{2}) })
	opstest.Refuses(t, "at least one length", func() { conv.AdaptiveMaxPooling(x, nil) })
}
