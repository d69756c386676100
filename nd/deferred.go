package nd

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// Inside a scope of Tidy or TidyAll an elementwise function may return an array whose block has no memory yet: its
// storage is pending, and knows the program, the scalars and the operands. What needs the memory asks storage.memory,
// which computes it then. Its program is joined with those of pending operands, so that a chain of functions is one pass
// over memory. Nobody can observe that a result was deferred:
//
//   - Everything is checked, and refused, before a result is deferred (Func.Defer).
//   - An operand is a header more on its block, so that Release does not free what is read later.
//   - Every write to a block first computes the pending results that read it (storage.settle). Blocks whose memory the
//     program can reach, by Data or Wrap, are never read late.
//   - Functions keep their bits when they are joined: device.Device.Engines.
//   - The end of the scope computes what is still pending and held by somebody (deferrals.end). Results that nobody holds
//     any more are never stored.
//
// The results of a scope are in its deferrals, which an array reaches through its arena, and a pending block directly.
// Nested scopes, and the temporaries of functions, use the deferrals of the arena that owns their arguments.
//
// A result that two pending results read is stored, unless one program computes both. A result that was computed inside of a
// program, and is then read again, is computed once more, and stored.
//
// A recorded result may be pending, too, if its tape permits it (see joiner): its node is the same as without a scope, and the
// memory that the node claims is pending. A VJP, which is a program as well, is joined with the values that it reads: the
// backward pass computes them again from their operands, unless that takes long (group.isStored).

// deferred is a pending result.
type deferred struct {
	set     *deferrals
	fn      Func
	y       *Array // a header on the block, maybe released: for its shape
	program *device.Program
	engines device.Engines // of the program joined with those of pending operands
	size    int32          // at least the number of stages of that program
	scalars []device.Scalar
	in      []*Array    // headers, maybe released
	rolled  []int       // a rolled copy of in[0], by these numbers of indices; else nil
	readers int32       // how many operands of pending results it is
	done    int32       // how many of these are operands of spent results
	inlined int32       // how many programs computed it without storing it
	cost    int32       // Program.Work of the program of the last group that computed it, as far as it was needed for this result
	claimed atomic.Bool // a tape's operation claims it: its gradient reads it
	spent   bool        // a reduction, or a program of a tape, computed it without storing it, and no pending result has read it since
	call    uint64      // its number among the calls

	room struct {
		scalars [1]device.Scalar
		in      [3]*Array
		result  reading // of the result's block
		operand reading // of an operand's block, unless the block has one of this scope
	}

	// While it is in a group:
	group bool
	stage int32 // its number in the group
	reads int32 // how many operands of results of the group it is, without those that are spent
}

// deferrals are the pending results of a scope. The lock guards them: any goroutine may need the memory of a result.
type deferrals struct {
	sync.Mutex
	pending []*deferred // in the order of the calls, so that operands precede their readers
	room    [8]*deferred
	calls   uint64
	ended   atomic.Bool // nothing more is deferred
}

// deferrals returns the deferrals of the scope that the arena belongs to, or nil.
func (a *Arena) deferrals() *deferrals {
	if a == nil || a.set == nil || a.set.ended.Load() {
		return nil
	}
	return a.set
}

// Defer returns the result of an elementwise program of one output as an array that is computed when its memory is needed.
// It returns nil if the result must be computed at once: outside of scopes, and if joining the program could be noticed or gains
// nothing. Defer never refuses operands; the caller has. The operands, which broadcast to the shape of the result, are the
// program's inputs.
func (fn Func) Defer(p *device.Program, scalars []device.Scalar, shape []int, in []*Array) *Array {
	owner := youngest(in)
	if owner == nil || owner.set == nil || tracing.Load() != nil {
		return nil
	}
	if broadcast.Size(shape) < leastDeferred || len(in) >= device.MaxOperands {
		return nil
	}
	engines := joinable(p, in, in[0].store.dev)
	if engines == 0 {
		return nil
	}
	if !slices.ContainsFunc(in, func(x *Array) bool { return broadcast.Equal(x.shape, shape) }) { // there might be no memory for the result
		explainRefusal("all operands are broadcast")
		return nil
	}
	set, common := owner.set, engines
	for _, x := range in {
		if d := x.store.pending.Load(); d == nil {
			continue
		} else if !set.joins(d, x, shape, &common) {
			x.store.computeFor(needed + string(fn) + ", in another shape or on another engine")
		}
	}
	set.Lock()
	defer set.Unlock()
	return set.add(fn, p, engines, scalars, shape, in, owner, nil)
}

// joinable returns the engines on which a program of these operands can be joined with others, or 0.
func joinable(p *device.Program, in []*Array, dev device.Device) device.Engines {
	if y := &p.Outputs[0]; len(p.Outputs) != 1 || !y.Keeps(y.Stored) {
		explainRefusal("several results, or a converted one")
		return 0
	}
	for i, x := range in {
		if x.node != nil && !joins(x.node.Tape) {
			explainRefusal("a tape with hooks, a timer, Debug or Links has recorded an operand")
			return 0
		}
		if !p.Inputs[i].Keeps(x.dtype) || x.store.dev != dev {
			explainRefusal("an operand is converted")
			return 0
		}
	}
	engines := dev.Engines(p)
	if engines == 0 {
		explainRefusal("the device does not join its program")
	}
	return engines
}

// joins reports whether a program of a result of this shape can compute its operand x, which is pending. The engines of the program and of the
// operands before x become those that run the program of x, too.
func (set *deferrals) joins(d *deferred, x *Array, shape []int, engines *device.Engines) bool {
	if d.set != set || *engines&d.engines == 0 || !x.isAll(d) || !broadcast.Equal(x.shape, shape) {
		return false
	}
	*engines &= d.engines
	return true
}

// isAll reports whether x has all elements of a pending block, in their order.
func (x *Array) isAll(d *deferred) bool {
	return x.offset == 0 && x.dtype == d.y.dtype && broadcast.Equal(x.shape, d.y.shape) && broadcast.IsContiguous(x.shape, x.strides)
}

// add adds a result. It returns nil if a block must not be read late.
func (set *deferrals) add(fn Func, p *device.Program, engines device.Engines, scalars []device.Scalar, shape []int, in []*Array, owner *Arena, rolled []int) *Array {
	if set.ended.Load() {
		return nil
	}
	d := new(deferred)
	pinned := false
	for _, x := range in {
		set.reads(x.store, &d.room.operand)
		pinned = pinned || x.store.pinned.Load() // looked at after the block knows its reader: see Data
	}
	if pinned {
		for _, x := range in {
			set.readsNoMore(x.store)
		}
		return nil
	}
	size := set.sizeOf(in)
	y := newArray(fn, in[0].store.dev, p.Outputs[0].Stored, shape, true)
	s := y.store
	d.set, d.fn, d.y, d.program, d.engines, d.size, d.rolled = set, fn, y, p, engines, int32(size), rolled
	d.scalars = append(d.room.scalars[:0], scalars...)
	d.in = append(d.room.in[:0], in...)
	for _, x := range in {
		x.store.extraHeaders.Add(1)
		if u := x.store.pending.Load(); u != nil {
			u.setSpent(false)
			u.readers++
			d.engines &= u.engines
		}
	}
	s.readings.Store(d.room.result.fill(set, 0, nil))
	s.pending.Store(d)
	s.wrote(fn)
	if set.pending == nil {
		set.pending = set.room[:0]
	}
	set.calls++
	d.call = set.calls
	set.pending = append(set.pending, d)
	owner.own(y)
	return y
}

// sizeOf returns the size of a result of these operands. If a program would have too many stages, it first computes the operands.
func (set *deferrals) sizeOf(in []*Array) int {
	size := 1
	for _, x := range in {
		if u := x.store.pending.Load(); u != nil {
			size += int(u.size)
		}
	}
	if size <= device.MaxStages {
		return size
	}
	g := newGroup() // operands may be counted twice: count exactly
	for _, x := range in {
		if u := x.store.pending.Load(); u != nil {
			g.gather(u)
		}
	}
	size = 1 + len(g.results)
	g.recycle()
	if size <= device.MaxStages {
		return size
	}
	for _, x := range in {
		if u := x.store.pending.Load(); u != nil {
			set.compute([]*deferred{u}, tooLong)
		}
	}
	return 1
}

// forget forgets a result that nobody holds any more.
func (set *deferrals) forget(d *deferred) {
	set.Lock()
	defer set.Unlock()
	d.forget()
}

// compute gives a pending block its memory.
func (s *storage) compute() { s.computeFor(needed) }

func (s *storage) computeFor(why string) {
	d := s.pending.Load()
	if d == nil {
		return // another goroutine was faster
	}
	d.set.Lock()
	defer d.set.Unlock()
	if s.pending.Load() == d {
		d.set.compute([]*deferred{d}, why)
	}
}

// end computes what is pending and held by somebody, at the end of the scope.
func (set *deferrals) end() {
	set.Lock()
	defer set.Unlock()
	set.ended.Store(true)
	set.compute(set.wanted(), endOfScope)
}

// computeNow computes the pending results among the blocks that the function chooses.
func (set *deferrals) computeNow(chooses func(block *storage) bool) {
	set.Lock()
	defer set.Unlock()
	var room [8]*deferred
	roots := room[:0]
	for _, d := range set.pending {
		if chooses(d.y.store) {
			roots = append(roots, d)
		}
	}
	set.compute(roots, endOfScope)
}

// wanted returns the pending results that somebody holds, beside pending results that read them.
func (set *deferrals) wanted() (all []*deferred) {
	for _, d := range set.pending {
		if d.isHeld() {
			all = append(all, d)
		}
	}
	return all
}

func (d *deferred) isHeld() bool { return d.y.store.extraHeaders.Load()+1 > d.readers }

// setSpent notes whether d is spent: then its operands are not likely to be read for it.
func (d *deferred) setSpent(spent bool) {
	if d.spent == spent {
		return
	}
	d.spent = spent
	for _, x := range d.in {
		if u := x.store.pending.Load(); u == nil {
			continue
		} else if spent {
			u.done++
		} else {
			u.done--
		}
	}
}

// forget removes a result that was computed, or that nobody holds any more, and drops its operands.
func (d *deferred) forget() {
	set := d.set
	d.setSpent(false)
	s := d.y.store
	s.pending.Store(nil)
	if d.room.result.reads == 0 {
		s.forgetReader(set)
	}
	k, _ := slices.BinarySearchFunc(set.pending, d.call, func(e *deferred, call uint64) int { return cmp.Compare(e.call, call) })
	set.pending = slices.Delete(set.pending, k, k+1)
	for _, x := range d.in {
		u := x.store.pending.Load()
		if u != nil {
			u.readers--
		}
		set.readsNoMore(x.store)
		if x.store.dropOne() {
			if u != nil {
				u.forget()
			}
			x.store.free()
		}
	}
	clear(d.in)
	d.in, d.scalars, d.program = nil, nil, nil
}
