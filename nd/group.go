package nd

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// compute computes results, as far as they are still pending: those of one shape together, if one program can.
func (set *deferrals) compute(roots []*deferred, why string) {
	if len(roots) == 1 && set.computeTogether(roots, why) {
		return
	}
	for len(roots) > 0 {
		var together, others []*deferred
		var engines device.Engines
		for _, d := range roots {
			switch {
			case d.y.store.pending.Load() != d:
			case together == nil:
				together, engines = append(together, d), d.engines
			case engines&d.engines != 0 && broadcast.Equal(d.y.shape, together[0].y.shape) && d.y.store.sameDevice(together[0].y.store):
				together, engines = append(together, d), engines&d.engines
			default:
				others = append(others, d)
			}
		}
		if together != nil && !set.computeTogether(together, why) {
			set.computeApart(together, why)
		}
		roots = others
	}
}

// computeApart computes results one after the other, and before each its operands.
func (set *deferrals) computeApart(roots []*deferred, why string) {
	for _, d := range roots {
		if len(roots) == 1 {
			for _, x := range d.in {
				if u := x.store.pending.Load(); u != nil {
					set.compute([]*deferred{u}, tooLong)
				}
			}
		}
		set.compute([]*deferred{d}, why)
	}
}

// group is a set of results that one program computes.
type group struct {
	results []*deferred
	stages  []device.Stage
	leaves  []leaf // operands that have memory
	scalars []scalarOfType
	numbers []int // room for the stages' numbers
	outputs int
}

// leaf is an operand of a group, maybe rolled along its axes.
type leaf struct {
	*Array
	rolled []int
}

type scalarOfType struct {
	value device.Scalar
	dtype dtype.DType
}

var groups = sync.Pool{New: func() any { return new(group) }}

func newGroup() *group { return groups.Get().(*group) }

// recycle makes the group empty and available for reuse.
func (g *group) recycle() {
	for _, d := range g.results {
		d.group = false
	}
	clear(g.results)
	clear(g.stages)
	clear(g.leaves)
	g.results, g.stages, g.leaves, g.scalars, g.numbers, g.outputs = g.results[:0], g.stages[:0], g.leaves[:0], g.scalars[:0], g.numbers[:0], 0
	groups.Put(g)
}

// gather puts d, and the pending results that it reads, into the group.
func (g *group) gather(d *deferred) {
	if d.group {
		return
	}
	d.group, d.reads = true, 0
	for _, x := range d.in {
		if u := x.store.pending.Load(); u != nil {
			g.gather(u)
			if !d.spent {
				u.reads++
			}
		}
	}
	d.stage = int32(len(g.results))
	g.results = append(g.results, d)
}

// computeTogether computes results of one shape by one program. It returns false, and computes nothing, if the program would
// have too many operands.
func (set *deferrals) computeTogether(roots []*deferred, why string) bool {
	g := newGroup()
	defer g.recycle()
	for _, d := range roots {
		g.gather(d)
	}
	if len(g.results) > device.MaxStages {
		return false
	}
	for _, d := range g.results {
		g.add(d, slices.Contains(roots, d) || d.rolled == nil && g.isStored(d, why))
	}
	if g.outputs+len(g.leaves) > device.MaxOperands || len(g.scalars) > device.MaxScalars {
		return false
	}
	boxes, ok := g.boxes(roots[0].y.shape)
	if !ok {
		return false
	}
	g.run(roots[0].fn, boxes, why)
	for k, d := range g.results {
		if g.stages[k].Stored {
			d.forget()
		} else {
			d.inlined++
			if d.isRecorded() {
				d.setSpent(true)
			}
		}
	}
	return true
}

// isStored reports whether the group stores a result that nobody has asked for: because results outside of the group read it, because
// it is likely to be read again, or because a gradient will read it, and would compute it from its operands for too long.
func (g *group) isStored(d *deferred, why string) bool {
	d.cost = int32(d.program.Work())
	for _, x := range d.in {
		if u := x.store.pending.Load(); u != nil && !g.stages[u.stage].Stored {
			d.cost = min(d.cost+u.cost, 1<<16)
		}
	}
	return d.readers-d.done > d.reads || why != endOfScope && d.isReadAgain() || d.claimed.Load() && d.cost > mostWork
}

// isReadAgain reports whether d was computed before, and is held: then the program is likely to read it once more. What a tape holds is
// expected to be computed once for the result and once for the gradient.
func (d *deferred) isReadAgain() bool {
	return d.inlined > 0 && d.isHeld() && (d.inlined > 1 || !d.isRecorded())
}

// isRecorded reports whether a tape knows d, or an operation of the tape reads it for a gradient.
func (d *deferred) isRecorded() bool { return d.claimed.Load() || d.y.store.recorded.Load() > 0 }

// add adds the stage of a result.
func (g *group) add(d *deferred, stored bool) {
	stage := device.Stage{Program: d.program, Stored: stored}
	if stage.Stored {
		g.outputs++
	}
	begin := len(g.numbers)
	for _, x := range d.in {
		if u := x.store.pending.Load(); u != nil {
			g.numbers = append(g.numbers, -1-int(u.stage))
		} else {
			g.numbers = append(g.numbers, g.leaf(leaf{x, d.rolled}))
		}
	}
	inputs := len(g.numbers)
	for k, value := range d.scalars {
		g.numbers = append(g.numbers, g.scalar(scalarOfType{value, d.program.Scalars[k].Type}))
	}
	stage.Inputs, stage.Scalars = g.numbers[begin:inputs], g.numbers[inputs:]
	g.stages = append(g.stages, stage)
}

// leaf returns the number of the operand x.
func (g *group) leaf(x leaf) int {
	for k, known := range g.leaves {
		if known.store == x.store && known.dtype == x.dtype && known.offset == x.offset && broadcast.Equal(known.shape, x.shape) &&
			broadcast.Equal(known.strides, x.strides) && broadcast.Equal(known.rolled, x.rolled) {
			return k
		}
	}
	g.leaves = append(g.leaves, x)
	return len(g.leaves) - 1
}

// scalar returns the number of a scalar.
func (g *group) scalar(v scalarOfType) int {
	for k, known := range g.scalars {
		if known.dtype == v.dtype && sameBits(known.value, v.value) {
			return k
		}
	}
	g.scalars = append(g.scalars, v)
	return len(g.scalars) - 1
}

// run allocates the blocks of the stored results, and launches the program for each box.
func (g *group) run(fn Func, boxes []box, why string) {
	shape := g.results[0].y.shape
	l := fn.Launch(g.results[0].y.store.dev, shape)
	defer l.rescue()
	var blocks [device.MaxOperands]device.Memory
	for k, d := range g.results {
		if g.stages[k].Stored {
			blocks[l.N] = d.alloc(blocks[:l.N])
			l.put(d.y, blocks[l.N], d.y.strides)
		}
	}
	l.Outputs = l.N
	for _, x := range g.leaves {
		l.stride(l.layLeaf(x.Array), x.Array, nil)
	}
	g.setProgram(l.Launch)
	if boxes == nil {
		l.dev.Elementwise(l.Launch)
	}
	for k := range boxes {
		g.runBox(&l, &boxes[k])
	}
	for k := range l.Outputs {
		s := l.arrays[k].store
		s.block.Handle, s.block.Owner = blocks[k].Handle, blocks[k].Owner
	}
	g.explain(&l, why)
	runtime.KeepAlive(l.arrays)
	l.Recycle()
}

// runBox runs a launch for a box of its loop.
func (g *group) runBox(l *Launch, b *box) {
	part := device.NewLaunch()
	*part = *l.Launch
	copy(part.Shape[:], b.shape)
	for k := range l.N {
		x := leaf{}
		if k >= l.Outputs {
			x = g.leaves[k-l.Outputs]
		}
		op := &part.Operands[k]
		op.Offset += b.offset(x, l.Shape[:l.Rank], op.Strides[:l.Rank])
	}
	if len(g.stages) == 1 { // nothing is computed
		l.dev.Copy(part)
	} else {
		l.dev.Elementwise(part)
	}
	part.Recycle()
}

// layLeaf makes an operand of a group, which has memory and may be released, the next operand.
func (l *Launch) layLeaf(x *Array) *device.Operand { return l.lay(x, x.store.block) }

// setProgram sets the program of the launch, which computes all stages, and its scalars.
func (g *group) setProgram(l *device.Launch) {
	l.Program = g.stages[0].Program
	if len(g.stages) > 1 || len(g.leaves) < len(l.Program.Inputs) || len(g.scalars) < len(l.Program.Scalars) {
		l.Program = device.Join(g.stages)
	}
	for k, s := range g.scalars {
		l.Scalars[k] = s.value
	}
}

// funcs returns the functions of the results.
func (g *group) funcs() (all []Func) {
	for _, d := range g.results {
		all = append(all, d.fn)
	}
	return all
}

// alloc allocates the block of a result. Out of memory is an error of the result's function; blocks, which were allocated for the
// same program, are then freed.
func (d *deferred) alloc(blocks []device.Memory) device.Memory {
	dev := d.y.store.dev
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		for _, m := range blocks {
			dev.Free(m)
		}
		if err, ok := e.(error); ok {
			e = &Error{Func: d.fn, Msg: err.Error(), Err: err}
		}
		panic(e)
	}()
	return dev.Alloc(d.y.store.block.Size)
}

func sameBits(a, b device.Scalar) bool {
	return a.Int == b.Int && math.Float64bits(a.Re) == math.Float64bits(b.Re) && math.Float64bits(a.Im) == math.Float64bits(b.Im)
}
