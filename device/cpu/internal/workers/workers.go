// Package workers shares a kernel's work among the goroutines of one pool. [ForRanges] splits work that can be split
// anywhere; [Parallel] runs chunks that the caller defines. No other code starts goroutines. The results must not
// depend on the number of workers.
//
// # Why results do not depend on the workers
//
// Results do not depend on the number of workers, nor on which workers are awake. These decide who computes an element,
// when, and how many elements a piece of work has. They never decide how an element is computed: by which algorithm, in
// which precision, and where its sums are split. These follow from the launch alone. Code that branches on sharing, or
// on the number of workers, performs the same operations in either branch. In detail:
//
//   - Kernels that compute each element on its own (Copy, Elementwise, Gather, Random, SearchSorted, the output of
//     Nonzero and Compress): ranges begin anywhere, and ends of ranges run the same instructions under masks. Random
//     gives each element its own block of the generator. Nonzero and Compress first count parts of a fixed length.
//   - Kernels that compute each row, matrix or plane on its own (Softmax, CrossEntropy, CTC, their gradients,
//     Normalize, FFT, factorisations, Scan, Sort, ArgReduce, Reduce and Attention, which takes blocks of queries): one
//     worker computes it from the beginning to the end. Routines that take several rows compute each as if it was
//     alone. A long row of FFT is cut into groups of columns that follow from its length; each is computed by itself.
//   - Long rows: sums, scans and searches for an extreme are split into groups of GroupLen values; inner products into
//     pieces of vectorPiece; columns, the outputs that NormalizeGrad sums and the images over which the gradient of a
//     weight is summed into parts that depend on shapes. Each part's result is stored separately, and the results are
//     combined in order, whoever computed them. A row that is sorted alone is split into ranges of values; equal values
//     have the same bits.
//   - Matrix products: the size of the pieces suits the workers, but each element is one chain of fused sums along k,
//     split at steps that the shapes and strides determine, in a tile of any height and width.
//   - Convolutions: the same holds for the sum of an output pixel over channels and taps, in bands of any height. The
//     algorithm determines where the sum is split; it is chosen as if one worker computed all bands.
//   - Pooling: a window's points, and the windows that cover a point, are combined in one order, wherever a piece
//     begins.
//   - Scatter: one worker combines everything that goes to one element, point by point.
//
// Tests check this for every kernel (workers_test.go of package cpu), with the pieces that [BeEager] makes.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How long workers spin, waiting for the next job, before they sleep, and how much work, in nanoseconds, is worth
// sharing. A spinning worker starts at once; a sleeping worker takes some 65 µs to wake. One that is woken soon after it has fallen
// asleep spins longer the next time: otherwise it would sleep through the kernels that are not worth waking it.
const (
	spinTime    = 60 * time.Microsecond
	mostSpin    = 300 * time.Microsecond
	yieldEvery  = 256 // number of looks at the queue
	worthAwake  = 6_000
	worthAsleep = 120_000
	worthClaim  = 3_000   // work of a chunk
	mostMissed  = 400_000 // work of kernels that were not shared
	maxWorkers  = 1024
)

// pool holds the process's workers. The first kernel that is worth sharing starts them.
type pool struct {
	starting sync.Mutex
	limit    atomic.Int32  // number of goroutines that compute one kernel, including the caller; 0 before the start
	queue    chan *job     // spinning workers receive from it; a nil job ends a worker
	wake     chan struct{} // wakes sleeping workers
	missed   atomic.Int64  // nanoseconds of work that nobody was awake to share
	idle     atomic.Int32
	_        [64]byte     // the fields that spinning workers read have their own cache line
	spinning atomic.Int32 // number of idle workers that are not asleep
}

// all's queue has room for a few kernels at a time. A caller that finds it full computes with fewer workers.
var all = pool{queue: make(chan *job, 2*max(32, runtime.NumCPU())), wake: make(chan struct{}, maxWorkers)}

// eager makes kernels share all work that can be shared, however little it is and whether or not workers are awake, in
// pieces that may be as short as one element. It is for tests, which set it while no kernel runs.
var eager bool

// Set sets how many goroutines compute one kernel together, including the calling one, and returns the previous number.
// The initial number is GOMAXPROCS. Set is for tests, and for programs that want to leave processors free. Results do
// not depend on the number of workers.
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
		go p.serve(from)
	}
	for ; from > to; from-- {
		p.queue <- nil
		p.wakeOne()
	}
}

// serve is the main loop of worker number k; 0 are the callers.
func (p *pool) serve(k int) {
	p.spinning.Add(1)
	patience := spinTime
	for {
		j := p.await(&patience)
		p.idle.Add(-1)
		if j == nil {
			return
		}
		j.work(k)
		p.idle.Add(1)
		p.spinning.Add(1) // at once: the caller may already have its next kernel ready
		j.release()
	}
}

// await returns the next job. The worker counts as spinning when await is called, and no longer counts when await
// returns. patience is how long it spins.
func (p *pool) await(patience *time.Duration) *job {
	for {
		j, ok := p.spin(*patience)
		p.spinning.Add(-1)
		if ok {
			return j
		}
		select {
		case j := <-p.queue: // sent too late for spin, by a caller that thought that a worker was spinning
			return j
		default:
			asleep := time.Now()
			<-p.wake
			p.spinning.Add(1)
			if time.Since(asleep) < mostSpin {
				*patience = min(2**patience, mostSpin)
			} else {
				*patience = spinTime
			}
		}
	}
}

// spin returns the next job, if it comes soon. It regularly lets other goroutines run.
func (p *pool) spin(patience time.Duration) (j *job, ok bool) {
	for start, i := time.Now(), 1; ; i++ {
		select {
		case j := <-p.queue:
			return j, true
		default:
		}
		if i%yieldEvery == 0 {
			if time.Since(start) > patience {
				return nil, false
			}
			runtime.Gosched()
		}
	}
}

// wakeOne wakes a sleeping worker, which then spins.
func (p *pool) wakeOne() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Sharing reports whether work of about the given number of nanoseconds should be shared with other workers.
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

// WorthWaking reports whether there is enough work to wake workers for it.
func WorthWaking(nanoseconds float64) bool { return nanoseconds >= worthAsleep || eager }

// miss counts work that would be shared if a worker was awake. If such work repeats, miss wakes a worker for the work
// that follows.
func (p *pool) miss(nanoseconds int) {
	if p.missed.Add(int64(nanoseconds)) >= mostMissed && p.idle.Load() > 0 {
		p.missed.Store(0)
		p.wakeOne()
	}
}

// With runs f with n workers, for tests.
func With(n int, f func()) {
	old := Set(n)
	defer Set(old)
	f()
}

// BeEager sets whether all work that can be shared is shared, or only work that is worth it, and returns the previous
// setting. It is for tests.
func BeEager(on bool) (before bool) {
	before, eager = eager, on
	return before
}
