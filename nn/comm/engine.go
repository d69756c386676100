package comm

import (
	"context"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Engine moves arrays between ranks. A [Communicator] adds everything else: checks of arguments, ordered sums, lists of
// arrays, division. So an engine gets arrays that fit together on all ranks. Every array that it gets was made by New,
// or is a contiguous view of such an array, has one axis, and may be empty. Arrays that an engine writes share no
// memory with those that it reads, except as AllGather says.
//
// All ranks make the same calls in the same order. Calls to one engine come one at a time, but calls to the engines of
// its groups run at the same time: an engine must not let a call wait for that of another group. If ctx ends before a
// call is done, the call returns ctx's error soon, and every later call an error too; memory that is still in transit
// stays valid until Close. If another rank has ended, a call returns an error that names that rank, if the engine can
// know it.
//
// On an asynchronous device a call takes effect in the order of the device's kernels.
type Engine interface {
	// Rank returns the number of this rank, from 0 to Size()-1.
	Rank() int
	// Size returns the number of ranks.
	Size() int
	// LocalRank returns the number of this rank among those of the same machine.
	LocalRank() int
	// Name names the engine, with its version if it has one, such as "local" or "MPI (Open MPI 4.1.4)".
	Name() string
	// Device returns the device that holds the arrays.
	Device() device.Device

	// New returns an array with arbitrary content, whose memory the engine can send and receive.
	New(t dtype.DType, shape ...int) *nd.Array
	// Free ends the use of an array that New returned.
	Free(x *nd.Array)

	// AllToAll sends sendCounts[i] elements of send to rank i, those for rank i+1 after those for rank i, and receives
	// recvCounts[i] elements from rank i, in the same arrangement.
	AllToAll(ctx context.Context, send *nd.Array, sendCounts []int, recv *nd.Array, recvCounts []int) error
	// AllGather receives the piece of every rank: counts[i] elements from rank i, in the order of the ranks. piece may
	// be the rank's own part of all, which then has its elements already.
	AllGather(ctx context.Context, piece, all *nd.Array, counts []int) error
	// Bcast sends x from rank root to all others, which receive it in x.
	Bcast(ctx context.Context, x *nd.Array, root int) error
	// AllReduce replaces x with the sum over ranks, in the order of the engine's choice, the same on all ranks. It need
	// not support dtypes for which Sums returns false.
	AllReduce(ctx context.Context, x *nd.Array) error
	// Sums reports whether AllReduce supports a dtype, and should be used: whether it may be faster than the sums of
	// [Communicator], which AllToAll and AllGather serve. The answer is the same on all ranks.
	Sums(t dtype.DType) bool
	// Send sends x to another rank, whose Recv takes it. It may return before that.
	Send(ctx context.Context, x *nd.Array, to int) error
	// Recv receives x from another rank, in the order in which that rank sent.
	Recv(ctx context.Context, x *nd.Array, from int) error
	// Barrier returns after all ranks have called it.
	Barrier(ctx context.Context) error

	// Group returns the engine of a group. All ranks of this engine call it. The group's ranks are numbered in the order
	// of ranks, which are numbers in this engine, each at most once; other ranks get nil. The groups of an engine stay
	// usable until they are closed or the engine is.
	Group(ctx context.Context, name string, ranks []int) (Engine, error)

	// Abort says that this rank ends because of an error. The calls of other ranks end with an error that names the
	// rank, or their processes end; the engine may also end this process, after it has printed the error.
	Abort(err error)
	// Close ends the use of the engine, after all calls. All ranks call it.
	Close() error
}

// ExchangeBytes is the number of bytes of a slot of [Exchanger]. Libraries of MPI send messages of this size at once, without
// asking the receiver first.
const ExchangeBytes = 4096

// Exchanger is an [Engine] that sends a few bytes between every two ranks faster than AllGather. A [Communicator] of few
// ranks compares their calls by it, and sends small arrays along.
type Exchanger interface {
	Engine
	// Exchange sends the first n bytes of this rank's slot of all, an array of uint8 that the host can see, to all other
	// ranks, and receives theirs: those of rank i at the beginning of slot i, which is that of the elements from
	// i·ExchangeBytes on. The rest of the slots of other ranks may change. Ranks may send different numbers of bytes.
	Exchange(ctx context.Context, all *nd.Array, n int) error
}
