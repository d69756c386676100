package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// DepthwiseConvolutionOptions are the options of [DepthwiseConvolution]. Options that Convolution has too have the same
// meaning.
type DepthwiseConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Multiplier is the number of result channels per channel of x; 0 means 1.
	Multiplier int
	WithBias   *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(channels·Multiplier, channels, kernel...).
	WInit initializer.Initializer
	BInit initializer.Initializer
}

// DepthwiseConvolution convolves each channel of x by itself, with the parameters "depthwise_conv/W" and
// "depthwise_conv/b" of the scope, which it creates on first use: see conv.DepthwiseConvolution.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes: x (M…, C, L…), W (Multiplier·C, kernel…), b (Multiplier·C); the result (M…, Multiplier·C, L'…).
// NNabla: parametric_functions.depthwise_convolution.
func DepthwiseConvolution(scope *Scope, x *nd.Array, kernel []int, opts ...DepthwiseConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.DepthwiseConvolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, false)
	if o.Multiplier < 0 {
		g.Refuse("Multiplier %d: want a positive one", o.Multiplier)
	}
	g.EachChannel()
	g.Slide(o.Pad, o.Stride, o.Dilation)
	multiplier := max(o.Multiplier, 1)
	outmaps := g.Channels * multiplier
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(outmaps, g.Channels, g.Kernel...)
	}
	s := scope.Sub("depthwise_conv")
	p := layer.Weights{WInit: o.WInit, BInit: o.BInit, NoBias: !layer.IsOn(o.WithBias)}
	w, b := p.Create(s, append([]int{outmaps}, g.Kernel...), []int{outmaps})
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(conv.DepthwiseConvolution(layer.InDType(x, w), w, b, conv.DepthwiseConvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Multiplier: multiplier}))
}

// DepthwiseDeconvolutionOptions are the options of [DepthwiseDeconvolution]. Options that Deconvolution has too have
// the same meaning.
type DepthwiseDeconvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Divisor is the number of consecutive channels of x that add up to one channel of the result; 0 means 1.
	Divisor  int
	WithBias *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(channels, channels, kernel...).
	WInit initializer.Initializer
	BInit initializer.Initializer
}

// DepthwiseDeconvolution is the transpose of a depthwise convolution, with the parameters "depthwise_deconv/W" and
// "depthwise_deconv/b" of the scope, which it creates on first use: see conv.DepthwiseDeconvolution.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes: x (M…, C, L…), W (C, kernel…), b (C/Divisor); the result (M…, C/Divisor, L'…).
// NNabla: parametric_functions.depthwise_deconvolution.
func DepthwiseDeconvolution(scope *Scope, x *nd.Array, kernel []int, opts ...DepthwiseDeconvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.DepthwiseDeconvolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, false)
	divisor := max(o.Divisor, 1)
	if o.Divisor < 0 || g.Channels%divisor != 0 {
		g.Refuse("%d channels, Divisor %d: want one that divides the channels", g.Channels, o.Divisor)
	}
	g.EachChannel()
	g.Transpose(o.Pad, o.Stride, o.Dilation, nil, nil)
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(g.Channels, g.Channels, g.Kernel...)
	}
	s := scope.Sub("depthwise_deconv")
	p := layer.Weights{WInit: o.WInit, BInit: o.BInit, NoBias: !layer.IsOn(o.WithBias)}
	w, b := p.Create(s, append([]int{g.Channels}, g.Kernel...), []int{g.Channels / divisor})
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(conv.DepthwiseDeconvolution(layer.InDType(x, w), w, b, conv.DepthwiseDeconvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Divisor: divisor}))
}
