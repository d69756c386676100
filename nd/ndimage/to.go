package ndimage

import (
	"image"
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Options are the options of [To].
type Options struct {
	// Premultiplied says that colours are multiplied by alpha: the image is an [image.RGBA] or an [image.RGBA64].
	Premultiplied bool
}

// To returns an array of shape (height, width), (height, width, 1), (height, width, 3) or (height, width, 4) as an
// image: an [image.Gray] or an [image.NRGBA]. Elements are uint8; or floats, where 0 is black and 1 is white, values
// beyond are clamped, and NaN is black; or bools; or uint16, which make an [image.Gray16] or an [image.NRGBA64]. The
// image shares the memory of a contiguous uint8 array on the CPU with one or four numbers per pixel; all other arrays
// are copied.
func To(x *nd.Array, opts ...Options) image.Image {
	const fn nd.Func = "ndimage.To"
	o := options.Read(fn, opts)
	fn.Check(x)
	channels := 1
	switch x.Rank() {
	case 2:
	case 3:
		channels = x.Dim(2)
	default:
		channels = 0
	}
	if channels != 1 && channels != 3 && channels != 4 {
		panic(fn.Errorf([]*nd.Array{x}, "want shape (height, width), or a third axis of 1, 3 or 4 numbers"))
	}
	bounds := image.Rect(0, 0, x.Dim(1), x.Dim(0))
	if x.DType() == dtype.Uint16 {
		return wide(opaque(nd.ToSlice[uint16](x), channels, math.MaxUint16), bounds, channels, o)
	}
	return narrow(opaque(pixels(fn, x), channels, math.MaxUint8), bounds, channels, o)
}

// pixels returns the elements as bytes: the memory itself if possible.
func pixels(fn nd.Func, x *nd.Array) []uint8 {
	cpu, err := device.Get("cpu")
	switch dt := x.DType(); {
	case dt == dtype.Uint8 && err == nil && x.Device() == cpu && x.IsContiguous():
		return nd.Data[uint8](x)
	case dt == dtype.Uint8:
		return nd.ToSlice[uint8](x)
	case dt.IsBool() || dt.IsFloat():
		values := nd.ToSlice[float64](x)
		bytes := make([]uint8, len(values))
		for i, v := range values {
			if v > 0 { // false for NaN
				bytes[i] = uint8(math.Round(min(v, 1) * math.MaxUint8))
			}
		}
		return bytes
	}
	panic(fn.Errorf([]*nd.Array{x}, "want uint8, uint16, bool or floats from 0 to 1: convert with AsType"))
}

// opaque adds an alpha channel to pixels of three numbers.
func opaque[T uint8 | uint16](pixels []T, channels int, most T) []T {
	if channels != 3 {
		return pixels
	}
	out := make([]T, 0, len(pixels)/3*4)
	for ; len(pixels) > 0; pixels = pixels[3:] {
		out = append(out, pixels[0], pixels[1], pixels[2], most)
	}
	return out
}

// narrow returns the image of pixels with one or four numbers.
func narrow(pixels []uint8, bounds image.Rectangle, channels int, o Options) image.Image {
	switch {
	case channels == 1:
		return &image.Gray{Pix: pixels, Stride: bounds.Dx(), Rect: bounds}
	case o.Premultiplied:
		return &image.RGBA{Pix: pixels, Stride: 4 * bounds.Dx(), Rect: bounds}
	}
	return &image.NRGBA{Pix: pixels, Stride: 4 * bounds.Dx(), Rect: bounds}
}

// wide is narrow for 16-bit numbers, which images store with the high byte first.
func wide(pixels []uint16, bounds image.Rectangle, channels int, o Options) image.Image {
	bytes := make([]uint8, 0, 2*len(pixels))
	for _, v := range pixels {
		bytes = append(bytes, uint8(v>>8), uint8(v))
	}
	switch {
	case channels == 1:
		return &image.Gray16{Pix: bytes, Stride: 2 * bounds.Dx(), Rect: bounds}
	case o.Premultiplied:
		return &image.RGBA64{Pix: bytes, Stride: 8 * bounds.Dx(), Rect: bounds}
	}
	return &image.NRGBA64{Pix: bytes, Stride: 8 * bounds.Dx(), Rect: bounds}
}
