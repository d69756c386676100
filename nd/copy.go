package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/traced"
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

// duplicate returns an unrecorded contiguous copy.
func duplicate(fn Func, x *Array) *Array {
	y := fn.NewLike(x.dtype, x.shape, x)
	copyInto(fn, y, x)
	return y
}

// materialize converts a Scalar to a 0-d array on the CPU; other arrays stay.
func materialize(x *Array) *Array {
	if x.scalar == nil {
		return x
	}
	return materializeAs(x, x.dtype)
}

// materializeAs converts a Scalar to a 0-d array of dtype dt on the CPU.
func materializeAs(x *Array, dt dtype.DType) *Array {
	y := allocate(x.fn, cpu, dt, nil)
	y.fill(x.fn, *x.scalar)
	return y
}

// Copy returns a contiguous copy of x.
// NumPy: copy. PyTorch: clone.
func (x *Array) Copy() *Array {
	const fn Func = "Array.Copy"
	x.check(fn)
	return x.copied(fn)
}

// copied returns a contiguous copy of x on its device.
func (x *Array) copied(fn Func) *Array {
	if x.scalar != nil {
		return materialize(x)
	}
	fn.begin(x)
	y := duplicate(fn, x)
	fn.Record(reshapeOp{}, []*Array{x}, y)
	return y
}

// CopyFortran returns a copy of x in column-major order.
// NumPy: copy (with order "F").
func (x *Array) CopyFortran() *Array {
	turned := x.Transpose()
	y := turned.Copy()
	turned.Release()
	return replaceHeader(y, y.T())
}

// CopyInOrder returns a copy of x without gaps in the memory order that x has: see [Array.MemoryOrder].
// NumPy: copy (with order "K").
func (x *Array) CopyInOrder() *Array {
	order := x.MemoryOrder()
	turned := x.Transpose(order...)
	y := turned.Copy()
	turned.Release()
	return replaceHeader(y, y.Transpose(broadcast.InversePermutation(order)...))
}

// MemoryOrder returns the axes in the order in which the memory runs through them, the axis with the largest stride first.
// x.Transpose(x.MemoryOrder()...).Ravel() has the elements in that order, but along every axis from the first to the last.
// NumPy: ravel (with order "K").
func (x *Array) MemoryOrder() []int {
	x.check("Array.MemoryOrder")
	return broadcast.MemoryOrder(x.shape, x.strides)
}

// Contiguous returns x itself if it is contiguous, else a contiguous copy.
// NumPy: ascontiguousarray.
func (x *Array) Contiguous() *Array {
	if x.IsContiguous() && x.scalar == nil {
		return x
	}
	return x.Copy()
}

// AsType returns a copy of x converted to a dtype, in the same memory order, or x itself if it has the dtype. Floats
// are truncated towards zero and saturate at the type's range (NumPy's astype does not saturate); NaN becomes 0.
// Integers wrap around. Complex numbers lose their imaginary part. A nonzero value is true. A Scalar must fit the
// dtype, as in [Full].
// NumPy: astype.
func (x *Array) AsType(dt dtype.DType) *Array {
	const fn Func = "Array.AsType"
	x.check(fn)
	if !dt.Valid() {
		panic(fn.Errorf([]*Array{x}, "no dtype"))
	}
	if x.scalar != nil {
		return materializeAs(x, dt)
	}
	if x.dtype == dt {
		return x
	}
	fn.begin(x)
	y := x.deferConversion(fn, dt)
	if y == nil {
		y = newInOrderOf(fn, dt, x.store.dev, x)
		copyInto(fn, y, x)
	}
	if dt.IsInexact() {
		fn.Record(castOp{}, []*Array{x}, y)
	} else if x.Links() {
		fn.Link(castOp{}, []*Array{x}, y)
	}
	return y
}

// conversions are the programs that convert A to B.
var conversions = device.Programs{Source: device.Source{Name: "convert", Inputs: "A x", Outputs: "B y", Body: "y = B(x)"}}

// deferConversion returns the converted x if it can be deferred. The result of an x that is not contiguous has another memory order.
// Programs compute 16-bit floats in float32, so that they would round a number twice that is not one of float32.
func (x *Array) deferConversion(fn Func, dt dtype.DType) *Array {
	if x.arena.deferrals() == nil || !broadcast.IsContiguous(x.shape, x.strides) {
		return nil
	}
	if (dt == dtype.Float16 || dt == dtype.BFloat16) && !dtype.CanCast(x.dtype, dtype.Complex64, dtype.CastSafe) {
		return nil
	}
	p, err := conversions.For(device.Letters{x.dtype, dt})
	if err != nil {
		return nil
	}
	return fn.Defer(p, nil, x.shape, []*Array{x})
}

type castOp struct{}

func (castOp) Claims() Claims { return Claims{} }

func (castOp) Traced() any { return traced.Cast{} }

func (castOp) VJP(c *Call) { c.SetGx(0, c.Gy(0).AsType(c.DType(0))) }
