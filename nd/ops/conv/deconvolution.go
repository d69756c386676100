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
	// BaseAxis is the number of axes of x that belong to the examples, before the channels; nil means 1. A negative
	// number counts from the end.
	BaseAxis *int
	// Pad is the number of elements cut off on both sides of the result, Stride the distance between the windows that
	// are added up, Dilation the distance between the elements of a window. Each has a number per axis of the window,
	// one number for all axes, or is empty for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups that the channels are divided into, each with its own deconvolution; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the output channels the last
	// axis of w.
	ChannelLast bool
	// OutputPadding is the extra length of the result, less than Stride or Dilation: a number per axis, one for all
	// axes, or empty for 0.
	OutputPadding []int
	// OutSize holds the lengths L' of the result instead of OutputPadding: a number per axis, or one for all axes. They
	// may exceed those without OutputPadding by less than Stride or Dilation. If Pad is empty, they may also be any
	// shorter ones: the rest is cut off in equal parts on both sides, of an odd rest one element more in front.
	OutSize []int
	// DType is the dtype to compute in, and of the result, as in ConvolutionOptions.
	DType dtype.DType
}

// Deconvolution is the transpose of Convolution, its gradient by x: each element of x adds a multiple of its window w
// to the result, where overlapping windows add up. The bias b is added unless it is nil.
//
// Shapes: x (M…, C, L…), w (C, N/Group, K…), b (N); the result (M…, N, L'…) with L' = Stride(L-1) + Dilation(K-1) + 1 -
// 2Pad + OutputPadding, or OutSize: see TransposedOutputSize. With ChannelLast x (M…, L…, C), w (C, K…, N/Group), the result (M…, L'…, N).
// PyTorch: conv_transpose1d, conv_transpose2d, conv_transpose3d. NNabla: deconvolution. Chainer: deconvolution_2d,
// deconvolution_nd. MXNet: deconvolution.
func Deconvolution(x, w, b *nd.Array, opts ...DeconvolutionOptions) *nd.Array {
	const fn nd.Func = "conv.Deconvolution"
	o := options.Read(fn, opts)
	s := convolutionShapeOf(fn, x, w, b, ConvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: o.Group, ChannelLast: o.ChannelLast,
		DType: o.DType,
	})
	s.wantChannels(s.filters)
	outputs := s.group * s.groupChannels
	s.wantBias(b, outputs)
	more := s.outputPadding(o)
	s.outputSizes = s.sizes
	var sizes []int // of the result
	for axis, n := range s.outputSizes {
		whole := broadcast.Sum(broadcast.Product(s.stride[axis], n-1), s.extent(axis), more[axis])
		fn.CheckAllocatable(x.DType(), max(whole, 0))
		s.limitStride(axis, whole)
		size := broadcast.Sum(whole, broadcast.Product(s.pad[axis], -2))
		if s.taps[axis] == 0 || size < 0 {
			panic(fn.Errorf(s.operands(), "axis %d of the result would have length %d", axis, size))
		}
		sizes = append(sizes, size)
	}
	x = s.images(s.filters / s.group)
	s.sizes = sizes
	fused, b := s.splitBias(b)
	weight := s.weight()
	return s.finish(release.Operands(s.slideTransposed(0, x, weight, fused), x, weight), b, outputs, sizes)
}

// outputPadding returns the extra length of the result along each axis. If OutSize alone determines the padding, it sets that.
func (s *convolutionShape) outputPadding(o DeconvolutionOptions) []int {
	more := s.perAxis("OutputPadding", o.OutputPadding, 0, 0)
	for axis, n := range more {
		if n > 0 && n >= max(s.stride[axis], s.dilation[axis]) {
			panic(s.fn.Errorf(s.operands(), "OutputPadding %v: want less than the strides or dilations", o.OutputPadding))
		}
	}
	if len(o.OutSize) == 0 {
		return more
	}
	if len(o.OutputPadding) > 0 {
		panic(s.fn.Errorf(s.operands(), "want OutSize or OutputPadding, not both"))
	}
	for axis, wanted := range s.perAxis("OutSize", o.OutSize, 0, 0) {
		whole := broadcast.Sum(broadcast.Product(s.stride[axis], s.sizes[axis]-1), s.extent(axis))
		if excess := broadcast.Sum(whole, -wanted); len(o.Pad) == 0 && excess > 0 {
			s.pad[axis], more[axis] = excess/2+excess%2, excess%2
			continue
		}
		usual, most := broadcast.Sum(whole, broadcast.Product(s.pad[axis], -2)), max(s.stride[axis], s.dilation[axis])-1
		if more[axis] = broadcast.Sum(wanted, -usual); more[axis] < 0 || more[axis] > most {
			panic(s.fn.Errorf(s.operands(), "OutSize %v along axis %d: want %d to %d", o.OutSize, axis, usual, broadcast.Sum(usual, most)))
		}
	}
	return more
}
