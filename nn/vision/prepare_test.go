package vision_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ndimage"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/vision"
	"github.com/ndgrad/ndgrad/testing/assert"
)

var kept = vision.PrepareOptions{KeepSize: true}

// In all layouts and dtypes, a pixel 10, 20, 30 becomes blue, green and red minus the means.
func TestPrepareLayouts(t *testing.T) {
	for _, c := range []struct {
		net  vision.Net
		want []float32
	}{
		{vision.VGG16(), []float32{30 - 103.939, 20 - 116.779, 10 - 123.68}},
		{vision.GoogLeNet(), []float32{30 - 104, 20 - 117, 10 - 123}},
		{vision.ResNet101(), []float32{30 - 103.063, 20 - 115.903, 10 - 123.152}},
	} {
		want := nd.FromSlice(c.want, 3, 1, 1).BroadcastTo(3, 4, 5)
		pixel := nd.FromSlice([]uint8{10, 20, 30})
		last := pixel.BroadcastTo(4, 5, 3)
		for what, x := range map[string]*nd.Array{
			"channels last":    last,
			"channels first":   last.MoveAxis([]int{2}, []int{0}).Copy(),
			"not contiguous":   last.Copy().Transpose(2, 0, 1),
			"alpha":            nd.FromSlice([]uint8{10, 20, 30, 7}).BroadcastTo(4, 5, 4),
			"float32":          ops.Add(last.AsType(dtype.Float32), 0.75),
			"int64":            last.AsType(dtype.Int64),
			"an image.RGBA":    ndimage.From(uniform(image.NewRGBA(image.Rect(2, 3, 7, 7)))),
			"an image.NRGBA":   ndimage.From(uniform(image.NewNRGBA(image.Rect(0, 0, 5, 4)))),
			"part of an image": ndimage.From(uniform(image.NewRGBA(image.Rect(0, 0, 9, 9))).(*image.RGBA).SubImage(image.Rect(1, 2, 6, 6))),
		} {
			if y := c.net.Prepare(x, kept); y.DType() != dtype.Float32 || !assert.Equal(t, y, want) {
				t.Errorf("%s: %s", what, y.DType())
			}
		}
	}
}

// uniform gives all pixels one colour.
func uniform(img interface {
	image.Image
	Set(x, y int, c color.Color)
}) image.Image {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			img.Set(x, y, color.RGBA{R: 10, G: 20, B: 30, A: 255})
		}
	}
	return img
}

// A gray image has the same number for all colours.
func TestPrepareGray(t *testing.T) {
	gray := nd.FromSlice([]uint8{1, 2, 3, 4, 5, 6}, 2, 3)
	want := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 1, 2, 3)
	want = ops.Subtract(want, nd.FromSlice([]float32{104, 117, 123}, 3, 1, 1))
	for _, x := range []*nd.Array{gray, gray.Reshape(1, 2, 3), gray.Reshape(2, 3, 1)} {
		assert.Equal(t, vision.GoogLeNet().Prepare(x, kept), want)
	}
}

// Resized images have the pixels at the centres of their own pixels.
func TestPrepareResizes(t *testing.T) {
	row := func(width int, values ...uint8) []float32 {
		y := vision.GoogLeNet().Prepare(nd.FromSlice(values, 1, len(values)), vision.PrepareOptions{Size: []int{width, 1}})
		return nd.ToSlice[float32](ops.Add(y.Index(nd.At(0), nd.At(0)), 104))
	}
	for _, c := range []struct {
		from []uint8
		want []float32
	}{
		{[]uint8{1, 2, 3, 4}, []float32{2, 4}},
		{[]uint8{1, 2}, []float32{1, 1, 2, 2}},
		{[]uint8{1, 2, 3, 4, 5}, []float32{1, 3, 5}},
		{[]uint8{1, 2, 3}, []float32{1, 1, 2, 3, 3}},
		{[]uint8{1, 2, 3}, []float32{2}},
	} {
		if got := row(len(c.want), c.from...); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.from, got, c.want)
		}
	}
	wide := nd.Zeros([]int{7, 9, 3}, dtype.Uint8)
	for _, c := range []struct {
		o    vision.PrepareOptions
		want []int
	}{
		{vision.PrepareOptions{}, []int{3, 224, 224}},
		{vision.PrepareOptions{Size: []int{20, 10}}, []int{3, 10, 20}},
		{kept, []int{3, 7, 9}},
	} {
		if got := vision.VGG16().Prepare(wide, c.o).Shape(); !slices.Equal(got, c.want) {
			t.Errorf("%v: shape %v, want %v", c.o, got, c.want)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	net := vision.ResNet50()
	zeros := func(dt dtype.DType, shape ...int) *nd.Array { return nd.Zeros(shape, dt) }
	const layout = "want an image of shape (height, width), (height, width, channels) or (channels, height, width)"
	for _, x := range []*nd.Array{zeros(dtype.Uint8), zeros(dtype.Uint8, 4), zeros(dtype.Uint8, 4, 5, 2), zeros(dtype.Uint8, 4, 5, 5),
		zeros(dtype.Uint8, 1, 3, 4, 5), zeros(dtype.Uint8, 0, 4), zeros(dtype.Uint8, 4, 0, 3), zeros(dtype.Complex64, 4, 4), nd.Scalar(1)} {
		assert.Raises(t, layout, func() { net.Prepare(x) })
	}
	for _, v := range []float64{-1, 256, math.Inf(1), math.NaN()} {
		assert.Raises(t, "want numbers from 0 to 255", func() { net.Prepare(nd.Full([]int{4, 5}, v)) })
	}
	assert.Raises(t, "the image contains 256", func() { net.Prepare(nd.Full([]int{4, 5, 3}, uint16(256))) })
	for _, o := range []vision.PrepareOptions{{Size: []int{}}, {Size: []int{224}}, {Size: []int{0, 224}}, {Size: []int{5, -1}}, {Size: []int{5, 5}, KeepSize: true}} {
		assert.Raises(t, "want a width and a height, or KeepSize", func() { net.Prepare(zeros(dtype.Uint8, 4, 5), o) })
	}
}

// Extract is Prepare followed by Features.
func TestExtract(t *testing.T) {
	net, s := vision.ResNet50(), tried()
	pictures := []*nd.Array{picture(40, 30, 1), picture(40, 30, 2)}
	small := vision.PrepareOptions{Size: []int{32, 36}}
	x := ops.Stack([]*nd.Array{net.Prepare(pictures[0], small), net.Prepare(pictures[1], small)})
	want := net.Features(s, x, "pool5", "res2")
	assert.Equal(t, net.Extract(s, pictures, vision.ExtractOptions{PrepareOptions: small})[0], want[0])
	got := net.Extract(s, pictures, vision.ExtractOptions{Layers: []string{"res2", "pool5"}, PrepareOptions: small})
	assert.Equal(t, got[0], want[1])
	assert.Equal(t, got[1], want[0])
	if shape := got[0].Shape(); !slices.Equal(shape, []int{2, 256, 9, 8}) {
		t.Errorf("shape %v", shape)
	}
	got = net.Extract(s, pictures[:1], vision.ExtractOptions{Layers: []string{"conv1"}, PrepareOptions: kept})
	if shape := got[0].Shape(); !slices.Equal(shape, []int{1, 64, 15, 20}) {
		t.Errorf("shape %v", shape)
	}

	assert.Raises(t, "no images", func() { net.Extract(s, nil) })
	assert.Raises(t, `has no layer "fc7"`, func() { net.Extract(s, pictures, vision.ExtractOptions{Layers: []string{"fc7"}}) })
	assert.Raises(t, "want images of one size", func() {
		net.Extract(s, []*nd.Array{pictures[0], picture(41, 30, 1)}, vision.ExtractOptions{PrepareOptions: kept})
	})
}

// picture returns an image of random bytes.
func picture(width, height int, seed uint32) *nd.Array {
	return nd.FromSlice(hashed(height*width*3, seed, 127), height, width, 3).AsType(dtype.Int16).AsType(dtype.Uint8)
}

// Predict is Apply on the centres of images of 256 × 256. TestChainerFilesVision compares the results for ten parts.
func TestPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("ten crops a picture take long without assembly")
	}
	net, s := vision.ResNet50(), tried()
	pictures := []*nd.Array{picture(256, 256, 1), picture(300, 200, 2)}
	large := vision.PrepareOptions{Size: []int{256, 256}}
	x := ops.Stack([]*nd.Array{net.Prepare(pictures[0], large), net.Prepare(pictures[1], large)})
	want := net.Apply(s, x.Index(nd.All(), nd.All(), nd.Span(16, 240), nd.Span(16, 240)))
	assert.Equal(t, net.Predict(s, pictures, vision.PredictOptions{NoOversample: true}), want)

	uniform := nd.Full([]int{9, 9}, uint8(77)) // all parts are the same
	y := net.Predict(s, []*nd.Array{uniform})
	assert.AllClose(t, y, net.Predict(s, []*nd.Array{uniform}, vision.PredictOptions{NoOversample: true}), 1e-4, 0)
	if fmt.Sprint(y.Shape()) != "[1 1000]" {
		t.Errorf("shape %v", y.Shape())
	}

	assert.Raises(t, "no images", func() { net.Predict(s, nil) })
	assert.Raises(t, "want an image of shape", func() { net.Predict(s, []*nd.Array{pictures[0], nd.Scalar(1)}) })
	assert.Raises(t, "a scope that trains", func() { net.Predict(s.Watch(grad.NewTape()), pictures) })
}
