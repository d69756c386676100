package image_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// TestWarpByNaN warps an image of 3 × 3 pixels by coordinates of which some are NaN: no mode and no padding makes a
// pixel of them, and they have no gradient.
func TestWarpByNaN(t *testing.T) {
	nan := math.NaN()
	for _, dt := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64} {
		grid := nd.FromSlice([]float64{nan, 0, 0, nan, 0, 0, nan, nan}, 1, 1, 4, 2).AsType(dt)
		for _, mode := range []image.Interpolation{image.Linear, image.Nearest} {
			for _, padding := range []image.Padding{image.PaddingZero, image.PaddingRepeat, image.PaddingReflect} {
				for _, corners := range []bool{false, true} {
					tape := grad.NewTape()
					x := tape.Watch(nd.Arange(1, 10, 1).AsType(dt).Reshape(1, 1, 3, 3))
					y := image.WarpByGrid(x, grid, image.WarpByGridOptions{Mode: mode, Padding: padding, AlignCorners: corners})
					want := nd.FromSlice([]float64{nan, nan, 5, nan}, 1, 1, 1, 4)
					if !ops.ArrayEqual(y, want, ops.ArrayEqualOptions{EqualNaN: true}) {
						t.Errorf("%s %s %s %v: %v, want %v", dt, mode, padding, corners, y, want)
					}
					gx := tape.Gradient(ops.Sum(y), x)[0]
					if want := nd.FromSlice([]float64{0, 0, 0, 0, 1, 0, 0, 0, 0}, 1, 1, 3, 3); !ops.ArrayEqual(gx, want) {
						t.Errorf("%s %s %s %v: gradient %v, want %v", dt, mode, padding, corners, gx, want)
					}
				}
			}
		}
	}
}

// TestWarpToTheNearest checks ties, and coordinates far outside.
func TestWarpToTheNearest(t *testing.T) {
	x := nd.Arange(1, 5, 1).Reshape(1, 1, 1, 4)
	at := []float64{-1, -0.5, 0, 0.5, 1, 1.5, -1.5, 1e30, -1e30, math.Inf(1)} // the middle of the image is a tie
	grid := nd.Zeros([]int{1, 1, len(at), 2})
	grid.Assign(nd.FromSlice(at), nd.Ellipsis(), nd.At(0))
	for padding, want := range map[image.Padding][]float64{
		image.PaddingZero:   {0, 2, 3, 4, 0, 0, 0, 0, 0, 0},
		image.PaddingRepeat: {1, 2, 3, 4, 4, 4, 1, 4, 1, 4},
	} {
		y := image.WarpByGrid(x, grid, image.WarpByGridOptions{Mode: image.Nearest, Padding: padding})
		if want := nd.FromSlice(want, 1, 1, 1, len(at)); !ops.ArrayEqual(y, want) {
			t.Errorf("%s: %v, want %v", padding, y, want)
		}
	}
}
