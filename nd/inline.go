package nd

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Two launches that are not deferred compute pending results themselves instead of reading them: a reduction, and a program whose
// result goes into an existing array. They store none of these results. Whether such a result will be read again is not known;
// then it is computed once more, which must not take longer than to store it and to read it twice.

// mostWork is the largest device.Program.Work of the pending results that such a launch computes.
const mostWork = 8

// stage makes the stages that compute root alone. It returns false if they must store another result, one that others read, too, or that
// was computed before, and if they do more work than the given one.
func (g *group) stage(root *deferred, most int) bool {
	if len(g.results) > device.MaxStages {
		return false
	}
	for _, d := range g.results {
		if most -= d.program.Work(); most < 0 || d.readers-d.done > d.reads || d.isReadAgain() {
			return false
		}
		g.add(d, d == root)
	}
	return true
}

// inline runs the launch, whose program is now that of the stages.
func (l *Launch) inline(g *group, kernel func(device.Device, *device.Launch)) {
	if explaining.Load() != nil {
		l.joined = g.funcs()
	}
	l.Run(kernel)
	for _, d := range g.results {
		d.inlined++
	}
}

// reduceDeferred runs the launch of a Reduce of x, which is pending, with the program that computes x instead of x. It returns
// false, and does nothing, if x must be stored. The order in which the elements are combined is that of a stored x, so the operands must
// be contiguous, or single elements.
func (l *Launch) reduceDeferred(x *Array, order []int, scalars []device.Scalar) bool {
	d := x.store.pending.Load()
	if d == nil || tracing.Load() != nil {
		return false
	}
	x.check(l.fn)
	if x.dtype != l.Program.Inputs[0].Type || !x.isAll(d) || !x.store.sameDevice(l.first) {
		return false
	}
	l.settle() // this may compute x
	d.set.Lock()
	defer d.set.Unlock()
	if x.store.pending.Load() != d || l.arrays[0].store.readings.Load() != nil {
		return false
	}
	g := newGroup()
	defer g.recycle()
	g.gather(d)
	if !g.stage(d, mostWork) || g.isRolled() || 1+len(g.leaves) > device.MaxOperands || len(g.scalars)+len(scalars) > device.MaxScalars {
		return false
	}
	whole := false
	for _, leaf := range g.leaves {
		all := broadcast.Equal(leaf.shape, x.shape) && broadcast.IsContiguous(leaf.shape, leaf.strides)
		if !all && leaf.Size() != 1 {
			return false
		}
		whole = whole || all
	}
	if !whole {
		return false
	}
	for _, leaf := range g.leaves {
		strideInOrder(l.layLeaf(leaf.Array), leaf.Array, x.shape, order)
	}
	g.setProgram(l.Launch)
	copy(l.Scalars[len(g.scalars):], scalars)
	l.AsStored = true
	l.inline(g, device.Device.Reduce)
	d.setSpent(true)
	return true
}

// DeferInto runs an elementwise program of one output into y, together with the programs of pending operands. It returns false, and
// does nothing, if no operand is pending or one must be stored. It never refuses operands; the caller has. where may be nil.
func (fn Func) DeferInto(p *device.Program, scalars []device.Scalar, y, where *Array, in []*Array) bool {
	var set *deferrals
	for _, x := range in {
		if d := x.store.pending.Load(); d != nil {
			set = d.set
		}
	}
	if set == nil || tracing.Load() != nil || y.dtype != p.Outputs[0].Stored || y.scalar != nil {
		return false
	}
	engines := joinable(p, in, y.store.dev)
	if engines == 0 {
		return false
	}
	y.store.memory()
	if where != nil && where.store != nil {
		where.check(fn)
		where.store.memory()
	}
	y.store.settle()
	set.Lock()
	defer set.Unlock()
	if y.store.readings.Load() != nil {
		return false
	}
	for _, x := range in {
		if d := x.store.pending.Load(); d != nil && !set.joins(d, x, y.shape, &engines) {
			return false
		}
	}
	root := &deferred{set: set, fn: fn, y: y, program: p, spent: true}
	root.scalars, root.in = append(root.room.scalars[:0], scalars...), append(root.room.in[:0], in...)
	g := newGroup()
	defer g.recycle()
	g.gather(root)
	operands := 1
	if where != nil {
		operands++
	}
	if len(g.results) == 1 || !g.stage(root, mostWork+p.Work()) || g.isRolled() || operands+len(g.leaves) > device.MaxOperands || len(g.scalars) > device.MaxScalars {
		return false
	}
	l := fn.Launch(y.store.dev, y.shape)
	l.Write(y)
	for _, leaf := range g.leaves {
		l.stride(l.layLeaf(leaf.Array), leaf.Array, nil)
	}
	if where != nil {
		l.ReadMask(where)
	}
	g.setProgram(l.Launch)
	g.results = g.results[:len(g.results)-1] // root is not pending
	l.inline(g, device.Device.Elementwise)
	return true
}
