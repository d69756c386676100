package mpi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// thread is the goroutine that makes the calls of MPI, on a locked thread of the system. Others hand it operations.
//
// Two switches of threads take some 15 microseconds, ten times as long as a small message. So if the library permits calls
// of several threads, one at a time (MPI_THREAD_SERIALIZED), the goroutine of the caller starts its operation itself, and asks for
// a short time whether it is complete. It hands the operation over if it is not.
type thread struct {
	library *library
	idle    atomic.Int64 // nanoseconds for which requests are asked for without a pause
	shared  bool         // other threads may make calls
	turn    sync.Mutex   // held for calls of MPI

	mu      sync.Mutex
	queue   []*operation
	ended   bool
	waiting atomic.Bool   // the queue has operations
	wake    chan struct{} // with one element if operations came while the thread slept
	pending atomic.Int64  // operations that were started and are not complete
	died    chan struct{} // closed when another rank has ended
	death   error         // that says so
	unwatch func()        // ends the watch over other ranks
	probed  [8]int64      // where MPI writes what nobody asks for
}

// operation is one call of an engine: the requests that it starts, and what they need until they are complete.
type operation struct {
	name string
	// start prepares requests, by thread.request. It is called again with the next round when they are complete, until it
	// returns false.
	start    func(o *operation, round int) (more bool, err error)
	alone    bool // only the thread may make its calls
	last     bool // the thread ends after it
	started  bool
	round    int
	more     bool
	calls    []foreignCall // that start the requests
	requests []handle
	peers    []peer // of the requests, if each has one
	statuses []byte
	complete int32
	batch    batch

	pinned runtime.Pinner // what MPI reads until the requests are complete
	arrays []*nd.Array    // whose memory the requests use

	done chan struct{}
	err  error
}

// peer is the other rank of a request that sends or receives.
type peer struct {
	rank     int
	received bool
	count    int // of elements
	kind     handle
}

func newThread() *thread { return &thread{wake: make(chan struct{}, 1), died: make(chan struct{})} }

// run makes the calls until an operation is the last.
func (t *thread) run() {
	runtime.LockOSThread() // for ever: the thread of the system ends with the goroutine
	var active []*operation
	since := time.Now() // the last time that something happened
	for {
		queue := t.take()
		if len(queue) > 0 {
			since = time.Now()
		} else if len(active) == 0 {
			<-t.wake
			continue
		}
		t.turn.Lock()
		for _, o := range queue {
			if o.started || !t.advance(o, 1) {
				active = append(active, o)
				continue
			}
			t.end(o)
			if o.last {
				t.turn.Unlock()
				return
			}
		}
		before, asked := len(active), time.Now()
		active = slices.DeleteFunc(active, func(o *operation) bool {
			if !t.advance(o, 1) {
				return false
			}
			t.end(o)
			return true
		})
		t.turn.Unlock()
		if now := time.Now(); len(active) < before || now.Sub(asked) > working {
			since = now
		} else {
			t.pause(now.Sub(since))
		}
	}
}

// take returns the operations that came since the last call.
func (t *thread) take() []*operation {
	if !t.waiting.Load() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := t.queue
	t.queue = nil
	t.waiting.Store(false)
	return queue
}

// working is how long the question takes at least in which MPI moves data, too.
const working = 2 * time.Microsecond

// pause waits before the thread asks again: not at all at first, then for longer times, so that a rank that waits for a
// slow one leaves its processor to others.
func (t *thread) pause(waited time.Duration) {
	switch {
	case waited < time.Duration(t.idle.Load()):
	case waited < 10*time.Millisecond:
		runtime.Gosched() // another thread continues this goroutine, some microseconds later
	case waited < time.Second:
		time.Sleep(50 * time.Microsecond)
	default:
		time.Sleep(500 * time.Microsecond)
	}
}

// advance starts the next round of an operation if none is in progress, and asks, up to tries times, whether it is
// complete. It returns true if the operation is complete. The caller has the turn.
func (t *thread) advance(o *operation, tries int) bool {
	for {
		if len(o.requests) == 0 {
			if o.started && !o.more || o.err != nil {
				return true
			}
			o.started = true
			o.more, o.err = o.start(o, o.round)
			o.round++
			if len(o.calls) == 0 {
				continue
			}
			t.prepare(o)
		}
		o.batch.tries = tries
		o.batch.run()
		if n := o.batch.left; n > 0 { // a call failed: those before it are in progress
			at := len(o.calls) - n
			o.err = errors.Join(o.err, fmt.Errorf("mpi: %s: %w", o.name, t.library.failure(o.calls[at].function, int32(o.batch.code))))
			o.requests, o.batch.left, o.batch.question[0] = o.requests[:at], 0, uintptr(at)
			o.calls = o.calls[:0]
			return at == 0
		}
		o.calls = o.calls[:0]
		switch {
		case o.batch.code != 0:
			o.err = errors.Join(o.err, t.failure(o, int32(o.batch.code)))
			return true
		case o.complete == 0:
			return false
		case o.err == nil:
			o.err = t.check(o)
		}
		o.requests, o.peers = o.requests[:0], o.peers[:0]
	}
}

// prepare makes the batch of the calls of an operation, which is on the heap.
func (t *thread) prepare(o *operation) {
	n := len(o.calls)
	o.requests = slices.Grow(o.requests[:0], n)[:n]
	for i := range o.calls {
		c := &o.calls[i]
		o.requests[i] = t.library.requestNull
		c.arguments[c.count-1] = uintptr(unsafe.Pointer(&o.requests[i]))
	}
	if need := n * t.library.statusSize; cap(o.statuses) < need {
		o.statuses = make([]byte, need)
	}
	o.batch = batch{calls: &o.calls[0], left: n, complete: &o.complete, testall: t.library.functions[testall], question: [4]uintptr{uintptr(n),
		uintptr(unsafe.Pointer(&o.requests[0])), uintptr(unsafe.Pointer(&o.complete)), uintptr(unsafe.Pointer(unsafe.SliceData(o.statuses)))}}
}

// end tells the goroutine that waits for an operation.
func (t *thread) end(o *operation) {
	o.pinned.Unpin()
	t.pending.Add(-1)
	if o.last {
		t.mu.Lock()
		t.ended = true
		for _, other := range t.queue {
			other.err = fmt.Errorf("mpi: %s: %w", other.name, errEnded)
			close(other.done)
		}
		t.queue = nil
		t.mu.Unlock()
	}
	close(o.done)
}

// failure returns the error of requests that failed.
func (t *thread) failure(o *operation, code int32) error {
	for i := range o.requests {
		status := o.statuses[i*t.library.statusSize:]
		if own := *(*int32)(unsafe.Pointer(&status[8])); len(o.requests) > 1 && own != 0 || len(o.requests) == 1 {
			if own != 0 {
				code = own
			}
			err := fmt.Errorf("mpi: %s: %w", o.name, t.library.failure(testall, code))
			if i < len(o.peers) {
				return &comm.RankError{Rank: o.peers[i].rank, Err: err}
			}
			return err
		}
	}
	return fmt.Errorf("mpi: %s: %w", o.name, t.library.failure(testall, code))
}

// check compares how much was received with what was expected.
func (t *thread) check(o *operation) error {
	for i, p := range o.peers {
		if !p.received {
			continue
		}
		count := new(int32)
		status := uintptr(unsafe.Pointer(&o.statuses[i*t.library.statusSize]))
		if err := t.library.call(getCount, status, p.kind, uintptr(unsafe.Pointer(count))); err != nil {
			return fmt.Errorf("mpi: %s: %w", o.name, err)
		}
		if int(*count) != p.count {
			return fmt.Errorf("mpi: %s: rank %d sent %d elements, %d were expected", o.name, p.rank, *count, p.count)
		}
	}
	return nil
}

// do runs an operation, and returns when it is complete or ctx ends. In the latter case the operation continues, and keeps
// its memory.
func (t *thread) do(ctx context.Context, o *operation) error {
	if ctx.Err() != nil {
		return fmt.Errorf("mpi: %s: %w", o.name, context.Cause(ctx))
	}
	t.pending.Add(1)
	if t.shared && !o.alone && t.turn.TryLock() {
		complete := t.doNow(o)
		t.turn.Unlock()
		if complete {
			o.pinned.Unpin()
			t.pending.Add(-1)
			return o.err
		}
	}
	if !t.submit(o) {
		t.pending.Add(-1)
		return fmt.Errorf("mpi: %s: %w", o.name, errEnded)
	}
	select {
	case <-o.done:
		return o.err
	case <-t.died:
		return fmt.Errorf("mpi: %s: %w", o.name, t.death)
	case <-ctx.Done():
		return fmt.Errorf("mpi: %s: %w", o.name, context.Cause(ctx))
	}
}

// interrupted returns an error if another rank or ctx has ended.
func (t *thread) interrupted(ctx context.Context) error {
	select {
	case <-t.died:
		return t.death
	default:
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// progress lets MPI work while a rank waits without it: what was sent before may need that. It asks for a message that
// nobody sends.
func (t *thread) progress(e *engine) {
	if !t.turn.TryLock() {
		return
	}
	defer t.turn.Unlock()
	if !t.ended {
		at := unsafe.Pointer(&t.probed)
		call(t.library.functions[iprobe], uintptr(e.rank), tagMessage, e.communicator, uintptr(at), uintptr(unsafe.Add(at, 8)))
	}
}

// submit hands an operation to the thread, which closes its channel. It returns false if the thread has ended.
func (t *thread) submit(o *operation) bool {
	o.done = make(chan struct{})
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		return false
	}
	t.queue = append(t.queue, o)
	t.waiting.Store(true)
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
	return true
}

// doNow starts an operation on the caller's thread. It returns false if the operation is not complete soon. The caller
// has the turn.
func (t *thread) doNow(o *operation) bool {
	if t.ended {
		return false
	}
	const atOnce = 32 // how often it asks before it looks at the clock
	if t.advance(o, atOnce) {
		return true
	}
	for start, idle := time.Now(), time.Duration(t.idle.Load()); !t.waiting.Load() && time.Since(start) < idle; {
		if t.advance(o, atOnce) {
			return true
		}
	}
	return false
}
