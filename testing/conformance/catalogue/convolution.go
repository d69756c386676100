package catalogue

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

// convolutionRows is the chapter of convolutions and their transposes.
var convolutionRows = []Row{
	{Signature: "nnabla.functions.convolution(x, weight, bias=None, base_axis=1, pad=None, stride=None, dilation=None, group=1, channel_last=False)",
		Func: conv.Convolution},
	{Signature: "nnabla.functions.deconvolution(x, weight, bias=None, base_axis=1, pad=None, stride=None, dilation=None, group=1, " +
		"channel_last=False, output_padding=None)", Func: conv.Deconvolution},
	{Signature: "nnabla.functions.depthwise_convolution(x, weight, bias=None, base_axis=1, pad=None, stride=None, dilation=None, multiplier=1)",
		Func: conv.DepthwiseConvolution},
	{Signature: "nnabla.functions.depthwise_deconvolution(x, weight, bias=None, base_axis=1, pad=None, stride=None, dilation=None, divisor=1)",
		Func: conv.DepthwiseDeconvolution},
	{Signature: "nnabla.functions.adaptive_separable_convolution(x, vertical_kernel, horizontal_kernel)", Func: conv.AdaptiveSeparableConvolution},
	{Signature: "nnabla.functions.patch_correlation(x1, x2, patch=(1, 1), shift=(0, 0), patch_step=(1, 1), shift_step=(1, 1), " +
		"padding=(0, 0, 0, 0), channel_last=False)", Func: conv.PatchCorrelation},

	{Signature: "chainer.functions.convolution_2d(x, W, b=None, stride=1, pad=0, use_cudnn=True, cover_all=False, deterministic=False)",
		Func: conv.Convolution, Ignores: chainerConvolution, Note: laterConvolution},
	{Signature: "chainer.functions.convolution_nd(x, W, b=None, stride=1, pad=0, use_cudnn=True, cover_all=False)",
		Func: conv.Convolution, Ignores: useCuDNN, Note: laterConvolution},
	{Signature: "chainer.functions.dilated_convolution_2d(x, W, b=None, stride=1, pad=0, dilate=1, use_cudnn=True, cover_all=False)",
		Func: func(x, w, b *nd.Array, stride, pad, dilate []int, coverAll bool) *nd.Array {
			return conv.Convolution(x, w, b, conv.ConvolutionOptions{Stride: stride, Pad: pad, Dilation: dilate, CoverAll: coverAll})
		}, Ignores: useCuDNN},
	{Signature: "chainer.functions.depthwise_convolution_2d(x, W, b=None, stride=1, pad=0)",
		Func: func(x, w, b *nd.Array, stride, pad []int) *nd.Array {
			windows := w.SwapAxes(0, 1).Reshape(-1, w.Dim(2), w.Dim(3))
			return conv.DepthwiseConvolution(x, windows, b, conv.DepthwiseConvolutionOptions{Stride: stride, Pad: pad, Multiplier: w.Dim(0)})
		}},
	{Signature: "chainer.functions.deconvolution_2d(x, W, b=None, stride=1, pad=0, outsize=None, use_cudnn=True, deterministic=False)",
		Func: chainerDeconvolution, Ignores: chainerConvolution, Note: laterConvolution},
	{Signature: "chainer.functions.deconvolution_nd(x, W, b=None, stride=1, pad=0, outsize=None, use_cudnn=True)",
		Func: chainerDeconvolution, Ignores: useCuDNN, Note: laterConvolution},
	{Signature: "chainer.functions.im2col(x, ksize, stride=1, pad=0, cover_all=False, dilate=1)",
		Func: func(x *nd.Array, kernel, stride, pad []int, coverAll bool, dilate []int) *nd.Array {
			return conv.Im2Col(x, kernel, conv.Im2ColOptions{Stride: stride, Pad: pad, Dilation: dilate, CoverAll: coverAll})
		}},

	{Signature: "mxnet.npx.convolution(data, weight, bias=None, kernel=[], stride=[], dilate=[], pad=[], num_filter=0, num_group=1, " +
		"workspace=1024, no_bias=False, cudnn_tune=None, cudnn_off=False, layout=None)", Func: mxnetConvolution, Ignores: mxnetHints},
	{Signature: "mxnet.npx.deconvolution(data, weight, bias=None, kernel=[], stride=[], dilate=[], pad=[], adj=[], target_shape=[], " +
		"num_filter=0, num_group=1, workspace=1024, no_bias=True, cudnn_tune=None, cudnn_off=False, layout=None)",
		Func: mxnetDeconvolution, Ignores: mxnetHints},
}

var (
	chainerConvolution = []string{"use_cudnn", "deterministic"}
	mxnetHints         = []string{"workspace", "cudnn_tune", "cudnn_off"}
)

// laterConvolution is the note for arguments that came with later versions of Chainer.
const laterConvolution = "Chainer 7's dilate and groups are Dilation and Group"

// chainerDeconvolution has a padding of 0 by default, whatever outsize is.
func chainerDeconvolution(x, w, b *nd.Array, stride, pad, outSize []int) *nd.Array {
	return conv.Deconvolution(x, w, b, conv.DeconvolutionOptions{Stride: stride, Pad: pad, OutSize: outSize})
}

// mxnetConvolution also takes the shape of the weight as arguments.
func mxnetConvolution(x, w, b *nd.Array, kernel, stride, dilate, pad []int, filters, groups int, noBias bool, layout string) *nd.Array {
	last := channelLast(layout)
	checkFilters(x, w, kernel, last)
	if w.Dim(0) != filters {
		panic(nd.Func("convolution").Errorf([]*nd.Array{x, w}, "num_filter %d: the weight has %d", filters, w.Dim(0)))
	}
	if noBias {
		b = nil
	}
	return conv.Convolution(x, w, b, conv.ConvolutionOptions{Stride: stride, Dilation: dilate, Pad: pad, Group: groups, ChannelLast: last})
}

// mxnetDeconvolution also takes the shape of the result instead of pad and adj.
func mxnetDeconvolution(x, w, b *nd.Array, kernel, stride, dilate, pad, adj, shape []int, filters, groups int, noBias bool, layout string) *nd.Array {
	last := channelLast(layout)
	checkFilters(x, w, kernel, last)
	if len(shape) > 0 { // the documents let it replace them
		pad, adj = nil, nil
	}
	if noBias {
		b = nil
	}
	y := conv.Deconvolution(x, w, b, conv.DeconvolutionOptions{
		Stride: stride, Dilation: dilate, Pad: pad, OutputPadding: adj, OutSize: shape, Group: groups, ChannelLast: last,
	})
	channels := 1
	if last {
		channels = -1
	}
	if y.Dim(channels) != filters {
		panic(nd.Func("deconvolution").Errorf([]*nd.Array{x, w}, "num_filter %d: the weight has %d", filters, y.Dim(channels)))
	}
	return y
}

func channelLast(layout string) bool {
	switch layout {
	case "", "NCW", "NCHW", "NCDHW":
		return false
	case "NWC", "NHWC", "NDHWC":
		return true
	}
	panic(nd.Func("layout").Errorf(nil, "%q: want NCW, NCHW, NCDHW, NWC, NHWC or NDHWC", layout))
}

// checkFilters checks that the documented kernel argument agrees with the weight.
func checkFilters(x, w *nd.Array, kernel []int, last bool) {
	first := 2
	if last {
		first = 1
	}
	if len(kernel) > 0 && (w.Rank() < first+len(kernel) || !slices.Equal(w.Shape()[first:first+len(kernel)], kernel)) {
		panic(nd.Func("kernel").Errorf([]*nd.Array{x, w}, "kernel %v differs from that of the weight", kernel))
	}
}
