package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// resamplingRows is the chapter of interpolation between elements.
var resamplingRows = []Row{
	{Signature: "nnabla.functions.interpolate(x, scale=None, output_size=None, mode='linear', align_corners=False, half_pixel=False, " +
		"half_pixel_for_nn=False, channel_last=False)", Func: nnablaInterpolate},
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
}

// nnablaInterpolate takes the first element for an axis that becomes one element long, except with half_pixel_for_nn.
func nnablaInterpolate(x *nd.Array, scale []float64, size []int, mode string, align, half, halfForNearest, channelLast bool) *nd.Array {
	o := image.InterpolateOptions{Scale: scale, Mode: image.Interpolation(mode), AlignCorners: align, HalfPixel: half, HalfPixelForNN: halfForNearest, ChannelLast: channelLast}
	if size != nil {
		o.Scale = nil
	}
	n := max(len(size), len(o.Scale))
	first := x.Rank() - n
	if channelLast {
		first--
	}
	if first < 0 || mode == "nearest" && halfForNearest {
		return image.Interpolate(x, size, o)
	}
	if size == nil && n > 0 {
		size, o.Scale = make([]int, n), nil
		for k := range n {
			size[k] = int(scale[k] * float64(x.Dim(first+k)))
		}
	}
	for k, length := range size {
		if length == 1 && x.Dim(first+k) > 0 {
			x = x.Index(append(make([]nd.Index, first+k), nd.Span(0, 1))...)
		}
	}
	return image.Interpolate(x, size, o)
}
