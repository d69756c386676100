package vision

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// PrepareOptions are the options of [Net.Prepare].
type PrepareOptions struct {
	// Size is the width and the height of the resized images; nil means 224 and 224.
	Size []int
	// KeepSize keeps the size of images. It is Chainer's size=None.
	KeepSize bool
}

// Prepare returns an image as input of the net: resized, with the colours in the order blue, green, red, minus their
// means over the images that the net was trained on, as float32 of shape (3, height, width).
//
// The image is an array of shape (height, width), which is gray, (height, width, channels) or (channels, height,
// width). It has one channel, which is gray, or three: red, green and blue. If the channels are the last axis, there
// may be a fourth, alpha, which is dropped. ndimage.From converts an [image.Image] to such an array. A first axis of
// length 1 or 3 is that of the channels. Elements are numbers from 0 to 255, whose fractions are dropped. Other numbers
// are refused: divide 16-bit images first. No gradient flows through Prepare.
//
// A pixel of the resized image is the nearest pixel of the given image, the choice of Pillow's Image.resize at the time
// of Chainer 1.24 (Pillow 7 changed it to a cubic filter). For smoother images, resize before, see image.Interpolate.
// The means, in blue, green and red:
//
//   - VGG16: 103.939, 116.779, 123.68
//   - GoogLeNet: 104, 117, 123
//   - ResNet: 103.063, 115.903, 123.152
//
// Chainer: links.model.vision.vgg.prepare, links.model.vision.googlenet.prepare, links.model.vision.resnet.prepare.
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
			from := colours - 1 - c // images have red first
			if channels == 1 {
				from = 0
			}
			v := values[i*channels+from]
			if !(v >= 0 && v < math.MaxUint8+1) {
				panic(fn.Errorf([]*nd.Array{image}, "the image contains %v: want numbers from 0 to 255", v))
			}
			prepared[c*height*width+i] = float32(math.Trunc(v)) - n.mean[c]
		}
	}
	return nd.FromSliceOn(image.Device(), prepared, colours, height, width)
}

// pixels returns an image with the axes height, width, channels.
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

// size returns the width and the height of the prepared image.
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

// nearest picks the pixels of x, (height, width, channels), at the centres of the pixels of an image of another size.
func nearest(x *nd.Array, width, height int) *nd.Array {
	if x.Dim(0) == height && x.Dim(1) == width {
		return x
	}
	rows, columns := centres(x.Dim(0), height), centres(x.Dim(1), width)
	dev := x.Device()
	return x.Index(nd.Pick(nd.FromSliceOn(dev, rows, height, 1)), nd.Pick(nd.FromSliceOn(dev, columns, width)))
}

// centres returns the indices of m elements of an axis of length n, at the centres of m equal parts.
func centres(n, m int) []int {
	indices := make([]int, m)
	for i := range indices {
		indices[i] = (2*i + 1) * n / (2 * m)
	}
	return indices
}
