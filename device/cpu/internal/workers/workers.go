// Package workers shares a kernel's work among the goroutines of one pool: [ForRanges] cuts what can be cut anywhere,
// [Parallel] does pieces that the caller cuts. Nobody else starts goroutines. The results must not depend on how many there are.
//
// # Why results do not depend on the workers
//
// Results do not depend on the number of workers, nor on which of them are awake. These decide who computes an element, when,
// and how many elements a piece of work has. They never decide how an element is computed: by which algorithm, in which
// precision, and where its sums are cut. That follows from the launch alone. What is behind a question for sharing, or for the
// number of workers, does the same operations either way. So it is in
//
//   - what makes each element on its own (Copy, Elementwise, Gather, Random, SearchSorted, what Nonzero and Compress write):
//     ranges begin anywhere, and ends of ranges run the same instructions under masks. Random gives each element a block of the
//     generator. Nonzero and Compress count parts of one length first.
//   - what makes each row, matrix or plane on its own (Softmax, CrossEntropy, CTC, their gradients, Normalize, FFT, factorisations,
//     Scan, Sort, ArgReduce, Reduce and Attention, which takes blocks of queries): one worker makes it from the beginning to the
//     end. Routines that take several rows make each as if it was alone.
//   - long rows: sums, scans and searches for an extreme are cut into groups of GroupLen values, inner products into pieces of
//     vectorPiece, columns, the outputs that NormalizeGrad adds up and the images that the gradient of a weight is summed over into
//     parts that depend on shapes. Each part's result is stored by itself, and they are combined in order, whoever made them.
//     A row that is sorted alone falls into ranges of values, and equal ones have the same bits.
//   - products of matrices: pieces are as large as suits the workers, but each element is one chain of fused sums along k, cut at
//     steps that the shapes and strides say, in a tile of any height and width.
//   - convolutions: so is the sum of an output pixel over channels and taps, in bands of any height. Where it is cut depends on the
//     algorithm, which is chosen as if one worker made all bands.
//   - pooling: a window's points, and the windows that cover a point, are combined in one order, wherever a piece begins.
//   - Scatter: what goes to one element is combined by one worker, point by point.
//
// Tests hold every kernel to it (workers_test.go of package cpu), with the pieces that [BeEager] makes.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How long workers spin, waiting for the next job, before they sleep, and how much work, in nanoseconds, is worth sharing:
// a worker that spins starts at once, one that sleeps takes some 65 µs to wake.
const (
	spinTime    = 60 * time.Microsecond
	yieldEvery  = 256 // looks at the queue
	worthAwake  = 6_000
	worthAsleep = 120_000
	worthClaim  = 3_000   // of a chunk
	mostMissed  = 400_000 // of kernels that were not shared
	maxWorkers  = 1024
)

// pool is the process's workers. They are started by the first kernel that is worth sharing.
type pool struct {
	starting sync.Mutex
	limit    atomic.Int32  // of goroutines that compute one kernel, the caller among them; 0 before the start
	queue    chan *job     // those that spin take from it; a nil job ends a worker
	wake     chan struct{} // for those that sleep
	missed   atomic.Int64  // nanoseconds of work that nobody was awake for
	idle     atomic.Int32
	_        [64]byte     // what spinning workers read lies in a line of its own
	spinning atomic.Int32 // idle ones that are not asleep
}

// all's queue has room for a few kernels at a time. Who finds it full computes with fewer workers.
var all = pool{queue: make(chan *job, 2*max(32, runtime.NumCPU())), wake: make(chan struct{}, maxWorkers)}

// eager has all work shared that can be, however little it is and whether or not anybody is awake, in pieces that may be as
// short as one element. It is for tests, which set it while no kernel runs.
var eager bool

// Set sets how many goroutines compute one kernel together, the calling one among them, and returns the number
// so far, which is GOMAXPROCS at first. It is for tests, and for programs that want to leave processors free. Results
// do not depend on it.
func Set(n int) (old int) {
	all.starting.Lock()
	defer all.starting.Unlock()
	old = int(all.limit.Load())
	running := max(old, 1)
	if old == 0 {
		old = runtime.GOMAXPROCS(0)
	}
	all.resize(running, max(1, min(n, maxWorkers)))
	return old
}

// Count returns how many goroutines may compute a kernel together.
func Count() int { return all.count() }

func (p *pool) count() int {
	if n := p.limit.Load(); n > 0 {
		return int(n)
	}
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.limit.Load() == 0 {
		p.resize(1, min(runtime.GOMAXPROCS(0), maxWorkers))
	}
	return int(p.limit.Load())
}

// resize starts or ends workers; the caller holds the lock.
func (p *pool) resize(from, to int) {
	p.limit.Store(int32(to))
	for ; from < to; from++ {
		p.idle.Add(1)
		go p.serve()
	}
	for ; from > to; from-- {
		p.queue <- nil
		p.wakeOne()
	}
}

// serve is a worker's life.
func (p *pool) serve() {
	p.spinning.Add(1)
	for {
		j := p.await()
		p.idle.Add(-1)
		if j == nil {
			return
		}
		j.work()
		p.idle.Add(1)
		p.spinning.Add(1) // at once: the caller may have its next kernel ready
		j.release()
	}
}

// await returns the next job. The worker counts as spinning when it is called, and no longer when it returns.
func (p *pool) await() *job {
	for {
		j, ok := p.spin()
		p.spinning.Add(-1)
		if ok {
			return j
		}
		select {
		case j := <-p.queue: // which came too late for spin, from one who thought that somebody was spinning
			return j
		default:
			<-p.wake
			p.spinning.Add(1)
		}
	}
}

// spin returns the next job, if it comes soon. Now and then it lets other goroutines run.
func (p *pool) spin() (j *job, ok bool) {
	for start, i := time.Now(), 1; ; i++ {
		select {
		case j := <-p.queue:
			return j, true
		default:
		}
		if i%yieldEvery == 0 {
			if time.Since(start) > spinTime {
				return nil, false
			}
			runtime.Gosched()
		}
	}
}

// wakeOne has a worker that sleeps spin again.
func (p *pool) wakeOne() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Sharing reports whether work of about that many nanoseconds is better shared with other workers.
func Sharing(nanoseconds int) bool {
	switch {
	case nanoseconds < worthAwake && !eager || all.count() == 1:
		return false
	case eager || WorthWaking(float64(nanoseconds)) && all.idle.Load() > 0 || all.spinning.Load() > 0:
		return true
	}
	all.miss(nanoseconds)
	return false
}

// WorthWaking reports whether work is so much that workers are woken for it.
func WorthWaking(nanoseconds float64) bool { return nanoseconds >= worthAsleep || eager }

// miss counts work that would be shared if anybody was awake. Where such work comes again and again, a worker is woken
// for what follows.
func (p *pool) miss(nanoseconds int) {
	if p.missed.Add(int64(nanoseconds)) >= mostMissed && p.idle.Load() > 0 {
		p.missed.Store(0)
		p.wakeOne()
	}
}

// With runs f with that many workers, for tests.
func With(n int, f func()) {
	old := Set(n)
	defer Set(old)
	f()
}

// BeEager has all work shared that can be, or no more than pays, and returns what held so far. It is for tests.
func BeEager(on bool) (before bool) {
	before, eager = eager, on
	return before
}
