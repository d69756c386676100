package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

func signals() []entry {
	return []entry{
		{typ: "Interpolate", name: "interpolate", make: func(a *arguments) operation {
			size := a.ints("output_size")
			o := image.InterpolateOptions{Mode: image.Interpolation(a.text("mode", "linear", "nearest")), AlignCorners: a.bool("align_corners"),
				HalfPixel: a.bool("half_pixel"), HalfPixelForNN: a.bool("half_pixel_for_nn"), OneIsFirst: true, ChannelLast: a.bool("channel_last")}
			return one(func(x *nd.Array) *nd.Array { return image.Interpolate(x, size, o) })
		}},
		{typ: "FFT", name: "fft", make: pairs(fft.FFTPairs)},
		{typ: "IFFT", name: "ifft", make: pairs(fft.IFFTPairs)},
		{typ: "STFT", name: "stft", make: func(a *arguments) operation {
			s := shortTime(a, "as_istft_backward")
			return operation{1, 1, func(c *call) []*nd.Array {
				re, im := fft.STFT(c.in[0], s.size, s.stride, s.fft, s.o)
				return []*nd.Array{re, im}
			}}
		}},
		{typ: "ISTFT", name: "istft", make: func(a *arguments) operation {
			s := shortTime(a, "as_stft_backward")
			return two(func(re, im *nd.Array) *nd.Array { return fft.ISTFT(re, im, s.size, s.stride, s.fft, s.o) })
		}},
		{typ: "AffineGrid", name: "affine_grid", make: func(a *arguments) operation {
			size, o := a.ints("size"), image.AffineGridOptions{AlignCorners: a.bool("align_corners")}
			return one(func(theta *nd.Array) *nd.Array { return image.AffineGrid(theta, size, o) })
		}},
		{typ: "WarpByGrid", name: "warp_by_grid", make: func(a *arguments) operation {
			o := image.WarpByGridOptions{Mode: image.Interpolation(a.text("mode", "linear", "nearest")),
				Padding: image.Padding(a.text("padding_mode", "zero", "repeat", "reflect")), AlignCorners: a.bool("align_corners"), ChannelLast: a.bool("channel_last")}
			return two(func(x, grid *nd.Array) *nd.Array { return image.WarpByGrid(x, grid, o) })
		}},
		{typ: "WarpByFlow", name: "warp_by_flow", make: plain2(image.WarpByFlow)},
	}
}

func pairs(f func(x *nd.Array, dims int, opts ...fft.PairsOptions) *nd.Array) func(*arguments) operation {
	return func(a *arguments) operation {
		dims, o := a.int("signal_ndim"), fft.PairsOptions{Normalized: a.bool("normalized")}
		return one(func(x *nd.Array) *nd.Array { return f(x, dims, o) })
	}
}

// shortTimeArguments are the arguments of STFT and ISTFT.
type shortTimeArguments struct {
	size, stride, fft int
	o                 fft.STFTOptions
}

func shortTime(a *arguments, transposed string) shortTimeArguments {
	window := a.text("window_type", "hanning", "hamming", "rectangular", "")
	if window == "" {
		window = "rectangular"
	}
	return shortTimeArguments{a.int("window_size"), a.int("stride"), a.int("fft_size"), fft.STFTOptions{WindowType: fft.Window(window),
		Center: new(a.bool("center")), PadMode: ops.PadMode(a.text("pad_mode", "reflect", "constant")), Transposed: a.bool(transposed)}}
}
