package mpi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// engine is a comm.Engine: a communicator of MPI.
type engine struct {
	thread *thread
	memory *memory
	device device.Device
	name   string // of the group; empty for all ranks

	communicator handle
	rank, size   int
	localRank    int
	hosts        []string // by rank
	near         bool     // all are the same
	world        *engine  // that it is a group of; itself for all ranks
	failed       atomic.Pointer[error]
	spare        atomic.Pointer[operation] // that the next call uses
	lock         sync.Mutex                // guards closed
	closed       bool
	worldRank    []int   // by rank
	shared       *shared // of the ranks of one machine; nil if MPI sends all messages
	area         *area   // of this group; nil without
}

var (
	errEnded  = errors.New("MPI has ended in this process")
	errClosed = errors.New("the communicator is closed")
)

func (e *engine) Rank() int             { return e.rank }
func (e *engine) Size() int             { return e.size }
func (e *engine) LocalRank() int        { return e.localRank }
func (e *engine) Name() string          { return "MPI (" + e.thread.library.version + ")" }
func (e *engine) Device() device.Device { return e.device }

// Sums reports whether MPI has a type for the dtype and can add it. Between ranks of one machine MPI's sums are slower than
// those of comm, which adds on all of their processors, with the library's kernels.
func (e *engine) Sums(t dtype.DType) bool { return e.thread.library.types[t] != 0 && !e.near }

// usable returns the reason why no call is possible.
func (e *engine) usable() error {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.closed {
		return errClosed
	}
	if err := e.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// operation returns an operation that uses the memory of arrays. It may have been used before, since small calls are
// frequent.
func (e *engine) operation(name string, arrays ...*nd.Array) *operation {
	o := e.spare.Swap(nil)
	if o == nil {
		o = new(operation)
	}
	o.name, o.arrays = name, append(o.arrays[:0], arrays...)
	return o
}

// do runs an operation that begins with start. After an error the engine makes no further calls.
func (e *engine) do(ctx context.Context, o *operation, start func(o *operation, round int) (more bool, err error)) error {
	o.start = start
	if err := e.usable(); err != nil {
		return fmt.Errorf("mpi: %s: %w", o.name, err)
	}
	err := e.thread.do(ctx, o)
	if err != nil {
		e.fail(err)
		return err
	}
	clear(o.arrays)
	o.start, o.done, o.started, o.round = nil, nil, false, 0
	e.spare.Store(o)
	return nil
}

// fail makes later calls return an error.
func (e *engine) fail(err error) {
	later := fmt.Errorf("an earlier call failed: %w", err)
	e.failed.CompareAndSwap(nil, &later)
}

// Abort prints the error and ends the processes of all ranks.
func (e *engine) Abort(err error) {
	fmt.Fprintf(os.Stderr, "mpi: rank %d of %d ends: %v\n", e.world.rank, e.world.size, err)
	e.world.end()
}

// end ends the processes of all ranks.
func (e *engine) end() {
	o := &operation{name: "Abort", start: func(*operation, int) (bool, error) {
		return false, e.thread.library.call(abort, e.communicator, 1)
	}}
	e.thread.pending.Add(1)
	if e.thread.submit(o) {
		select {
		case <-o.done:
		case <-time.After(time.Second):
		}
	}
	os.Exit(1) // MPI_Abort did not return, or is not reached: the launcher ends the others
}

// Close frees the communicator of a group; for all ranks it ends MPI.
func (e *engine) Close() error {
	e.lock.Lock()
	was := e.closed
	e.closed = true
	e.lock.Unlock()
	if was {
		return nil
	}
	t := e.thread
	if e.world != e {
		if e.failed.Load() != nil {
			return nil
		}
		return t.do(context.Background(), &operation{name: "Close", start: func(*operation, int) (bool, error) {
			return false, t.library.call(commFree, uintptr(unsafe.Pointer(&e.communicator)))
		}})
	}
	if err := t.leave(e); err != nil {
		return err
	}
	return t.do(context.Background(), &operation{name: "Close", alone: true, last: true, start: func(*operation, int) (bool, error) {
		if e.shared != nil {
			_ = t.library.call(winFree, uintptr(unsafe.Pointer(&e.shared.window)))
		}
		err := t.library.call(finalize)
		if err == nil {
			t.library.tellLauncher()
		}
		return false, err
	}})
}

// leave waits until all ranks close. Until then a rank that ends is missed by the others.
func (t *thread) leave(e *engine) error {
	err := t.do(context.Background(), &operation{name: "Close", start: func(o *operation, _ int) (bool, error) {
		if t.pending.Load() > 1 {
			return false, errors.New("mpi: Close: messages of a call that did not end are still in transit, so MPI cannot end; " +
				"the launcher ends the other ranks when this process ends")
		}
		t.request(o, ibarrier, e.communicator)
		return false, nil
	}})
	t.unwatch()
	return err
}

var _ comm.Engine = (*engine)(nil)
