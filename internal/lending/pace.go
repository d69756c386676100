package lending

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Dropped memory can be reused only after a GC cycle. The runtime starts a cycle when the heap has doubled. If the heap
// is large, the program meanwhile touches memory that no cache holds; that costs more than a cycle if there are few
// pointers. So the pacer requests a cycle after a number of new bytes, unless the last cycle was too recent in relation
// to its cost.

// few is the GOGC, in percent, above which the user wants few GC cycles.
const few = 400

// Heap describes the heap after a GC cycle.
type Heap struct {
	Live  int           // size of the surviving objects in bytes
	Limit int           // limit of all memory (GOMEMLIMIT); math.MaxInt if there is no limit
	Few   bool          // the user wants few GC cycles, or none: GOGC is high or off
	Cost  time.Duration // approximate cost of a GC cycle
}

// isCheap reports whether a GC cycle may be requested.
func (h Heap) isCheap() bool { return !h.Few && h.Cost <= MaxCost }

// epoch is the time between two GC cycles.
type epoch struct {
	cycles int // GC cycles that were complete before the epoch
	began  time.Time
	heap   Heap
}

// over reports whether a GC cycle has ended since, noticed or not.
func (e *epoch) over() bool { return e.cycles != Cycles() }

// pacer knows when the last GC cycle was. There is one pacer, as there is one GC.
type pacer struct {
	fresh atomic.Int64          // bytes of blocks since the last GC cycle that are new, or had been dropped
	epoch atomic.Pointer[epoch] // nil until enough bytes were allocated
	asked atomic.Pointer[epoch] // the epoch that a requested GC cycle should end
	mu    sync.Mutex            // guards the fields below, and the change of epochs
	after []func(Heap)
	heap  [4]metrics.Sample
	spent time.Duration // on all GC cycles so far
}

var pace = pacer{heap: [4]metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gomemlimit:bytes"},
	{Name: "/gc/gogc:percent"}, {Name: "/cpu/classes/gc/total:cpu-seconds"}}}

var cycles = struct {
	sync.Mutex
	sample [1]metrics.Sample
}{sample: [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}}

// Cycles returns the number of completed GC cycles, so that a caller can tell what was made before a cycle from what
// was made after it. (Reading a weak pointer to an unreachable object instead would keep the object alive during a GC
// cycle.)
func Cycles() int {
	cycles.Lock()
	defer cycles.Unlock()
	metrics.Read(cycles.sample[:])
	return int(cycles.sample[0].Value.Uint64())
}

// AfterGC registers f to be called after every GC cycle, once the program has allocated some MB of blocks.
func AfterGC(f func(Heap)) {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	pace.after = append(pace.after, f)
}

// Fresh notes that a new block of the given size will be allocated, and requests a GC cycle if that pays.
func Fresh(bytes int) {
	p := &pace
	n := p.fresh.Add(int64(bytes))
	e := p.epoch.Load()
	switch {
	case e == nil && n >= startAfter:
		p.notice(nil)
	case e == nil || n < credit:
	case e.over():
		p.notice(e)
	case p.isDue(e):
		p.collect(e)
	}
}

// FreshUnlessBack is Fresh for a block that a GC cycle may return instead. It reports whether a cycle has ended, so
// that the caller looks again. If a requested cycle takes long, it waits, so that the owned memory stays small.
func FreshUnlessBack(bytes int) bool {
	p := &pace
	e := p.epoch.Load()
	Fresh(bytes)
	if e == nil || e != p.epoch.Load() {
		return e != nil
	}
	if p.asked.Load() != e {
		return false
	}
	if p.fresh.Load() >= patience {
		for began := time.Now(); !e.over() && time.Since(began) < longestWait; {
			runtime.Gosched()
		}
	}
	if !e.over() {
		return false
	}
	p.notice(e)
	return true
}

// longestWait bounds the wait for a GC cycle, which other work may delay.
const longestWait = 20 * time.Millisecond

// isDue reports whether a GC cycle pays now. It returns true to one caller per epoch.
func (p *pacer) isDue(e *epoch) bool {
	asked := p.asked.Load()
	return asked != e && e.heap.isCheap() && time.Since(e.began) >= minInterval*e.heap.Cost && p.asked.CompareAndSwap(asked, e)
}

// collect ends the epoch with a GC cycle. With one processor it waits for the cycle. With more, the program continues
// meanwhile, because runtime.GC also waits for the sweep, which is not urgent.
func (p *pacer) collect(e *epoch) {
	if waitForCollections || runtime.GOMAXPROCS(0) == 1 {
		runtime.GC()
		p.notice(e)
	} else {
		go runtime.GC()
	}
}

// witness is an unreachable object: its cleanup runs after the next GC cycle.
type witness struct{ _ [4]uint64 }

// notice begins the next epoch, unless another caller has already noticed that e is over.
func (p *pacer) notice(e *epoch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.epoch.Load() != e {
		return
	}
	if e == nil {
		p.fresh.Add(-startAfter) // no GC cycle has run since
	} else {
		p.fresh.Store(0)
	}
	next := &epoch{cycles: Cycles(), began: time.Now()}
	next.heap = p.read(e, next.cycles)
	p.epoch.Store(next)
	runtime.AddCleanup(new(witness), p.notice, next)
	for _, f := range p.after {
		f(next.heap)
	}
}

// read returns the state of the heap after the epoch before, which may be nil.
func (p *pacer) read(before *epoch, cycles int) Heap {
	metrics.Read(p.heap[:])
	value := func(i int) int { return int(min(p.heap[i].Value.Uint64(), math.MaxInt)) }
	h := Heap{Live: value(0), Limit: value(1), Few: value(2) > few}
	spent := time.Duration(p.heap[3].Value.Float64() * float64(time.Second))
	if before == nil {
		h.Cost = spent / time.Duration(max(1, cycles))
	} else {
		h.Cost = before.heap.Cost
		if took := (spent - p.spent) / time.Duration(max(1, cycles-before.cycles)); took < h.Cost {
			h.Cost = took
		} else {
			h.Cost += (took - h.Cost) / 8 // a cycle that other work delayed has little weight
		}
	}
	p.spent = spent
	return h
}

// isTooExpensive reports whether GC cycles are too expensive to be requested.
func isTooExpensive() bool {
	e := pace.epoch.Load()
	return e != nil && !e.heap.isCheap()
}

// collectFor runs a GC cycle that may free the given number of bytes, and waits for its end, unless the cycle is too
// expensive for that.
func collectFor(bytes int) {
	if e := pace.epoch.Load(); e == nil || e.heap.isWorth(bytes) {
		collectAnyway()
	}
}

// isWorth reports whether a GC cycle that may free the given number of bytes may be requested.
func (h Heap) isWorth(bytes int) bool {
	return !h.Few && h.Cost <= MaxCost*time.Duration(max(1, bytes/worth))
}

// collectIfLongAgo runs a GC cycle if the last one was long ago: a program that makes no new blocks may have dropped some
// since. Such cycles take at most a thousandth of the time.
func collectIfLongAgo() {
	e := pace.epoch.Load()
	switch {
	case e == nil || e.heap.Few:
	case e.over():
		pace.notice(e)
	case time.Since(e.began) >= max(longestSpare, 1000*e.heap.Cost):
		collectAnyway()
	}
}

// worth is the number of bytes that are worth a GC cycle of MaxCost: a new program takes about as long to touch them.
const worth = 8 << 20

// newBytes returns the number of bytes of blocks since the last GC cycle that are new, or had been dropped.
func newBytes() int { return int(pace.fresh.Load()) }

// Collect runs a GC cycle, whatever it costs: then the stores know which blocks are unreachable.
func Collect() { collectAnyway() }

// collectAnyway runs a GC cycle and waits for its end.
func collectAnyway() {
	e := pace.epoch.Load()
	runtime.GC()
	pace.notice(e)
}
