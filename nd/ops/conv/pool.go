package conv

import (
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

// PoolingOptions are the options of MaxPooling, SumPooling and LPPooling.
type PoolingOptions struct {
	// Stride is how far apart windows are along each axis; nil means the kernel's lengths.
	Stride []int
	// IgnoreBorder leaves out windows that reach beyond the padded array; nil means true. If false, there is a window at
	// each stride that begins in the array or the padding before it.
	IgnoreBorder *bool
	// CoverAll makes as many windows as it takes for each element to be in one, instead of what IgnoreBorder says. It is
	// Chainer's default for MaxPooling, and MXNet's pooling convention full.
	CoverAll bool
	// Pad is how many points of padding each axis has before and behind it; nil means 0. They never are the largest.
	Pad []int
	// Dilation is how far apart the points of a window are along each axis; nil means 1.
	Dilation []int
	// ChannelLast says that the last axis holds the channels, and the windows slide over the axes before it.
	ChannelLast bool
}

// AveragePoolingOptions are the options of AveragePooling.
type AveragePoolingOptions struct {
	// Stride is how far apart windows are along each axis; nil means the kernel's lengths.
	Stride []int
	// IgnoreBorder is as in PoolingOptions; nil means true.
	IgnoreBorder *bool
	// CoverAll is as in PoolingOptions.
	CoverAll bool
	// Pad is how many zeros of padding each axis has before and behind it; nil means 0.
	Pad []int
	// Dilation is as in PoolingOptions.
	Dilation []int
	// ChannelLast says that the last axis holds the channels, and the windows slide over the axes before it.
	ChannelLast bool
	// IncludingPad counts the padding in the divisor, though never what lies beyond it; nil means true.
	IncludingPad *bool
}

// MaxPooling returns the largest element of each window, or a not-a-number where there is one. Windows of the kernel's
// shape slide over the last axes; all others are batch and channels. Along an axis of length n
// there are floor((n + 2·pad - kernel)/stride) + 1 windows; floor((n + pad - 1)/stride) + 1 without IgnoreBorder;
// ceil((n + 2·pad - kernel)/stride) + 1 with CoverAll; with a Dilation the kernel counts as dilation·(kernel - 1) + 1. A window of nothing but padding gives -Inf, or the least integer.
// The gradient goes to the first of several equal elements. nnabla max_pooling, chainer max_pooling_2d and max_pooling_nd,
// mxnet pooling, torch.nn.functional.max_pool1d, torch.nn.functional.max_pool2d, torch.nn.functional.max_pool3d.
func MaxPooling(x *nd.Array, kernel []int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.MaxPooling"
	return overMany(fn, x, kernel, options.Read(fn, opts), func(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
		return maxPooling(fn, x, kernel, o)
	})
}

// MaxPoolingWithIndex is MaxPooling that also returns (int64) the row-major position within its window of each largest
// element: what Upsampling takes. torch.nn.functional.max_pool1d_with_indices, torch.nn.functional.max_pool2d_with_indices,
// torch.nn.functional.max_pool3d_with_indices.
func MaxPoolingWithIndex(x *nd.Array, kernel []int, opts ...PoolingOptions) (y, index *nd.Array) {
	const fn nd.Func = "conv.MaxPoolingWithIndex"
	x = argument.Ordered(fn, x)
	s := newSliding(fn, x, kernel, options.Read(fn, opts))
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

// SumPooling returns the sum of each window; windows are as in MaxPooling. nnabla sum_pooling, mxnet pooling.
func SumPooling(x *nd.Array, kernel []int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.SumPooling"
	return overMany(fn, x, kernel, options.Read(fn, opts), sumPooling)
}

func sumPooling(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
	x = argument.Numbers(fn, x)
	s := newSliding(fn, x, kernel, o)
	planes := s.planes(x)
	defer release.Unless(planes, x)
	return s.unplanes(s.sums(planes))
}

// AveragePooling returns the mean of each window; windows are as in MaxPooling, and padding counts as zeros unless
// IncludingPad is false: then the mean is that of the array's elements, which a window without any does not have.
// Integers give floats. nnabla average_pooling, chainer average_pooling_2d and average_pooling_nd, mxnet pooling,
// torch.nn.functional.avg_pool1d, torch.nn.functional.avg_pool2d, torch.nn.functional.avg_pool3d.
func AveragePooling(x *nd.Array, kernel []int, opts ...AveragePoolingOptions) *nd.Array {
	const fn nd.Func = "conv.AveragePooling"
	o := options.Read(fn, opts)
	padding := argument.ValueOr(o.IncludingPad, true)
	x = argument.Numbers(fn, x)
	made := fn.Temporaries(&x)
	defer made.Release()
	x = x.AsType(dtype.FloatType(x.DType()))
	t := x.DType()
	if t.Size() == 2 { // whose sums may overflow where means do not
		x = x.AsType(dtype.Float32)
	}
	y := overMany(fn, x, kernel, PoolingOptions{Stride: o.Stride, IgnoreBorder: o.IgnoreBorder, CoverAll: o.CoverAll, Pad: o.Pad,
		Dilation: o.Dilation, ChannelLast: o.ChannelLast}, func(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions) *nd.Array {
		s := newSliding(fn, x, kernel, o)
		y, counts := s.sums(s.planes(x)), made.Own(s.counts(padding, x))
		if ufunc.Recorded(y) {
			return s.unplanes(ops.Divide(y, counts))
		}
		return s.unplanes(ops.Divide(y, counts, ops.UfuncOptions{Out: y}))
	})
	return made.Keep(y.AsType(t))
}

// LPPooling returns (Σx^p)^(1/p) over each window, for p of 1, 2 or 3; windows are as in MaxPooling. It takes no absolute
// value first. The gradient of a root at 0 counts as 0. mxnet pooling of type lp. torch.nn.functional.lp_pool1d,
// torch.nn.functional.lp_pool2d, torch.nn.functional.lp_pool3d.
func LPPooling(x *nd.Array, kernel []int, p int, opts ...PoolingOptions) *nd.Array {
	const fn nd.Func = "conv.LPPooling"
	if p < 1 || p > 3 {
		panic(fn.Errorf([]*nd.Array{x}, "p = %d: want 1, 2 or 3", p))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	x = argument.Float(fn, argument.Numbers(fn, x))
	switch p {
	case 2:
		return made.Keep(ufunc.RootOfSquares.Apply1(overMany(fn, ops.Square(x), kernel, options.Read(fn, opts), sumPooling)))
	case 3:
		return made.Keep(rootOfCubes.Apply1(overMany(fn, ops.Multiply(ops.Square(x), x), kernel, options.Read(fn, opts), sumPooling)))
	}
	return made.Keep(overMany(fn, x, kernel, options.Read(fn, opts), sumPooling))
}

var rootOfCubes = ufunc.Definition{Fn: "conv.LPPooling", Body: "cbrt(x)", Gradient: "gx = y == 0 ? T(0) : gy / (y * y * 3)"}

// GlobalAveragePooling returns the mean of each channel over all axes from the third on, of which at least two are left
// with length 1: (N, C, H, W) gives (N, C, 1, 1). nnabla global_average_pooling.
func GlobalAveragePooling(x *nd.Array) *nd.Array {
	const fn nd.Func = "conv.GlobalAveragePooling"
	x = argument.Numbers(fn, x)
	if x.Rank() < 2 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of batch, channels and places"))
	}
	made := fn.Temporaries(&x)
	defer made.Release()
	for x.Rank() < 4 {
		x = x.ExpandDims(x.Rank())
	}
	return made.Keep(ops.Mean(x, ops.ReduceOptions{Axes: broadcast.AllAxes(x.Rank())[2:], KeepDims: true}))
}

// SpatialPyramidPooling returns largest elements of ever finer grids: level i of height levels cuts the last two axes into
// 2^i parts each, of ceil(n/2^i) points and padded to be equal. All parts of all channels make one axis, level by level,
// so that the result's shape (N, C·(4^height-1)/3, 1, 1) does not depend on the size of the image. chainer
// spatial_pyramid_pooling_2d. (He et al. 2014, "Spatial pyramid pooling in deep convolutional networks for visual
// recognition")
func SpatialPyramidPooling(x *nd.Array, height int) *nd.Array {
	const fn nd.Func = "conv.SpatialPyramidPooling"
	x = argument.Numbers(fn, x)
	if x.Rank() != 4 || x.Dim(2) == 0 || x.Dim(3) == 0 || height < 1 || height > 15 {
		panic(fn.Errorf([]*nd.Array{x}, "want an array of four axes that is not empty, and 1 to 15 levels"))
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
		y := maxPooling(fn, x, kernel, PoolingOptions{Pad: pad, CoverAll: true})
		levels = append(levels, y.Reshape(x.Dim(0), y.Dim(1)*y.Dim(2)*y.Dim(3), 1, 1))
	}
	return made.Keep(ops.Concatenate(levels, ops.Over(1)))
}

// overMany pools over more than three axes by parts, the last three first: sums, means and largest elements of windows are
// those of their slices'. Of equal largest elements the first still counts.
func overMany(fn nd.Func, x *nd.Array, kernel []int, o PoolingOptions, pool func(nd.Func, *nd.Array, []int, PoolingOptions) *nd.Array) *nd.Array {
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
		return made.Keep(overMany(fn, x, kernel, o, pool).MoveAxis([]int{s.axis(0)}, []int{-1}))
	}
	rest := o
	if o.Stride != nil {
		o.Stride, rest.Stride = o.Stride[first:], o.Stride[:first]
	}
	if o.Pad != nil {
		o.Pad, rest.Pad = o.Pad[first:], o.Pad[:first]
	}
	if o.Dilation != nil {
		o.Dilation, rest.Dilation = o.Dilation[first:], o.Dilation[:first]
	}
	done, aside := []int{-3, -2, -1}, []int{0, 1, 2}
	y := pool(fn, x, kernel[first:], o).MoveAxis(done, aside)
	return made.Keep(overMany(fn, y, kernel[:first], rest, pool).MoveAxis(aside, done))
}

// The operations on planes that are recorded. sums and spread are each other's transpose, and so are place and taken; the
// gradient of largest is place. So gradients of every order are made of these.

// highest returns the largest element of each window of planes. Positions are kept for the gradient alone, as bytes where
// these hold them.
func (s *sliding) highest(x *nd.Array) *nd.Array {
	if node, _ := x.Node(); node != nil {
		positions := dtype.Uint8
		if broadcast.Size(s.kernel) > 256 {
			positions = dtype.Int64
		}
		y, index := s.largest(x, positions)
		index.Release() // the tape holds it
		return y
	}
	y := s.newWindows(x.DType(), x)
	l := s.newLaunch(x)
	l.Combine = device.CombineMax
	l.WriteStrides(y, s.overWindows(y))
	l.Skip()
	l.ReadStrides(x, s.overInput(x))
	l.Run(device.Device.Pool)
	return y
}

// largest returns the largest element of each window of planes, and its position.
func (s *sliding) largest(x *nd.Array, positions dtype.DType) (y, index *nd.Array) {
	y, index = s.newWindows(x.DType(), x), s.newWindows(positions, x)
	l := s.newLaunch(x)
	l.Combine = device.CombineMax
	l.WriteStrides(y, s.overWindows(y))
	l.WriteStrides(index, s.overWindows(index))
	l.ReadStrides(x, s.overInput(x))
	l.Run(device.Device.Pool)
	s.fn.Record(largestOp{s}, []*nd.Array{x}, y, index)
	return y, index
}

// largestOp passes the gradient to the places of the largest elements, which do not depend on small changes.
type largestOp struct{ *sliding }

func (op largestOp) Claims() nd.Claims { return nd.Claims{Out: 1 << 1} }

func (op largestOp) VJP(c *nd.Call) {
	if c.Gy(0) != nil {
		c.SetGx(0, op.place(c.Gy(0), c.Out(1)))
	}
}

// sums returns the sum of each window of planes.
func (s *sliding) sums(x *nd.Array) *nd.Array {
	y := s.newWindows(x.DType(), x)
	l := s.newLaunch(x)
	l.Combine = device.CombineSum
	l.WriteStrides(y, s.overWindows(y))
	l.Skip()
	l.ReadStrides(x, s.overInput(x))
	l.Run(device.Device.Pool)
	s.fn.Record(sumsOp{s}, []*nd.Array{x}, y)
	return y
}

type sumsOp struct{ *sliding }

func (op sumsOp) Claims() nd.Claims { return nd.Claims{} }

func (op sumsOp) VJP(c *nd.Call) { c.SetGx(0, op.spread(c.Gy(0))) }

// spread adds the elements of y, one a window, to all places of their windows.
func (s *sliding) spread(y *nd.Array) *nd.Array {
	x := s.newInput(y)
	l := s.newLaunch(y)
	l.WriteStrides(x, s.overInput(x))
	l.ReadStrides(y, s.overWindows(y))
	l.Run(device.Device.PoolGrad)
	s.fn.Record(spreadOp{s}, []*nd.Array{y}, x)
	return x
}

type spreadOp struct{ *sliding }

func (op spreadOp) Claims() nd.Claims { return nd.Claims{} }

func (op spreadOp) VJP(c *nd.Call) { c.SetGx(0, op.sums(c.Gy(0))) }

// place adds the elements of y, one a window, to one place of their windows.
func (s *sliding) place(y, index *nd.Array) *nd.Array {
	x := s.newInput(y)
	l := s.newLaunch(y)
	l.WriteStrides(x, s.overInput(x))
	l.ReadStrides(y, s.overWindows(y))
	l.ReadStrides(index, s.overWindows(index))
	l.Run(device.Device.PoolGrad)
	s.fn.Record(placeOp{s}, []*nd.Array{y, index}, x)
	return x
}

type placeOp struct{ *sliding }

func (op placeOp) Claims() nd.Claims { return nd.Claims{In: 1 << 1} }

func (op placeOp) VJP(c *nd.Call) { c.SetGx(0, op.taken(c.Gy(0), c.In(1))) }

// taken returns the element of planes x at one place of each window, 0 where that lies outside.
func (s *sliding) taken(x, index *nd.Array) *nd.Array {
	rank := x.Rank()
	made := s.fn.Temporaries(&x, &index)
	defer made.Release()
	along := func(axis, n, first, step int) *nd.Array {
		shape := broadcast.Ones(rank)
		shape[axis] = n
		return made.Own(nd.ArangeInt(first, first+n*step, step, nd.ArrayOptions{Device: x.Device()})).Reshape(shape...)
	}
	index = index.AsType(dtype.Int64)
	places := make([]*nd.Array, rank)
	for axis := range 2 {
		places[axis] = along(axis, x.Dim(axis), 0, 1)
	}
	wrong := ops.LogicalOr(ops.Less(index, nd.Scalar(0)), ops.GreaterEqual(index, nd.Scalar(broadcast.Size(s.kernel))))
	rest := index
	for k := s.window.Rank - 1; k >= 0; k-- {
		length := nd.Scalar(s.kernel[k])
		start := along(2+k, s.windows[k], -s.window.Before[k], s.window.Stride[k])
		places[2+k] = ops.Add(start, ops.Multiply(ops.Remainder(rest, length), nd.Scalar(s.window.Dilation[k])))
		rest = ops.FloorDivide(rest, length)
	}
	places[2] = ops.Where(wrong, nd.Scalar(-1), places[2])
	return made.Keep(s.fn.Gather(x, broadcast.AllAxes(rank), 0, places, device.BoundsDrop))
}
