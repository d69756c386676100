package conv

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// DeconvolutionOptions are the options of Deconvolution.
type DeconvolutionOptions struct {
	// BaseAxis is how many axes of x are those of the examples, before the channels; nil means 1. A negative number counts
	// from the end.
	BaseAxis *int
	// Pad is the number of elements that the result lacks on both sides, Stride the distance at which windows are put down,
	// Dilation that of the elements of a window: a number for each axis of the window, one for all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is how many groups the channels are divided into, each with a deconvolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the output channels that of w.
	ChannelLast bool
	// OutputPadding is how much longer the result is made, less than Stride or Dilation: for each axis, for all, or none for 0.
	OutputPadding []int
	// DType is the dtype to compute in, and of the result, as Convolution has it.
	DType dtype.DType
}

// Deconvolution is the transpose of Convolution, its gradient by x: each element of x puts down a multiple of its window w,
// overlapping ones add up, and the bias b is added unless it is nil. nnabla deconvolution, chainer deconvolution_2d and
// deconvolution_nd, mxnet deconvolution, torch.conv_transpose1d, torch.conv_transpose2d, torch.conv_transpose3d.
//
// Shapes: x (M…, C, L…), w (C, N/Group, K…), b (N); the result (M…, N, L'…) with
// L' = Stride(L-1) + Dilation(K-1) + 1 - 2Pad + OutputPadding. With ChannelLast x (M…, L…, C), w (C, K…, N/Group), the
// result (M…, L'…, N).
func Deconvolution(x, w, b *nd.Array, opts ...DeconvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.Deconvolution"
	o := options.Read(fn, opts)
	s := convolutionShapeOf(fn, x, w, b, ConvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: o.Group, ChannelLast: o.ChannelLast,
		DType: o.DType,
	})
	s.wantChannels(s.filters)
	outputs := s.group * s.wide
	s.wantBias(b, outputs)
	more := s.perAxis("OutputPadding", o.OutputPadding, 0, 0)
	s.places = s.sizes
	var sizes []int // of the result
	for axis, n := range s.places {
		if more[axis] > 0 && more[axis] >= max(s.stride[axis], s.dilation[axis]) {
			panic(fn.Errorf(s.operands(), "OutputPadding %v: want less than the strides or dilations", o.OutputPadding))
		}
		whole := broadcast.Sum(broadcast.Product(s.stride[axis], n-1), s.extent(axis), more[axis])
		fn.CheckRoom(x.DType(), max(whole, 0))
		s.within(axis, whole)
		size := broadcast.Sum(whole, broadcast.Product(s.pad[axis], -2))
		if s.taps[axis] == 0 || size < 0 {
			panic(fn.Errorf(s.operands(), "axis %d of the result would have length %d", axis, size))
		}
		sizes = append(sizes, size)
	}
	x = s.images(s.filters / s.group)
	s.sizes = sizes
	fused, b := s.apart(b)
	weight := s.weight()
	return s.finish(release.Operands(s.slideTransposed(0, x, weight, fused), x, weight), b, outputs, sizes)
}
