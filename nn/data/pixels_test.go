package data_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

func TestPixels(t *testing.T) {
	gray := nd.FromSlice([]uint8{0, 51, 102, 255}, 2, 1, 2)
	colours := nd.FromSlice([]uint8{0, 51, 102, 153, 204, 255}, 1, 3, 2, 1)
	f64 := dtype.Float64
	same(t, "at first", data.Pixels(gray, data.PixelOptions{DType: f64}), []int{2, 1, 1, 2}, 0, 51*(1./255), 102*(1./255), 255*(1./255))
	same(t, "of one axis", data.Pixels(gray, data.PixelOptions{NDim: 1, Scale: new(255.), DType: f64}), []int{2, 2}, 0, 51, 102, 255)
	same(t, "of two", data.Pixels(gray, data.PixelOptions{NDim: 2, Scale: new(0.)}), []int{2, 1, 2}, 0, 0, 0, 0)
	same(t, "RGB", data.Pixels(gray, data.PixelOptions{Scale: new(255.), RGB: true}), []int{2, 3, 1, 2}, 0, 51, 0, 51, 0, 51, 102, 255, 102, 255, 102, 255)
	same(t, "colours", data.Pixels(colours, data.PixelOptions{Scale: new(255.)}), []int{1, 3, 2, 1}, 0, 51, 102, 153, 204, 255)
	same(t, "colours of one axis", data.Pixels(colours, data.PixelOptions{NDim: 1, Scale: new(255.)}), []int{1, 6}, 0, 51, 102, 153, 204, 255)
	if dt := data.Pixels(gray).DType(); dt != dtype.Float32 {
		t.Errorf("dtype %s", dt)
	}
	refused(t, "want uint8", func() { data.Pixels(gray.AsType(dtype.Int64)) })
	refused(t, "(n, height, width)", func() { data.Pixels(nd.Zeros([]int{2, 2}, dtype.Uint8)) })
	refused(t, "4 axes: want 1, 2 or 3", func() { data.Pixels(gray, data.PixelOptions{NDim: 4}) })
	refused(t, "want one channel, not 3", func() { data.Pixels(colours, data.PixelOptions{NDim: 2}) })
	refused(t, "RGB of 3 channels", func() { data.Pixels(colours, data.PixelOptions{RGB: true}) })
	refused(t, "RGB of 1 channels in images of 1", func() { data.Pixels(gray, data.PixelOptions{NDim: 1, RGB: true}) })
	refused(t, "want a float dtype", func() { data.Pixels(gray, data.PixelOptions{DType: dtype.Uint8}) })
}
