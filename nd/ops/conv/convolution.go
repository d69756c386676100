package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// ConvolutionOptions are the options of Convolution.
type ConvolutionOptions struct {
	// BaseAxis is how many axes of x are those of the examples, before the channels; nil means 1. A negative number counts
	// from the end.
	BaseAxis *int
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that it takes up: a number for each axis of the window, one for all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is how many groups the channels are divided into, each with a convolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the input channels that of w.
	ChannelLast bool
	// CoverAll adds a place to the result where the window would leave the last elements out, as if zeros followed them.
	CoverAll bool
	// DType is the dtype to compute in, and of the result, to which same_kind casting must convert x, w and b; by default the one that
	// they promote to.
	DType dtype.DType
}

// Convolution returns the cross-correlation of x with the windows w, one for each channel of the result, plus the bias b of
// the channel unless that is nil:
//
//	y[c, l] = b[c] + Σ w[c, i, k]·x[i, l·Stride + k·Dilation - Pad]
//
// The window has any number of axes; up to three are one pass. Floats, integers and complex numbers; float16 and bfloat16
// add up in float32. nnabla convolution, chainer convolution_2d, convolution_nd and dilated_convolution_2d, mxnet
// convolution, torch.conv1d, torch.conv2d, torch.conv3d.
//
// Shapes: x (M…, C, L…), w (N, C/Group, K…), b (N); the result (M…, N, L'…) with
// L' = ⌊(L + 2Pad - Dilation(K-1) - 1)/Stride⌋ + 1. With ChannelLast x (M…, L…, C), w (N, K…, C/Group), the result (M…, L'…, N).
func Convolution(x, w, b *nd.Array, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.Convolution"
	o := options.Read(fn, opts)
	s := convolutionShapeOf(fn, x, w, b, o)
	s.wantChannels(s.group * s.wide)
	s.wantBias(b, s.filters)
	for axis := range s.sizes {
		s.place(axis, s.padded(axis), s.extent(axis), s.stride[axis], o.CoverAll)
	}
	fused, b := s.apart(b)
	images, weight := s.images(s.wide), s.weight()
	y := release.Operands(s.slide(0, images, weight, fused), images, weight)
	return s.finish(y, b, s.filters, s.places)
}
