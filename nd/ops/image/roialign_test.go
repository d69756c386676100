package image_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleROIAlign() {
	picture := nd.Arange(1, 13, 1).Reshape(1, 1, 3, 4)
	box := nd.FromSlice([]float64{0, 1. / 4, 1. / 3, 3. / 4, 2. / 3}, 1, 5) // as fractions of the image
	fmt.Println(image.ROIAlign(picture, box, []int{1, 2}, image.ROIAlignOptions{Scale: []float64{3, 4}}))
	// Output:
	// [[[[6. 7.]]]]
}

// TestROIAlign uses boxes of different sizes, boxes far larger than the image, boxes without area, and boxes with NaNs.
func TestROIAlign(t *testing.T) {
	nan := math.NaN()
	x := opstest.Normal(1, dtype.Float64, 2, 3, 5, 4)
	boxes := nd.FromSlice([]float64{
		0, 0, 0, 4, 5,
		1, 1, 1, 1, 1,
		1, -3, -2, 9, 12.5,
		0, 0.5, 1, 2.5, 3,
		1, -1e9, -1e9, 1e9, 1e9,
		0, nan, 0, 1, 1,
		1, 0, 0, 4, 5,
	}, 7, 5)
	y := image.ROIAlign(x, boxes, []int{5, 4})
	opstest.Close(t, y.Index(nd.At(0)), x.Index(nd.At(0)), 1e-12)
	opstest.Close(t, y.Index(nd.At(6)), x.Index(nd.At(1)), 1e-12)
	if far := nd.ToSlice[float64](ops.Max(ops.Absolute(y.Index(nd.At(4))))); far[0] > 1e-6 {
		t.Errorf("the mean over a large plane with a small image is %v", far)
	}
	opstest.Repr(t, ops.Absolute(y.Index(nd.At(1), nd.At(0), nd.At(0))), "array([0., 0., 0., 0.])")
	last := image.ROIAlign(x.Transpose(0, 2, 3, 1), boxes, []int{5, 4}, image.ROIAlignOptions{ChannelLast: true})
	for k := range 7 {
		alone := image.ROIAlign(x, boxes.Index(nd.Span(k, k+1)), []int{5, 4})
		if fmt.Sprint(alone) != fmt.Sprint(y.Index(nd.Span(k, k+1))) || fmt.Sprint(alone) != fmt.Sprint(last.Index(nd.Span(k, k+1)).Transpose(0, 3, 1, 2)) {
			t.Errorf("box %d differs from its result alone, or with the channels last", k)
		}
	}
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(image.ROIAlign(xs[0], boxes.Index(nd.Until(4)), []int{2, 2}))
	}, x)
	opstest.Refuses(t, "box 1 refers to image 1 of 1", func() { image.ROIAlign(x.Index(nd.Until(1)), boxes, []int{2, 2}) })
}
