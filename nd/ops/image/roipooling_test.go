package image_test

import (
	"errors"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestROIPooling uses regions beyond the image and of missing images, corners that are NaN or between two points, and
// ties.
func TestROIPooling(t *testing.T) {
	x := nd.Arange(0, 16, 1).Reshape(1, 1, 4, 4)
	nan := math.NaN()
	regions := nd.FromSlice([]float64{
		0, 0.5, 2.5, 2.4, 9, // from (1, 3) to (2, 9): a row of the image
		0, -3, -3, -1, -1,
		1, 0, 0, 3, 3,
		-1, 0, 0, 3, 3,
		0, nan, 1, nan, 1e300,
		0, 3, 1, 0, 0, // the corners are swapped: one point
	}, 6, 5)
	y := image.ROIPooling(x, regions, []int{1, 2}, 1)
	assert.Equal(t, y.Reshape(6, 2), nd.FromSlice([]float64{13, 14, 0, 0, 0, 0, 0, 0, 12, 12, 7, 7}, 6, 2))

	tape := grad.NewTape()
	ones := tape.Watch(nd.Ones([]int{1, 1, 3, 3}))
	y = image.ROIPooling(ones, nd.FromSlice([]float64{0, 1, 1, 2, 2}, 1, 5), []int{1, 1}, 1)
	g := tape.Gradient(y, ones)[0]
	assert.Equal(t, g.Reshape(9), nd.FromSlice([]float64{0, 0, 0, 0, 1, 0, 0, 0, 0}, 9))
}

// TestROIPoolingOfMany uses more regions than are read at once: each must give the same result as alone.
func TestROIPoolingOfMany(t *testing.T) {
	x := ops.Sin(nd.Arange(0, 2*24*20*24, 1)).Reshape(2, 24, 20, 24)
	var corners []float64
	for k := range 40 {
		corners = append(corners, float64(k%2), float64(k%9), float64(k%7), float64(12+k%13), float64(10+k%11))
	}
	regions := nd.FromSlice(corners, 40, 5)
	all := image.ROIPooling(x, regions, []int{3, 2}, 0.9)
	for k := range 40 {
		alone := image.ROIPooling(x, regions.Index(nd.Span(k, k+1)), []int{3, 2}, 0.9)
		assert.Equal(t, all.Index(nd.Span(k, k+1)), alone)
	}
}

// TestROIPoolingHalfEven uses corners halfway between two points, and regions in float32 whose corners and bins need
// float64.
func TestROIPoolingHalfEven(t *testing.T) {
	x := nd.Arange(0, 16, 1).Reshape(1, 1, 4, 4)
	even := image.ROIPoolingOptions{HalfEven: true}
	pooled := func(opts ...image.ROIPoolingOptions) *nd.Array {
		return image.ROIPooling(x, nd.FromSlice([]float64{0, 1, 1, 5, 3}, 1, 5), []int{1, 1}, 0.5, opts...)
	}
	assert.Equal(t, pooled().Reshape(), nd.Full(nil, 11.0))     // from (1, 1) to (3, 2)
	assert.Equal(t, pooled(even).Reshape(), nd.Full(nil, 10.0)) // from (0, 0) to (2, 2)
	narrow := nd.FromSlice([]float32{0, 0, 0, 25, 0}, 1, 5)
	row := nd.Arange(0, 9, 1).Reshape(1, 1, 1, 9)
	assert.Equal(t, image.ROIPooling(row, narrow, []int{1}, 0.1, even).Reshape(), nd.Full(nil, 2.0))
	var e *nd.Error
	if err := nd.Catch(func() { image.ROIPooling(x, x, []int{1}, 1, even) }); !errors.As(err, &e) || e.Func != "image.ROIPooling" {
		t.Errorf("regions of the wrong shape: %v", err)
	}
}
