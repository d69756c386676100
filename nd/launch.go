package nd

import (
	"errors"
	"runtime"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Launch prepares one run of a device's kernel on arrays, for authors of functions: call [Func.Launch] with the loop
// shape, add the operands in the kernel's order, then call Run. Only Launch turns arrays into device memory. It refuses
// arrays that are not on its device.
type Launch struct {
	*device.Launch
	fn     Func
	dev    device.Device
	first  *storage // the first operand's, which is on dev
	arrays [device.MaxOperands]*Array
	copies uint   // which of the arrays are copies made for this launch
	joined []Func // the pending results that the launch computes, for Explain
	axes   []int  // the axes that the last operands index, as the caller counts them
}

// Launch begins a launch of the function on dev with the given loop shape, which has at most as many axes as an array.
func (fn Func) Launch(dev device.Device, loop []int) Launch {
	if len(loop) > MaxRank {
		panic(fn.Errorf(nil, "the loop has %d axes, more than %d: want arrays with fewer axes", len(loop), MaxRank))
	}
	l := device.NewLaunch()
	l.Func = string(fn)
	l.Rank = len(loop)
	copy(l.Shape[:], loop)
	return Launch{Launch: l, fn: fn, dev: dev}
}

// Write adds y, broadcast to the loop shape, as the next output.
func (l *Launch) Write(y *Array) {
	l.add(y, nil)
	l.Outputs = l.N
}

// WriteStrides adds y as the next output, with strides for the axes of the loop.
func (l *Launch) WriteStrides(y *Array, strides []int) {
	l.add(y, strides)
	l.Outputs = l.N
}

// Read adds x, broadcast to the loop shape, as the next input.
func (l *Launch) Read(x *Array) { l.add(x, nil) }

// ReadStrides adds x as the next input, with strides for the axes of the loop.
func (l *Launch) ReadStrides(x *Array, strides []int) { l.add(x, strides) }

// ReadRaw adds x, or a contiguous copy of it, as a raw input: the kernel gets its memory and length.
func (l *Launch) ReadRaw(x *Array) {
	x.check(l.fn)
	if x.scalar == nil && !x.IsContiguous() {
		x = duplicate(l.fn, x)
		l.copies |= 1 << l.N
	}
	l.add(x, make([]int, l.Rank))
	l.Operands[l.N-1].Len = x.Size()
}

// KeepsLast lets the device keep what it makes of the input that was added last, for other launches that read the same elements:
// see [device.Kept].
func (l *Launch) KeepsLast() {
	s := l.arrays[l.N-1].store
	l.Kept, l.Version = s.keeper(), s.version
}

// ReadMask adds x, of dtype bool, as the predicate of the stores.
func (l *Launch) ReadMask(x *Array) {
	l.add(x, nil)
	l.Where = l.N - 1
}

// Skip omits the next operand, if the kernel allows it. The operand counts as an output; for an input, restore Outputs
// afterwards.
func (l *Launch) Skip() {
	l.Operands[l.N].Memory = device.Memory{}
	l.N++
	l.Outputs = l.N
}

// next makes x the next operand and refuses an array of another device. The caller sets the strides.
func (l *Launch) next(x *Array) *device.Operand {
	if l.N == device.MaxOperands {
		panic(l.fn.Errorf(l.arrays[:], "more than %d operands in one launch", device.MaxOperands))
	}
	x.check(l.fn)
	if x.store == nil || l.first == nil || !x.store.sameDevice(l.first) {
		l.begin(x)
	}
	return l.lay(x, x.store.memory())
}

// lay makes x, which lies in the given block, the next operand.
func (l *Launch) lay(x *Array, block device.Memory) *device.Operand {
	op := &l.Operands[l.N]
	op.Memory, op.Offset, op.DType, op.Len = block, x.offset, x.dtype, 0
	l.arrays[l.N] = x
	l.N++
	return op
}

// begin makes x the first operand, whose device all others must share, and refuses an x that is not on the launch's
// device.
func (l *Launch) begin(x *Array) {
	if x.store == nil {
		panic(l.fn.Errorf(l.arrays[:], "a Scalar has no memory: want nd.Full"))
	}
	if l.dev == nil || x.store.dev != l.dev {
		l.arrays[l.N] = x
		panic(l.fn.Errorf(l.arrays[:], "an array on device %s is passed to a kernel of another device: move it with To", x.store.dev.Name()))
	}
	l.first = x.store
}

func (l *Launch) add(x *Array, strides []int) { l.stride(l.next(x), x, strides) }

// put adds x, which lies in the given block and may be released, as the next operand.
func (l *Launch) put(x *Array, block device.Memory, strides []int) {
	l.stride(l.lay(x, block), x, strides)
}

// stride sets the strides of x, the given ones or those for x broadcast to the loop shape.
func (l *Launch) stride(op *device.Operand, x *Array, strides []int) {
	if strides != nil {
		copy(op.Strides[:], strides)
	} else {
		lead := l.Rank - len(x.shape)
		for k := range l.Rank {
			op.Strides[k] = 0
			if k >= lead && x.shape[k-lead] == l.Shape[k] && l.Shape[k] != 1 {
				op.Strides[k] = x.strides[k-lead]
			}
		}
	}
}

// Run calls the kernel, such as device.Device.Elementwise, and ends the launch. Written arrays get a new version;
// panics of the device become an *Error.
func (l *Launch) Run(kernel func(device.Device, *device.Launch)) {
	defer l.rescue()
	l.settle()
	l.copyOverlaps()
	kernel(l.dev, l.Launch)
	l.end()
}

// RunCount is Run for kernels that return a count.
func (l *Launch) RunCount(kernel func(device.Device, *device.Launch) int) int {
	defer l.rescue()
	l.settle()
	n := kernel(l.dev, l.Launch)
	l.end()
	return n
}

// settle computes the pending results that read what the launch writes.
func (l *Launch) settle() {
	for _, y := range l.arrays[:l.Outputs] {
		if y != nil && y.store.readings.Load() != nil {
			y.store.settle()
		}
	}
}

// observe tells the Trace and the Explain that run about the launch.
func (l *Launch) observe() {
	if e := explaining.Load(); e != nil {
		e.launched(l, l.joined, "")
	}
	if t := tracing.Load(); t != nil {
		t.follow(l)
	}
}

func (l *Launch) end() {
	if observed.Load() != 0 {
		l.observe()
	}
	for i := range l.N {
		if i < l.Outputs && l.arrays[i] != nil {
			l.arrays[i].store.wrote(l.fn)
		}
		runtime.KeepAlive(l.arrays[i]) // otherwise the GC could recycle a block while the kernel runs
		if l.copies>>i&1 != 0 {
			l.arrays[i].Release()
		}
	}
	l.Recycle()
}

// rescue adds the function's name to the device's panics, and the axis to those about an index.
func (l *Launch) rescue() {
	e := recover()
	if e == nil {
		return
	}
	operands := l.arrays[l.Outputs:l.N]
	var index *device.IndexError
	if err, ok := e.(error); ok && errors.As(err, &index) && (index.Func == "" || index.Func == string(l.fn)) {
		for j, axis := range l.axes {
			positions := l.arrays[l.N-len(l.axes)+j]
			if l.Axes[j].Size == index.Size && slices.Contains(ToSlice[int64](positions), int64(index.Index)) {
				panic(outside(l.fn, operands, index, axis))
			}
		}
	}
	panic(l.fn.translated(e, operands))
}

// copyOverlaps copies an input that shares memory with an output, unless both have the same elements in the same order.
func (l *Launch) copyOverlaps() {
	for i := range l.Outputs {
		y := l.arrays[i]
		if y == nil {
			continue
		}
		for k := l.Outputs; k < l.N; k++ {
			x := l.arrays[k]
			if x == nil || x.store != y.store {
				continue
			}
			a, b := &l.Operands[i], &l.Operands[k]
			shape := l.Shape[:l.Rank]
			if a.Len == 0 && b.Len == 0 && a.DType == b.DType && a.Offset == b.Offset &&
				broadcast.SameLayout(a.Offset, shape, a.Strides[:l.Rank], b.Offset, shape, b.Strides[:l.Rank]) {
				continue
			}
			if broadcast.MayOverlap(y.offset, y.shape, y.strides, x.offset, x.shape, x.strides) {
				c := sameLayoutCopy(l.fn, x)
				l.Operands[k].Memory, l.Operands[k].Offset = c.store.memory(), c.offset
				l.arrays[k] = c
				l.copies |= 1 << k
			}
		}
	}
}

// sameLayoutCopy returns a copy of x in its own memory with x's strides, so that it can replace x in any operand.
func sameLayoutCopy(fn Func, x *Array) *Array {
	lo, hi := broadcast.Extent(x.shape, x.strides)
	block := allocate(fn, x.store.dev, x.dtype, []int{hi - lo + 1})
	c := block.header(fn, broadcast.View{Offset: -lo, Shape: x.shape, Strides: x.strides})
	block.Release() // c holds the memory now
	copyInto(fn, c, x)
	return c
}

// newInOrderOf is NewLike with x's shape and x's memory order of axes.
func newInOrderOf(fn Func, dt dtype.DType, dev device.Device, x *Array) *Array {
	order := broadcast.MemoryOrder(x.shape, x.strides)
	y := allocate(fn, dev, dt, broadcast.Permute(nil, x.shape, order))
	if !slices.IsSorted(order) {
		inOrder := y
		y = y.permuted(fn, broadcast.InversePermutation(order))
		inOrder.Release() // y holds the memory now
	}
	x.arena.own(y)
	return y
}
