package mpi

import (
	"context"
	"slices"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// most is the largest number of elements of one message: MPI counts in 32 bits.
var most = 1 << 30

// Tags of messages between two ranks.
const (
	tagMessage = 1 + iota
	tagAllToAll
	tagExchange
)

// request adds a call that starts a request to an operation. The arguments, without the request, are addresses of MPI's
// memory or of pinned memory.
func (t *thread) request(o *operation, f function, arguments ...uintptr) {
	c := foreignCall{address: t.library.functions[f], function: f, count: len(arguments) + 1}
	copy(c.arguments[:], arguments)
	o.calls = append(o.calls, c)
}

// transfer adds the messages of count elements to or from a rank.
func (e *engine) transfer(o *operation, f function, at unsafe.Pointer, count int, t dtype.DType, rank, tag int) {
	kind := e.thread.library.moves[t.Size()]
	for done := 0; done < count; done += most {
		n := min(most, count-done)
		o.peers = append(o.peers, peer{rank: e.worldRank[rank], received: f == irecv, count: n, kind: kind})
		e.thread.request(o, f, uintptr(unsafe.Add(at, done*t.Size())), uintptr(n), kind, uintptr(rank), uintptr(tag), e.communicator)
	}
}

// AllToAll exchanges pieces by messages between every two ranks. The counts of other ranks are unknown, so that a collective
// function could not know whether MPI's 32-bit numbers suffice on all ranks.
func (e *engine) AllToAll(ctx context.Context, send *nd.Array, sendCounts []int, recv *nd.Array, recvCounts []int) error {
	const fn nd.Func = "mpi.AllToAll"
	from, to, t := e.sent(fn, send), e.received(fn, recv), send.DType()
	move(unsafe.Add(to, sum(recvCounts[:e.rank])*t.Size()), unsafe.Add(from, sum(sendCounts[:e.rank])*t.Size()), recvCounts[e.rank]*t.Size())
	copied := make([]bool, e.size) // by rank: what it sends came by shared memory
	if e.area != nil {
		if err := e.allToAllShared(ctx, from, sendCounts, to, recvCounts, t.Size(), copied); err != nil || !slices.Contains(copied, false) {
			return err
		}
	}
	return e.do(ctx, e.operation("AllToAll", send, recv), func(o *operation, _ int) (bool, error) {
		for step := 1; step < e.size; step++ {
			if source := (e.rank + e.size - step) % e.size; !copied[source] {
				e.transfer(o, irecv, unsafe.Add(to, sum(recvCounts[:source])*t.Size()), recvCounts[source], t, source, tagAllToAll)
			}
		}
		for step := 1; step < e.size && !copied[e.rank]; step++ { // the next rank first, so that not all send to the same one at a time
			rank := (e.rank + step) % e.size
			e.transfer(o, isend, unsafe.Add(from, sum(sendCounts[:rank])*t.Size()), sendCounts[rank], t, rank, tagAllToAll)
		}
		return false, nil
	})
}

func sum(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

// move copies bytes.
func move(to, from unsafe.Pointer, bytes int) {
	if bytes > 0 {
		copy(unsafe.Slice((*byte)(to), bytes), unsafe.Slice((*byte)(from), bytes))
	}
}

// AllGather gathers the pieces by MPI_Iallgatherv, or by one broadcast for each piece if they are too many elements for it.
func (e *engine) AllGather(ctx context.Context, piece, all *nd.Array, counts []int) error {
	const fn nd.Func = "mpi.AllGather"
	from, to, t := e.sent(fn, piece), e.received(fn, all), all.DType()
	if own := unsafe.Add(to, sum(counts[:e.rank])*t.Size()); own != from {
		move(own, from, counts[e.rank]*t.Size())
	}
	if e.area != nil && slices.Max(counts)*t.Size() <= sharedMost {
		return e.allGatherShared(ctx, to, counts, t.Size())
	}
	o := e.operation("AllGather", all)
	if sum(counts) <= most {
		return e.do(ctx, o, func(o *operation, _ int) (bool, error) {
			e.gather(o, to, t, counts)
			return false, nil
		})
	}
	return e.do(ctx, o, func(o *operation, round int) (bool, error) {
		at := 0
		for rank, n := range counts {
			rounds := (n + most - 1) / most
			if round < rounds {
				e.broadcast(o, unsafe.Add(to, (at+round*most)*t.Size()), min(most, n-round*most), t, rank)
				return true, nil
			}
			round -= rounds
			at += n
		}
		return false, nil
	})
}

// gather adds MPI_Iallgatherv, with each rank's own piece in its location already.
func (e *engine) gather(o *operation, to unsafe.Pointer, t dtype.DType, counts []int) {
	numbers := make([]int32, 2*e.size)
	at := 0
	for rank, n := range counts {
		numbers[rank], numbers[e.size+rank] = int32(n), int32(at)
		at += n
	}
	o.pinned.Pin(&numbers[0])
	kind := e.thread.library.moves[t.Size()]
	e.thread.request(o, iallgatherv, inPlace, 0, kind,
		uintptr(to), uintptr(unsafe.Pointer(&numbers[0])), uintptr(unsafe.Pointer(&numbers[e.size])), kind, e.communicator)
}

// broadcast adds one broadcast.
func (e *engine) broadcast(o *operation, at unsafe.Pointer, count int, t dtype.DType, root int) {
	e.thread.request(o, ibcast, uintptr(at), uintptr(count), e.thread.library.moves[t.Size()], uintptr(root), e.communicator)
}

// Exchange sends messages between every two ranks.
func (e *engine) Exchange(ctx context.Context, all *nd.Array, n int) error {
	const fn nd.Func = "mpi.Exchange"
	slots := e.sent(fn, all) // the versions of slots matter to nobody
	if e.area != nil {
		return e.exchangeShared(ctx, slots, n)
	}
	return e.do(ctx, e.operation("Exchange", all), func(o *operation, _ int) (bool, error) {
		add := func(f function, slot, bytes, rank int) {
			o.peers = append(o.peers, peer{rank: e.worldRank[rank]}) // how much was received is not checked
			e.thread.request(o, f, uintptr(unsafe.Add(slots, slot*comm.ExchangeBytes)), uintptr(bytes), e.thread.library.moves[1],
				uintptr(rank), tagExchange, e.communicator)
		}
		for step := 1; step < e.size; step++ {
			rank := (e.rank + step) % e.size
			add(irecv, rank, comm.ExchangeBytes, rank)
		}
		for step := 1; step < e.size; step++ {
			add(isend, e.rank, n, (e.rank+step)%e.size)
		}
		return false, nil
	})
}

func (e *engine) Bcast(ctx context.Context, x *nd.Array, root int) error {
	const fn nd.Func = "mpi.Bcast"
	use, n, t := e.received, x.Size(), x.DType()
	if root == e.rank {
		use = e.sent
	}
	at := use(fn, x)
	if e.area != nil && x.Bytes() <= sharedMost {
		return e.bcastShared(ctx, at, x.Bytes(), root)
	}
	return e.do(ctx, e.operation("Bcast", x), func(o *operation, round int) (bool, error) {
		from := round * most
		if from >= n {
			return false, nil
		}
		e.broadcast(o, unsafe.Add(at, from*t.Size()), min(most, n-from), t, root)
		return from+most < n, nil
	})
}

func (e *engine) AllReduce(ctx context.Context, x *nd.Array) error {
	const fn nd.Func = "mpi.AllReduce"
	n, t := x.Size(), x.DType()
	fn.Expect(e.thread.library.types[t] != 0, []*nd.Array{x}, "a dtype that MPI can add")
	at := e.received(fn, x)
	return e.do(ctx, e.operation("AllReduce", x), func(o *operation, round int) (bool, error) {
		from := round * most
		if from >= n {
			return false, nil
		}
		e.thread.request(o, iallreduce, inPlace, uintptr(unsafe.Add(at, from*t.Size())), uintptr(min(most, n-from)),
			e.thread.library.types[t], e.thread.library.sum, e.communicator)
		return from+most < n, nil
	})
}

func (e *engine) Send(ctx context.Context, x *nd.Array, to int) error {
	const fn nd.Func = "mpi.Send"
	at := e.sent(fn, x)
	return e.do(ctx, e.operation("Send", x), func(o *operation, _ int) (bool, error) {
		e.transfer(o, isend, at, x.Size(), x.DType(), to, tagMessage)
		return false, nil
	})
}

func (e *engine) Recv(ctx context.Context, x *nd.Array, from int) error {
	const fn nd.Func = "mpi.Recv"
	at := e.received(fn, x)
	return e.do(ctx, e.operation("Recv", x), func(o *operation, _ int) (bool, error) {
		e.transfer(o, irecv, at, x.Size(), x.DType(), from, tagMessage)
		return false, nil
	})
}

func (e *engine) Barrier(ctx context.Context) error {
	if e.area != nil {
		return e.meet(ctx, "Barrier")
	}
	return e.do(ctx, e.operation("Barrier"), func(o *operation, _ int) (bool, error) {
		e.thread.request(o, ibarrier, e.communicator)
		return false, nil
	})
}
