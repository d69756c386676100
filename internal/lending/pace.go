package lending

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Dropped memory serves again after a collection only. The runtime has one when the heap has doubled, and where that is large
// the program meanwhile goes through memory that no cache holds, which costs more than a collection where there are few
// pointers. So one is asked for after so many new bytes, unless the last was too short ago for what it costs.

// few is the GOGC, in percent, above which a user wants few collections.
const few = 400

// Heap is what there is to know about the heap after a collection.
type Heap struct {
	Live  int           // bytes of the objects that lived through it
	Limit int           // of all memory (GOMEMLIMIT); math.MaxInt where there is none
	Few   bool          // collections are to be few, or none: GOGC is high or off
	Cost  time.Duration // about what a collection takes
}

// isCheap reports whether a collection may be asked for.
func (h Heap) isCheap() bool { return !h.Few && h.Cost <= Dearest }

// epoch is the time between two collections.
type epoch struct {
	cycles int // of the collector that were complete before
	began  time.Time
	heap   Heap
}

// over reports whether there was a collection since, noticed or not.
func (e *epoch) over() bool { return e.cycles != Cycles() }

// pacer knows when the last collection was; there is one of it, as there is one collector.
type pacer struct {
	fresh atomic.Int64          // bytes of blocks since the last collection that were new, or had been forgotten
	epoch atomic.Pointer[epoch] // nil before enough bytes were made
	asked atomic.Pointer[epoch] // the epoch that a collection was asked to end
	mu    sync.Mutex            // of what follows, and of the change of epochs
	after []func(Heap)
	heap  [4]metrics.Sample
	spent time.Duration // on all collections so far
}

var pace = pacer{heap: [4]metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gomemlimit:bytes"},
	{Name: "/gc/gogc:percent"}, {Name: "/cpu/classes/gc/total:cpu-seconds"}}}

var cycles = struct {
	sync.Mutex
	sample [1]metrics.Sample
}{sample: [1]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}}

// Cycles returns how many collections there were, so that what was made before one can be told from what was made after. (To look
// for an object that nobody holds would keep it, while a collection is under way.)
func Cycles() int {
	cycles.Lock()
	defer cycles.Unlock()
	metrics.Read(cycles.sample[:])
	return int(cycles.sample[0].Value.Uint64())
}

// AfterCollections has f called after every collection, once the program has made some MB of blocks.
func AfterCollections(f func(Heap)) {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	pace.after = append(pace.after, f)
}

// Fresh notes that a new block of so many bytes is to be made, and asks for a collection if that pays.
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

// FreshUnlessBack is Fresh for a block that may be among those which a collection brings back: it reports whether there was
// one. If one is under way for long it waits, so that what is owned stays small.
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

// longestWait bounds the wait for a collection, which other work may hold up.
const longestWait = 20 * time.Millisecond

// isDue reports whether a collection pays now, for one caller in an epoch.
func (p *pacer) isDue(e *epoch) bool {
	asked := p.asked.Load()
	return asked != e && e.heap.isCheap() && time.Since(e.began) >= apart*e.heap.Cost && p.asked.CompareAndSwap(asked, e)
}

// collect has a collection end the epoch. With one processor it waits for that; with more, the program goes on meanwhile, since
// runtime.GC waits for the sweep too, which is not urgent.
func (p *pacer) collect(e *epoch) {
	if waitForCollections || runtime.GOMAXPROCS(0) == 1 {
		runtime.GC()
		p.notice(e)
	} else {
		go runtime.GC()
	}
}

// witness is an object that nobody holds: it goes with the next collection.
type witness struct{ _ [4]uint64 }

// notice begins the next epoch, unless somebody has noticed before that e is over.
func (p *pacer) notice(e *epoch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.epoch.Load() != e {
		return
	}
	p.fresh.Store(0)
	next := &epoch{cycles: Cycles(), began: time.Now()}
	next.heap = p.read(e, next.cycles)
	p.epoch.Store(next)
	runtime.AddCleanup(new(witness), p.notice, next)
	for _, f := range p.after {
		f(next.heap)
	}
}

// read returns what the heap is like after the epoch before, of which there may be none.
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
			h.Cost += (took - h.Cost) / 8 // what a neighbour held up does not count much
		}
	}
	p.spent = spent
	return h
}

// isDear reports whether no collection may be asked for.
func isDear() bool {
	e := pace.epoch.Load()
	return e != nil && !e.heap.isCheap()
}

// collectIfCheap has a collection, and waits for its end, unless it is dear.
func collectIfCheap() {
	if !isDear() {
		collectAnyway()
	}
}

// Collect has a collection, whatever it costs: then the stores know what nobody reaches any more.
func Collect() { collectAnyway() }

// collectAnyway has a collection, and waits for its end.
func collectAnyway() {
	e := pace.epoch.Load()
	runtime.GC()
	pace.notice(e)
}
