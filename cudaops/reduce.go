package cudaops

import (
	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Parameters of reductions. kernels/reduce.cuh, which specifies the order in which values are combined, has some of
// these numbers too.
const (
	packValues   = 4       // values that a lane reads at a time
	leastPart    = 1 << 10 // values of a part, if there are several
	mostCuts     = 1 << 14 // parts of an output
	groupParts   = 8       // parts that are combined first
	valueSize    = 16      // bytes of a Value
	columnLanes  = 8       // lanes of a column among a block's threads at a time, if there are many columns
	manyOutputs  = 512     // from this number on there are many
	leastColumns = 8       // of a block, if there are few
)

// cuts describes how the values of an output are combined. It depends only on the number of values.
type cuts struct{ lanes, parts, length int }

func cutsOf(inner int) cuts {
	c := cuts{lanes: 1, parts: 1, length: inner}
	for c.lanes < warpLanes && c.lanes*packValues < inner {
		c.lanes *= 2
	}
	if inner > leastPart {
		parts := min((inner+leastPart-1)/leastPart, mostCuts)
		const multiple = packValues * warpLanes // so that all lanes have the same amount of work
		c.length = (inner + parts - 1) / parts
		c.length = (c.length + multiple - 1) / multiple * multiple
		c.parts = (inner + c.length - 1) / c.length
	}
	return c
}

// columnsOf returns the number of adjacent outputs of a block that processes columns.
func (c cuts) columnsOf(outer int) int {
	if c.lanes >= columnLanes && outer < manyOutputs {
		return threads / min(c.lanes, threads/leastColumns)
	}
	return threads / min(c.lanes, columnLanes)
}

// reduction is a launch of Reduce in the form that its kernels use.
type reduction struct {
	*device.Launch
	cuts
	outer, inner int // points of the outputs, and values of each
	axes         int // of the outputs
	columns      int // of a block; 0 if lanes read adjacent values
}

// reductionOf fuses the axes of a launch, those of the outputs separately from the others, so that the values of an
// output keep their order.
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

// byColumns reports whether neighbouring outputs are closer together in memory than neighbouring values, for most of
// the data that is read.
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

// groups returns the number of groups of parts of an output.
func (r *reduction) groups() int { return (r.parts + groupParts - 1) / groupParts }

// blocks returns the number of blocks with work, arrivals the number of counters they need, totals the number of totals
// that they pass on to other blocks.
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
	switch {
	case l.Guarded():
		d.reduceGuarded(l)
		return
	case l.Squares:
		l.Program, l.Squares = l.Program.Terms(true, false), false
	}
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

// withCounters enqueues a reduction with the memory that it needs for totals and counters.
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

// reductionPrinted runs the printed form of a reduction, and reports whether there is one.
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

// The ways to read the values of a program that only returns its input: Direct in kernels/terms.cuh.
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
