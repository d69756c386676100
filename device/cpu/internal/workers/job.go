package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// job is a loop over chunks. The caller and the workers claim its chunks one after the other. A job is reused when
// nobody refers to it: neither the caller, nor a worker, nor the queue.
type job struct {
	body    func(chunk int)
	ranges  func(from, to int) // if body is nil: runs the ranges of the given length, up to n
	length  int
	n       int
	chunks  int64
	users   atomic.Int32
	waiting atomic.Int32 // whether the caller is asleep
	done    chan struct{}
	failure atomic.Pointer[failure]
	_       [64]byte
	claimed atomic.Uint64 // how many chunks the caller has claimed, and in the upper half how many the workers have
	left    atomic.Int64
	_       [64]byte
}

// claim claims a chunk, or returns false if there is none. The caller takes the first ones, workers the last ones. Kernels that follow
// each other so find most of what they read in the caches of the processor that wrote it.
func (j *job) claim(caller bool) (chunk int64, ok bool) {
	own := uint64(1)
	if !caller {
		own <<= 32
	}
	all := j.claimed.Add(own)
	first, last := int64(all&(1<<32-1)), int64(all>>32)
	if chunk = first - 1; !caller {
		chunk = j.chunks - last
	}
	return chunk, first+last <= j.chunks
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan struct{}, 1)} }}

// failure is the value that a chunk panicked with.
type failure struct{ value any }

// Parallel calls body for every chunk from 0 on, on the calling goroutine and on idle workers, and returns when all are
// done. If no worker is idle, as in a call from a busy worker, the caller does all the work. nanoseconds estimates the
// total work. The first panic of a chunk is raised again in the caller; then some chunks may not have run.
func Parallel(chunks, nanoseconds int, body func(chunk int)) {
	helpers := all.helpers(chunks, nanoseconds)
	if helpers <= 0 {
		for chunk := range chunks {
			body(chunk)
		}
		return
	}
	j := jobs.Get().(*job)
	j.body = body
	j.run(chunks, helpers)
}

// helpers returns how many workers to call. Sleeping workers are not called if the work would be done before they wake.
func (p *pool) helpers(chunks, nanoseconds int) int {
	idle := &p.spinning
	switch {
	case eager:
		return min(chunks, p.count()) - 1
	case WorthWaking(float64(nanoseconds)):
		idle = &p.idle
	}
	return min(chunks-1, p.count()-1, int(idle.Load()))
}

// run does a job together with workers and raises its failure.
func (j *job) run(chunks, helpers int) {
	j.chunks = int64(chunks)
	j.claimed.Store(0)
	j.left.Store(int64(chunks))
	j.waiting.Store(awake)
	j.users.Store(int32(1 + helpers))
	all.call(j, helpers)
	j.work(true)
	j.wait()
	f := j.failure.Load()
	j.body, j.ranges = nil, nil
	j.failure.Store(nil)
	j.release()
	if f != nil {
		panic(f.value)
	}
}

// call asks workers to help. Workers that come too late find nothing to do.
func (p *pool) call(j *job, helpers int) {
	sleepers := helpers - int(p.spinning.Load())
	for k := range helpers {
		select {
		case p.queue <- j:
		default:
			j.users.Add(int32(k - helpers))
			return
		}
	}
	for range sleepers {
		p.wakeOne()
	}
}

// release removes one user of the job.
func (j *job) release() {
	if j.users.Add(-1) == 0 {
		jobs.Put(j)
	}
}

func (j *job) work(caller bool) {
	for {
		chunk, ok := j.claim(caller)
		if !ok {
			return
		}
		j.runChunk(int(chunk))
	}
}

func (j *job) runChunk(chunk int) {
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

// wait returns when the chunks that workers claimed are done, which is usually soon.
func (j *job) wait() {
	if j.left.Load() == 0 {
		return
	}
	for start, i := time.Now(), 1; ; i++ {
		if j.left.Load() == 0 {
			return
		}
		if i%yieldEvery == 0 {
			if time.Since(start) > spinTime {
				break
			}
			runtime.Gosched()
		}
	}
	if j.waiting.CompareAndSwap(awake, asleep) {
		<-j.done
	}
}

// chunking splits n equal pieces of work, which take the given number of nanoseconds each, into chunks. A chunk is
// worth the cost of a claim, and there are enough chunks to balance the load if other programs use the processors.
// chunking returns the number of pieces per chunk. Chunks with many pieces begin at cache lines if the pieces are
// contiguous elements.
func chunking(n int, nanoseconds float64) int {
	perWorker := n / (4 * all.count())
	worthwhile := int(min(worthClaim/nanoseconds, float64(n)))
	length := max(1, perWorker, worthwhile)
	if eager {
		length = max(1, perWorker)
	} else if length >= 1024 {
		length = (length + 63) &^ 63
	}
	return min(length, n)
}

// ForRanges calls body for ranges that together make up [0, n): one range, or several that are shared with workers if n
// pieces of work of the given number of nanoseconds are worth it.
func ForRanges(n int, nanoseconds float64, body func(from, to int)) {
	if n == 0 {
		return
	}
	total := Estimate(n, nanoseconds)
	if !Sharing(total) {
		body(0, n)
		return
	}
	length := chunking(n, nanoseconds)
	chunks := (n + length - 1) / length
	helpers := all.helpers(chunks, total)
	if helpers <= 0 {
		body(0, n)
		return
	}
	j := jobs.Get().(*job)
	j.ranges, j.length, j.n = body, length, n
	j.run(chunks, helpers)
}

// Estimate returns the nanoseconds that n pieces of work take, limited to the largest int.
func Estimate(n int, nanoseconds float64) int {
	return int(min(float64(n)*nanoseconds, 1<<30))
}

// The states of a job's caller.
const (
	awake = iota
	asleep
	served
)
