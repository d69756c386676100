package cpu

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
	worthAwake  = 6_000
	worthAsleep = 120_000
	maxWorkers  = 1024
)

// pool is the process's workers. They are started by the first kernel that is worth sharing.
type pool struct {
	starting sync.Mutex
	limit    atomic.Int32 // of goroutines that compute one kernel, the caller among them; 0 before the start
	jobs     chan *job    // a nil job ends a worker
	idle     atomic.Int32
	looking  atomic.Int32 // idle ones that are not asleep
}

var workers = pool{jobs: make(chan *job, 2*maxWorkers)}

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
		p.jobs <- nil
	}
}

// serve is a worker's life.
func (p *pool) serve() {
	for {
		j := p.await()
		p.idle.Add(-1)
		if j == nil {
			return
		}
		j.work()
		p.idle.Add(1)
	}
}

// await returns the next job.
func (p *pool) await() *job {
	p.looking.Add(1)
	for start, i := time.Now(), 1; ; i++ {
		select {
		case j := <-p.jobs:
			p.looking.Add(-1)
			return j
		default:
		}
		if i%64 == 0 {
			if time.Since(start) > lookout {
				break
			}
			runtime.Gosched()
		}
	}
	p.looking.Add(-1)
	return <-p.jobs
}

// job is a loop over chunks, which whoever comes takes one after the other.
type job struct {
	body    func(chunk int)
	chunks  int64
	next    atomic.Int64
	left    atomic.Int64
	done    chan struct{}
	failure atomic.Pointer[failure]
}

// failure is what a chunk panicked with.
type failure struct{ value any }

// sharing reports whether work of about that many nanoseconds is better shared with workers.
func sharing(nanoseconds int) bool {
	if nanoseconds < worthAwake || workers.count() == 1 {
		return false
	}
	return nanoseconds >= worthAsleep && workers.idle.Load() > 0 || workers.looking.Load() > 0
}

// parallel calls body for every chunk from 0 on, on the calling goroutine and on idle workers, and returns when all are
// done. Where nobody is idle, as in a call from a busy worker, the caller does all the work. The first panic of a chunk
// is raised again; then some chunks may not have run.
func parallel(chunks int, body func(chunk int)) {
	helpers := min(chunks-1, workers.count()-1, int(workers.idle.Load()))
	if helpers <= 0 {
		for chunk := range chunks {
			body(chunk)
		}
		return
	}
	j := &job{body: body, chunks: int64(chunks), done: make(chan struct{})}
	j.left.Store(int64(chunks))
	workers.call(j, helpers)
	j.work()
	j.wait()
	if f := j.failure.Load(); f != nil {
		panic(f.value)
	}
}

// call asks workers to help. Those that come too late find nothing to do.
func (p *pool) call(j *job, helpers int) {
	for range helpers {
		select {
		case p.jobs <- j:
		default:
			return
		}
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
		if j.left.Add(-1) == 0 {
			close(j.done)
		}
	}()
	if j.failure.Load() == nil {
		j.body(chunk)
	}
}

// wait returns when the chunks that others took are done: most often that is soon.
func (j *job) wait() {
	for i := 1; i < 1000; i++ {
		if j.left.Load() == 0 {
			return
		}
		if i%64 == 0 {
			runtime.Gosched()
		}
	}
	<-j.done
}

// chunking cuts n equal pieces of work, of that many nanoseconds each, into chunks that are worth a claim, and enough of
// them to even out what others do with the processors. It returns how many pieces make a chunk.
func chunking(n int, nanoseconds float64) int {
	perWorker := n / (4 * workers.count())
	worthwhile := int(worthAwake / max(nanoseconds, 1))
	return max(1, min(max(perWorker, worthwhile), n))
}

// forRanges calls body for ranges that together make up [0, n): all at once, or shared with workers where n pieces of
// work of so many nanoseconds are worth it.
func forRanges(n int, nanoseconds float64, body func(from, to int)) {
	if n == 0 {
		return
	}
	if !sharing(estimate(n, nanoseconds)) {
		body(0, n)
		return
	}
	length := chunking(n, nanoseconds)
	parallel((n+length-1)/length, func(chunk int) {
		body(chunk*length, min((chunk+1)*length, n))
	})
}

// estimate returns the nanoseconds that n pieces of work take; it is no more than an int holds.
func estimate(n int, nanoseconds float64) int {
	return int(min(float64(n)*nanoseconds, 1<<30))
}
