package vision

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// PrepareOptions are the options of [Net.Prepare].
type PrepareOptions struct {
	// Size is the width and the height that images are resized to; nil means 224 and 224.
	Size []int
	// KeepSize leaves images in their own size. Chainer's size=None.
	KeepSize bool
}

// Prepare returns an image as the net takes it: resized, its colours in the order blue, green, red, minus their means over the
// images that the net was trained on, float32 of shape (3, height, width). chainer.links.model.vision.vgg.prepare,
// chainer.links.model.vision.googlenet.prepare, chainer.links.model.vision.resnet.prepare.
//
// The image is an array of shape (height, width), which is gray, (height, width, channels) or (channels, height, width), with one
// channel, which is gray, or red, green and blue, or these and, as the last axis alone, alpha, which is dropped; ndimage.From makes
// it of an [image.Image]. A first axis of 1 or 3 is that of the channels. Elements are numbers from 0 to 255, whose fractions are
// dropped; others are refused, so that 16-bit images are to be divided first. No gradient flows back to them.
//
// A pixel of the resized image is the nearest one of the given image, as Image.resize chose when Chainer 1.24 called it (Pillow 7
// changed it to a cubic filter). For smoother ones resize it before, see image.Interpolate. The means, in blue, green and red:
//
//   - VGG16: 103.939, 116.779, 123.68
//   - GoogLeNet: 104, 117, 123
//   - ResNet: 103.063, 115.903, 123.152
func (n Net) Prepare(image *nd.Array, opts ...PrepareOptions) *nd.Array {
	const fn nd.Func = "Net.Prepare"
	return n.prepare(fn, image, options.Read(fn, opts))
}

func (n Net) prepare(fn nd.Func, image *nd.Array, o PrepareOptions) *nd.Array {
	source := pixels(fn, image)
	width, height := o.size(fn, source)
	const colours = 3
	channels := source.Dim(2)
	values := nd.ToSlice[float64](nearest(source, width, height))
	prepared := make([]float32, colours*height*width)
	for i := range height * width {
		for c := range colours {
			from := colours - 1 - c // red is the first in images
			if channels == 1 {
				from = 0
			}
			v := values[i*channels+from]
			if !(v >= 0 && v < math.MaxUint8+1) {
				panic(fn.Errorf([]*nd.Array{image}, "an image with %v in it: want numbers from 0 to 255", v))
			}
			prepared[c*height*width+i] = float32(math.Trunc(v)) - n.mean[c]
		}
	}
	return nd.FromSliceOn(image.Device(), prepared, colours, height, width)
}

// pixels is an image with the axes height, width, channels.
func pixels(fn nd.Func, image *nd.Array) *nd.Array {
	fn.Check(image)
	if !image.DType().IsComplex() && image.Size() > 0 {
		x := image.Detach()
		switch {
		case x.Rank() == 2:
			return x.Index(nd.Ellipsis(), nd.NewAxis())
		case x.Rank() == 3 && (x.Dim(0) == 1 || x.Dim(0) == 3):
			return x.MoveAxis([]int{0}, []int{2})
		case x.Rank() == 3 && (x.Dim(2) == 1 || x.Dim(2) == 3 || x.Dim(2) == 4):
			return x
		}
	}
	panic(fn.Errorf([]*nd.Array{image}, "want an image of shape (height, width), (height, width, channels) or (channels, height, width)"))
}

// size is the width and the height of the prepared image.
func (o *PrepareOptions) size(fn nd.Func, source *nd.Array) (width, height int) {
	switch size := o.Size; {
	case size == nil && o.KeepSize:
		return source.Dim(1), source.Dim(0)
	case size == nil:
		return 224, 224
	case len(size) == 2 && min(size[0], size[1]) > 0 && !o.KeepSize:
		return size[0], size[1]
	}
	panic(fn.Errorf([]*nd.Array{source}, "Size %v, KeepSize %t: want a width and a height, or KeepSize", o.Size, o.KeepSize))
}

// nearest picks the pixels of x, (height, width, channels), that lie at the centres of those of an image of another size.
func nearest(x *nd.Array, width, height int) *nd.Array {
	if x.Dim(0) == height && x.Dim(1) == width {
		return x
	}
	rows, columns := centres(x.Dim(0), height), centres(x.Dim(1), width)
	dev := x.Device()
	return x.Index(nd.Pick(nd.FromSliceOn(dev, rows, height, 1)), nd.Pick(nd.FromSliceOn(dev, columns, width)))
}

// centres are the places along an axis of length n of which m are taken.
func centres(n, m int) []int {
	places := make([]int, m)
	for i := range places {
		places[i] = (2*i + 1) * n / (2 * m)
	}
	return places
}
