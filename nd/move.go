package nd

import "github.com/ndgrad/ndgrad/device"

// To returns a copy of x on another device, or x itself if it is there.
// NumPy: ndarray.to_device.
func (x *Array) To(dev device.Device) *Array {
	const fn Func = "Array.To"
	x.check(fn)
	if dev == nil {
		panic(fn.Errorf([]*Array{x}, "no device"))
	}
	if x.scalar != nil {
		x = materialize(x)
	}
	if x.store.dev == dev {
		return x
	}
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
func (op deviceOp) VJP(c *Call) { c.SetGx(0, c.Gy(0).To(op.from)) }
