package comm

import (
	"context"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// LocalOptions are the options of [Local].
type LocalOptions struct {
	// Device is the device of the arrays that are exchanged; nil is the CPU.
	Device device.Device
}

// Local returns the communicators of n ranks in this process, one for each of n goroutines:
//
//	for _, c := range comm.Local(4) {
//		go func() {
//			defer c.Close()
//			…
//		}()
//	}
//
// It starts no goroutine itself. A rank ends when its communicator is closed, also by a panic that runs the deferred
// Close, or when the context of one of its calls ends. Calls of other ranks then return a [RankError].
func Local(n int, opts ...LocalOptions) []*Communicator {
	const fn nd.Func = "comm.Local"
	o := options.Read(fn, opts)
	if n < 1 {
		panic(fn.Errorf(nil, "%d ranks: want at least one", n))
	}
	h := newHub(nil, [][]int{consecutive(0, n)})
	h.device.Device = o.Device
	all := make([]*Communicator, n)
	for i := range all {
		all[i] = New(&local{h, i})
	}
	return all
}

// Split returns communicators for n goroutines of this rank. Together with those of the other ranks, which call it with
// the same n, they connect Size()·n ranks; the first is Rank()·n. The goroutines of a process exchange data directly, and
// with other processes by c, which they use from then on: c is not used by others until they are closed. To use c itself
// meanwhile, split a group of all its ranks instead. Send and Recv of the new communicators work within a process only.
func (c *Communicator) Split(ctx context.Context, n int) ([]*Communicator, error) {
	const fn nd.Func = "Communicator.Split"
	if n < 1 {
		panic(fn.Errorf(nil, "%d goroutines: want at least one", n))
	}
	err := c.call(ctx, fn, call{text: fmt.Sprintf("%d goroutines", n)}, func() error { return nil })
	if err != nil {
		return nil, err
	}
	ranks := make([][]int, c.Size())
	for r := range ranks {
		ranks[r] = consecutive(r*n, n)
	}
	h := newHub(c.engine, ranks)
	h.memory = c.engine
	if c.Size() == 1 {
		h.outer = nil
	}
	all := make([]*Communicator, n)
	for i := range all {
		all[i] = newCommunicator(&local{h, i}, c.name)
		all[i].NoCheck = c.NoCheck
	}
	c.groupsLock.Lock()
	c.split = append(c.split, all...)
	c.groupsLock.Unlock()
	return all, nil
}

func consecutive(from, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// local is the engine of one goroutine.
type local struct {
	hub *hub
	i   int // the goroutine's number in its process
}

func (e *local) Rank() int { return e.hub.here()[e.i] }
func (e *local) Size() int { return e.hub.size }

func (e *local) LocalRank() int {
	if e.hub.outer == nil {
		return e.i
	}
	return e.hub.outer.LocalRank()*len(e.hub.here()) + e.i
}

func (e *local) Name() string {
	if e.hub.outer == nil {
		return "local"
	}
	return fmt.Sprintf("%s, %d goroutines each", e.hub.outer.Name(), len(e.hub.here()))
}

func (e *local) Device() device.Device {
	switch {
	case e.hub.memory != nil:
		return e.hub.memory.Device()
	case e.hub.device.Device != nil:
		return e.hub.device.Device
	}
	return nd.Empty(nil, e.hub.device).Device()
}

func (e *local) New(t dtype.DType, shape ...int) *nd.Array {
	if e.hub.memory != nil {
		e.hub.memoryLock.Lock()
		defer e.hub.memoryLock.Unlock()
		return e.hub.memory.New(t, shape...)
	}
	return nd.Empty(shape, nd.ArrayOptions{DType: t, Device: e.hub.device.Device})
}

func (e *local) Free(x *nd.Array) {
	if e.hub.memory != nil {
		e.hub.memoryLock.Lock()
		defer e.hub.memoryLock.Unlock()
		e.hub.memory.Free(x)
		return
	}
	x.Release()
}

func (e *local) Sums(t dtype.DType) bool { return e.hub.outer == nil || e.hub.outer.Sums(t) }

func (e *local) Send(ctx context.Context, x *nd.Array, to int) error {
	return e.hub.send(ctx, x, e.Rank(), to)
}

func (e *local) Recv(ctx context.Context, x *nd.Array, from int) error {
	return e.hub.receive(ctx, x, from, e.Rank())
}

func (e *local) Group(ctx context.Context, name string, ranks []int) (Engine, error) {
	var mine Engine
	call := meetingCall{group: func(h *hub, i int) { mine = &local{h, i} }}
	err := e.hub.meet(ctx, e.i, call, func(calls []meetingCall) error { return e.hub.group(ctx, name, ranks, calls) })
	return mine, err
}

// group makes the hub of a group. Its processes are those with ranks in the group, in the same order.
func (h *hub) group(ctx context.Context, name string, ranks []int, calls []meetingCall) error {
	var processes []int
	var inside [][]int
	for p, there := range h.ranks {
		var in []int
		for _, r := range there {
			if k := slices.Index(ranks, r); k >= 0 {
				in = append(in, k)
			}
		}
		if in != nil {
			processes, inside = append(processes, p), append(inside, in)
		}
	}
	var outer Engine
	if h.outer != nil {
		var err error
		if outer, err = h.outer.Group(ctx, name, processes); err != nil || outer == nil {
			return err
		}
	}
	g := newHub(outer, inside)
	g.memory, g.device = h.memory, h.device
	if outer != nil {
		g.memory, g.owned = outer, true
	}
	at := 0
	for i, r := range h.here() {
		if slices.Contains(ranks, r) {
			calls[i].group(g, at)
			at++
		}
	}
	return nil
}

func (e *local) Abort(err error) {
	e.hub.end(e.Rank(), err)
	if e.hub.outer != nil {
		e.hub.outer.Abort(err)
	}
}

func (e *local) Close() error { return e.hub.close(e.Rank()) }
