package nd

import (
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Flat runs a program of one output on small plain arrays of the CPU, without a [Launch]. The zero Flat runs nothing.
type Flat struct {
	run    device.Flat
	result dtype.DType
}

// NewFlat returns what the CPU offers for a program whose result has the given dtype.
func NewFlat(p *device.Program, result dtype.DType) *Flat {
	if len(p.Outputs) != 1 || p.Outputs[0].Type != result {
		return new(Flat)
	}
	return &Flat{cpu.Flat(p), result}
}

// FlatForm says how a Flat is to be made for operands a and b, nil for a function of one: 0 where both are arrays, 1 where a
// is an immediate, 2 where b is, which the Flat's program has as a scalar then; -1 where there is none for them. The dtype
// is the arrays', to which all operands promote.
func FlatForm(a, b *Array) (form int, t dtype.DType) {
	switch {
	case a == nil:
		return -1, t
	case b == nil:
		if a.weak != nil {
			return -1, t
		}
		return 0, a.dtype
	case a.weak == nil && b.weak == nil:
		if a.dtype != b.dtype {
			return -1, t
		}
		return 0, a.dtype
	case a.weak == nil && a.dtype.IsFloat() && b.weak.kind != weakComplex:
		return 2, a.dtype
	case b.weak == nil && b.dtype.IsFloat() && a.weak.kind != weakComplex:
		return 1, b.dtype
	}
	return -1, t
}

// Call computes function fn of operands that FlatForm accepted, into out where that is not nil. It does nothing, and returns
// nil, unless the arrays are contiguous, small and known to no tape, none is to be refused, and they are of one shape, or one
// is a row for a few rows of the other.
func (f *Flat) Call(fn Func, out, a, b *Array) *Array {
	if f.run == nil {
		return nil
	}
	var scalar device.Scalar
	if b != nil {
		if b.weak != nil {
			scalar = b.weak.as(a.dtype)
			b = nil
		} else if a.weak != nil {
			scalar = a.weak.as(b.dtype)
			a, b = b, nil
		}
	}
	n := a.flatSize()
	if n == 0 || n > device.FlatLen {
		return nil
	}
	if b != nil && !b.flatLike(a) {
		return f.callRows(fn, out, a, b, n)
	}
	y := out
	if out == nil {
		y = allocate(fn, a.store.dev, f.result, a.shape)
	} else if out.weak != nil || out.dtype != f.result || !out.flatLike(a) || out.crosses(a) || b != nil && out.crosses(b) {
		return nil
	}
	from, second := a.first(), unsafe.Pointer(nil)
	if b != nil {
		second = b.first()
	}
	if !f.run(n, y.first(), from, second, scalar) {
		if out == nil {
			y.Release()
		}
		return nil
	}
	if out != nil {
		y.store.wrote(fn)
	} else {
		owner := a.arena
		if b != nil {
			owner = younger(owner, b.arena)
		}
		owner.own(y)
	}
	runtime.KeepAlive(a) // else a block may be collected, or reused, while the device runs
	runtime.KeepAlive(b)
	return y
}

// flatRows is the most rows that Call runs one by one, shortFlatRow what is too short for that.
const (
	flatRows     = 8
	shortFlatRow = 4
)

// callRows is Call, into a new array, where one of the operands is a row for all rows of the other. The first has n elements.
func (f *Flat) callRows(fn Func, out, a, b *Array, n int) *Array {
	m := b.flatSize()
	whole, row, size := a, b, m
	if m > n {
		whole, row, size = b, a, n
	}
	rows := max(n, m) / max(size, 1)
	if out != nil || m == 0 || m > device.FlatLen || size < shortFlatRow || rows > flatRows || !row.endsLike(whole) {
		return nil
	}
	y := allocate(fn, a.store.dev, f.result, whole.shape)
	stepY, stepA, stepB := size*f.result.Size(), size*a.dtype.Size(), 0
	if whole == b {
		stepA, stepB = 0, size*b.dtype.Size()
	}
	to, first, second := y.first(), a.first(), b.first()
	for k := range rows {
		if !f.run(size, unsafe.Add(to, k*stepY), unsafe.Add(first, k*stepA), unsafe.Add(second, k*stepB), device.Scalar{}) {
			y.Release()
			return nil
		}
	}
	younger(a.arena, b.arena).own(y)
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	return y
}

// endsLike reports whether the last axes of y are those of x, which has fewer.
func (x *Array) endsLike(y *Array) bool {
	lead := len(y.shape) - len(x.shape)
	return lead > 0 && broadcast.Equal(x.shape, y.shape[lead:])
}

// younger returns the arena that the results of two inputs belong to.
func younger(a, b *Arena) *Arena {
	if b != nil && (a == nil || b.age > a.age) {
		return b
	}
	return a
}

// flatSize returns the number of elements of a contiguous array on the CPU that is known to no tape; 0 for all else.
func (x *Array) flatSize() int {
	if x.released || x.node != nil || !x.store.onCPU {
		return 0
	}
	n := 1
	for k := len(x.shape) - 1; k >= 0; k-- {
		if x.strides[k] != n {
			return 0
		}
		n *= x.shape[k]
	}
	return n
}

// flatLike reports whether x is as an array y of which flatSize is not 0, and has its shape.
func (x *Array) flatLike(y *Array) bool {
	return !x.released && x.node == nil && x.store.onCPU && broadcast.Equal(x.shape, y.shape) && broadcast.Equal(x.strides, y.strides)
}

// crosses reports whether writing an element of x may change another one of y. Both are contiguous.
func (x *Array) crosses(y *Array) bool {
	return x.store == y.store && (x.offset != y.offset || x.dtype != y.dtype)
}

// first returns where the first element of an array on the CPU is.
func (x *Array) first() unsafe.Pointer {
	return unsafe.Add(x.store.mem.Handle, x.offset*x.dtype.Size())
}
