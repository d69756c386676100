// Package ndimage converts images to arrays, and arrays to images. If possible, both share one memory, so that a write
// to one is visible in the other.
//
//	img, _, err := image.Decode(file)
//	x := ndimage.From(img) // uint8, of shape (height, width, 4) for most images
//	err = png.Encode(out, ndimage.To(x.Flip(1)))
package ndimage

import (
	"image"
	"image/color"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// From returns the pixels of an image as an array:
//
//   - of shape (height, width) for [image.Gray] and, in uint16, [image.Gray16];
//   - of shape (height, width, 3), red, green and blue, for [image.YCbCr], which JPEG files use;
//   - of shape (height, width, 4), with alpha last, for all others, in uint16 for [image.RGBA64] and [image.NRGBA64].
//
// The array shares the memory of an [image.Gray], [image.RGBA] or [image.NRGBA], also of a part of one; other images
// are copied. The colours of an image.RGBA are multiplied by alpha, which makes no difference for opaque pixels; the
// colours of other images are not.
func From(img image.Image) *nd.Array {
	size := img.Bounds().Size()
	switch m := img.(type) {
	case *image.Gray:
		return nd.WrapStrided(m.Pix, []int{size.Y, size.X}, []int{m.Stride, 1})
	case *image.RGBA:
		return nd.WrapStrided(m.Pix, []int{size.Y, size.X, 4}, []int{m.Stride, 4, 1})
	case *image.NRGBA:
		return nd.WrapStrided(m.Pix, []int{size.Y, size.X, 4}, []int{m.Stride, 4, 1})
	case *image.Gray16:
		return nd.Wrap(samples(img, 1, func(to []uint16, x, y int) { to[0] = m.Gray16At(x, y).Y }), size.Y, size.X)
	case *image.YCbCr:
		return nd.Wrap(samples(img, 3, func(to []uint8, x, y int) {
			c := m.YCbCrAt(x, y)
			to[0], to[1], to[2] = color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
		}), size.Y, size.X, 3)
	case *image.RGBA64, *image.NRGBA64:
		return nd.Wrap(samples(img, 4, func(to []uint16, x, y int) {
			c := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
			to[0], to[1], to[2], to[3] = c.R, c.G, c.B, c.A
		}), size.Y, size.X, 4)
	}
	return nd.Wrap(samples(img, 4, func(to []uint8, x, y int) {
		c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
		to[0], to[1], to[2], to[3] = c.R, c.G, c.B, c.A
	}), size.Y, size.X, 4)
}

// samples returns the numbers of all pixels, channels numbers each.
func samples[T uint8 | uint16](img image.Image, channels int, pixel func(to []T, x, y int)) []T {
	b := img.Bounds()
	nd.Func("ndimage.From").CheckAllocatable(dtype.Of[T](), b.Dy(), b.Dx(), channels) // an image.Uniform is practically infinite
	all := make([]T, b.Dx()*b.Dy()*channels)
	at := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixel(all[at:at+channels], x, y)
			at += channels
		}
	}
	return all
}
