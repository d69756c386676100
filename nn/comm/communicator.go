package comm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// World is the name of the group of all ranks.
const World = "world"

// Communicator connects this rank with others. Its collective functions are called by all ranks, in the same order, with
// arrays of the same shapes and dtypes. If ranks disagree about the function, its arguments, shapes or dtypes, the call
// returns an error on all ranks, which names the ranks and what they have, and nothing is written; the communicator can
// still be used. To find that out, the ranks exchange a few bytes before each call; small arrays are sent with them.
//
// Wrong arguments that a rank finds alone are *nd.Error panics, as everywhere. What the engine, another rank or the
// end of ctx causes is an error. After such an error the communicator is useless; its later calls return the error.
//
// Arrays may have any strides and be on any device. Arrays that New made are sent without a copy. Results are written
// into the arguments; a tape treats that as [nd.Array.Assign], or ignores it.
//
// A communicator has one call at a time: other goroutines wait for it. A group is a communicator of its own.
// NNabla: MultiProcessDataParallelCommunicator, MultiProcessCommunicator. Chainer: CommunicatorBase.
type Communicator struct {
	// NoCheck leaves out the exchange before each call. Ranks that disagree may then wait forever or get wrong numbers.
	// All ranks set it. Groups inherit it when they are made.
	NoCheck bool

	engine Engine
	name   string // of the group

	lock      sync.Mutex // held during a call
	failed    error      // why no further call is possible
	scratch   scratch
	quick     *quick // nil if it is not used
	packBytes int
	made      map[any]*nd.Array // arrays that New made, by their block

	groupsLock sync.Mutex
	groups     map[string]*Communicator
	split      []*Communicator // what Split returned
}

// New returns the communicator of an engine, which belongs to it from then on.
func New(e Engine) *Communicator {
	return newCommunicator(e, World)
}

func newCommunicator(e Engine, name string) *Communicator {
	return &Communicator{engine: e, name: name, scratch: scratch{engine: e}, packBytes: largestPack, made: map[any]*nd.Array{}, groups: map[string]*Communicator{}}
}

// Rank returns the number of this rank, from 0 to Size()-1.
// NNabla: rank. Chainer: CommunicatorBase.rank.
func (c *Communicator) Rank() int { return c.engine.Rank() }

// Size returns the number of ranks.
// NNabla: size. Chainer: CommunicatorBase.size.
func (c *Communicator) Size() int { return c.engine.Size() }

// LocalRank returns the number of this rank among those of the same machine.
// NNabla: local_rank. Chainer: CommunicatorBase.intra_rank.
func (c *Communicator) LocalRank() int { return c.engine.LocalRank() }

// Name returns the name of the group: [World] for all ranks.
// NNabla: name.
func (c *Communicator) Name() string { return c.name }

// Engine names the engine, with its version if it has one, such as "local" or "MPI (Open MPI 4.1.4)".
func (c *Communicator) Engine() string { return c.engine.Name() }

// Device returns the device whose memory the engine sends.
func (c *Communicator) Device() device.Device { return c.engine.Device() }

// New returns an array with arbitrary content in memory that the engine sends and receives without a copy. It is valid
// until Free or Close.
func (c *Communicator) New(t dtype.DType, shape ...int) *nd.Array {
	c.lock.Lock()
	defer c.lock.Unlock()
	x := c.engine.New(t, shape...)
	if x.Size() > 0 {
		c.made[x.Block()] = x
	}
	return x
}

// Free ends the use of an array that New returned.
func (c *Communicator) Free(x *nd.Array) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if known := c.made[x.Block()]; known != nil {
		delete(c.made, x.Block())
		c.engine.Free(known)
	}
}

// NewGroup makes a group, a communicator of some of the ranks, numbered in the order of ranks. All ranks of c call it
// with the same arguments. Ranks that are not in the group get nil. [Communicator.Group] finds the group by its name
// later. Close of c closes its groups.
// NNabla: new_group. Chainer: CommunicatorBase.split.
func (c *Communicator) NewGroup(ctx context.Context, name string, ranks []int) (*Communicator, error) {
	const fn nd.Func = "Communicator.NewGroup"
	if name == "" || name == World {
		panic(fn.Errorf(nil, "name %q: want another name than %q", name, World))
	}
	if len(ranks) == 0 {
		panic(fn.Errorf(nil, "no ranks in group %q", name))
	}
	for i, r := range ranks {
		c.checkRank(fn, r)
		if slices.Contains(ranks[:i], r) {
			panic(fn.Errorf(nil, "ranks %v of group %q: rank %d occurs twice", ranks, name, r))
		}
	}
	c.groupsLock.Lock()
	known := c.groups[name] != nil
	c.groupsLock.Unlock()
	if known {
		panic(fn.Errorf(nil, "group %q exists already", name))
	}
	var e Engine
	err := c.call(ctx, fn, call{text: fmt.Sprintf("group %q of ranks %v", name, ranks)}, func() (err error) {
		e, err = c.engine.Group(ctx, name, ranks)
		return err
	})
	if err != nil || e == nil {
		return nil, err
	}
	g := newCommunicator(e, name)
	g.NoCheck = c.NoCheck
	c.groupsLock.Lock()
	c.groups[name] = g
	c.groupsLock.Unlock()
	return g, nil
}

// Group returns a group that this rank is in, by its name, or nil if it is in no group of that name. The group [World] is
// c itself.
// NNabla: find_group.
func (c *Communicator) Group(name string) *Communicator {
	if name == World || name == c.name {
		return c
	}
	c.groupsLock.Lock()
	defer c.groupsLock.Unlock()
	return c.groups[name]
}

// Abort says that this rank ends because of an error. Calls of other ranks return an error that names the rank, or their
// processes end. Some engines end this process too, after they have printed err.
func (c *Communicator) Abort(err error) {
	if err == nil {
		err = errors.New("it was aborted")
	}
	for _, other := range c.derived() {
		other.Abort(err)
	}
	c.engine.Abort(err)
}

// derived returns the groups, in the same order on all ranks, and what Split returned.
func (c *Communicator) derived() []*Communicator {
	c.groupsLock.Lock()
	defer c.groupsLock.Unlock()
	all := slices.Clone(c.split)
	for _, name := range slices.Sorted(maps.Keys(c.groups)) {
		all = append(all, c.groups[name])
	}
	return all
}

// Close closes the groups, what Split returned, and the engine. All ranks call it, after their last call of c. Further
// calls return errors. Closing again does nothing.
func (c *Communicator) Close() error {
	var err error
	for _, other := range c.derived() {
		err = errors.Join(err, other.Close())
	}
	if !c.lock.TryLock() { // a call waits for ranks that may wait for this one
		c.engine.Abort(errClosed)
		c.lock.Lock()
	}
	defer c.lock.Unlock()
	if errors.Is(c.failed, errClosed) {
		return nil
	}
	c.failed = fmt.Errorf("comm: %w", errClosed)
	c.scratch.free()
	c.quick.free()
	c.quick = nil
	for _, x := range c.made {
		c.engine.Free(x)
	}
	clear(c.made)
	return errors.Join(err, c.engine.Close())
}

var errClosed = errors.New("the communicator is closed")

// checkRank refuses a number that is no rank.
func (c *Communicator) checkRank(fn nd.Func, rank int) {
	if rank < 0 || rank >= c.Size() {
		panic(fn.Errorf(nil, "rank %d: want 0 to %d", rank, c.Size()-1))
	}
}
