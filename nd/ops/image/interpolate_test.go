package image_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleInterpolate() {
	x := nd.FromSlice([]float64{0, 10})
	fmt.Println(image.Interpolate(x, []int{4}, image.InterpolateOptions{HalfPixel: true})) // as PyTorch, unless it aligns corners
	fmt.Println(image.Interpolate(x, []int{5}, image.InterpolateOptions{AlignCorners: true}))
	fmt.Println(image.Interpolate(x, nil, image.InterpolateOptions{Scale: []float64{2}, Mode: "nearest"}))
	// Output:
	// [ 0.   2.5  7.5 10. ]
	// [ 0.   2.5  5.   7.5 10. ]
	// [ 0.  0. 10. 10.]
}

// TestInterpolateToOne expects the middle of the array, or the first element if corners are aligned or OneIsFirst is set.
func TestInterpolateToOne(t *testing.T) {
	x := nd.FromSlice([]float64{0, 10, 20, 30}, 1, 4)
	assert.Equal(t, image.Interpolate(x, []int{1}, image.InterpolateOptions{HalfPixel: true}), nd.FromSlice([]float64{15}, 1, 1))
	assert.Equal(t, image.Interpolate(x, []int{1}, image.InterpolateOptions{AlignCorners: true}), nd.FromSlice([]float64{0}, 1, 1))
	for _, mode := range []image.Interpolation{image.Linear, image.Nearest} {
		o := image.InterpolateOptions{Mode: mode, HalfPixel: true, OneIsFirst: true}
		assert.Equal(t, image.Interpolate(x, []int{1}, o), nd.FromSlice([]float64{0}, 1, 1))
		square := nd.Arange(0, 16, 1).Reshape(4, 4)
		whole := image.Interpolate(square, []int{1, 2}, o)
		assert.Equal(t, whole, image.Interpolate(square.Index(nd.At(0)), []int{2}, o).ExpandDims(0))
		o.HalfPixelForNN = true
		if mode == image.Nearest {
			assert.Equal(t, image.Interpolate(x, []int{1}, o), nd.FromSlice([]float64{20}, 1, 1))
		}
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(image.Interpolate(xs[0], []int{1}, o)) }, x)
	}
}
