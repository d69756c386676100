package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// ConvolutionOptions are the options of Convolution.
type ConvolutionOptions struct {
	// BaseAxis is the number of axes of x that belong to the examples, before the channels; nil means 1. A negative
	// number counts from the end.
	BaseAxis *int
	// Pad is the number of zeros before and after the elements, Stride the step of the window, Dilation the distance
	// between the elements that the window reads. Each has a number for each axis of the window, one for all, or none
	// for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups of channels, each with a convolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the input channels the last axis
	// of w.
	ChannelLast bool
	// CoverAll adds an element to the result if the window would leave the last elements out; x is padded with zeros
	// for it.
	CoverAll bool
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
// 1)/Stride⌋ + 1. With ChannelLast x (M…, L…, C), w (N, K…, C/Group), the result (M…, L'…, N).
// PyTorch: conv1d, conv2d, conv3d. NNabla: convolution. Chainer: convolution_2d, convolution_nd,
// dilated_convolution_2d. MXNet: convolution.
func Convolution(x, w, b *nd.Array, opts ...ConvolutionOptions) *nd.Array {
	const fn nd.Func = "ops.Convolution"
	o := options.Read(fn, opts)
	s := convolutionShapeOf(fn, x, w, b, o)
	s.wantChannels(s.group * s.wide)
	s.wantBias(b, s.filters)
	for axis := range s.sizes {
		s.place(axis, s.padded(axis), s.extent(axis), s.stride[axis], o.CoverAll)
	}
	fused, b := s.apart(b)
	images, weight := s.images(s.wide), s.weight()
	y := releasing(s.slide(0, images, weight, fused), images, weight)
	return s.finish(y, b, s.filters, s.places)
}

// DeconvolutionOptions are the options of Deconvolution.
type DeconvolutionOptions struct {
	// BaseAxis is the number of axes of x that belong to the examples, before the channels; nil means 1. A negative
	// number counts from the end.
	BaseAxis *int
	// Pad is the number of elements cut off both sides of the result, Stride the distance between neighbouring windows,
	// Dilation the distance between the elements of a window. Each has a number for each axis of the window, one for
	// all, or none for 0, 1 and 1.
	Pad, Stride, Dilation []int
	// Group is the number of groups of channels, each with a deconvolution of its own; 0 means 1.
	Group int
	// ChannelLast says that the channels are the last axis of x and of the result, and the output channels the last
	// axis of w.
	ChannelLast bool
	// OutputPadding makes the result longer, by less than Stride or Dilation: for each axis, one for all, or none for
	// 0.
	OutputPadding []int
	// DType is the dtype to compute in, and of the result, as in ConvolutionOptions.
	DType dtype.DType
}

// Deconvolution is the transpose of Convolution, its gradient by x: each element of x adds a multiple of its window w
// to the result, where overlapping windows add up. The bias b is added unless it is nil.
//
// Shapes: x (M…, C, L…), w (C, N/Group, K…), b (N); the result (M…, N, L'…) with L' = Stride(L-1) + Dilation(K-1) + 1 -
// 2Pad + OutputPadding. With ChannelLast x (M…, L…, C), w (C, K…, N/Group), the result (M…, L'…, N).
// PyTorch: conv_transpose1d, conv_transpose2d, conv_transpose3d. NNabla: deconvolution. Chainer: deconvolution_2d,
// deconvolution_nd. MXNet: deconvolution.
func Deconvolution(x, w, b *nd.Array, opts ...DeconvolutionOptions) *nd.Array {
	const fn nd.Func = "ops.Deconvolution"
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
	return s.finish(releasing(s.slideTransposed(0, x, weight, fused), x, weight), b, outputs, sizes)
}

// DepthwiseConvolutionOptions are the options of DepthwiseConvolution; the fields of ConvolutionOptions mean the same
// here.
type DepthwiseConvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Multiplier is the number of result channels for each channel of x; 0 means 1.
	Multiplier int
}

// DepthwiseConvolution is a Convolution in which every channel of x is a group of its own. Channel c·Multiplier + j of
// the result is the convolution of channel c with window c·Multiplier + j.
//
// Shapes: x (M…, C, L…), w (Multiplier·C, K…), b (Multiplier·C); the result (M…, Multiplier·C, L'…).
// NNabla: depthwise_convolution. Chainer: depthwise_convolution_2d.
func DepthwiseConvolution(x, w, b *nd.Array, opts ...DepthwiseConvolutionOptions) *nd.Array {
	const fn nd.Func = "ops.DepthwiseConvolution"
	o := options.Read(fn, opts)
	channels := channelsOf(fn, x, w, o.BaseAxis)
	multiplier := max(o.Multiplier, 1)
	if o.Multiplier < 0 || w.Dim(0) != multiplier*channels {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d channels, w %d windows: want %d for each channel", channels, w.Dim(0), multiplier))
	}
	defer showGiven(x, w, b)
	w = w.ExpandDims(1)
	defer w.Release()
	return Convolution(x, w, b, ConvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: channels,
	})
}

// DepthwiseDeconvolutionOptions are the options of DepthwiseDeconvolution; the fields of DeconvolutionOptions mean the
// same here.
type DepthwiseDeconvolutionOptions struct {
	BaseAxis              *int
	Pad, Stride, Dilation []int
	// Divisor is the number of consecutive channels of x that add up to one channel of the result; 0 means 1.
	Divisor int
}

// DepthwiseDeconvolution is the transpose of DepthwiseConvolution: every channel of x has a window of its own.
//
// Shapes: x (M…, C, L…), w (C, K…), b (C/Divisor); the result (M…, C/Divisor, L'…).
// NNabla: depthwise_deconvolution.
func DepthwiseDeconvolution(x, w, b *nd.Array, opts ...DepthwiseDeconvolutionOptions) *nd.Array {
	const fn nd.Func = "ops.DepthwiseDeconvolution"
	o := options.Read(fn, opts)
	channels := channelsOf(fn, x, w, o.BaseAxis)
	divisor := max(o.Divisor, 1)
	if o.Divisor < 0 || w.Dim(0) != channels || channels%divisor != 0 {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d channels, w %d windows: want equal numbers, a multiple of the divisor %d",
			channels, w.Dim(0), o.Divisor))
	}
	defer showGiven(x, w, b)
	w = w.ExpandDims(1)
	defer w.Release()
	return Deconvolution(x, w, b, DeconvolutionOptions{
		BaseAxis: o.BaseAxis, Pad: o.Pad, Stride: o.Stride, Dilation: o.Dilation, Group: channels / divisor,
	})
}

// channelsOf returns the number of channels of x; each channel is a group.
func channelsOf(fn nd.Func, x, w *nd.Array, baseAxis *int) int {
	fn.Check(x, w)
	base := channelAxis(fn, x, w, baseAxis)
	if w.Rank() != x.Rank()-base {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has %d axes from the channels on: want equally many axes of w", x.Rank()-base))
	}
	if x.Dim(base) == 0 {
		panic(fn.Errorf([]*nd.Array{x, w}, "x has no channels"))
	}
	return x.Dim(base)
}

// convolve runs the kernel for a part on the other two operands, in the order output, input, weight. Their axes are
// those of the kernel's loop. With last, the result has its channels last in memory. bias holds a number for each
// channel of the result, or is nil; t is the result's dtype.
func convolve(fn nd.Func, part device.Part, window device.Window, last bool, t dtype.DType, a, b, bias *nd.Array, shape []int) *nd.Array {
	result := newWithChannels(fn, last, part, t, a, b, shape)
	operands := [3]*nd.Array{result, a, b}
	y, x, w := operands[convolutionOrder[part][0]], operands[convolutionOrder[part][1]], operands[convolutionOrder[part][2]]
	loop := slices.Concat(y.Shape(), x.Shape()[2:3], w.Shape()[3:])
	l := fn.Launch(result.Device(), loop)
	l.Window, l.Part = window, part
	for k, operand := range operands {
		strides := convolutionStrides(operand, k == convolutionOrder[part][0], k == convolutionOrder[part][1], window)
		if k == 0 {
			l.WriteStrides(operand, strides)
		} else {
			l.ReadStrides(operand, strides)
		}
	}
	op := convolveOp{part, window, last}
	if bias == nil {
		l.Run(device.Device.Convolve)
		fn.Record(op, []*nd.Array{a, b}, result)
		return result
	}
	bias = bias.Reshape(slices.Concat(shape[1:3], ones(len(shape)-3))...)
	strides := make([]int, len(loop))
	strides[1] = bias.Strides()[0]
	if part == device.PartInput {
		strides[3+window.Rank] = bias.Strides()[1]
	} else {
		strides[2] = bias.Strides()[1]
	}
	l.ReadStrides(bias, strides)
	l.Run(device.Device.Convolve)
	if ufunc.Recorded(a, b, bias) {
		fn.Record(op, []*nd.Array{a, b, bias}, result)
	}
	bias.Release()
	return result
}

// convolutionOrder says for each part which of its three operands (result first) are y, x and w.
var convolutionOrder = [3][3]int{device.PartOutput: {0, 1, 2}, device.PartInput: {1, 0, 2}, device.PartWeight: {1, 2, 0}}

// convolutionStrides returns an operand's strides along the loop (n, g, m, places, c, taps).
func convolutionStrides(a *nd.Array, isY, isX bool, window device.Window) []int {
	r, own := window.Rank, a.Strides()
	all := make([]int, 4+2*r)
	switch {
	case isY:
		copy(all, own)
	case isX:
		all[0], all[1], all[3+r] = own[0], own[1], own[2]
		for axis, stride := range own[3:] {
			all[3+axis] = stride * window.Stride[axis]
			all[4+r+axis] = stride * window.Dilation[axis]
		}
	default:
		all[1], all[2], all[3+r] = own[0], own[1], own[2]
		copy(all[4+r:], own[3:])
	}
	return all
}

// newWithChannels allocates a result. With last, its channels are the last axes in memory: of the weight axis 2, of the
// others the groups and their channels, axes 1 and 2.
func newWithChannels(fn nd.Func, last bool, part device.Part, t dtype.DType, a, b *nd.Array, shape []int) *nd.Array {
	if !last {
		return fn.NewLike(t, shape, a, b)
	}
	from := 1
	if part == device.PartWeight {
		from = 2
	}
	inMemory := slices.Concat(shape[:from], shape[3:], shape[from:3])
	y := fn.NewLike(t, inMemory, a, b)
	order := slices.Concat(axisRange(0, from), axisRange(len(shape)-3+from, len(shape)), axisRange(from, len(shape)-3+from))
	return instead(y, y.Transpose(order...))
}

func axisRange(from, to int) []int {
	axes := make([]int, to-from)
	for k := range axes {
		axes[k] = from + k
	}
	return axes
}

// convolveOp is any part of a convolution. All parts are derivatives of one sum of products of y, x and w. So the
// gradient by one operand is another part: the derivative of the sum by that operand, with the result's gradient for
// the result. A third input is a bias.
type convolveOp struct {
	part   device.Part
	window device.Window
	last   bool
}

func (op convolveOp) VJP(c *nd.Call) {
	order := convolutionOrder[op.part]
	for wanted, k := range order {
		if k == 0 || !c.Needs(k-1) {
			continue
		}
		var given []*nd.Array
		for slot, j := range order {
			switch {
			case slot == wanted:
			case j == 0:
				given = append(given, c.Gy(0))
			default:
				given = append(given, Conj(c.In(j-1)))
			}
		}
		t := ufunc.CommonType(given)
		c.SetGx(k-1, convolve(c.Func(), device.Part(wanted), op.window, op.last, t, given[0], given[1], nil, c.Shape(k-1)))
	}
	if c.Inputs() == 3 && c.Needs(2) {
		c.SetGx(2, c.Func().SumTo(c.Gy(0), c.Shape(2)))
	}
}
