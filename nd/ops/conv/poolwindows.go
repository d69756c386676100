package conv

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// sliding describes how the windows of a pooling slide over an array. The kernels see planes: arrays of batch,
// channels, and one to three axes over which the windows slide.
type sliding struct {
	fn      nd.Func
	window  device.Window
	kernel  []int
	windows []int // the number of windows along each axis

	rank        int   // of the array
	batch       []int // the lengths of the axes over which windows do not slide
	channelLast bool
}

// newGeometry checks the kernel; the options have a number for each of its lengths. The caller sets the number of windows and
// the sizes of the axes over which they slide.
func newGeometry(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *sliding {
	r := len(kernel)
	s := &sliding{fn: fn, kernel: append([]int{}, kernel...), rank: x.Rank(), channelLast: o.ChannelLast}
	need := r
	if o.ChannelLast {
		need++
	}
	if r < 1 || x.Rank() < need {
		panic(fn.Errorf([]*nd.Array{x}, "kernel %v: want at least one length, and an array with as many axes besides the channels", kernel))
	}
	s.window.Rank = r
	for k := range min(r, len(s.window.Stride)) {
		s.window.Stride[k], s.window.Dilation[k], s.window.Before[k] = o.Stride[k], o.Dilation[k], o.Pad[k]
	}
	shape := x.Shape()
	s.batch = append(s.batch, shape[:s.axis(0)]...)
	if s.channelLast {
		s.batch = append(s.batch, shape[s.rank-1])
	}
	return s
}

// atMostThree panics if the windows have more axes than a launch supports.
func (s *sliding) atMostThree(x *nd.Array) {
	if s.window.Rank > 3 {
		panic(s.fn.Errorf([]*nd.Array{x}, "kernel %v: want up to three lengths", s.kernel))
	}
}

// newSliding slides windows over x.
func newSliding(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *sliding {
	s := newGeometry(fn, x, kernel, o)
	s.atMostThree(x)
	cover := coveringOf(o.CoverAll, o.CoverPadding, o.IgnoreBorder)
	var reach []int // the span of the windows along each axis, with the padding
	for k := range s.window.Rank {
		n := x.Dim(s.axis(k))
		s.window.Size[k] = n
		along := s.windowsAlong(k)
		count := along.count(n, cover)
		if count == 0 && n != 0 {
			panic(fn.Errorf([]*nd.Array{x}, "no window of kernel %v fits into axis %d with padding %d", kernel, s.axis(k), s.window.Before[k]))
		}
		s.windows = append(s.windows, count)
		reach = append(reach, max(1, along.padded(n), broadcast.Sum(broadcast.Product(along.stride, max(count-1, 0)), along.extent())))
		s.window.Stride[k] = min(along.stride, reach[k])                    // a longer stride also gives a single window
		s.window.Dilation[k] = min(along.dilation, max(1, along.padded(n))) // likewise for a longer dilation
	}
	fn.CheckAllocatable(x.DType(), reach...)
	return s
}

// windowsAlong returns the windows along an axis.
func (s *sliding) windowsAlong(k int) windows {
	return windows{s.kernel[k], s.window.Stride[k], s.window.Before[k], s.window.Dilation[k]}
}

// axis returns the k-th of the array's axes over which windows slide.
func (s *sliding) axis(k int) int {
	first := s.rank - s.window.Rank
	if s.channelLast {
		first--
	}
	return first + k
}

// planes brings the axes of x into the kernels' order.
func (s *sliding) planes(x *nd.Array) *nd.Array {
	given := x
	if s.channelLast {
		x = x.MoveAxis([]int{-1}, []int{s.axis(0)})
	}
	y := x
	switch len(s.batch) {
	case 2:
		return x
	case 1:
		y = x.ExpandDims(0)
	default:
		y = x.Reshape(append([]int{1, broadcast.Size(s.batch)}, x.Shape()[len(s.batch):]...)...)
	}
	release.Unless(x, given)
	return y
}

// unplanes gives a result computed from planes the array's order of axes.
func (s *sliding) unplanes(y *nd.Array) *nd.Array {
	if len(s.batch) != 2 {
		y = release.Replace(y, y.Reshape(append(append([]int{}, s.batch...), y.Shape()[2:]...)...))
	}
	if s.channelLast {
		y = release.Replace(y, y.MoveAxis([]int{s.axis(0)}, []int{-1}))
	}
	return y
}

// traced describes the windows to translators.
func (s *sliding) traced(combine device.Combine) traced.Pool {
	return traced.Pool{Combine: combine, Window: s.window, Kernel: s.kernel}
}

// newLaunch begins a launch on planes of a shape that begins with batch and channels.
func (s *sliding) newLaunch(x *nd.Array) nd.Launch {
	loop := append(x.Shape()[:2], s.windows...)
	l := s.fn.Launch(x.Device(), append(loop, s.kernel...))
	l.Window = s.window
	return l
}

// inputStrides returns the strides of planes for the axes of the loop.
func (s *sliding) inputStrides(x *nd.Array) []int {
	own := x.Strides()
	strides := append([]int{}, own[:2]...)
	for k := range s.window.Rank {
		strides = append(strides, own[2+k]*s.window.Stride[k])
	}
	for k := range s.window.Rank {
		strides = append(strides, own[2+k]*s.window.Dilation[k])
	}
	return strides
}

// windowStrides returns, for the axes of the loop, the strides of an array that has one element per window.
func (s *sliding) windowStrides(y *nd.Array) []int {
	return append(y.Strides(), make([]int, s.window.Rank)...)
}

// newInput and newWindows return planes like x: newInput in the shape over which windows slide, newWindows with one
// element per window.
func (s *sliding) newInput(x *nd.Array) *nd.Array {
	return s.fn.NewLike(x.DType(), append(x.Shape()[:2], s.window.Size[:s.window.Rank]...), x)
}

func (s *sliding) newWindows(t dtype.DType, x *nd.Array) *nd.Array {
	return s.fn.NewLike(t, append(x.Shape()[:2], s.windows...), x)
}

// countsAlong returns how many points of each window lie in the array, or in it and the padding, along one axis.
func (s *sliding) countsAlong(k int, padding bool) []float64 {
	from, to := 0, s.window.Size[k]
	if padding {
		from, to = -s.window.Before[k], to+s.window.Before[k]
	}
	counts := make([]float64, s.windows[k])
	for o := range counts {
		start := o*s.window.Stride[k] - s.window.Before[k]
		step := s.window.Dilation[k]
		before := func(end int) int { return max(0, min(s.kernel[k], (end-start+step-1)/step)) } // the number of window points before end
		counts[o] = float64(before(max(start, to)) - before(max(start, from)))
	}
	return counts
}

// counts returns how many points of each window count, on the device of x: one number if all windows have the same
// count.
func (s *sliding) counts(padding bool, x *nd.Array) *nd.Array {
	common, varying := 1.0, (*nd.Array)(nil)
	for k := range s.window.Rank {
		counts := s.countsAlong(k, padding)
		same := true
		for _, n := range counts {
			same = same && n == counts[0]
		}
		if same && len(counts) > 0 {
			common *= counts[0]
		}
		if same {
			continue
		}
		shape := broadcast.Ones(s.window.Rank)
		shape[k] = len(counts)
		whole := nd.FromSliceOn(x.Device(), counts, shape...)
		factor := release.Replace(whole, whole.AsType(x.DType()))
		if varying != nil {
			factor = release.Operands(ops.Multiply(varying, factor), varying, factor)
		}
		varying = factor
	}
	if varying == nil {
		return nd.Scalar(common)
	}
	return release.Operands(ops.Multiply(varying, common), varying)
}
