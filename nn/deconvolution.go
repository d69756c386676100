package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// DeconvolutionOptions are the options of [Deconvolution].
type DeconvolutionOptions struct {
	// BaseAxis is the number of example axes of x, before the channels; nil means 1. Negative values count from the
	// end.
	BaseAxis *int
	// Pad is the number of elements cut off on both sides of the result, Stride the distance between the windows that
	// are added up, Dilation the distance between the elements of a window. Each has a number per axis of the window,
	// one number for all axes, or is empty for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups that the channels are divided into, each with its own deconvolution; 0 means 1.
	Group int
	// ChannelLast makes the channels the last axis of x and of the result.
	ChannelLast bool
	// OutputPadding is the extra length of the result, less than Stride or Dilation: a number per axis, one for all
	// axes, or empty for 0.
	OutputPadding []int
	// OutSize holds the lengths L' of the result instead of OutputPadding: see conv.DeconvolutionOptions.
	OutSize []int
	// WithBias controls whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(outmaps, channels, kernel...), the default
	// of the convolution whose transpose this is.
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
}

// Deconvolution returns the transpose of a convolution, with the parameter "deconv/W", applied to x, plus the bias
// "deconv/b" of the scope, which it creates on first use: see conv.Deconvolution. kernel holds a length for each axis
// after the channels, or one for all.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes: x (M…, C, L…), W (C, outmaps/Group, kernel…), b (outmaps); the result (M…, outmaps, L'…) with L' =
// Stride(L-1) + Dilation(K-1) + 1 - 2Pad + OutputPadding, or OutSize. With ChannelLast x (M…, L…, C), W (C, kernel…,
// outmaps/Group).
// PyTorch: nn.ConvTranspose2d. NNabla: parametric_functions.deconvolution.
func Deconvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...DeconvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Deconvolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, o.ChannelLast)
	g.Divide(outmaps, o.Group)
	g.Transpose(o.Pad, o.Stride, o.Dilation, o.OutputPadding, o.OutSize)
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(outmaps, g.Channels, g.Kernel...)
	}
	return g.Deconvolve(scope.Sub("deconv"), outmaps, layer.Weights{WInit: o.WInit, BInit: o.BInit, NoBias: !layer.IsOn(o.WithBias)})
}
