package conv

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// PoolingOptions are the options of MaxPooling, SumPooling and LPPooling. Stride, Pad and Dilation have a number for each axis
// over which the windows slide, or one for all.
type PoolingOptions struct {
	// Stride is the distance between windows along each axis; nil means the kernel's lengths.
	Stride []int
	// IgnoreBorder leaves out windows that reach beyond the padded array; nil means true. If it is false, a window
	// begins at each stride in the array or in the padding before it.
	IgnoreBorder *bool
	// CoverAll overrides IgnoreBorder and counts a last window that reaches beyond the padding if points would be left
	// over otherwise and the window holds an element. It is PyTorch's ceil_mode.
	CoverAll bool
	// CoverPadding is CoverAll that counts this window even if it holds only padding. It is Chainer's cover_all, the
	// default of its max_pooling, and MXNet's pooling convention full.
	CoverPadding bool
	// Pad is the number of points of padding before and behind each axis; nil means 0. A padding point is never the
	// largest.
	Pad []int
	// Dilation is the distance between the points of a window along each axis; nil means 1.
	Dilation []int
	// ChannelLast says that the last axis holds the channels, and the windows slide over the axes before it.
	ChannelLast bool
}

// AveragePoolingOptions are the options of AveragePooling. Stride, Pad and Dilation have a number for each axis over which
// the windows slide, or one for all.
type AveragePoolingOptions struct {
	// Stride is the distance between windows along each axis; nil means the kernel's lengths.
	Stride []int
	// IgnoreBorder is as in PoolingOptions; nil means true.
	IgnoreBorder *bool
	// CoverAll and CoverPadding are as in PoolingOptions.
	CoverAll, CoverPadding bool
	// Pad is the number of zeros before and behind each axis; nil means 0.
	Pad []int
	// Dilation is as in PoolingOptions.
	Dilation []int
	// ChannelLast says that the last axis holds the channels, and the windows slide over the axes before it.
	ChannelLast bool
	// IncludingPad counts the padding in the divisor, but never points beyond the padding; nil means true.
	IncludingPad *bool
}

// MaxPooling returns the largest element of each window, or NaN if the window has one. Windows of the kernel's shape
// slide over the last axes; all other axes are batch and channels. A kernel of one length has this length along all
// axes after the first two, the batch and the channels: MaxPooling(x, []int{2}) of images has windows of 2 × 2. Of an
// array with two axes or one, it slides over the last. Along an axis of length n there are floor((n + 2·pad
// - kernel)/stride) + 1 windows; floor((n + pad - 1)/stride) + 1 without IgnoreBorder; with CoverAll possibly one more:
// see OutputSize. With a Dilation the kernel counts as dilation·(kernel - 1) + 1. A window that holds only padding gives
// -Inf, or the smallest integer. At a tie the gradient goes to the first of the equal elements.
// PyTorch: nn.functional.max_pool1d, nn.functional.max_pool2d, nn.functional.max_pool3d. NNabla: max_pooling. Chainer:
// max_pooling_2d, max_pooling_nd. MXNet: pooling.
func MaxPooling(x *nd.Array, kernel []int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.MaxPooling"
	return pooled(fn, x, kernel, options.Read(fn, opts), maxPooling)
}

// MaxPoolingWithIndex is MaxPooling that also returns the row-major position (int64) of each largest element within its
// window. Upsampling takes these positions.
// PyTorch: nn.functional.max_pool1d_with_indices, nn.functional.max_pool2d_with_indices,
// nn.functional.max_pool3d_with_indices.
func MaxPoolingWithIndex(x *nd.Array, kernel []int, opts ...PoolingOptions) (y, index *nd.Array) {
	const fn nd.Func = "conv.MaxPoolingWithIndex"
	x = argument.Ordered(fn, x)
	kernel, o := options.Read(fn, opts).perAxis(fn, x, kernel)
	s := newSliding(fn, x, kernel, o)
	planes := s.planes(x)
	defer release.Unless(planes, x)
	y, index = s.largest(planes, dtype.Int64)
	return s.unplanes(y), s.unplanes(index)
}

func maxPooling(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
	x = argument.Ordered(fn, x)
	s := newSliding(fn, x, kernel, o)
	planes := s.planes(x)
	defer release.Unless(planes, x)
	return s.unplanes(s.highest(planes))
}

// SumPooling returns the sum of each window; windows are as in MaxPooling.
// NNabla: sum_pooling. MXNet: pooling.
func SumPooling(x *nd.Array, kernel []int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.SumPooling"
	return pooled(fn, x, kernel, options.Read(fn, opts), sumPooling)
}

func sumPooling(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
	x = argument.Numbers(fn, x)
	s := newSliding(fn, x, kernel, o)
	planes := s.planes(x)
	defer release.Unless(planes, x)
	return s.unplanes(s.sums(planes))
}

// AveragePooling returns the mean of each window; windows are as in MaxPooling. Padding counts as zeros, unless
// IncludingPad is false: then the mean covers only the array's elements, and a window that holds none of them has no
// mean. Integers give floats.
// PyTorch: nn.functional.avg_pool1d, nn.functional.avg_pool2d, nn.functional.avg_pool3d. NNabla: average_pooling.
// Chainer: average_pooling_2d, average_pooling_nd. MXNet: pooling.
func AveragePooling(x *nd.Array, kernel []int, opts ...AveragePoolingOptions) *nd.Array {
	const fn nd.Func = "conv.AveragePooling"
	o := options.Read(fn, opts)
	padding := argument.ValueOr(o.IncludingPad, true)
	x = argument.Numbers(fn, x)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(dtype.FloatType(x.DType()))
	t := x.DType()
	if t.Size() == 2 { // the sums of a 2-byte dtype may overflow where the means do not
		x = x.AsType(dtype.Float32)
	}
	y := pooled(fn, x, kernel, PoolingOptions{Stride: o.Stride, IgnoreBorder: o.IgnoreBorder, CoverAll: o.CoverAll,
		CoverPadding: o.CoverPadding, Pad: o.Pad,
		Dilation: o.Dilation, ChannelLast: o.ChannelLast}, func(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
		s := newSliding(fn, x, kernel, o)
		y, counts := s.sums(s.planes(x)), made.Own(s.counts(padding, x))
		if ufunc.Recorded(y) {
			return s.unplanes(ops.Divide(y, counts))
		}
		return s.unplanes(ops.Divide(y, counts, ops.Into(y)))
	})
	return made.Keep(y.AsType(t))
}

// GlobalAveragePooling returns the mean of each channel over all axes from the third on. The reduced axes, at least
// two, stay with length 1: (N, C, H, W) gives (N, C, 1, 1).
// NNabla: global_average_pooling.
func GlobalAveragePooling(x *nd.Array) *nd.Array {
	const fn nd.Func = "conv.GlobalAveragePooling"
	x = argument.Numbers(fn, x)
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array with axes for batch, channels and locations"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	for x.Rank() < 4 {
		x = x.ExpandDims(x.Rank())
	}
	return made.Keep(ops.Mean(x, ops.ReduceOptions{Axes: broadcast.AllAxes(x.Rank())[2:], KeepDims: true}))
}

// SpatialPyramidPooling returns the largest elements of ever finer grids. Level i of height levels cuts each of the
// last two axes into 2^i parts of ceil(n/2^i) points, padded to be equal. A part that holds only padding gives -Inf, or
// the smallest integer. All parts of all channels form one axis,
// level by level, so that the result's shape (N, C·(4^height-1)/3, 1, 1) does not depend on the size of the image. (He
// et al. 2014, "Spatial pyramid pooling in deep convolutional networks for visual recognition")
// Chainer: spatial_pyramid_pooling_2d.
func SpatialPyramidPooling(x *nd.Array, height int) *nd.Array {
	const fn nd.Func = "conv.SpatialPyramidPooling"
	x = argument.Numbers(fn, x)
	if x.Rank() != 4 || x.Dim(2) == 0 || x.Dim(3) == 0 || height < 1 || height > 15 {
		panic(fn.Errorf([]*nd.Array{x}, "want a non-empty array of four axes, and 1 to 15 levels"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	var levels []*nd.Array
	for i := range height {
		kernel, pad := make([]int, 2), make([]int, 2)
		for k := range 2 {
			n := x.Dim(2 + k)
			kernel[k] = (n + 1<<i - 1) >> i
			pad[k] = (kernel[k]<<i - n) / 2
		}
		y := pooled(fn, x, kernel, PoolingOptions{Pad: pad, CoverPadding: true}, maxPooling)
		levels = append(levels, y.Reshape(x.Dim(0), y.Dim(1)*y.Dim(2)*y.Dim(3), 1, 1))
	}
	return made.Keep(ops.Concatenate(levels, ops.Over(1)))
}

// perAxis returns the kernel and the options with a number for each axis over which windows slide.
func (o PoolingOptions) perAxis(fn nd.Func, x *nd.Array, kernel []int) ([]int, PoolingOptions) {
	fn.Check(x)
	in := []*nd.Array{x}
	kernel = kernelOf(x, kernel)
	n := len(kernel)
	argument.PerAxis(fn, in, "kernel", kernel, n, 1, 1)
	if o.Stride == nil {
		o.Stride = kernel
	}
	o.Stride = argument.PerAxis(fn, in, "Stride", o.Stride, n, 1, 1)
	o.Pad, o.Dilation = argument.PerAxis(fn, in, "Pad", o.Pad, n, 0, 0), argument.PerAxis(fn, in, "Dilation", o.Dilation, n, 1, 1)
	return kernel, o
}

// kernelOf returns a length for each axis over which windows slide. One length stands for all axes after the first two, or for the
// last one.
func kernelOf(x *nd.Array, kernel []int) []int {
	if len(kernel) != 1 {
		return kernel
	}
	return slices.Repeat(kernel, max(x.Rank()-2, 1))
}

// pooled pools with the kernel and the options of a call.
func pooled(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions, pool func(nd.Func, *nd.Array, []int, PoolingOptions) *nd.Array) *nd.Array {
	kernel, o = o.perAxis(fn, x, kernel)
	return poolManyAxes(fn, x, kernel, o, pool)
}

// poolManyAxes pools over more than three axes in parts, the last three axes first: sums, means and largest elements of
// windows are those of the results of their slices. At a tie the first of the equal elements still wins.
func poolManyAxes(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions, pool func(nd.Func, *nd.Array, []int, PoolingOptions) *nd.Array) *nd.Array {
	first := len(kernel) - 3
	if first < 1 {
		return pool(fn, x, kernel, o)
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	s := newGeometry(fn, argument.Numbers(fn, x), kernel, o)
	if o.ChannelLast {
		x = x.MoveAxis([]int{-1}, []int{s.axis(0)})
		o.ChannelLast = false
		return made.Keep(poolManyAxes(fn, x, kernel, o, pool).MoveAxis([]int{s.axis(0)}, []int{-1}))
	}
	rest := o
	o.Stride, rest.Stride = o.Stride[first:], o.Stride[:first]
	o.Pad, rest.Pad = o.Pad[first:], o.Pad[:first]
	o.Dilation, rest.Dilation = o.Dilation[first:], o.Dilation[:first]
	done, aside := []int{-3, -2, -1}, []int{0, 1, 2}
	y := pool(fn, x, kernel[first:], o).MoveAxis(done, aside)
	return made.Keep(poolManyAxes(fn, y, kernel[:first], rest, pool).MoveAxis(aside, done))
}

// These operations on planes are recorded. sums and addToWindows are each other's transpose, and so are scatterAtPositions and
// gatherAtPositions; the gradient of largest is scatterAtPositions. So gradients of every order consist of these operations.

// highest returns the largest element of each window of planes. It stores the positions only for the gradient, as bytes
// if bytes can hold them.
func (s *sliding) highest(x *nd.Array) *nd.Array {
	if node, _ := x.Node(); node != nil {
		positions := dtype.Uint8
		if broadcast.Size(s.kernel) > 256 {
			positions = dtype.Int64
		}
		y, index := s.largest(x, positions)
		index.Release() // the tape keeps it
		return y
	}
	y := s.newWindows(x.DType(), x)
	l := s.newLaunch(x)
	l.Combine = device.CombineMax
	l.WriteStrides(y, s.windowStrides(y))
	l.Skip()
	l.ReadStrides(x, s.inputStrides(x))
	l.Run(device.Device.Pool)
	return y
}

// largest returns the largest element of each window of planes, and its position in the window.
func (s *sliding) largest(x *nd.Array, positions dtype.DType) (y, index *nd.Array) {
	y, index = s.newWindows(x.DType(), x), s.newWindows(positions, x)
	l := s.newLaunch(x)
	l.Combine = device.CombineMax
	l.WriteStrides(y, s.windowStrides(y))
	l.WriteStrides(index, s.windowStrides(index))
	l.ReadStrides(x, s.inputStrides(x))
	l.Run(device.Device.Pool)
	s.fn.Record(largestOp{s}, []*nd.Array{x}, y, index)
	return y, index
}

// largestOp passes the gradient to the largest elements. Their positions do not depend on small changes.
type largestOp struct{ *sliding }

func (op largestOp) Claims() nd.Claims { return nd.Claims{Out: 1 << 1} }

func (op largestOp) Traced() any { return op.traced(device.CombineMax) }

func (op largestOp) VJP(c *nd.Call) {
	if c.Gy(0) != nil {
		c.SetGx(0, op.scatterAtPositions(c.Gy(0), c.Out(1)))
	}
}

// sums returns the sum of each window of planes.
func (s *sliding) sums(x *nd.Array) *nd.Array {
	y := s.newWindows(x.DType(), x)
	l := s.newLaunch(x)
	l.Combine = device.CombineSum
	l.WriteStrides(y, s.windowStrides(y))
	l.Skip()
	l.ReadStrides(x, s.inputStrides(x))
	l.Run(device.Device.Pool)
	s.fn.Record(sumsOp{s}, []*nd.Array{x}, y)
	return y
}

type sumsOp struct{ *sliding }

func (op sumsOp) Claims() nd.Claims { return nd.Claims{} }

func (op sumsOp) Traced() any { return op.traced(device.CombineSum) }

func (op sumsOp) VJP(c *nd.Call) { c.SetGx(0, op.addToWindows(c.Gy(0))) }

// addToWindows adds each element of y, one per window, to all points of its window.
func (s *sliding) addToWindows(y *nd.Array) *nd.Array {
	x := s.newInput(y)
	l := s.newLaunch(y)
	l.WriteStrides(x, s.inputStrides(x))
	l.ReadStrides(y, s.windowStrides(y))
	l.Run(device.Device.PoolGrad)
	s.fn.Record(addToWindowsOp{s}, []*nd.Array{y}, x)
	return x
}

type addToWindowsOp struct{ *sliding }

func (op addToWindowsOp) Claims() nd.Claims { return nd.Claims{} }

func (op addToWindowsOp) VJP(c *nd.Call) { c.SetGx(0, op.sums(c.Gy(0))) }

// scatterAtPositions adds each element of y, one per window, to one point of its window.
func (s *sliding) scatterAtPositions(y, index *nd.Array) *nd.Array {
	x := s.newInput(y)
	l := s.newLaunch(y)
	l.WriteStrides(x, s.inputStrides(x))
	l.ReadStrides(y, s.windowStrides(y))
	l.ReadStrides(index, s.windowStrides(index))
	l.Run(device.Device.PoolGrad)
	s.fn.Record(scatterAtPositionsOp{s}, []*nd.Array{y, index}, x)
	return x
}

type scatterAtPositionsOp struct{ *sliding }

func (op scatterAtPositionsOp) Claims() nd.Claims { return nd.Claims{In: 1 << 1} }

func (op scatterAtPositionsOp) VJP(c *nd.Call) { c.SetGx(0, op.gatherAtPositions(c.Gy(0), c.In(1))) }

// gatherAtPositions returns the element of planes x at one point of each window, or 0 if that point lies outside.
func (s *sliding) gatherAtPositions(x, index *nd.Array) *nd.Array {
	rank := x.Rank()
	made := s.fn.Temporaries(&x, &index)
	defer made.Release()
	along := func(axis, n, first, step int) *nd.Array {
		shape := broadcast.Ones(rank)
		shape[axis] = n
		return made.Own(nd.ArangeInt(first, first+n*step, step, nd.ArrayOptions{Device: x.Device()})).Reshape(shape...)
	}
	index = index.AsType(dtype.Int64)
	indices := make([]*nd.Array, rank)
	for axis := range 2 {
		indices[axis] = along(axis, x.Dim(axis), 0, 1)
	}
	wrong := ops.LogicalOr(ops.Less(index, 0), ops.GreaterEqual(index, broadcast.Size(s.kernel)))
	rest := index
	for k := s.window.Rank - 1; k >= 0; k-- {
		length := nd.Scalar(s.kernel[k])
		start := along(2+k, s.windows[k], -s.window.Before[k], s.window.Stride[k])
		indices[2+k] = ops.Add(start, ops.Multiply(ops.Remainder(rest, length), s.window.Dilation[k]))
		rest = ops.FloorDivide(rest, length)
	}
	indices[2] = ops.Where(wrong, -1, indices[2])
	return made.Keep(s.fn.Gather(x, broadcast.AllAxes(rank), 0, indices, device.BoundsDrop))
}
