package nd

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Flat is a fast path for elementwise functions of one or two operands, and for reductions, for their authors. It serves calls on a few
// elements of contiguous arrays on the CPU, which would spend most of their time on preparing a [Launch]. A Flat caches
// the code that it runs, by dtype and by which operand is a Scalar. The zero Flat is ready to use.
type Flat struct {
	made    atomic.Pointer[flats] // allocated by the first call: most functions are never called
	reduces atomic.Pointer[flatReduces]
}

// flatReduces are indexed by dtype. A pointer to nil means that the device has no such function.
type flatReduces [dtype.Count]atomic.Pointer[device.FlatReduce]

// flats are indexed by dtype and by which operand is a Scalar.
type flats [dtype.Count][3]atomic.Pointer[flat]

// flat runs one program; the zero flat runs nothing.
type flat struct {
	run    device.Flat
	result dtype.DType
}

// Call computes function fn of a and b (b is nil for a function of one operand), into out unless out is nil. It does
// nothing and returns nil unless the arrays are small, contiguous, unrecorded and of one dtype, and their shapes fit:
// both have one shape, or one operand is a Scalar, or one is a row that is broadcast to a few rows of the other. Call
// never refuses operands; the caller does.
//
// program returns the program, with one output, for arrays of dtype t. scalars says, one bit each, which operands are
// scalars of that dtype. program returns nil if there is no such program. It is called once for each t and scalars.
func (f *Flat) Call(fn Func, out, a, b *Array, program func(t dtype.DType, scalars uint) *device.Program) *Array {
	scalars, t, ok := flatForm(a, b)
	if !ok || tracing.Load() != nil || leastDeferred == 1 && youngest([]*Array{a, b}).deferrals() != nil {
		return nil
	}
	all := f.made.Load()
	if all == nil {
		f.made.CompareAndSwap(nil, new(flats))
		all = f.made.Load()
	}
	made := all[t][scalars].Load()
	if made == nil {
		made = newFlat(program(t, scalars))
		all[t][scalars].Store(made)
	}
	if made.run == nil {
		return nil
	}
	var scalar device.Scalar
	if b != nil {
		if b.scalar != nil {
			scalar = b.scalar.as(a.dtype)
			b = nil
		} else if a.scalar != nil {
			scalar = a.scalar.as(b.dtype)
			a, b = b, nil
		}
	}
	n := a.flatSize()
	if n == 0 || n > device.FlatLen {
		return nil
	}
	if b != nil && !b.flatLike(a) {
		return made.callRows(fn, out, a, b, n)
	}
	y := out
	if out == nil {
		y = allocate(fn, a.store.dev, made.result, a.shape)
	} else if out.scalar != nil || out.dtype != made.result || !out.flatLike(a) || out.store.readings.Load() != nil || out.mayClobber(a) || b != nil && out.mayClobber(b) {
		return nil
	}
	from, second := a.first(), unsafe.Pointer(nil)
	if b != nil {
		second = b.first()
	}
	if !made.run(n, y.first(), from, second, scalar) {
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
	runtime.KeepAlive(a) // otherwise the GC could recycle a block while the device runs
	runtime.KeepAlive(b)
	return y
}

// Reduce combines all elements of x, of the same dtype as the result, to a 0-d array. It does nothing and returns nil unless x
// is small, contiguous and unrecorded. A Flat is for one operation c.
func (f *Flat) Reduce(fn Func, c device.Combine, x *Array) *Array {
	if x == nil || x.scalar != nil || tracing.Load() != nil {
		return nil
	}
	n := x.flatSize()
	if n == 0 || n > device.FlatLen {
		return nil
	}
	all := f.reduces.Load()
	if all == nil {
		f.reduces.CompareAndSwap(nil, new(flatReduces))
		all = f.reduces.Load()
	}
	made := all[x.dtype].Load()
	if made == nil {
		made = new(cpu.FlatReduce(c, x.dtype))
		all[x.dtype].Store(made)
	}
	if *made == nil {
		return nil
	}
	y := allocate(fn, x.store.dev, x.dtype, nil)
	if !(*made)(n, y.first(), x.first()) {
		y.Release()
		return nil
	}
	if x.arena != nil {
		x.arena.own(y)
	}
	runtime.KeepAlive(x)
	return y
}

// FlatMatMul returns the product of two matrices. It does nothing and returns nil unless they are small, contiguous, unrecorded, on
// the CPU, and of one dtype and matching shapes.
func (fn Func) FlatMatMul(a, b *Array) *Array {
	if a == nil || b == nil || len(a.shape) != 2 || len(b.shape) != 2 || a.shape[1] != b.shape[0] || a.dtype != b.dtype || tracing.Load() != nil {
		return nil
	}
	na, nb, ny := a.flatSize(), b.flatSize(), a.shape[0]*b.shape[1]
	if na == 0 || nb == 0 || max(na, nb, ny) > device.FlatLen {
		return nil
	}
	y := allocate(fn, a.store.dev, a.dtype, []int{a.shape[0], b.shape[1]})
	if !cpu.FlatMatMul(a.dtype, a.shape[0], b.shape[1], a.shape[1], y.first(), a.first(), b.first()) {
		y.Release()
		return nil
	}
	younger(a.arena, b.arena).own(y)
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	return y
}

func newFlat(p *device.Program) *flat {
	if p == nil || len(p.Outputs) != 1 || p.Outputs[0].Type != p.Outputs[0].Stored {
		return new(flat)
	}
	return &flat{cpu.Flat(p), p.Outputs[0].Stored}
}

// flatForm returns which operand is a Scalar, 1 for a and 2 for b, and the dtype of the arrays. ok is false if the
// operands do not promote to that dtype.
func flatForm(a, b *Array) (scalars uint, t dtype.DType, ok bool) {
	switch {
	case a == nil:
		return 0, t, false
	case b == nil:
		return 0, a.dtype, a.scalar == nil
	case a.scalar == nil && b.scalar == nil:
		return 0, a.dtype, a.dtype == b.dtype
	case a.scalar == nil:
		return 2, a.dtype, a.dtype.IsFloat() && b.scalar.kind != weakComplex
	}
	return 1, b.dtype, b.scalar == nil && b.dtype.IsFloat() && a.scalar.kind != weakComplex
}

// callRows runs at most flatRows rows, one by one, of at least shortFlatRow elements each.
const (
	flatRows     = 8
	shortFlatRow = 4
)

// callRows is Call into a new array if one operand is broadcast to all rows of the other. a has n elements.
func (f *flat) callRows(fn Func, out, a, b *Array, n int) *Array {
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

// endsLike reports whether the last axes of y equal the axes of x, which has fewer.
func (x *Array) endsLike(y *Array) bool {
	lead := len(y.shape) - len(x.shape)
	return lead > 0 && broadcast.Equal(x.shape, y.shape[lead:])
}

// younger returns the arena that owns the results of two inputs.
func younger(a, b *Arena) *Arena {
	if b != nil && (a == nil || b.age > a.age) {
		return b
	}
	return a
}

// flatSize returns the number of elements of a contiguous, unrecorded array that is in the CPU's memory, and 0 for other arrays.
func (x *Array) flatSize() int {
	if x.released || x.node != nil || !x.store.inMemory() {
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

// flatLike reports whether x has the shape of y and, like y, a nonzero flatSize.
func (x *Array) flatLike(y *Array) bool {
	return !x.released && x.node == nil && x.store.inMemory() && broadcast.Equal(x.shape, y.shape) && broadcast.Equal(x.strides, y.strides)
}

// mayClobber reports whether writing an element of x may change a different element of y. Both are contiguous.
func (x *Array) mayClobber(y *Array) bool {
	return x.store == y.store && (x.offset != y.offset || x.dtype != y.dtype)
}

// first returns the address of the first element of an array with a flatSize.
func (x *Array) first() unsafe.Pointer {
	return unsafe.Add(x.store.address(), x.offset*x.dtype.Size())
}
