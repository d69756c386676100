package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/initializer"
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
	// WInit makes the initial weights; nil means initializer.UniformGlorot(channels, outmaps, kernel...).
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
}

// Convolution returns the cross-correlation of x with the parameter "conv/W" plus the bias "conv/b" of the scope, which
// it creates on first use: see conv.Convolution. kernel holds a length for each axis after the channels, or one for
// all.
//
// It computes in the parameters' dtype, like [Affine].
//
// Shapes: x (M…, C, L…), W (outmaps, C/Group, kernel…), b (outmaps); the result (M…, outmaps, L'…) with L' = ⌊(L + 2Pad
// - Dilation(K-1) - 1)/Stride⌋ + 1. With ChannelLast x (M…, L…, C), W (outmaps, kernel…, C/Group).
// PyTorch: nn.Conv1d, nn.Conv2d, nn.Conv3d. NNabla: parametric_functions.convolution.
func Convolution(scope *Scope, x *nd.Array, outmaps int, kernel []int, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "nn.Convolution"
	return layer.Convolution(fn, scope.Sub("conv"), x, outmaps, kernel, layer.ConvolutionOptions(options.Read(fn, opts)), nil)
}
