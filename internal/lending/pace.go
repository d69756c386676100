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
const mostProgress = 400 // percent: a user who set GOGC above wants few collections

// Heap is what there is to know about the heap after a collection.
type Heap struct {
	Live  int  // bytes of the objects that lived through it
	Scan  int  // bytes of them, and of stacks and globals, that it had to look at
	Limit int  // of all memory (GOMEMLIMIT); math.MaxInt where there is none
	Few   bool // collections are to be few, or none: GOGC is high or off
}

// cost is about what a collection takes.
func (h Heap) cost() time.Duration {
	return 50*time.Microsecond + time.Duration(h.Scan)*6/10
}

// epoch is the time between two collections. Nobody holds its witness, so that goes with the next one.
type epoch struct {
	number  int
	witness weak.Pointer[witness]
}

type witness struct{ _ [4]uint64 }

// over reports whether there was a collection, noticed or not.
func (e *epoch) over() bool { return e.witness.Value() == nil }

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

// pacer knows when the last collection was; there is one of it, as there is one collector.
type pacer struct {
	fresh   atomic.Int64 // bytes of blocks since the last collection that were new, or had been forgotten
	epoch   atomic.Pointer[epoch]
	mu      sync.Mutex
	last    time.Time
	heap    Heap
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

// Fresh notes that a new block of so many bytes is to be made. It may collect first, and reports whether it has: then the block
// may be among those that came back.
func Fresh(bytes int) bool {
	p := &pace
	n := p.fresh.Add(int64(bytes))
	e := p.epoch.Load()
	if n < startAfter || n < credit && e != nil {
		return false
	}
	if !p.mu.TryLock() {
		return false // somebody is at it
	}
	defer p.mu.Unlock()
	switch {
	case e == nil:
		p.collected()
		return false
	case e.over(): // the runtime has just collected, and it has not been noticed yet
		p.collected()
		return true
	}
	cost := p.heap.cost()
	if p.heap.Few || cost > dearest || time.Since(p.last) < apart*cost {
		return false
	}
	return p.collect()
}

// collect has a collection begin. With one processor it waits for the end; with more, the program goes on meanwhile, since
// runtime.GC waits for the sweep too, which is not urgent.
func (p *pacer) collect() bool {
	p.last = time.Now()
	p.fresh.Store(0)
	if waitForCollections || runtime.GOMAXPROCS(0) == 1 {
		runtime.GC()
		p.collected()
		return true
	}
	go runtime.GC()
	return false
}

// collected notes a collection, and waits for the next.
func (p *pacer) collected() {
	p.last = time.Now()
	p.fresh.Store(0)
	p.heap = p.read()
	w := new(witness)
	e := &epoch{number: 1, witness: weak.Make(w)}
	if last := p.epoch.Load(); last != nil {
		e.number = last.number + 1
	}
	p.epoch.Store(e)
	runtime.AddCleanup(w, func(e *epoch) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if e == p.epoch.Load() {
			p.collected()
		}
	}, e)
	for _, f := range p.after {
		f(p.heap)
	}
}

func (p *pacer) read() Heap {
	metrics.Read(p.samples)
	value := func(i int) int { return int(min(p.samples[i].Value.Uint64(), math.MaxInt)) }
	return Heap{Live: value(0), Scan: value(1), Limit: value(2), Few: value(3) > mostProgress}
}

// collectIfCheap has a collection, and waits for its end, unless it is dear.
func collectIfCheap() {
	pace.mu.Lock()
	cheap := !pace.heap.Few && pace.heap.cost() <= dearest
	pace.mu.Unlock()
	if cheap {
		collectAnyway()
	}
}

// collectAnyway has a collection, and waits for its end.
func collectAnyway() {
	pace.mu.Lock()
	defer pace.mu.Unlock()
	runtime.GC()
	pace.collected()
}
