package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
)

// To returns a copy of x on another device, or x itself if it is there.
// NumPy: ndarray.to_device.
func (x *Array) To(dev device.Device) *Array {
	const fn Func = "Array.To"
	x.checkMove(fn, dev)
	x = materialize(x)
	if x.store.dev == dev {
		return x
	}
	return x.moved(fn, dev)
}

// CopyOn returns a contiguous copy of x on a device. Unlike [Array.To] it copies x even if x is on that device. The
// gradient moves to the device of x.
// PyTorch: Tensor.to (with copy). Chainer: copy.
func (x *Array) CopyOn(dev device.Device) *Array {
	return x.copyOn("Array.CopyOn", dev)
}

// HostCopy returns a contiguous copy of x on the CPU, whatever the device of x. [ToSlice] returns a Go slice instead.
// CuPy: asnumpy, ndarray.get.
func (x *Array) HostCopy() *Array { return x.copyOn("Array.HostCopy", cpu) }

func (x *Array) copyOn(fn Func, dev device.Device) *Array {
	x.checkMove(fn, dev)
	given := x
	x = materialize(x)
	switch {
	case x.store.dev != dev:
		return x.moved(fn, dev)
	case x != given:
		return x
	}
	return x.copied(fn)
}

func (x *Array) checkMove(fn Func, dev device.Device) {
	x.check(fn)
	if dev == nil {
		panic(fn.Errorf([]*Array{x}, "no device"))
	}
}

// moved returns a contiguous copy of x on another device.
func (x *Array) moved(fn Func, dev device.Device) *Array {
	fn.begin(x)
	src := x
	if !x.IsContiguous() {
		src = duplicate(fn, x)
	}
	y := allocate(fn, dev, x.dtype, x.shape)
	x.arena.own(y)
	if n := src.Bytes(); n > 0 {
		fn.move(y.store, src.store, src.offset*src.dtype.Size(), n)
	}
	if src != x {
		src.Release()
	}
	if x.node != nil {
		fn.Record(deviceOp{from: x.store.dev}, []*Array{x}, y)
	}
	return y
}

type deviceOp struct{ from device.Device }

func (deviceOp) Claims() Claims { return Claims{} }
func (deviceOp) Traced() any    { return traced.Identity{} }
func (op deviceOp) VJP(c *Call) { c.SetGx(0, c.Gy(0).To(op.from)) }
