package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// DeconvolutionOptions are the options of [Deconvolution].
type DeconvolutionOptions struct {
	// BaseAxis is how many axes of x are those of the examples, before the channels; nil means 1. Negative ones count from the
	// end.
	BaseAxis *int
	// Pad is the number of elements that the result lacks on both sides, Stride the distance at which windows are put down,
	// Dilation that of the elements of a window: a number for each axis of the window, one for all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is how many groups the channels are divided into, each with a deconvolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result.
	ChannelLast bool
	// OutputPadding is how much longer the result is made, less than Stride or Dilation: for each axis, for all, or none for 0.
	OutputPadding []int
	// WithBias says whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means initializer.UniformGlorot(outmaps, channels, kernel...), as it is of the convolution that this
	// is the transpose of.
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
}

// Deconvolution returns the transpose of a convolution, with the parameter "deconv/W", applied to x, plus the bias "deconv/b" of
// the scope, which it creates on first use: see conv.Deconvolution. The window has as many axes as kernel has lengths.
// nnabla.parametric_functions.deconvolution, torch.nn.ConvTranspose2d.
//
// It computes in the parameters' dtype, as [Affine] does.
//
// Shapes: x (M…, C, L…), W (C, outmaps/Group, kernel…), b (outmaps); the result (M…, outmaps, L'…) with
// L' = Stride(L-1) + Dilation(K-1) + 1 - 2Pad + OutputPadding. With ChannelLast x (M…, L…, C), W (C, kernel…, outmaps/Group).
func Deconvolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...DeconvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Deconvolution"
	o := options.Read(fn, opts)
	g := layer.GeometryFrom(fn, x, o.BaseAxis, kernel, o.ChannelLast)
	g.Divide(outmaps, o.Group)
	g.Put(o.Pad, o.Stride, o.Dilation, o.OutputPadding)
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(outmaps, g.Channels, kernel...)
	}
	return g.Deconvolve(scope.Sub("deconv"), outmaps, layer.Weights{WInit: o.WInit, BInit: o.BInit, NoBias: !layer.IsOn(o.WithBias)})
}
