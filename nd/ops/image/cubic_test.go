package image_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestCubicInterpolation compares with weights by hand: at distance ½ they are -3/32, 19/32, 19/32 and -3/32.
func TestCubicInterpolation(t *testing.T) {
	x := nd.FromSlice([]float64{0, 32, 64, 32})
	cubic := image.InterpolateOptions{Mode: image.Cubic}
	assert.Equal(t, image.Interpolate(x, []int{8}, cubic).Index(nd.From(0).By(2)), x)
	opstest.Close(t, image.Interpolate(x, []int{8}, cubic), nd.FromSlice([]float64{0, 19 - 6, 32, 3*19 - 3, 64, 3*19 - 6, 32, 32 - 3}), 1e-12)
	for _, o := range []image.InterpolateOptions{{Mode: image.Cubic, HalfPixel: true}, {Mode: image.Cubic, AlignCorners: true}, {Mode: image.Cubic, HalfPixel: true, ChannelLast: true}} {
		constant := nd.Full([]int{3, 4, 2}, 0.7)
		if y := image.Interpolate(constant, []int{7, 2}, o); !ops.AllClose(y, 0.7) {
			t.Errorf("%+v: a constant becomes %v", o, y)
		}
		square := opstest.Normal(2, dtype.Float64, 3, 4, 2)
		f := func(xs ...*nd.Array) *nd.Array { return ops.Square(image.Interpolate(xs[0], []int{4, 3}, o)) }
		gradcheck.CheckSecondOrder(t, f, square)
		assert.Equal(t, f(square.CopyFortran()), f(square))
		half := square.AsType(dtype.Float16)
		assert.Equal(t, image.Interpolate(half, []int{5, 5}, o), image.Interpolate(half.AsType(dtype.Float32), []int{5, 5}, o).AsType(dtype.Float16))
	}
	opstest.Repr(t, image.Interpolate(nd.Zeros([]int{0, 3}), []int{2}, cubic), "array([], shape=(0, 2), dtype=float64)")
	opstest.Repr(t, image.Interpolate(nd.Zeros([]int{2, 3}), []int{0}, cubic), "array([], shape=(2, 0), dtype=float64)")
	opstest.Repr(t, image.Interpolate(nd.FromSlice([]int64{0, 8}), []int{3}, image.InterpolateOptions{Mode: image.Cubic, AlignCorners: true}), "array([0., 4., 8.])")
}

// TestExactScale compares the locations of five elements from four by the factor 1.3 with those by 5/4.
func TestExactScale(t *testing.T) {
	x := nd.FromSlice([]float64{0, 10, 20, 30})
	o := image.InterpolateOptions{Scale: []float64{1.3}}
	assert.Equal(t, image.Interpolate(x, nil, o), image.Interpolate(x, []int{5}))
	o.ExactScale = true
	opstest.Close(t, image.Interpolate(x, nil, o), nd.FromSlice([]float64{0, 10 / 1.3, 20 / 1.3, 30 / 1.3, 30}), 1e-14)
	o.HalfPixel = true
	opstest.Close(t, image.Interpolate(x, nil, o), nd.FromSlice([]float64{0, 15/1.3 - 5, 25/1.3 - 5, 35/1.3 - 5, 45/1.3 - 5}), 1e-14)
	o.Mode, o.HalfPixel, o.Scale = image.Nearest, false, []float64{1.7}
	assert.Equal(t, image.Interpolate(x, nil, o), nd.FromSlice([]float64{0, 0, 10, 10, 20, 20}))
	o.ExactScale = false
	assert.Equal(t, image.Interpolate(x, nil, o), nd.FromSlice([]float64{0, 0, 10, 20, 20, 30}))
	o.ExactScale, o.AlignCorners, o.Mode = true, true, ""
	assert.Equal(t, image.Interpolate(x, nil, o), image.Interpolate(x, []int{6}, image.InterpolateOptions{AlignCorners: true}))
	opstest.Refuses(t, "ExactScale", func() { image.Interpolate(x, []int{5}, image.InterpolateOptions{ExactScale: true}) })
	opstest.Refuses(t, "want linear, nearest or cubic", func() { image.Interpolate(x, []int{5}, image.InterpolateOptions{Mode: "bicubic"}) })
}

// TestCubicWarp compares grids with Interpolate, and looks far outside.
func TestCubicWarp(t *testing.T) {
	x := opstest.Normal(5, dtype.Float64, 1, 2, 4, 5)
	theta := nd.FromSlice([]float64{1, 0, 0, 0, 1, 0}, 1, 2, 3)
	for _, align := range []bool{false, true} {
		grid := image.AffineGrid(theta, []int{7, 3}, image.AffineGridOptions{AlignCorners: align})
		y := image.WarpByGrid(x, grid, image.WarpByGridOptions{Mode: image.Cubic, Padding: image.PaddingRepeat, AlignCorners: align})
		opstest.Close(t, y, image.Interpolate(x, []int{7, 3}, image.InterpolateOptions{Mode: image.Cubic, HalfPixel: !align, AlignCorners: align}), 1e-13)
		last := image.WarpByGrid(x.MoveAxis([]int{1}, []int{-1}), grid, image.WarpByGridOptions{Mode: image.Cubic, Padding: image.PaddingRepeat, AlignCorners: align, ChannelLast: true})
		assert.Equal(t, last.MoveAxis([]int{-1}, []int{1}), y)
	}
	inf, nan := math.Inf(1), math.NaN()
	far := nd.FromSlice([]float64{inf, 0, -inf, 0, 1e300, 1e300, nan, 0}, 1, 1, 4, 2)
	ones := nd.Ones([]int{1, 1, 3, 3})
	opstest.Floats(t, "zeros outside", image.WarpByGrid(ones, far, image.WarpByGridOptions{Mode: image.Cubic}).Ravel(), 0, 0, 0, nan)
	opstest.Floats(t, "the outermost pixels outside", image.WarpByGrid(ones, far, image.WarpByGridOptions{Mode: image.Cubic, Padding: image.PaddingRepeat}).Ravel(), 1, 1, 1, nan)
	single := image.WarpByGrid(nd.Full([]int{1, 1, 1, 1}, 2.0), nd.FromSlice([]float64{0.3, 5}, 1, 1, 1, 2), image.WarpByGridOptions{Mode: image.Cubic, Padding: image.PaddingReflect, AlignCorners: true})
	opstest.Floats(t, "one pixel", single.Ravel(), 2)
	grid := ops.Multiply(opstest.Normal(6, dtype.Float64, 2, 3, 2, 2), 0.7)
	images := opstest.Normal(7, dtype.Float64, 2, 2, 3, 4)
	for _, padding := range []image.Padding{image.PaddingZero, image.PaddingRepeat, image.PaddingReflect} {
		for _, align := range []bool{false, true} {
			f := func(xs ...*nd.Array) *nd.Array {
				return image.WarpByGrid(xs[0], xs[1], image.WarpByGridOptions{Mode: image.Cubic, Padding: padding, AlignCorners: align})
			}
			gradcheck.CheckSecondOrder(t, f, images, grid)
			half := images.AsType(dtype.Float16)
			if y := f(half, grid); y.DType() != dtype.Float16 || !ops.AllClose(y, f(half.AsType(dtype.Float64), grid).AsType(dtype.Float16), ops.IsCloseOptions{RTol: nd.Scalar(1e-2), ATol: nd.Scalar(1e-2)}) {
				t.Errorf("%s of float16: %v", padding, y)
			}
		}
	}
	opstest.Refuses(t, "(B, C, H, W)", func() {
		image.WarpByGrid(nd.Zeros([]int{1, 1, 2, 2, 2}), nd.Zeros([]int{1, 1, 1, 1, 3}), image.WarpByGridOptions{Mode: image.Cubic})
	})
}
