package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// DepthwiseConvolutionOptions are the options of DepthwiseConvolution; the fields of ConvolutionOptions mean the same
// here.
type DepthwiseConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Multiplier is the number of result channels per channel of x; 0 means 1.
	Multiplier int
}

// DepthwiseConvolution is a Convolution in which every channel of x is a group of its own. Channel c·Multiplier + j of
// the result is the convolution of channel c with window c·Multiplier + j.
//
// Shapes: x (M…, C, L…), w (Multiplier·C, K…), b (Multiplier·C); the result (M…, Multiplier·C, L'…).
// NNabla: depthwise_convolution. Chainer: depthwise_convolution_2d.
func DepthwiseConvolution(x, w, b *nd.Array, opts ...DepthwiseConvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.DepthwiseConvolution"
	o := options.Read(fn, opts)
	channels := channelsOf(fn, x, w, o.BaseAxis)
	multiplier := max(o.Multiplier, 1)
	if o.Multiplier < 0 || w.Dim(0) != multiplier*channels {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d channels, w %d windows: want %d for each channel", channels, w.Dim(0), multiplier))
	}
	defer argument.ShowInErrors(x, w, b)
	w = w.ExpandDims(1)
	defer w.Release()
	return fn.Made(Convolution(x, w, b, ConvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: channels,
	}))
}

// DepthwiseDeconvolutionOptions are the options of DepthwiseDeconvolution; the fields of DeconvolutionOptions mean the
// same here.
type DepthwiseDeconvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Divisor is the number of consecutive channels of x that add up to one channel of the result; 0 means 1.
	Divisor int
}

// DepthwiseDeconvolution is the transpose of DepthwiseConvolution: every channel of x has a window of its own.
//
// Shapes: x (M…, C, L…), w (C, K…), b (C/Divisor); the result (M…, C/Divisor, L'…).
// NNabla: depthwise_deconvolution.
func DepthwiseDeconvolution(x, w, b *nd.Array, opts ...DepthwiseDeconvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.DepthwiseDeconvolution"
	o := options.Read(fn, opts)
	channels := channelsOf(fn, x, w, o.BaseAxis)
	divisor := max(o.Divisor, 1)
	if o.Divisor < 0 || w.Dim(0) != channels || channels%divisor != 0 {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d channels, w %d windows: want equal numbers, a multiple of the divisor %d",
			channels, w.Dim(0), o.Divisor))
	}
	defer argument.ShowInErrors(x, w, b)
	w = w.ExpandDims(1)
	defer w.Release()
	return fn.Made(Deconvolution(x, w, b, DeconvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: channels / divisor,
	}))
}

// channelsOf returns the number of channels of x; each channel is a group.
func channelsOf(fn nd.Func, x, w *nd.Array, baseAxis *int) int {
	fn.Check(x, w)
	base := channelAxis(fn, x, w, baseAxis)
	if w.Rank() != x.Rank()-base {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d axes from the channels on: want equally many axes of w", x.Rank()-base))
	}
	if x.Dim(base) == 0 {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has no channels"))
	}
	return x.Dim(base)
}
