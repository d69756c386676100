package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// The operations on planes that tapes know. sums and spread are each other's transpose, place and taken are, and the
// gradient of largest is place: so gradients of every order are made of these.

// highest returns the largest element of each window of planes. Positions are kept for the gradient alone, as bytes where
// these hold them.
func (s *sliding) highest(x *nd.Array) *nd.Array {
	if node, _ := x.Node(); node != nil {
		positions := dtype.Uint8
		if broadcast.Size(s.kernel) > 256 {
			positions = dtype.Int64
		}
		y, _ := s.largest(x, positions)
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
func (op sumsOp) VJP(c *nd.Call)    { c.SetGx(0, op.spread(c.Gy(0))) }

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
func (op spreadOp) VJP(c *nd.Call)    { c.SetGx(0, op.sums(c.Gy(0))) }

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
func (op placeOp) VJP(c *nd.Call)    { c.SetGx(0, op.taken(c.Gy(0), c.In(1))) }

// taken returns the element of planes x at one place of each window, 0 where that lies outside.
func (s *sliding) taken(x, index *nd.Array) *nd.Array {
	rank := x.Rank()
	along := func(axis, n, first, step int) *nd.Array {
		shape := ones(rank)
		shape[axis] = n
		return nd.ArangeInt(first, first+n*step, step, nd.ArrayOptions{Device: x.Device()}).Reshape(shape...)
	}
	index = index.AsType(dtype.Int64)
	places := make([]*nd.Array, rank)
	for axis := range 2 {
		places[axis] = along(axis, x.Dim(axis), 0, 1)
	}
	wrong := LogicalOr(Less(index, nd.Scalar(0)), GreaterEqual(index, nd.Scalar(broadcast.Size(s.kernel))))
	rest := index
	for k := s.window.Rank - 1; k >= 0; k-- {
		length := nd.Scalar(s.kernel[k])
		start := along(2+k, s.windows[k], -s.window.Before[k], s.window.Stride[k])
		places[2+k] = Add(start, Remainder(rest, length))
		rest = FloorDivide(rest, length)
	}
	places[2] = Where(wrong, nd.Scalar(-1), places[2])
	return s.fn.Gather(x, broadcast.AllAxes(rank), 0, places, device.BoundsDrop)
}
