package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// job is a loop over pieces of work. The caller and the workers claim a few of them, a chunk, at a time: each begins with a span of
// its own, equal parts of the loop, and then helps with the others. So everybody goes along one line of memory, and in loops over
// the same elements a processor finds in its own caches what it has written there before. Lines that another processor
// has are slow to get, above all if the two do not share a cache. A job is reused when nobody refers to it: neither the
// caller, nor a worker, nor the queue.
type job struct {
	each    func(piece int)
	ranges  func(from, to int) // if each is nil
	chunk   int                // pieces that are claimed together
	spans   []span
	users   atomic.Int32
	waiting atomic.Int32 // whether the caller is asleep
	done    chan struct{}
	failure atomic.Pointer[failure]
	_       [64]byte
	left    atomic.Int64 // pieces
	_       [64]byte
}

// span is a part of a job's pieces: those from next on are not claimed yet.
type span struct {
	next atomic.Int64
	end  int
	_    [112]byte // processors fetch cache lines in pairs
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
	j.each = body
	j.run(chunks, 1, helpers)
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

// run does a job of n pieces together with workers and raises its failure.
func (j *job) run(n, chunk, helpers int) {
	j.chunk = chunk
	j.cut(n, 1+helpers)
	j.left.Store(int64(n))
	j.waiting.Store(awake)
	j.users.Store(int32(1 + helpers))
	all.call(j, helpers)
	j.work(0)
	j.wait()
	f := j.failure.Load()
	j.each, j.ranges = nil, nil
	j.failure.Store(nil)
	j.release()
	if f != nil {
		panic(f.value)
	}
}

// cut makes equal spans of n pieces.
func (j *job) cut(n, spans int) {
	if cap(j.spans) < spans {
		j.spans = make([]span, spans)
	}
	j.spans = j.spans[:spans]
	from := 0
	for k := range j.spans {
		j.spans[k].next.Store(int64(from))
		from = aligned(n*(k+1)/spans, j.chunk, n)
		j.spans[k].end = from
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

// work runs the chunks of span number first, and then those of the spans after it.
func (j *job) work(first int) {
	for k := range j.spans {
		s := &j.spans[(first+k)%len(j.spans)]
		for int(s.next.Load()) < s.end {
			from := int(s.next.Add(int64(j.chunk))) - j.chunk
			if from >= s.end {
				break
			}
			j.runChunk(from, min(from+j.chunk, s.end))
		}
	}
}

func (j *job) runChunk(from, to int) {
	defer func() {
		if e := recover(); e != nil {
			j.failure.CompareAndSwap(nil, &failure{e})
		}
		if j.left.Add(int64(from-to)) == 0 && j.waiting.Swap(served) == asleep {
			j.done <- struct{}{}
		}
	}()
	switch {
	case j.failure.Load() != nil:
	case j.each != nil:
		j.each(from)
	default:
		j.ranges(from, to)
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

// chunking returns how many of n equal pieces of work, which take the given number of nanoseconds each, make up a chunk. A chunk is
// worth the cost of a claim, and there are enough chunks to balance the load if other programs use the processors.
func chunking(n int, nanoseconds float64) int {
	perWorker := n / (4 * all.count())
	worthwhile := int(min(worthClaim/nanoseconds, float64(n)))
	length := max(1, perWorker, worthwhile)
	if eager {
		length = max(1, perWorker)
	}
	return aligned(length, length, n)
}

// aligned rounds a number of pieces up if chunks have many of them, but not beyond n: chunks and spans then begin at cache lines if the
// pieces are contiguous elements.
func aligned(pieces, chunk, n int) int {
	if chunk >= 1024 && !eager {
		pieces = (pieces + 63) &^ 63
	}
	return min(pieces, n)
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
	chunk := chunking(n, nanoseconds)
	helpers := all.helpers((n+chunk-1)/chunk, total)
	if helpers <= 0 {
		body(0, n)
		return
	}
	j := jobs.Get().(*job)
	j.ranges = body
	j.run(n, chunk, helpers)
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
