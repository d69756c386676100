package cpu

// Results do not depend on the number of workers, nor on which of them are awake. These decide who computes an element, when,
// and how many elements a piece of work has. They never decide how an element is computed: by which algorithm, in which
// precision, and where its sums are cut. That follows from the launch alone. What is behind a question for sharing, or for the
// number of workers, does the same operations either way. So it is in
//
//   - what makes each element on its own (Copy, Elementwise, Gather, Random, Search, the places that Nonzero and Compress write):
//     ranges begin anywhere, and ends of ranges run the same instructions under masks. Random gives each element a block of the
//     generator. Nonzero and Compress count parts of one length first.
//   - what makes each row, matrix or plane on its own (Softmax, CrossEntropy, their gradients, Normalize, FFT, factorisations,
//     Scan, Sort, ArgReduce, Reduce and Attention, which takes blocks of queries): one worker makes it from the beginning to the
//     end. Routines that take several rows make each as if it was alone.
//   - long rows: sums, scans and searches are cut into groups of groupLen values, inner products into such of vectorPiece, columns
//     into bands, the outputs that NormalizeGrad adds up and the images of which the gradient of a weight is made into parts
//     that depend on shapes. What the pieces give has a place each, and is combined in their order, by whomever they were made.
//     A row that is sorted alone falls into ranges of values, and equal ones have the same bits.
//   - products of matrices: pieces are as large as suits the workers, but each element is one chain of fused sums along k, cut at
//     steps that the shapes and strides say, in a tile of any height and width.
//   - convolutions: so are the sums of a place over channels and taps, in bands of any height. The way that is taken, on which it
//     depends where these are cut, is chosen for the bands of one worker.
//   - pooling: a window's points, and the windows that cover a point, are combined in one order, wherever a piece begins.
//   - Scatter: what goes to one place is combined by one worker, point by point.
//
// Tests hold every kernel to it (workers_test.go), with the pieces that eager makes.

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How long workers look out for the next job before they sleep, and how much work, in nanoseconds, is worth sharing:
// with a worker that is looking out it starts at once, one that sleeps takes some 65 µs to wake.
const (
	lookout     = 60 * time.Microsecond
	yieldEvery  = 256 // looks
	worthAwake  = 6_000
	worthAsleep = 120_000
	worthClaim  = 3_000   // of a chunk
	mostMissed  = 400_000 // of kernels that were not shared
	maxWorkers  = 1024
)

// pool is the process's workers. They are started by the first kernel that is worth sharing.
type crew struct {
	starting sync.Mutex
	limit    atomic.Int32  // of goroutines that compute one kernel, the caller among them; 0 before the start
	jobs     chan *job     // those that look out take from it; a nil job ends a worker
	wake     chan struct{} // for those that sleep
	missed   atomic.Int64  // nanoseconds of work that nobody was awake for
	idle     atomic.Int32
	_        [64]byte     // what spinning workers read lies in a line of its own
	looking  atomic.Int32 // idle ones that are not asleep
}

var workers = crew{jobs: make(chan *job, 2*maxWorkers), wake: make(chan struct{}, maxWorkers)}

// eager has all work shared that can be, however little it is and whether or not anybody is awake, in pieces that may be as
// short as one element. It is for tests, which set it while no kernel runs.
var eager bool

// SetWorkers sets how many goroutines compute one kernel together, the calling one among them, and returns the number
// so far, which is GOMAXPROCS at first. It is for tests, and for programs that want to leave processors free. Results
// do not depend on it.
func SetWorkers(n int) (old int) {
	workers.starting.Lock()
	defer workers.starting.Unlock()
	old = int(workers.limit.Load())
	running := max(old, 1)
	if old == 0 {
		old = runtime.GOMAXPROCS(0)
	}
	workers.resize(running, max(1, min(n, maxWorkers)))
	return old
}

// count returns how many goroutines may compute a kernel together.
func (p *crew) count() int {
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
func (p *crew) resize(from, to int) {
	p.limit.Store(int32(to))
	for ; from < to; from++ {
		p.idle.Add(1)
		go p.serve()
	}
	for ; from > to; from-- {
		p.jobs <- nil
		p.wakeOne()
	}
}

// serve is a worker's life.
func (p *crew) serve() {
	p.looking.Add(1)
	for {
		j := p.await()
		p.idle.Add(-1)
		if j == nil {
			return
		}
		j.work()
		p.idle.Add(1)
		p.looking.Add(1) // at once: the caller may have its next kernel ready
		j.release()
	}
}

// await returns the next job. The worker counts as looking out at first, and no more then.
func (p *crew) await() *job {
	for {
		j, ok := p.lookOut()
		p.looking.Add(-1)
		if ok {
			return j
		}
		select {
		case j := <-p.jobs: // which came too late for lookOut, from one who thought that somebody was looking
			return j
		default:
			<-p.wake
			p.looking.Add(1)
		}
	}
}

// lookOut returns the next job, if it comes soon. Now and then it lets other goroutines run.
func (p *crew) lookOut() (j *job, ok bool) {
	for start, i := time.Now(), 1; ; i++ {
		select {
		case j := <-p.jobs:
			return j, true
		default:
		}
		if i%yieldEvery == 0 {
			if time.Since(start) > lookout {
				return nil, false
			}
			runtime.Gosched()
		}
	}
}

// wakeOne has a worker that sleeps look out again.
func (p *crew) wakeOne() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// job is a loop over chunks, which whoever comes takes one after the other. It is used again when nobody refers to it:
// the caller, workers, and places in the queue.
type job struct {
	body    func(chunk int)
	ranges  func(from, to int) // where there is no body: of ranges of that length, up to n
	length  int
	n       int
	chunks  int64
	users   atomic.Int32
	waiting atomic.Int32 // whether the caller sleeps
	done    chan struct{}
	failure atomic.Pointer[failure]
	_       [64]byte
	next    atomic.Int64
	left    atomic.Int64
	_       [64]byte
}

// The states of a job's caller.
const (
	awake = iota
	asleep
	served
)

var jobs = sync.Pool{New: func() any { return &job{done: make(chan struct{}, 1)} }}

// failure is what a chunk panicked with.
type failure struct{ value any }

// sharing reports whether work of about that many nanoseconds is better shared with workers.
func sharing(nanoseconds int) bool {
	switch {
	case nanoseconds < worthAwake && !eager || workers.count() == 1:
		return false
	case eager || worthWaking(float64(nanoseconds)) && workers.idle.Load() > 0 || workers.looking.Load() > 0:
		return true
	}
	workers.miss(nanoseconds)
	return false
}

// worthWaking reports whether work is so much that workers are woken for it.
func worthWaking(nanoseconds float64) bool { return nanoseconds >= worthAsleep || eager }

// miss counts work that would be shared if anybody was awake. Where such work comes again and again, a worker is woken
// for what follows.
func (p *crew) miss(nanoseconds int) {
	if p.missed.Add(int64(nanoseconds)) >= mostMissed && p.idle.Load() > 0 {
		p.missed.Store(0)
		p.wakeOne()
	}
}

// parallel calls body for every chunk from 0 on, on the calling goroutine and on idle workers, and returns when all are
// done. Where nobody is idle, as in a call from a busy worker, the caller does all the work, of that many nanoseconds.
// The first panic of a chunk is raised again; then some chunks may not have run.
func parallel(chunks, nanoseconds int, body func(chunk int)) {
	helpers := workers.helpers(chunks, nanoseconds)
	if helpers <= 0 {
		for chunk := range chunks {
			body(chunk)
		}
		return
	}
	j := jobs.Get().(*job)
	j.body = body
	j.share(chunks, helpers)
}

// helpers returns how many workers to call. Those that sleep are left alone where the work is done before they wake.
func (p *crew) helpers(chunks, nanoseconds int) int {
	idle := &p.looking
	switch {
	case eager:
		return min(chunks, p.count()) - 1
	case worthWaking(float64(nanoseconds)):
		idle = &p.idle
	}
	return min(chunks-1, p.count()-1, int(idle.Load()))
}

// share does a job together with workers and raises its failure.
func (j *job) share(chunks, helpers int) {
	j.chunks = int64(chunks)
	j.next.Store(0)
	j.left.Store(int64(chunks))
	j.waiting.Store(awake)
	j.users.Store(int32(1 + helpers))
	workers.call(j, helpers)
	j.work()
	j.wait()
	f := j.failure.Load()
	j.body, j.ranges = nil, nil
	j.failure.Store(nil)
	j.release()
	if f != nil {
		panic(f.value)
	}
}

// call asks workers to help. Those that come too late find nothing to do.
func (p *crew) call(j *job, helpers int) {
	sleepers := helpers - int(p.looking.Load())
	for k := range helpers {
		select {
		case p.jobs <- j:
		default:
			j.users.Add(int32(k - helpers))
			return
		}
	}
	for range sleepers {
		p.wakeOne()
	}
}

// release says that the job is used by one less.
func (j *job) release() {
	if j.users.Add(-1) == 0 {
		jobs.Put(j)
	}
}

func (j *job) work() {
	for {
		chunk := j.next.Add(1) - 1
		if chunk >= j.chunks {
			return
		}
		j.run(int(chunk))
	}
}

func (j *job) run(chunk int) {
	defer func() {
		if e := recover(); e != nil {
			j.failure.CompareAndSwap(nil, &failure{e})
		}
		if j.left.Add(-1) == 0 && j.waiting.Swap(served) == asleep {
			j.done <- struct{}{}
		}
	}()
	switch {
	case j.failure.Load() != nil:
	case j.body != nil:
		j.body(chunk)
	default:
		j.ranges(chunk*j.length, min((chunk+1)*j.length, j.n))
	}
}

// wait returns when the chunks that others took are done: most often that is soon.
func (j *job) wait() {
	if j.left.Load() == 0 {
		return
	}
	for start, i := time.Now(), 1; ; i++ {
		if j.left.Load() == 0 {
			return
		}
		if i%yieldEvery == 0 {
			if time.Since(start) > lookout {
				break
			}
			runtime.Gosched()
		}
	}
	if j.waiting.CompareAndSwap(awake, asleep) {
		<-j.done
	}
}

// chunking cuts n equal pieces of work, of that many nanoseconds each, into chunks that are worth a claim, and enough of
// them to even out what others do with the processors. It returns how many pieces make a chunk. Chunks of many pieces
// begin at lines of the cache, where the pieces are elements side by side.
func chunking(n int, nanoseconds float64) int {
	perWorker := n / (4 * workers.count())
	worthwhile := int(min(worthClaim/nanoseconds, float64(n)))
	length := max(1, perWorker, worthwhile)
	if eager {
		length = max(1, perWorker)
	} else if length >= 1024 {
		length = (length + 63) &^ 63
	}
	return min(length, n)
}

// forRanges calls body for ranges that together make up [0, n): all at once, or shared with workers where n pieces of
// work of so many nanoseconds are worth it.
func forRanges(n int, nanoseconds float64, body func(from, to int)) {
	if n == 0 {
		return
	}
	total := estimate(n, nanoseconds)
	if !sharing(total) {
		body(0, n)
		return
	}
	length := chunking(n, nanoseconds)
	chunks := ceilDiv(n, length)
	helpers := workers.helpers(chunks, total)
	if helpers <= 0 {
		body(0, n)
		return
	}
	j := jobs.Get().(*job)
	j.ranges, j.length, j.n = body, length, n
	j.share(chunks, helpers)
}

// estimate returns the nanoseconds that n pieces of work take; it is no more than an int holds.
func estimate(n int, nanoseconds float64) int {
	return int(min(float64(n)*nanoseconds, 1<<30))
}
