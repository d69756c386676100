package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// Deconvolution2D is the transpose of a [Convolution2D], plus a bias: see conv.Deconvolution. Its parameters are W
// (InChannels, OutChannels, KSize…) and b (OutChannels).
// PyTorch: nn.ConvTranspose2d. Chainer: links.Deconvolution2D.
type Deconvolution2D struct {
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize is the height and width of the windows, Stride the distance between them (nil: 1), Pad the number of
	// elements cut off on all sides of the result (nil: 0): two numbers, or one for both.
	KSize, Stride, Pad []int
	// Dilate is the distance between the elements of a window; nil means 1. Groups is the number of groups that the
	// channels are divided into; 0 means 1. W then has the shape (InChannels, OutChannels/Groups, KSize…).
	Dilate []int
	Groups int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// OutSize is the height and width of the result; nil means Stride·(H - 1) + Dilate·(KSize - 1) + 1 - 2·Pad. It may
	// be larger by less than Stride or Dilate.
	OutSize []int
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(√Wscale), with the variance
	// Wscale/(OutChannels·KSize…).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias initializer.Initializer
}

// Apply returns the deconvolution of x (B, InChannels, H, W), shape (B, OutChannels, OutSize…).
func (l Deconvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Deconvolution2D.Apply"
	defer s.Span("Deconvolution2D", x)()
	return windows{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad, outSize: l.OutSize,
		dilate: l.Dilate, groups: l.Groups,
		w: orDefault(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.deconvolve(fn, s, x)
}

// DeconvolutionND is the transpose of a [ConvolutionND], plus a bias: see conv.Deconvolution. Its parameters are W
// (InChannels, OutChannels, KSize…) and b (OutChannels).
// PyTorch: nn.ConvTranspose1d, nn.ConvTranspose3d. Chainer: links.DeconvolutionND.
type DeconvolutionND struct {
	Ndim        int
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize, Stride, Pad and OutSize are those of [Deconvolution2D], with a number per axis, or one for all axes.
	KSize, Stride, Pad, OutSize []int
	// Dilate and Groups are those of Deconvolution2D.
	Dilate []int
	Groups int
	// InitialW makes the initial weights; nil means initializer.LeCunNormal(1), with the variance
	// 1/(OutChannels·KSize…).
	InitialW initializer.Initializer
	// InitialBias makes the initial b; nil means zeros.
	InitialBias initializer.Initializer
	// NoBias leaves b out: Chainer's initial_bias=None.
	NoBias bool
}

// Apply returns the deconvolution of x (B, InChannels, L…), shape (B, OutChannels, OutSize…).
func (l DeconvolutionND) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DeconvolutionND.Apply"
	defer s.Span("DeconvolutionND", x)()
	return windows{axes: l.Ndim, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad,
		outSize: l.OutSize, dilate: l.Dilate, groups: l.Groups, w: orDefault(l.InitialW, initializer.LeCunNormal(1)), b: biasOf(l.NoBias, l.InitialBias, 0)}.deconvolve(fn, s, x)
}
