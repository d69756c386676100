package nccl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// Options are the options of [Open].
type Options struct {
	// Library is the file of the library to load. Empty means libnccl.so.2 of the system or of CUDA's toolkit.
	Library string
}

// engine is a comm.Engine: a communicator of NCCL.
type engine struct {
	library *library
	base    *comm.Communicator
	device  *cudaops.Device

	handle     communicator
	rank, size int
	localRank  int
	localRanks []int // by rank
	one        *nd.Array
	failed     atomic.Pointer[error]
	lock       sync.Mutex // guards closed
	closed     bool
}

// Open loads NCCL and connects the GPUs of all ranks of c, which it uses to find them. All ranks call it, each with its
// own device, a GPU of package cudaops. The engine is for comm.New. c stays usable.
func Open(ctx context.Context, c *comm.Communicator, dev device.Device, opts ...Options) (comm.Engine, error) {
	const fn nd.Func = "nccl.Open"
	o := options.Read(fn, opts)
	e := &engine{base: c, rank: c.Rank(), size: c.Size(), localRank: c.LocalRank()}
	err := e.open(ctx, dev, o.Library)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return e, nil
}

func (e *engine) open(ctx context.Context, dev device.Device, path string) error {
	// A rank that cannot start tells the others, which would wait for it otherwise.
	var own error
	if e.device, own = cudaops.Of(dev); own == nil {
		e.library, own = loadLibrary(path)
	}
	id := new(uniqueID)
	if own == nil && e.rank == 0 {
		own = e.device.Use(func() error { return e.library.failure("ncclGetUniqueId", e.library.getUniqueID(id), 0) })
	}
	if err := e.agree(ctx, own); err != nil {
		return err
	}
	sent := nd.FromSlice(id.bytes[:])
	if err := e.base.Bcast(ctx, []*nd.Array{sent}, 0); err != nil {
		return err
	}
	copy(id.bytes[:], nd.ToSlice[uint8](sent))
	return e.do(ctx, "Open", func() error {
		result := e.library.initRank(&e.handle, int32(e.size), *id, int32(e.rank))
		return e.library.failure("ncclCommInitRank", result, 0)
	})
}

// agree returns the rank's own error, or one that says which other rank has one. It learns where all ranks are.
func (e *engine) agree(ctx context.Context, own error) error {
	state := nd.FromSlice([]int64{int64(e.localRank), 0})
	if own != nil {
		state = nd.FromSlice([]int64{int64(e.localRank), 1})
	}
	states := make([]*nd.Array, e.size)
	for r := range states {
		states[r] = nd.Zeros([]int{2}, dtype.Int64)
	}
	if err := e.base.AllGather(ctx, state, states); err != nil || own != nil {
		return errors.Join(own, err)
	}
	for r, s := range states {
		values := nd.ToSlice[int64](s)
		e.localRanks = append(e.localRanks, int(values[0]))
		if values[1] != 0 {
			return fmt.Errorf("rank %d cannot start NCCL: its error says why", r)
		}
	}
	return nil
}

func (e *engine) Rank() int             { return e.rank }
func (e *engine) Size() int             { return e.size }
func (e *engine) LocalRank() int        { return e.localRank }
func (e *engine) Name() string          { return e.library.version }
func (e *engine) Device() device.Device { return e.device }

func (e *engine) Sums(t dtype.DType) bool {
	_, numbers := typeOf(t)
	return numbers > 0
}

// New returns an array of the device, which NCCL can send from and receive into as any other.
func (e *engine) New(t dtype.DType, shape ...int) *nd.Array { return nd.Empty(shape, t, e.device) }

// Free releases the array. Work in the queue can still use its memory, as that of any array.
func (e *engine) Free(x *nd.Array) { x.Release() }

// do runs calls of NCCL. The first call between two ranks waits for the other rank, so it runs beside the caller, who
// leaves when ctx ends.
func (e *engine) do(ctx context.Context, name string, f func() error) error {
	e.lock.Lock()
	closed := e.closed
	e.lock.Unlock()
	if closed {
		return fmt.Errorf("nccl: %s: the communicator is closed", name)
	}
	if err := e.failed.Load(); err != nil {
		return fmt.Errorf("nccl: %s: an earlier call failed: %w", name, *err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("nccl: %s: %w", name, context.Cause(ctx))
	}
	done := make(chan error, 1)
	go func() { done <- e.device.Use(func() error { return errors.Join(e.asynchronous(), f()) }) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		err = fmt.Errorf("nccl: %s: %w", name, err)
		if e.failed.CompareAndSwap(nil, &err) && e.handle != 0 {
			_ = e.device.Use(func() error { return e.library.failure("ncclCommAbort", e.library.abort(e.handle), 0) })
		}
	}
	return err
}

// asynchronous returns the error of earlier work, if there is one.
func (e *engine) asynchronous() error {
	if e.handle == 0 {
		return nil
	}
	const inProgress = 7
	state := new(int32)
	if result := e.library.asyncError(e.handle, state); result != 0 || *state != 0 && *state != inProgress {
		return e.library.failure("an earlier call", max(result, *state), e.handle)
	}
	return nil
}

// Barrier adds up ones, and waits for the device.
func (e *engine) Barrier(ctx context.Context) error {
	if e.one == nil {
		e.one = nd.Zeros([]int{1}, dtype.Int32, e.device)
	}
	if err := e.AllReduce(ctx, e.one); err != nil {
		return err
	}
	return e.do(ctx, "Barrier", func() error {
		for ctx.Err() == nil {
			if done, err := e.device.Stream().Done(); done || err != nil {
				return err
			}
			if err := e.asynchronous(); err != nil {
				return err
			}
			time.Sleep(20 * time.Microsecond)
		}
		return context.Cause(ctx)
	})
}

// Group splits the communicator.
func (e *engine) Group(ctx context.Context, name string, ranks []int) (comm.Engine, error) {
	own := slices.Index(ranks, e.rank)
	g := &engine{library: e.library, base: e.base, device: e.device, rank: own, size: len(ranks)}
	err := e.do(ctx, "Group", func() error {
		color := int32(noColor)
		if own >= 0 {
			color = 0
		}
		return e.library.failure("ncclCommSplit", e.library.split(e.handle, color, int32(max(own, 0)), &g.handle, 0), e.handle)
	})
	if err != nil || own < 0 {
		return nil, err
	}
	for _, r := range ranks {
		g.localRanks = append(g.localRanks, e.localRanks[r])
	}
	for _, other := range g.localRanks {
		if other < e.localRanks[e.rank] {
			g.localRank++
		}
	}
	return g, nil
}

// Abort ends the ranks by the communicator that connected them.
func (e *engine) Abort(err error) { e.base.Abort(err) }

// Close waits for the device, and frees the communicator. The communicator that Open was given stays.
func (e *engine) Close() error {
	e.lock.Lock()
	was := e.closed
	e.closed = true
	e.lock.Unlock()
	if was || e.failed.Load() != nil {
		return nil
	}
	if err := e.device.Synchronize(); err != nil {
		return err
	}
	return e.device.Use(func() error { return e.library.failure("ncclCommDestroy", e.library.destroy(e.handle), 0) })
}

var _ comm.Engine = (*engine)(nil)
