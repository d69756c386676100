package mpi

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// thread is the goroutine that makes all calls of MPI, on a locked thread of the system. Others hand it operations.
type thread struct {
	library *library
	idle    atomic.Int64 // nanoseconds for which it asks without a pause whether requests are complete

	mu      sync.Mutex
	queue   []*operation
	ended   bool
	waiting atomic.Bool   // the queue has operations
	wake    chan struct{} // with one element if operations came while the thread slept
	pending atomic.Int64  // operations that were started and are not complete
}

// operation is one call of an engine: the requests that it starts, and what they need until they are complete.
type operation struct {
	name string
	// start runs on the thread. It starts requests, and is called again with the next round when they are complete, until
	// it returns false.
	start    func(o *operation, round int) (more bool, err error)
	last     bool // the thread ends after it
	round    int
	more     bool
	requests []handle
	peers    []peer // of the requests, if each has one
	statuses []byte
	complete int32

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

func newThread() *thread { return &thread{wake: make(chan struct{}, 1)} }

// run makes the calls until an operation is the last.
func (t *thread) run() {
	runtime.LockOSThread() // for ever: the thread of the system ends with the goroutine
	var active []*operation
	since := time.Now() // the last time that something happened
	for {
		if t.waiting.Load() {
			t.mu.Lock()
			queue := t.queue
			t.queue = nil
			t.waiting.Store(false)
			t.mu.Unlock()
			for _, o := range queue {
				if t.begin(o) {
					active = append(active, o)
				} else if o.last {
					return
				}
			}
			since = time.Now()
		}
		if len(active) == 0 {
			<-t.wake
			continue
		}
		before, asked := len(active), time.Now()
		active = t.poll(active)
		if now := time.Now(); len(active) < before || now.Sub(asked) > working {
			since = now
		} else {
			t.pause(now.Sub(since))
		}
	}
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

// begin starts an operation. It returns false if the operation is complete.
func (t *thread) begin(o *operation) bool {
	t.pending.Add(1)
	o.requests, o.peers = o.requests[:0], o.peers[:0]
	o.more, o.err = o.start(o, o.round)
	if len(o.requests) > 0 && o.err == nil {
		o.statuses = make([]byte, len(o.requests)*t.library.statusSize)
		return true
	}
	if o.more && o.err == nil {
		o.round++
		t.pending.Add(-1)
		return t.begin(o)
	}
	t.end(o)
	return false
}

func (t *thread) end(o *operation) {
	o.pinned.Unpin()
	t.pending.Add(-1)
	if o.last {
		t.mu.Lock()
		t.ended = true
		for _, other := range t.queue {
			other.err = errEnded
			close(other.done)
		}
		t.queue = nil
		t.mu.Unlock()
	}
	close(o.done)
}

// poll asks for each operation whether its requests are complete, and returns those that are not.
func (t *thread) poll(active []*operation) []*operation {
	kept := active[:0]
	for _, o := range active {
		code := call(t.library.functions[testall], uintptr(len(o.requests)), uintptr(unsafe.Pointer(&o.requests[0])),
			uintptr(unsafe.Pointer(&o.complete)), uintptr(unsafe.Pointer(&o.statuses[0])))
		switch {
		case code != 0:
			o.err = t.failure(o, code)
		case o.complete == 0:
			kept = append(kept, o)
			continue
		default:
			o.err = t.check(o)
		}
		if o.err == nil && o.more {
			o.round++
			t.pending.Add(-1)
			if t.begin(o) {
				kept = append(kept, o)
			}
			continue
		}
		t.end(o)
	}
	clear(active[len(kept):])
	return kept
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

// do hands an operation to the thread and waits until it is complete, or until ctx ends. Then the operation continues, and
// keeps its memory.
func (t *thread) do(ctx context.Context, o *operation) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("mpi: %s: %w", o.name, context.Cause(ctx))
	}
	o.done = make(chan struct{})
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		return fmt.Errorf("mpi: %s: %w", o.name, errEnded)
	}
	t.queue = append(t.queue, o)
	t.waiting.Store(true)
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return fmt.Errorf("mpi: %s: %w", o.name, context.Cause(ctx))
	}
}
