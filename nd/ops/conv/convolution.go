package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ConvolutionOptions are the options of Convolution.
type ConvolutionOptions struct {
	// BaseAxis is the number of axes of x that belong to the examples, before the channels; nil means 1. A negative
	// number counts from the end.
	BaseAxis *int
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that the window reads. Each has a number per axis of the window, one number for all axes, or
	// is empty for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups that the channels are divided into, each with its own convolution; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the input channels the last axis
	// of w.
	ChannelLast bool
	// CoverAll adds a window if the others would leave the last elements out; x is padded with zeros for it.
	CoverAll bool
	// Fast permits faster ways for weights that many calls read unchanged, whose error is relative to the largest products
	// around an element, not to those of the element itself. On the CPU these are windows of 3×3 in float32, by Winograd's
	// F(2×2, 3×3). An element's bits then depend on whether a program can write to the memory of w ([nd.Data]).
	Fast bool
	// Then is applied to each element of the result: a kernel of one input and one output. Unless a tape records it, it is part of the
	// launch. On the CPU, minima and maxima with numbers, such as those of ReLU, then take no pass over memory, except in a few algorithms.
	Then *ops.Kernel
	// DType is the dtype to compute in, and of the result; x, w and b must cast to it (same_kind). By default it is the
	// dtype that they promote to.
	DType dtype.DType
}

// Convolution returns the cross-correlation of x with the windows w, one for each channel of the result, plus the bias
// b of the channel unless b is nil:
//
//	y[c, l] = b[c] + Σ w[c, i, k]·x[i, l·Stride + k·Dilation - Pad]
//
// The window has any number of axes; windows of up to three axes run as one kernel. The dtype is a float, integer or
// complex one; float16 and bfloat16 accumulate in float32.
//
// Shapes: x (M…, C, L…), w (N, C/Group, K…), b (N); the result (M…, N, L'…) with L' = ⌊(L + 2Pad - Dilation(K-1) -
// 1)/Stride⌋ + 1: see OutputSize. With ChannelLast x (M…, L…, C), w (N, K…, C/Group), the result (M…, L'…, N).
// PyTorch: conv1d, conv2d, conv3d. NNabla: convolution. Chainer: convolution_2d, convolution_nd,
// dilated_convolution_2d. MXNet: convolution.
func Convolution(x, w, b *nd.Array, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.Convolution"
	o := options.Read(fn, opts)
	s := convolutionShapeOf(fn, x, w, b, o)
	s.wantChannels(s.group * s.groupChannels)
	s.wantBias(b, s.filters)
	if o.Then != nil && !o.Then.IsUnary() {
		panic(fn.Errorf(s.operands(), "Then: want a kernel of one input, which is not raw, and one output"))
	}
	for axis := range s.sizes {
		s.addOutputSize(axis, s.padded(axis), s.extent(axis), s.stride[axis], o.CoverAll)
	}
	fused, b := s.splitBias(b)
	images, weight := s.images(s.groupChannels), s.weight()
	if o.Then != nil && b == nil && len(s.sizes) <= kernelAxes && !ufunc.Recorded(x, w, fused) {
		s.then = o.Then.Program(s.dtype)
	}
	y := release.Operands(s.slide(0, images, weight, fused), images, weight)
	y = s.finish(y, b, s.filters, s.outputSizes)
	if o.Then != nil && s.then == nil {
		y = release.Replace(y, o.Then.Call(y))
	}
	return y
}
