package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// resamplingRows is the chapter of interpolation between elements.
var resamplingRows = []Row{
	{Signature: "nnabla.functions.interpolate(x, scale=None, output_size=None, mode='linear', align_corners=False, half_pixel=False, " +
		"half_pixel_for_nn=False, channel_last=False)", Func: func(x *nd.Array, scale []float64, size []int, mode string, align, half, halfForNearest, channelLast bool) *nd.Array {
		if size != nil {
			scale = nil
		}
		return image.Interpolate(x, size, image.InterpolateOptions{Scale: scale, Mode: image.Interpolation(mode), AlignCorners: align,
			HalfPixel: half, HalfPixelForNN: halfForNearest, OneIsFirst: true, ChannelLast: channelLast})
	}},
	{Signature: "nnabla.functions.affine_grid(theta, size, align_corners=False)",
		Func: func(theta *nd.Array, size []int, align bool) *nd.Array {
			return image.AffineGrid(theta, size, image.AffineGridOptions{AlignCorners: align})
		}},
	{Signature: "nnabla.functions.warp_by_grid(x, grid, mode='linear', padding_mode='zero', align_corners=False, channel_last=False)",
		Func: func(x, grid *nd.Array, mode, padding string, align, channelLast bool) *nd.Array {
			return image.WarpByGrid(x, grid, image.WarpByGridOptions{Mode: image.Interpolation(mode), Padding: image.Padding(padding), AlignCorners: align, ChannelLast: channelLast})
		}},
	{Signature: "nnabla.functions.warp_by_flow(data, flow)", Func: image.WarpByFlow},

	{Signature: "chainer.functions.resize_images(x, output_shape)", Func: func(x *nd.Array, size []int) *nd.Array {
		return image.Interpolate(x, size, image.InterpolateOptions{AlignCorners: true})
	}},
	{Signature: "chainer.functions.spatial_transformer_grid(theta, output_shape, use_cudnn=True)",
		Func: func(theta *nd.Array, size []int) *nd.Array {
			return image.AffineGrid(theta, size, image.AffineGridOptions{AlignCorners: true}).MoveAxis([]int{-1}, []int{1})
		}, Ignores: useCuDNN},
	{Signature: "chainer.functions.spatial_transformer_sampler(x, grid, use_cudnn=True)",
		Func: func(x, grid *nd.Array) *nd.Array {
			requireRank("spatial_transformer_sampler", grid, 2)
			return image.WarpByGrid(x, grid.MoveAxis([]int{1}, []int{-1}), image.WarpByGridOptions{AlignCorners: true})
		}, Ignores: useCuDNN},

	{Signature: "torch.nn.functional.interpolate(input, size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None)",
		Func: func(x *nd.Array, size []int, scale []float64, mode string, align, recompute bool) *nd.Array {
			o := image.InterpolateOptions{Scale: repeated(scale, max(x.Rank()-2, 1)), ExactScale: scale != nil && !recompute, AlignCorners: align}
			o.Mode, o.HalfPixelForNN = torchInterpolation("interpolate", mode), mode == "nearest-exact"
			o.HalfPixel = o.Mode != image.Nearest && !align
			return image.Interpolate(x, size, o)
		}},
	{Signature: "torch.nn.functional.grid_sample(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)",
		Func: func(x, grid *nd.Array, mode, padding string, align bool) *nd.Array {
			requireOneOf("grid_sample", "padding_mode", padding, "zeros", "border", "reflection")
			words := map[string]image.Padding{"zeros": image.PaddingZero, "border": image.PaddingRepeat, "reflection": image.PaddingReflect}
			return image.WarpByGrid(x, grid, image.WarpByGridOptions{Mode: torchInterpolation("grid_sample", mode), Padding: words[padding], AlignCorners: align})
		}},
}

// torchInterpolation returns the mode of torch's words, which also name the number of axes.
func torchInterpolation(fn nd.Func, mode string) image.Interpolation {
	requireOneOf(fn, "mode", mode, "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear")
	switch mode {
	case "bicubic":
		return image.Cubic
	case "nearest", "nearest-exact":
		return image.Nearest
	}
	return image.Linear
}
