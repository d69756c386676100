package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// copyInto writes x, broadcast and converted, to y, which must be on the same device. Nothing is recorded.
func copyInto(fn Func, y, x *Array) {
	l := fn.Launch(y.store.dev, y.shape)
	l.Write(y)
	l.Read(x)
	l.Run(device.Device.Copy)
}

// duplicate is an unrecorded contiguous copy.
func duplicate(fn Func, x *Array) *Array {
	y := fn.NewLike(x.dtype, x.shape, x)
	copyInto(fn, y, x)
	return y
}

// materialize makes an immediate a 0-d array on the CPU.
func materialize(x *Array) *Array {
	if x.weak == nil {
		return x
	}
	return materializeAs(x, x.dtype)
}

// materializeAs makes an immediate a 0-d array of dtype dt on the CPU.
func materializeAs(x *Array, dt dtype.DType) *Array {
	y := allocate(x.fn, cpu, dt, nil)
	y.fill(x.fn, *x.weak)
	return y
}

// Copy returns a contiguous copy of x; numpy.copy.
func (x *Array) Copy() *Array {
	const fn Func = "Array.Copy"
	x.check(fn)
	if x.weak != nil {
		return materialize(x)
	}
	y := duplicate(fn, x)
	Record1(reshapeOp{name: fn}, x, y)
	return y
}

// CopyFortran returns a copy of x in column-major order; numpy.copy with order "F".
func (x *Array) CopyFortran() *Array { return x.Transpose().Copy().Transpose() }

// Contiguous returns x itself where it is contiguous, else a contiguous copy; numpy.ascontiguousarray.
func (x *Array) Contiguous() *Array {
	if x.IsContiguous() && x.weak == nil {
		return x
	}
	return x.Copy()
}

// AsType returns a copy of x converted to a dtype, in the same order in memory, or x itself if it has the dtype. Floats become the nearest integer towards
// zero within the type's range (a not-a-number 0), integers wrap, complex numbers lose their imaginary part, and what is
// not zero is true; numpy.ndarray.astype, but for the saturation.
func (x *Array) AsType(dt dtype.DType) *Array {
	const fn Func = "Array.AsType"
	x.check(fn)
	if !dt.Valid() {
		panic(fn.Errorf([]*Array{x}, "no dtype"))
	}
	if x.weak != nil {
		x = materialize(x)
	}
	if x.dtype == dt {
		return x
	}
	y := newInOrderOf(fn, dt, x.store.dev, x)
	copyInto(fn, y, x)
	if dt.IsInexact() {
		Record1(castOp{}, x, y)
	}
	return y
}

type castOp struct{}

func (castOp) Name() Func     { return "Array.AsType" }
func (castOp) Claims() Claims { return Claims{} }
func (castOp) VJP(c *Call)    { c.SetGx(0, c.Gy(0).AsType(c.DType(0))) }

// To returns x on another device, as a copy, or x itself if it is there.
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
	src := x
	if !x.IsContiguous() {
		src = duplicate(fn, x)
	}
	y := allocate(fn, dev, x.dtype, x.shape)
	x.arena.own(y)
	if n := src.Bytes(); n > 0 {
		buf := make([]byte, n)
		src.store.dev.CopyOut(buf, src.store.mem, src.offset*src.dtype.Size())
		dev.CopyIn(y.store.mem, 0, buf)
	}
	if x.node != nil {
		Record1(deviceOp{from: x.store.dev}, x, y)
	}
	return y
}

type deviceOp struct{ from device.Device }

func (deviceOp) Name() Func     { return "Array.To" }
func (deviceOp) Claims() Claims { return Claims{} }
func (op deviceOp) VJP(c *Call) { c.SetGx(0, c.Gy(0).To(op.from)) }

// SumTo adds up x over the axes along which an array of the given shape would be broadcast to x's: the transpose of
// [Array.BroadcastTo].
func SumTo(x *Array, shape []int) *Array {
	const fn Func = "nd.SumTo"
	x.check(fn)
	if broadcast.Equal(x.shape, shape) {
		return x
	}
	axes := broadcast.SumAxes(x.shape, shape)
	lead := len(x.shape) - len(shape)
	if lead < 0 || lead+len(shape) != len(x.shape) {
		panic(fn.Errorf([]*Array{x}, "shape %s does not broadcast to it", broadcast.FormatShape(shape)))
	}
	y := fn.NewLike(x.dtype, shape, x)
	fn.Reduce(identityProgram(x.dtype), nil, device.CombineSum, axes, nil, y, x)
	Record1(sumToOp{}, x, y)
	return y
}

type sumToOp struct{}

func (sumToOp) Name() Func     { return "nd.SumTo" }
func (sumToOp) Claims() Claims { return Claims{} }
func (sumToOp) VJP(c *Call)    { c.SetGx(0, c.Gy(0).BroadcastTo(c.Shape(0)...)) }

// Reduce runs the kernel Reduce of program p over the given axes (normalised, increasing) of the inputs' common shape,
// and writes y, whose size must be that of the shape without the axes, in their order. It records nothing: it is the
// kernel, for the functions built on it.
func (fn Func) Reduce(p, post *device.Program, combine device.Combine, axes []int, scalars []device.Scalar, y *Array, in ...*Array) {
	if t := p.Outputs[0].Type; !combine.Accepts(t) {
		panic(fn.Errorf(in, "%s combines bools, not values of %s", combine, t))
	}
	loop := in[0].shape
	for _, x := range in[1:] {
		if broadcast.Equal(x.shape, loop) {
			continue
		}
		var err error
		if loop, err = broadcast.Shapes(loop, x.shape); err != nil {
			panic(fn.Errorf(in, "%v", err))
		}
	}
	var reduced uint64
	for _, k := range axes {
		reduced |= 1 << k
	}
	var room [MaxRank]int
	order := room[:0] // kept axes, then reduced ones
	for k := range loop {
		if reduced>>k&1 == 0 {
			order = append(order, k)
		}
	}
	kept := len(order)
	order = append(order, axes...)
	l := fn.Launch(y.store.dev, loop)
	l.Program, l.Post, l.Combine, l.Reduced = p, post, combine, len(axes)
	for k, axis := range order {
		l.Shape[k] = loop[axis]
	}
	copy(l.Scalars[:], scalars)
	out := l.next(y)
	clear(out.Strides[:len(loop)])
	if len(y.shape) == kept {
		copy(out.Strides[:], y.strides)
	} else { // y has axes of length 1 in place of the reduced ones, or fewer leading axes
		lead := len(loop) - len(y.shape)
		for k, axis := range order[:kept] {
			if axis >= lead {
				out.Strides[k] = y.strides[axis-lead]
			}
		}
	}
	l.Outputs = 1
	for _, x := range in {
		op := l.next(x)
		lead := len(loop) - len(x.shape)
		for k, axis := range order {
			op.Strides[k] = 0
			if axis >= lead && x.shape[axis-lead] != 1 {
				op.Strides[k] = x.strides[axis-lead]
			}
		}
	}
	l.Run(device.Device.Reduce)
}
