package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Convolution2D is the cross-correlation of images with windows, plus a bias: see conv.Convolution. Its parameters are
// W (OutChannels, InChannels, KSize…) and b (OutChannels).
// PyTorch: nn.Conv2d. Chainer: links.Convolution2D.
type Convolution2D struct {
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize is the height and width of the windows, Stride their step (nil: 1), Pad the number of zeros around the
	// images (nil: 0): two numbers, or one for both.
	KSize, Stride, Pad []int
	// Dilate is the distance between the elements that a window reads; nil means 1. Groups is the number of groups that
	// the channels are divided into; 0 means 1. W then has the shape (OutChannels, InChannels/Groups, KSize…).
	Dilate []int
	Groups int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(√Wscale).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias initializer.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, OutChannels, H', W') with H' = ⌊(H + 2Pad -
// KSize)/Stride⌋ + 1.
// Chainer: links.Convolution2D.__call__.
func (l Convolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Convolution2D.Apply"
	defer s.Span("Convolution2D", x)()
	return windows{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad, dilate: l.Dilate, groups: l.Groups,
		w: orDefault(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.convolve(fn, s, x)
}

// DilatedConvolution2D is a [Convolution2D] with gaps between the elements of its windows.
// Chainer: links.DilatedConvolution2D.
type DilatedConvolution2D struct {
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize, Stride and Pad are those of Convolution2D. Dilate is the distance between the elements of a window; nil
	// means 1.
	KSize, Stride, Pad, Dilate []int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(√Wscale).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias initializer.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, OutChannels, H', W') with H' = ⌊(H + 2Pad -
// Dilate(KSize-1) - 1)/Stride⌋ + 1.
// Chainer: links.DilatedConvolution2D.__call__.
func (l DilatedConvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DilatedConvolution2D.Apply"
	defer s.Span("DilatedConvolution2D", x)()
	return windows{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad, dilate: l.Dilate,
		w: orDefault(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.convolve(fn, s, x)
}

// ConvolutionND is the cross-correlation of arrays with windows of Ndim axes: see conv.Convolution. Its parameters are
// W (OutChannels, InChannels, KSize…) and, with an InitialBias, b (OutChannels).
// PyTorch: nn.Conv1d, nn.Conv3d. Chainer: links.ConvolutionND.
type ConvolutionND struct {
	Ndim        int
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize holds the lengths of the windows, Stride their step (nil: 1), Pad the number of zeros around the arrays
	// (nil: 0): a number per axis, or one for all axes.
	KSize, Stride, Pad []int
	// Dilate and Groups are those of [Convolution2D].
	Dilate []int
	Groups int
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(1).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil leaves b out.
	InitialBias initializer.Initializer
	// CoverAll adds a position to the result if the windows would leave out the last elements, as if zeros followed
	// them.
	CoverAll bool
}

// Apply returns the convolution of x (B, InChannels, L…), shape (B, OutChannels, L'…) with L' as in [Convolution2D].
// Chainer: links.ConvolutionND.__call__.
func (l ConvolutionND) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "ConvolutionND.Apply"
	defer s.Span("ConvolutionND", x)()
	return windows{axes: l.Ndim, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad,
		dilate: l.Dilate, groups: l.Groups,
		coverAll: l.CoverAll, w: orDefault(l.InitialW, initializer.LeCunNormal(1)), b: l.InitialBias}.convolve(fn, s, x)
}

// DepthwiseConvolution2D is a [Convolution2D] of each channel by itself, with ChannelMultiplier windows: channel
// c·ChannelMultiplier + j of the result is the convolution of channel c with its window j. Its parameters are W
// (ChannelMultiplier, InChannels, KSize…) and b (InChannels·ChannelMultiplier).
// Chainer: links.DepthwiseConvolution2D.
type DepthwiseConvolution2D struct {
	InChannels        int // 0: from the first input
	ChannelMultiplier int
	// KSize, Stride and Pad are those of Convolution2D.
	KSize, Stride, Pad []int
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(1).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means zeros.
	InitialBias initializer.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, InChannels·ChannelMultiplier, H', W').
func (l DepthwiseConvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DepthwiseConvolution2D.Apply"
	defer s.Span("DepthwiseConvolution2D", x)()
	g := geometryOf(fn, s, x, 2, l.KSize, l.InChannels, l.ChannelMultiplier)
	g.EachChannel()
	fn.CheckAllocatable(s.DType(), l.ChannelMultiplier, g.Channels)
	g.Slide(l.Pad, l.Stride, nil)
	p := layer.Weights{WInit: orDefault(l.InitialW, initializer.LeCunNormal(1)), BInit: l.InitialBias, NoBias: l.NoBias}
	w, b := p.Create(s, g.Windows(l.ChannelMultiplier, g.Channels), []int{g.Channels * l.ChannelMultiplier})
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	windows := w.SwapAxes(0, 1).Reshape(append([]int{g.Channels * l.ChannelMultiplier}, g.Kernel...)...)
	return made.Keep(conv.DepthwiseConvolution(layer.InDType(x, w), windows, b, conv.DepthwiseConvolutionOptions{
		Stride: l.Stride, Pad: l.Pad, Multiplier: l.ChannelMultiplier}))
}
