package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// ConvolutionOptions are the options of [Convolution].
type ConvolutionOptions struct {
	// BaseAxis is the number of example axes of x, before the channels; nil means 1. Negative values count from the
	// end.
	BaseAxis *int
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that the window reads. Each has a number per axis of the window, one number for all axes, or
	// is empty for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups that the channels are divided into, each with its own convolution; 0 means 1.
	Group int
	// ChannelLast makes the channels the last axis of x and of the result.
	ChannelLast bool
	// WithBias controls whether b is added; nil means yes.
	WithBias *bool
	// WInit makes the initial weights; nil means UniformGlorot(channels, outmaps, kernel...).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
}

// Convolution returns the cross-correlation of x with the parameter "conv/W" plus the bias "conv/b" of the scope, which
// it creates on first use: see ops.Convolution. The window has as many axes as kernel has lengths.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes: x (M…, C, L…), W (outmaps, C/Group, kernel…), b (outmaps); the result (M…, outmaps, L'…) with L' = ⌊(L + 2Pad
// - Dilation(K-1) - 1)/Stride⌋ + 1. With ChannelLast x (M…, L…, C), W (outmaps, kernel…, C/Group).
// NNabla: parametric_functions.convolution. PyTorch: nn.Conv1d, nn.Conv2d, nn.Conv3d.
func Convolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Convolution"
	return convolution(fn, scope.Sub("conv"), x, outmaps, kernel, options.Read(fn, opts), nil)
}

// convolution is a layer with the parameters W and b of s, or with values that derive computes from them.
func convolution(fn nd.Func, s *Scope, x *nd.Array, outmaps int, kernel []int, o ConvolutionOptions,
	derive *derivation) *nd.Array {
	g := o.geometry(fn, x, outmaps, kernel)
	w, b := o.parameters(s, g, outmaps, derive)
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Convolution(layer.InDType(x, w), derive.of(s, "W", w), derive.of(s, "b", b), ops.ConvolutionOptions{
		BaseAxis: &g.Base, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: g.Group, ChannelLast: o.ChannelLast}))
}

// geometry checks the arguments of a convolution of any kind.
func (o *ConvolutionOptions) geometry(fn nd.Func, x *nd.Array, outmaps int, kernel []int) *layer.Geometry {
	g := geometryOf(fn, x, o.BaseAxis, kernel, o.ChannelLast)
	g.Divide(outmaps, o.Group)
	g.Slide(o.Pad, o.Stride, o.Dilation)
	return g
}

// parameters returns W, and b or nil.
func (o *ConvolutionOptions) parameters(s *Scope, g *layer.Geometry, outmaps int, derive *derivation) (w, b *nd.Array) {
	initial := o.WInit
	if initial == nil {
		initial = UniformGlorot(g.Channels, outmaps, g.Kernel...)
	}
	w = derive.parameter(g.Fn, s, "W", g.Windows(outmaps, g.Channels/g.Group), initial)
	if yes(o.WithBias) {
		b = derive.parameter(g.Fn, s, "b", []int{outmaps}, o.BInit)
	}
	return w, b
}
