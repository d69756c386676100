package cudaops

import (
	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// How reductions are: kernels/reduce.cuh, which says in which order values are combined, has some of these numbers, too.
const (
	packValues   = 4       // that a lane takes at a time
	leastPart    = 1 << 10 // values of a part, where there are several
	mostCuts     = 1 << 14 // parts of an output
	groupParts   = 8       // parts that are joined first
	valueSize    = 16      // bytes of a Value
	columnLanes  = 8       // lanes of a column that are in a block's threads at a time, if there are many columns
	manyOutputs  = 512     // from here on there are
	leastColumns = 8       // of a block, where there are not
)

// cuts are how the values of an output are combined: a function of their number alone.
type cuts struct{ lanes, parts, length int }

func cutsOf(inner int) cuts {
	c := cuts{lanes: 1, parts: 1, length: inner}
	for c.lanes < warpLanes && c.lanes*packValues < inner {
		c.lanes *= 2
	}
	if inner > leastPart {
		parts := min((inner+leastPart-1)/leastPart, mostCuts)
		const multiple = packValues * warpLanes // so that all lanes have as much to do
		c.length = (inner + parts - 1) / parts
		c.length = (c.length + multiple - 1) / multiple * multiple
		c.parts = (inner + c.length - 1) / c.length
	}
	return c
}

// columnsOf returns how many outputs are side by side in a block that goes through columns.
func (c cuts) columnsOf(outer int) int {
	if c.lanes >= columnLanes && outer < manyOutputs {
		return threads / min(c.lanes, threads/leastColumns)
	}
	return threads / min(c.lanes, columnLanes)
}

// reduction is a launch of Reduce as its kernels take it.
type reduction struct {
	*device.Launch
	cuts
	outer, inner int // points of the outputs, and values of each
	axes         int // of the outputs
	columns      int // of a block; 0 where lanes lie side by side
}

// reductionOf merges the axes of a launch, those of the outputs and the others apart, so that the values of an output keep their order.
func reductionOf(l *device.Launch) reduction {
	axes := l.Rank - l.Reduced
	r := reduction{Launch: l, outer: broadcast.Size(l.Shape[:axes]), inner: broadcast.Size(l.Shape[axes:l.Rank])}
	if r.outer == 0 {
		return r
	}
	r.axes = mergeAround(l, l.Program, axes)
	l.Reduced = l.Rank - r.axes
	r.cuts = cutsOf(r.inner)
	if r.byColumns() {
		r.columns = r.columnsOf(r.outer)
	}
	return r
}

// byColumns reports whether outputs that follow one another lie nearer to each other than values that do, in most of what is read.
func (r *reduction) byColumns() bool {
	if r.axes == 0 || r.axes == r.Rank {
		return false
	}
	nearer := 0
	for k := r.Outputs; k < r.N; k++ {
		if r.Program.Inputs[k-r.Outputs].Raw {
			continue
		}
		o := &r.Operands[k]
		column, row := abs(o.Strides[r.axes-1]), abs(o.Strides[r.Rank-1])
		switch size := o.DType.Size(); {
		case column == 0 || row == 0:
		case column < row:
			nearer += size
		case row < column:
			nearer -= size
		}
	}
	return nearer > 0
}

// groups is how many groups of parts an output has.
func (r *reduction) groups() int { return (r.parts + groupParts - 1) / groupParts }

// blocks is how many blocks have something to do, arrivals how many counters they need, and totals how many totals they leave to others.
func (r *reduction) blocks() int {
	switch {
	case r.columns > 0:
		return min((r.outer+r.columns-1)/r.columns*r.parts, maxBlocks)
	case r.parts > 1:
		return min(r.outer*r.groups(), maxBlocks)
	}
	return min((r.outer*r.lanes+threads-1)/threads, maxBlocks)
}

func (r *reduction) arrivals() int {
	switch {
	case r.columns > 0 && r.parts > 1:
		return (r.outer + r.columns - 1) / r.columns
	case r.columns == 0 && r.groups() > 1:
		return r.outer
	}
	return 0
}

func (r *reduction) totals() int {
	if r.columns > 0 {
		return r.outer * r.parts
	}
	return r.outer * r.groups()
}

// Reduce combines a program's values along the last axes.
func (d *Device) Reduce(l *device.Launch) {
	d.enter(l)
	r := reductionOf(l)
	if r.outer == 0 {
		return
	}
	d.withCounters(&r, func(partial, arrived uint64) {
		if !d.reductionPrinted(&r, partial, arrived) {
			d.reductionInterpreted(&r, partial, arrived)
		}
	})
}

// withCounters enqueues a reduction with room for the totals and counters that it needs.
func (d *Device) withCounters(r *reduction, enqueue func(partial, arrived uint64)) {
	n := r.arrivals()
	if n == 0 {
		enqueue(0, 0)
		return
	}
	totals := d.scratch(r.Func, r.totals()*valueSize)
	defer totals.free()
	d.counters.Lock()
	defer d.counters.Unlock()
	enqueue(totals.address, d.counters.zeros(d, r.Func, n))
}

// how adds a Reduction.
func (a *arguments) how(r *reduction, partial, arrived uint64) {
	a.int(int(r.Combine))
	a.int(r.outer)
	a.int(r.inner)
	a.int(r.lanes)
	a.int(r.parts)
	a.int(r.length)
	a.int(r.columns)
	a.word(partial)
	a.word(arrived)
}

// reductionPrinted runs a reduction in its printed form, and reports whether there is one.
func (d *Device) reductionPrinted(r *reduction, partial, arrived uint64) bool {
	if d.printing == printNever {
		return false
	}
	y := reductionLayout(r.Launch, r.axes, r.columns > 0)
	t := d.translation(r.Program, translationKey{layout: y, how: r.Combine, post: r.Post})
	if t.compiled() == 0 && t.isDue(d, r.Size()) {
		t.make(d, printReduction(r.Program, r.Post, r.Combine, y))
	}
	f := t.compiled()
	if f == 0 {
		return false
	}
	d.launchReduction(f, r, y, partial, arrived)
	return true
}

func (d *Device) launchReduction(f drv.Function, r *reduction, y layout, partial, arrived uint64) {
	a := newArguments(y.limit())
	a.how(r, partial, arrived)
	a.scalars(r.Scalars[:], r.Program.Scalars, len(r.Program.Scalars))
	if r.Post != nil {
		a.scalars(r.Scalars[len(r.Program.Scalars):], r.Post.Scalars, len(r.Post.Scalars))
	}
	a.printedLoop(r.Launch, y)
	d.launch(r.Func, f, r.blocks(), threads, 0, a)
}

func (d *Device) reductionInterpreted(r *reduction, partial, arrived uint64) {
	l := r.Launch
	terms, last := d.code(l.Func, l.Program), code{}
	var post []device.Param
	if l.Post != nil {
		last, post = d.code(l.Func, l.Post), l.Post.Scalars
	}
	a := newArguments(limitOf(l.Rank))
	a.code(terms)
	a.code(last)
	a.how(r, partial, arrived)
	a.int(r.axes)
	a.int(r.direct())
	a.int(len(l.Program.Scalars))
	declared := len(l.Program.Scalars)
	a.scalars(l.Scalars[:], l.Program.Scalars, declared)
	a.scalars(l.Scalars[declared:], post, device.MaxScalars-declared)
	a.launchLoop(l, l.N, device.MaxOperands)
	d.run(l.Func, reduceEntries[max(terms.tier, last.tier)], r.blocks(), threads, 0, a)
}

// The ways to read a program that is its input: Direct in kernels/terms.cuh.
const (
	directNone = iota
	directValues
	directPacks
)

// direct returns how the interpreter may read the values without running the program.
func (r *reduction) direct() int {
	if len(r.Program.Code) != 1 || r.Program.Code[0].Op != device.OpInput {
		return directNone
	}
	if y := reductionLayout(r.Launch, r.axes, r.columns > 0); y.pack > 1 && y.forms[1] == dense {
		return directPacks
	}
	return directValues
}
