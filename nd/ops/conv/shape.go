package conv

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// convolutionShape holds the checked sizes of a convolution and its transpose.
type convolutionShape struct {
	fn           nd.Func
	x, w         *nd.Array
	channelsLast bool        // whether the channels are the last axis
	outer        []int       // the lengths of the axes of the examples
	batch        int         // the number of examples
	group        int         // the number of groups
	sizes        []int       // the lengths of x along the axes of the window
	taps         []int       // the lengths of w along the axes of the window
	outputSizes  []int       // the lengths of the convolution's output along the axes of the window
	covered      []int       // the lengths that all windows cover, with the padding
	dtype        dtype.DType // the dtype of the sums
	dtypeGiven   bool        // whether the caller has chosen dtype
	fast         bool        // whether errors may be relative to the products around an element

	then *device.Program // what the kernel applies to each element of the result; nil for nothing

	pad, stride, dilation []int

	channels      int // the number of channels of x
	filters       int // the length of w's first axis
	groupChannels int // the length of w's other axis of channels, the channels per group
}

func (s *convolutionShape) operands() []*nd.Array {
	if s.w == nil {
		return []*nd.Array{s.x}
	}
	return []*nd.Array{s.x, s.w}
}

// convolutionShapeOf checks the operands of a convolution and reads its options.
func convolutionShapeOf(fn nd.Func, x, w, b *nd.Array, o ConvolutionOptions) *convolutionShape {
	fn.Check(x, w)
	if b != nil {
		fn.Check(x, b)
	}
	base := channelAxis(fn, x, w, o.BaseAxis)
	s := &convolutionShape{fn: fn, x: x, w: w, channelsLast: o.ChannelLast, group: o.Group, outer: x.Shape()[:base], dtype: o.DType, dtypeGiven: o.DType.Valid(), fast: o.Fast}
	if s.batch = broadcast.Size(s.outer); s.dtypeGiven {
		ufunc.RefuseCast(fn, s.dtype, s.operands()...)
		if b != nil {
			ufunc.RefuseCast(fn, s.dtype, b)
		}
	} else {
		s.dtype = ufunc.CommonType(s.operands())
	}
	if s.group == 0 {
		s.group = 1
	}
	rank := x.Rank() - base - 1
	if w.Rank() != rank+2 {
		panic(fn.Errorf(s.operands(), "x has %d axes of a window: want w to have %d axes", rank, rank+2))
	}
	at, channelsAt := base+1, base
	wideAt, tapsAt := 1, 2
	if s.channelsLast {
		at, channelsAt, wideAt, tapsAt = base, base+rank, rank+1, 1
	}
	lengths := make([]int, 2*rank)
	s.outputSizes, s.covered = lengths[:0:rank], lengths[rank:rank]
	s.sizes, s.channels = x.Shape()[at:at+rank], x.Dim(channelsAt)
	s.taps, s.filters, s.groupChannels = w.Shape()[tapsAt:tapsAt+rank], w.Dim(0), w.Dim(wideAt)
	if s.group < 0 || s.filters%s.group != 0 {
		panic(fn.Errorf(s.operands(), "%d groups: want a divisor of %d, the first axis of w", s.group, s.filters))
	}
	s.pad, s.stride, s.dilation = s.perAxis("Pad", o.Pad, 0, 0), s.perAxis("Stride", o.Stride, 1, 1), s.perAxis("Dilation", o.Dilation, 1, 1)
	return s
}

// channelAxis returns the number of axes of the examples. It panics if an array lacks the axes for channels and a window.
func channelAxis(fn nd.Func, x, w *nd.Array, baseAxis *int) int {
	base := argument.ValueOr(baseAxis, 1)
	if base < 0 {
		base += x.Rank()
	}
	if base < 0 || base > x.Rank()-2 {
		panic(fn.Errorf([]*nd.Array{x, w}, "base axis %d of %d axes: want an axis of channels and those of a window after it",
			argument.ValueOr(baseAxis, 1), x.Rank()))
	}
	return base
}

// perAxis returns the values of an option for each axis of the window.
func (s *convolutionShape) perAxis(name string, values []int, def, least int) []int {
	return argument.PerAxis(s.fn, s.operands(), name, values, len(s.sizes), def, least)
}

// addOutputSize appends the output's length along an axis, given the padded input's length, the window's extent and the stride.
func (s *convolutionShape) addOutputSize(axis, length, extent, stride int, coverAll bool) {
	room := length - extent
	if s.taps[axis] == 0 || room < 0 {
		panic(s.fn.Errorf(s.operands(), "the window has %d elements and spans %d along its axis %d, the padded input has %d",
			s.taps[axis], extent, axis, length))
	}
	size := windowsIn(room, stride, coverAll)
	s.outputSizes = append(s.outputSizes, size)
	reach := max(length, broadcast.Sum(broadcast.Product(stride, size-1), extent))
	s.covered = append(s.covered, reach)
	s.limitStride(axis, reach)
	s.fn.CheckAllocatable(s.x.DType(), broadcast.Product(s.covered...), max(s.batch, 1), max(s.channels, 1))
}

// limitStride limits a stride to the length that the windows cover: with a longer stride there is only one window, and
// devices may allocate in proportion to the stride. It limits the dilation of a window of one element likewise.
func (s *convolutionShape) limitStride(axis, reach int) {
	s.stride[axis], s.dilation[axis] = min(s.stride[axis], max(reach, 1)), min(s.dilation[axis], s.extent(axis))
}

// padded returns the length of the padded input along an axis of the window.
func (s *convolutionShape) padded(axis int) int {
	return broadcast.Sum(s.sizes[axis], s.pad[axis], s.pad[axis])
}

// extent returns the length of input that a window spans along an axis.
func (s *convolutionShape) extent(axis int) int {
	return broadcast.Sum(broadcast.Product(s.dilation[axis], s.taps[axis]-1), 1)
}

func (s *convolutionShape) wantChannels(fits int) {
	if s.channels != fits {
		panic(s.fn.Errorf(s.operands(), "x has %d channels, w is for %d in %d groups", s.channels, fits, s.group))
	}
}

func (s *convolutionShape) wantBias(b *nd.Array, channels int) {
	if b != nil && (b.Rank() != 1 || b.Dim(0) != channels) {
		panic(s.fn.Errorf([]*nd.Array{s.x, s.w, b}, "want a bias of shape (%d,)", channels))
	}
}
