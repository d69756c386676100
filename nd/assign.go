package nd

import (
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Assign writes value, converted and broadcast, to x[ix…] in place; without an index, to all of x. If index arrays name
// an element twice, the last value wins.
//
// If x or value is recorded, the tape must know of the write. Such a write is allowed if no other recorded array shares
// the memory: x then is the result of the assignment, and gradients flow through it. Otherwise Assign panics;
// [Array.With] returns a new array instead and always works.
// NumPy: copyto.
func (x *Array) Assign(value *Array, ix ...Index) {
	const fn Func = "Array.Assign"
	fn.CheckWritable(x)
	x.assign(fn, value, ix)
}

// AssignFrom is [Array.Assign] for a value that may be on another device, such as an array of the host.
// CuPy: ndarray.set. Chainer: Variable.copydata.
func (x *Array) AssignFrom(value *Array, ix ...Index) {
	const fn Func = "Array.AssignFrom"
	fn.CheckWritable(x)
	value.check(fn)
	if value.scalar != nil || value.store.dev == x.store.dev {
		x.assign(fn, value, ix)
		return
	}
	there := value.moved(fn, x.store.dev)
	defer there.Release()
	x.assign(fn, there, ix)
}

func (x *Array) assign(fn Func, value *Array, ix []Index) {
	value.check(fn)
	if len(ix) == 0 && x.node == nil && value.node == nil && value.scalar == nil && x.store.dev == value.store.dev &&
		!x.SharesMemory(value) && slices.Equal(x.shape, value.shape) {
		copyInto(fn, x, value) // the usual case: nothing to resolve, to fit or to record
		return
	}
	r, value, indices := x.assignment(fn, value, ix)
	if x.node == nil && value.node == nil && !slices.ContainsFunc(indices.ready, (*Array).Links) {
		r.write(fn, x, value, indices.ready)
	} else {
		x.assignRecorded(fn, r, value, indices.ready)
	}
	indices.release()
}

// assignRecorded is Assign for a resolved index if a tape has recorded x or the value.
func (x *Array) assignRecorded(fn Func, r region, value *Array, indices []*Array) {
	x.rewrite(fn, value, func() { r.write(fn, x, value, indices) }, func(old *Array) {
		fn.Record(assignOp{r}, append([]*Array{old, value}, indices...), x)
	})
}

// rewrite writes to x where x or value is recorded, and records that x is now the result of an assignment to the old x.
func (x *Array) rewrite(fn Func, value *Array, write func(), record func(old *Array)) {
	seen := x.store.recorded.Load()
	if x.node != nil {
		seen--
	}
	if seen > 0 {
		panic(fn.Errorf([]*Array{x, value}, "another recorded array shares the memory of %s: use With, which makes a new array", x.describe()))
	}
	old := x.header(x.fn, x.Layout())
	if x.node == nil && tracing.Load() != nil {
		old.Release()
		old = duplicate(x.fn, x) // such a tape claims the value before the write
	}
	old.node, old.out = x.node, x.out
	write()
	record(old)
	old.node = nil // store.recorded did not count this header
	old.Release()
}

// With returns a copy of x in which x[ix…] is value, as [Array.Assign] would write it. The result is differentiable in
// x and value.
func (x *Array) With(value *Array, ix ...Index) *Array {
	const fn Func = "Array.With"
	x.check(fn)
	x = materialize(x)
	r, value, indices := x.assignment(fn, value, ix)
	defer indices.release()
	return r.assigned(fn, x, value, indices.ready)
}

// assignment resolves the index and fits the value to it. The caller releases the positions that it returns.
func (x *Array) assignment(fn Func, value *Array, ix []Index) (region, *Array, indexArrays) {
	x.check(fn)
	value.check(fn)
	given := value
	replace := func(fitted *Array) {
		if value != given && value != fitted {
			value.Release()
		}
		value = fitted
	}
	if value.scalar != nil {
		if why := value.scalar.misfit(x.dtype); why != "" {
			panic(fn.Errorf([]*Array{x}, "%s", why))
		}
		full := fn.NewLike(x.dtype, nil, x)
		full.fill(fn, *value.scalar)
		replace(full)
	}
	fn.Check(x, value)
	r, indices := x.region(fn, ix)
	if len(ix) == 1 && ix[0].kind == indexArray && ix[0].array.dtype.IsBool() && ix[0].array.Rank() == x.Rank() && value.Rank() > 1 {
		panic(fn.Errorf([]*Array{x, value}, "a bool index of all axes needs a value with at most one axis"))
	}
	shape := r.shape()
	if r.plan != nil && value.Size() == 0 && broadcast.Size(shape) == 0 { // as NumPy: empty goes to empty
		replace(fn.NewLike(value.dtype, shape, value))
	}
	for value.Rank() > len(shape) && value.shape[0] == 1 { // as in NumPy: drop leading axes of length 1
		replace(value.reshape(fn, value.shape[1:], false))
	}
	if _, err := value.Layout().BroadcastTo(shape); err != nil {
		panic(fn.Errorf([]*Array{x, value}, "could not broadcast input array from shape %s into shape %s",
			broadcast.FormatShape(value.shape), broadcast.FormatShape(shape)))
	}
	if value.dtype != x.dtype && value.node != nil {
		replace(value.AsType(x.dtype))
	}
	if value.SharesMemory(x) && broadcast.MayOverlap(x.offset, x.shape, x.strides, value.offset, value.shape, value.strides) {
		replace(value.Copy())
	}
	if value != given {
		indices.fitted = value
	}
	return r, value, indices
}

// assigned is With for a resolved index.
func (r region) assigned(fn Func, x, value *Array, indices []*Array) *Array {
	y := duplicate(fn, x)
	r.write(fn, y, value, indices)
	if x.node != nil || value.node != nil || slices.ContainsFunc(indices, (*Array).Links) {
		fn.Record(assignOp{r}, append([]*Array{x, value}, indices...), y)
	}
	return y
}

type assignOp struct{ region region }

func (op assignOp) Traced() any { return op.region.traced(device.CombineAssign) }

func (op assignOp) Claims() Claims { return Claims{In: ^uint64(3)} }

// VJP gives the old array the gradient, with zeros at overwritten elements, and the value the gradient of these
// elements.
func (op assignOp) VJP(c *Call) {
	fn, g, indices := c.Func(), c.Gy(0), callIndices(c, 2)
	if c.Needs(0) {
		zero := fn.NewFilled(g.dtype, nil, 0, g)
		c.SetGx(0, op.region.assigned(fn, g, zero, indices))
	}
	if !c.Needs(1) {
		return
	}
	whole := region{base: op.region.base, view: op.region.view}
	part := whole.read(fn, g, nil)
	if op.region.plan != nil {
		part = op.region.plan.gatherWinners(fn, part, indices)
	}
	c.SetGx(1, fn.SumTo(part, c.Shape(1)))
}

// Fill writes one value to every element of x.
// NumPy: ndarray.fill. PyTorch: fill.
func Fill[V Number](x *Array, value V) { x.Assign(Scalar(value)) }
