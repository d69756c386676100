package data

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// PixelOptions are the options of [Pixels].
type PixelOptions struct {
	// NDim is the number of axes of an image: 1 for all values in a row, 2 for (height, width), 3 for (channels,
	// height, width). The default is 3.
	NDim int
	// Scale is the result for the largest value, 255. The default is 1.
	Scale *float64
	// DType is the dtype of the result. The default is float32.
	DType dtype.DType
	// RGB repeats the single channel of gray images three times; it needs NDim 3.
	RGB bool
}

// Pixels converts the images of a set, uint8 of shape (n, height, width) or (n, channels, height, width), to inputs of
// networks: numbers from 0 to 1, or another scale. Chainer's get_mnist and get_cifar10 do this to the images of
// [LoadMNIST] and [LoadCIFAR10].
func Pixels(images *nd.Array, opts ...PixelOptions) *nd.Array {
	const fn nd.Func = "data.Pixels"
	fn.Check(images)
	o := options.Read(fn, opts)
	bad := func(format string, args ...any) { panic(fn.Errorf([]*nd.Array{images}, format, args...)) }
	shape := images.Shape()
	if images.DType() != dtype.Uint8 || len(shape) != 3 && len(shape) != 4 {
		bad("images %s%s: want uint8 of shape (n, height, width) or (n, channels, height, width)", images.DType(), broadcast.FormatShape(shape))
	}
	if len(shape) == 3 {
		shape = slices.Insert(slices.Clone(shape), 1, 1)
	}
	switch {
	case o.NDim == 0:
		o.NDim = 3
	case o.NDim < 0 || o.NDim > 3:
		bad("images of %d axes: want 1, 2 or 3", o.NDim)
	}
	if o.NDim == 2 && shape[1] != 1 {
		bad("images of 2 axes: want one channel, not %d", shape[1])
	}
	if o.RGB && (o.NDim != 3 || shape[1] != 1) {
		bad("RGB of %d channels in images of %d axes: want 1 channel and 3 axes", shape[1], o.NDim)
	}
	if !o.DType.Valid() {
		o.DType = dtype.Float32
	}
	if !o.DType.IsFloat() {
		bad("dtype %s: want a float dtype", o.DType)
	}
	scale := 1.0
	if o.Scale != nil {
		scale = *o.Scale
	}
	x := images.AsType(o.DType)
	defer x.Release()
	y := ops.Multiply(x, scale/255)
	switch o.NDim {
	case 1:
		return y.Reshape(shape[0], shape[1]*shape[2]*shape[3])
	case 2:
		return y.Reshape(shape[0], shape[2], shape[3])
	}
	if y = y.Reshape(shape...); !o.RGB {
		return y
	}
	defer y.Release()
	return ops.Repeat(y, 3, ops.Over(1))
}
