package lending

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

// Dropped memory serves again after a collection only. The runtime has one when the heap has doubled, and where that is large
// the program meanwhile goes through memory that no cache holds, which costs more than a collection where there are few
// pointers. So one is asked for after so many new bytes, unless the last was too short ago for what it costs.

// few is the GOGC, in percent, above which a user wants few collections.
const few = 400

// Heap is what there is to know about the heap after a collection.
type Heap struct {
	Live  int  // bytes of the objects that lived through it
	Scan  int  // bytes of them, and of stacks and globals, that it had to look at
	Limit int  // of all memory (GOMEMLIMIT); math.MaxInt where there is none
	Few   bool // collections are to be few, or none: GOGC is high or off
}

// cost is about what a collection takes.
func (h Heap) cost() time.Duration {
	return 30*time.Microsecond + time.Duration(h.Scan)*3/10
}

// isCheap reports whether a collection may be asked for.
func (h Heap) isCheap() bool { return !h.Few && h.cost() <= dearest }

// epoch is the time between two collections. Nobody holds its witness, so that goes with the next one.
type epoch struct {
	number  int
	began   time.Time
	heap    Heap
	witness weak.Pointer[witness]
}

type witness struct{ _ [4]uint64 }

// over reports whether there was a collection since, noticed or not.
func (e *epoch) over() bool { return e.witness.Value() == nil }

// pacer knows when the last collection was; there is one of it, as there is one collector.
type pacer struct {
	fresh   atomic.Int64          // bytes of blocks since the last collection that were new, or had been forgotten
	epoch   atomic.Pointer[epoch] // nil before enough bytes were made
	asked   atomic.Pointer[epoch] // the epoch that a collection was asked to end
	mu      sync.Mutex            // of what follows, and of the change of epochs
	after   []func(Heap)
	samples []metrics.Sample
}

var pace = pacer{samples: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/total:bytes"},
	{Name: "/gc/gomemlimit:bytes"}, {Name: "/gc/gogc:percent"}}}

// AfterCollections has f called after every collection, once the program has made some MB of blocks.
func AfterCollections(f func(Heap)) {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	pace.after = append(pace.after, f)
}

// Epoch counts collections, so that what was made before one can be told from what was made after.
func Epoch() int {
	e := pace.epoch.Load()
	switch {
	case e == nil:
		return 0
	case e.over():
		return e.number + 1
	}
	return e.number
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
	Fresh(bytes)
	p := &pace
	e := p.epoch.Load()
	if e == nil {
		return false
	}
	if p.fresh.Load() >= patience && p.asked.Load() == e {
		for waited := time.Duration(0); !e.over() && waited < dearest; waited += moment {
			time.Sleep(moment)
		}
	}
	if !e.over() {
		return e != p.epoch.Load()
	}
	p.notice(e)
	return true
}

// moment is about the shortest time to sleep.
const moment = 20 * time.Microsecond

// isDue reports whether a collection pays now, for one caller in an epoch.
func (p *pacer) isDue(e *epoch) bool {
	asked := p.asked.Load()
	return asked != e && e.heap.isCheap() && time.Since(e.began) >= apart*e.heap.cost() && p.asked.CompareAndSwap(asked, e)
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

// notice begins the next epoch, unless somebody has noticed before that e is over.
func (p *pacer) notice(e *epoch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.epoch.Load() != e {
		return
	}
	p.fresh.Store(0)
	w := new(witness)
	next := &epoch{number: 1, began: time.Now(), heap: p.read(), witness: weak.Make(w)}
	if e != nil {
		next.number = e.number + 1
	}
	p.epoch.Store(next)
	runtime.AddCleanup(w, p.notice, next)
	for _, f := range p.after {
		f(next.heap)
	}
}

func (p *pacer) read() Heap {
	metrics.Read(p.samples)
	value := func(i int) int { return int(min(p.samples[i].Value.Uint64(), math.MaxInt)) }
	return Heap{Live: value(0), Scan: value(1), Limit: value(2), Few: value(3) > few}
}

// collectIfCheap has a collection, and waits for its end, unless it is dear.
func collectIfCheap() {
	if e := pace.epoch.Load(); e == nil || e.heap.isCheap() {
		collectAnyway()
	}
}

// collectAnyway has a collection, and waits for its end.
func collectAnyway() {
	e := pace.epoch.Load()
	runtime.GC()
	pace.notice(e)
}
