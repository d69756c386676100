package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// onLastAxes has a kernel of one length cover the last axis alone, as NNabla's poolings do: the axes before become one of the batch.
func onLastAxes[O any](pool func(x *nd.Array, kernel []int, opts ...O) *nd.Array) func(x *nd.Array, kernel []int, opts ...O) *nd.Array {
	return func(x *nd.Array, kernel []int, opts ...O) *nd.Array {
		if len(kernel) != 1 || x.Rank() < 4 {
			return pool(x, kernel, opts...)
		}
		y := pool(x.Reshape(-1, x.Dim(-2), x.Dim(-1)), kernel, opts...)
		return y.Reshape(append(x.Shape()[:x.Rank()-2], y.Dim(-2), y.Dim(-1))...)
	}
}

// poolingRows is the chapter of pooling and unpooling.
var poolingRows = []Row{
	{Signature: "nnabla.functions.max_pooling(x, kernel, stride=None, ignore_border=True, pad=None, channel_last=False)", Func: onLastAxes(conv.MaxPooling)},
	{Signature: "nnabla.functions.average_pooling(x, kernel, stride=None, ignore_border=True, pad=None, channel_last=False, including_pad=True)",
		Func: onLastAxes(conv.AveragePooling)},
	{Signature: "nnabla.functions.sum_pooling(x, kernel, stride=None, ignore_border=True, pad=None, channel_last=False)", Func: onLastAxes(conv.SumPooling)},
	{Signature: "nnabla.functions.global_average_pooling(x)", Func: conv.GlobalAveragePooling},
	{Signature: "nnabla.functions.unpooling(x, kernel, channel_last=False)", Func: onLastAxes(conv.Unpooling)},

	{Signature: "chainer.functions.max_pooling_2d(x, ksize, stride=None, pad=0, cover_all=True, use_cudnn=True)", Func: chainerMaxPooling, Ignores: useCuDNN},
	{Signature: "chainer.functions.max_pooling_nd(x, ksize, stride=None, pad=0, cover_all=True, use_cudnn=True)", Func: chainerMaxPooling, Ignores: useCuDNN},
	{Signature: "chainer.functions.average_pooling_2d(x, ksize, stride=None, pad=0, use_cudnn=True)", Func: conv.AveragePooling, Ignores: useCuDNN},
	{Signature: "chainer.functions.average_pooling_nd(x, ksize, stride=None, pad=0, use_cudnn=True)", Func: conv.AveragePooling, Ignores: useCuDNN,
		Note: "Chainer 7's pad_value=None is IncludingPad false"},
	{Signature: "chainer.functions.unpooling_2d(x, ksize, stride=None, pad=0, outsize=None, cover_all=True)",
		Func: func(x *nd.Array, kernel, stride, pad, outSize []int, coverAll bool) *nd.Array {
			return conv.Unpooling(x, kernel, conv.UnpoolingOptions{Stride: stride, Pad: pad, OutSize: outSize, CoverPadding: coverAll})
		}},
	{Signature: "chainer.functions.upsampling_2d(x, indexes, ksize, stride=None, pad=0, outsize=None, cover_all=True)",
		Func: func(x, index *nd.Array, kernel, stride, pad, outSize []int, coverAll bool) *nd.Array {
			return conv.Upsampling(x, index, kernel, conv.UnpoolingOptions{Stride: stride, Pad: pad, OutSize: outSize, CoverPadding: coverAll})
		}},
	{Signature: "chainer.functions.spatial_pyramid_pooling_2d(x, pyramid_height, pooling_class, use_cudnn=True)",
		Func: func(x *nd.Array, height int, class string) *nd.Array {
			if class != "MaxPooling2D" {
				panic(nd.Func("spatial_pyramid_pooling_2d").Errorf([]*nd.Array{x}, "pooling_class %q: want MaxPooling2D", class))
			}
			return conv.SpatialPyramidPooling(x, height)
		}, Ignores: useCuDNN},

	{Signature: "chainer.functions.roi_pooling_2d(x, rois, outh, outw, spatial_scale)", Func: func(x, rois *nd.Array, height, width int, scale float64) *nd.Array {
		return image.ROIPooling(x, rois, []int{height, width}, scale, image.ROIPoolingOptions{HalfEven: true})
	}},
	{Signature: "mxnet.npx.roi_pooling(data, rois, pooled_size, spatial_scale)", Func: image.ROIPooling},

	{Signature: "mxnet.npx.pooling(data, kernel=[], pool_type='max', global_pool=False, cudnn_off=False, pooling_convention='valid', " +
		"stride=[], pad=[], p_value=None, count_include_pad=None, layout=None)", Func: mxnetPooling, Ignores: []string{"cudnn_off"}},
}

// chainerMaxPooling covers the padding too, by default.
func chainerMaxPooling(x *nd.Array, kernel, stride, pad []int, coverAll bool) *nd.Array {
	return conv.MaxPooling(x, kernel, conv.PoolingOptions{Stride: stride, Pad: pad, CoverPadding: coverAll})
}

// mxnetPooling selects among the functions that MXNet combines under one name.
func mxnetPooling(x *nd.Array, kernel []int, poolType string, global bool, convention string, stride, pad []int, p *int,
	includePad *bool, layout string) *nd.Array {
	kernel, o := mxnetWindows(x, kernel, global, convention, stride, pad, layout)
	switch poolType {
	case "max":
		return conv.MaxPooling(x, kernel, o)
	case "sum":
		return conv.SumPooling(x, kernel, o)
	case "avg":
		return conv.AveragePooling(x, kernel, conv.AveragePoolingOptions{Stride: o.Stride, IgnoreBorder: o.IgnoreBorder,
			CoverPadding: o.CoverPadding, Pad: o.Pad, ChannelLast: o.ChannelLast, IncludingPad: includePad})
	case "lp":
		if p == nil {
			panic(nd.Func("pooling").Errorf([]*nd.Array{x}, "lp pooling: want a p_value"))
		}
		return conv.LPPooling(x, kernel, *p, o)
	}
	panic(nd.Func("pooling").Errorf([]*nd.Array{x}, "pool_type %q: want avg, lp, max or sum", poolType))
}

// mxnetWindows returns the windows of MXNet's pooling.
func mxnetWindows(x *nd.Array, kernel []int, global bool, convention string, stride, pad []int, layout string) ([]int, conv.PoolingOptions) {
	requireRank("pooling", x, 3)
	o := conv.PoolingOptions{ChannelLast: channelLast(layout), Stride: []int{1}}
	switch convention {
	case "valid":
	case "full":
		o.CoverPadding = true
	case "same":
		o.IgnoreBorder = new(false)
	default:
		panic(nd.Func("pooling").Errorf([]*nd.Array{x}, "pooling_convention %q: want valid, full or same", convention))
	}
	switch {
	case global:
		spatial := x.Shape()[2:]
		if o.ChannelLast {
			spatial = x.Shape()[1 : x.Rank()-1]
		}
		kernel = spatial
	default:
		if len(stride) > 0 {
			o.Stride = stride
		}
		if len(pad) > 0 {
			o.Pad = pad
		}
	}
	return kernel, o
}
