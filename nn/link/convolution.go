package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// Convolution2D is the cross-correlation of images with windows, plus a bias: see ops.Convolution. Its parameters are W
// (OutChannels, InChannels, KSize…) and b (OutChannels).
// PyTorch: nn.Conv2d. Chainer: links.Convolution2D.
type Convolution2D struct {
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize is the height and width of the windows, Stride their step (nil: 1), Pad the number of zeros around the
	// images (nil: 0): two numbers, or one for both.
	KSize, Stride, Pad []int
	// Wscale multiplies the variance of the initial weights; nil means 1.
	Wscale *float64
	// Bias is the initial value of b.
	Bias float64
	// NoBias leaves b out.
	NoBias bool
	// InitialW makes the initial weights; nil means nn.LeCunNormal(√Wscale).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias nn.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, OutChannels, H', W') with H' = ⌊(H + 2Pad -
// KSize)/Stride⌋ + 1.
// Chainer: links.Convolution2D.__call__.
func (l Convolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "Convolution2D.Apply"
	defer s.Span("Convolution2D", x)()
	return convolution{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad,
		w: or(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.apply(fn, s, x)
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
	// InitialW makes the initial weights; nil means nn.LeCunNormal(√Wscale).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means Bias.
	InitialBias nn.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, OutChannels, H', W') with H' = ⌊(H + 2Pad -
// Dilate(KSize-1) - 1)/Stride⌋ + 1.
// Chainer: links.DilatedConvolution2D.__call__.
func (l DilatedConvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DilatedConvolution2D.Apply"
	defer s.Span("DilatedConvolution2D", x)()
	return convolution{axes: 2, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad, dilate: l.Dilate,
		w: or(l.InitialW, scaled(l.Wscale)), b: biasOf(l.NoBias, l.InitialBias, l.Bias)}.apply(fn, s, x)
}

// ConvolutionND is the cross-correlation of arrays with windows of Ndim axes: see ops.Convolution. Its parameters are W
// (OutChannels, InChannels, KSize…) and, with an InitialBias, b (OutChannels).
// PyTorch: nn.Conv1d, nn.Conv3d. Chainer: links.ConvolutionND.
type ConvolutionND struct {
	Ndim        int
	InChannels  int // 0: from the first input
	OutChannels int
	// KSize holds the lengths of the windows, Stride their step (nil: 1), Pad the number of zeros around the arrays
	// (nil: 0): a number per axis, or one for all axes.
	KSize, Stride, Pad []int
	// InitialW makes the initial weights; nil means nn.LeCunNormal(1).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil leaves b out.
	InitialBias nn.Initializer
	// CoverAll adds a position to the result if the windows would leave out the last elements, as if zeros followed
	// them.
	CoverAll bool
}

// Apply returns the convolution of x (B, InChannels, L…), shape (B, OutChannels, L'…) with L' as in [Convolution2D].
// Chainer: links.ConvolutionND.__call__.
func (l ConvolutionND) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "ConvolutionND.Apply"
	defer s.Span("ConvolutionND", x)()
	return convolution{axes: l.Ndim, in: l.InChannels, out: l.OutChannels, ksize: l.KSize, stride: l.Stride, pad: l.Pad,
		coverAll: l.CoverAll, w: or(l.InitialW, nn.LeCunNormal(1)), b: l.InitialBias}.apply(fn, s, x)
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
	// InitialW makes the initial weights; nil means nn.LeCunNormal(1).
	InitialW nn.Initializer
	// InitialBias makes the initial b; nil means zeros.
	InitialBias nn.Initializer
}

// Apply returns the convolution of x (B, InChannels, H, W), shape (B, InChannels·ChannelMultiplier, H', W').
func (l DepthwiseConvolution2D) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	const fn nd.Func = "DepthwiseConvolution2D.Apply"
	defer s.Span("DepthwiseConvolution2D", x)()
	g := geometryOf(fn, s, x, 2, l.KSize, l.InChannels, l.ChannelMultiplier)
	g.EachChannel()
	fn.CheckRoom(s.DType(), l.ChannelMultiplier, g.Channels)
	g.Slide(l.Pad, l.Stride, nil)
	w := s.Parameter("W", g.Windows(l.ChannelMultiplier, g.Channels), or(l.InitialW, nn.LeCunNormal(1)), true)
	var b *nd.Array
	if !l.NoBias {
		b = s.Parameter("b", []int{g.Channels * l.ChannelMultiplier}, l.InitialBias, true)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	windows := w.SwapAxes(0, 1).Reshape(append([]int{g.Channels * l.ChannelMultiplier}, g.Kernel...)...)
	return made.Keep(ops.DepthwiseConvolution(layer.InDType(x, w), windows, b, ops.DepthwiseConvolutionOptions{
		Stride: l.Stride, Pad: l.Pad, Multiplier: l.ChannelMultiplier}))
}

// convolution is the common part of convolutions.
type convolution struct {
	axes, in, out              int
	ksize, stride, pad, dilate []int
	coverAll                   bool
	w, b                       nn.Initializer // b is nil for none
}

func (c convolution) apply(fn nd.Func, s *nn.Scope, x *nd.Array) *nd.Array {
	g := geometryOf(fn, s, x, c.axes, c.ksize, c.in, c.out)
	g.CoverAll = c.coverAll
	g.Slide(c.pad, c.stride, c.dilate)
	w := s.Parameter("W", g.Windows(c.out, g.Channels), c.w, true)
	var b *nd.Array
	if c.b != nil {
		b = s.Parameter("b", []int{c.out}, c.b, true)
	}
	made := fn.Temporaries(&x, &w, &b)
	defer made.Release()
	return made.Keep(ops.Convolution(layer.InDType(x, w), w, b, ops.ConvolutionOptions{
		Stride: c.stride, Pad: c.pad, Dilation: c.dilate, CoverAll: c.coverAll}))
}

// geometryOf checks the input x of a convolution of any kind. The windows have the given number of axes. in is the
// number of input channels, 0 for that of x, and out the number of output channels.
func geometryOf(fn nd.Func, s *nn.Scope, x *nd.Array, axes int, ksize []int, in, out int) *layer.Geometry {
	layer.WantReal(fn, s.DType(), x)
	switch {
	case axes < 1 || len(ksize) != 1 && len(ksize) != axes:
		panic(fn.Errorf([]*nd.Array{x}, "KSize %v: want a length for each of %d axes, or one for all, and at least one axis", ksize, axes))
	case x.Rank() != axes+2:
		panic(fn.Errorf([]*nd.Array{x}, "want examples of channels with %d axes", axes))
	case in != 0 && in != x.Dim(1):
		panic(fn.Errorf([]*nd.Array{x}, "%d channels, want %d", x.Dim(1), in))
	case out < 1:
		panic(fn.Errorf([]*nd.Array{x}, "%d channels of the result: want at least one", out))
	}
	kernel := make([]int, axes)
	for k := range kernel {
		kernel[k] = ksize[min(k, len(ksize)-1)]
	}
	return layer.GeometryOf(fn, x, 1, kernel, false)
}

// biasOf returns the initializer of a layer's bias, or nil for a layer without bias.
func biasOf(none bool, initial nn.Initializer, value float64) nn.Initializer {
	if none {
		return nil
	}
	return or(initial, nn.Constant(value))
}
