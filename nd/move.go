package nd

import (
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// To returns x on another device, as a copy, or x itself if it is there. numpy.ndarray.to_device.
func (x *Array) To(dev device.Device) *Array {
	const fn Func = "Array.To"
	x.check(fn)
	if dev == nil {
		panic(fn.Errorf([]*Array{x}, "no device"))
	}
	if x.weak != nil {
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
		move(fn, y, src, n)
	}
	if src != x {
		src.Release()
	}
	if x.node != nil {
		fn.Record(deviceOp{from: x.store.dev}, []*Array{x}, y)
	}
	return y
}

// move copies the bytes of src, which is contiguous, to y on another device: by the host's view of one of the two, or from device to
// device, or else by way of the host.
func move(fn Func, y, src *Array, bytes int) {
	defer fn.rescue(src)
	to, from, offset := y.store.dev, src.store.dev, src.offset*src.dtype.Size()
	defer runtime.KeepAlive(y)
	defer runtime.KeepAlive(src)
	if src.store.onCPU {
		to.CopyIn(y.store.mem, 0, unsafe.Slice((*byte)(unsafe.Add(src.store.mem.Handle, offset)), bytes))
	} else if y.store.onCPU {
		from.CopyOut(unsafe.Slice((*byte)(y.store.mem.Handle), bytes), src.store.mem, offset)
	} else if !to.CopyFrom(y.store.mem, 0, from, src.store.mem, offset, bytes) {
		host := make([]byte, bytes)
		from.CopyOut(host, src.store.mem, offset)
		to.CopyIn(y.store.mem, 0, host)
	}
}

type deviceOp struct{ from device.Device }

func (deviceOp) Claims() Claims { return Claims{} }
func (op deviceOp) VJP(c *Call) { c.SetGx(0, c.Gy(0).To(op.from)) }
