package nccl

import (
	"context"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// sent returns the device address of an array.
func sent(x *nd.Array) uintptr {
	if x.Size() == 0 {
		return 0
	}
	return uintptr(cudaops.Address(x))
}

// received is sent for an array that is written: its version changes.
func (e *engine) received(fn nd.Func, x *nd.Array) uintptr {
	at := sent(x)
	l := fn.Launch(e.device, nil)
	l.Write(x)
	l.Run(func(device.Device, *device.Launch) {})
	return at
}

// together runs calls as one: none waits for the other rank before all are made.
func (e *engine) together(calls func() error) error {
	if err := e.library.failure("ncclGroupStart", e.library.groupStart(), e.handle); err != nil {
		return err
	}
	err := calls()
	if end := e.library.failure("ncclGroupEnd", e.library.groupEnd(), e.handle); err == nil {
		err = end
	}
	return err
}

func (e *engine) stream() uintptr { return e.device.Stream().Handle() }

func (e *engine) sendTo(at uintptr, n, to int) error {
	if n == 0 {
		return nil
	}
	return e.library.failure("ncclSend", e.library.send(at, uintptr(n), bytes, int32(to), e.handle, e.stream()), e.handle)
}

func (e *engine) receiveFrom(at uintptr, n, from int) error {
	if n == 0 {
		return nil
	}
	return e.library.failure("ncclRecv", e.library.recv(at, uintptr(n), bytes, int32(from), e.handle, e.stream()), e.handle)
}

func (e *engine) AllToAll(ctx context.Context, send *nd.Array, sendCounts []int, recv *nd.Array, recvCounts []int) error {
	const fn nd.Func = "nccl.AllToAll"
	from, to, size := sent(send), e.received(fn, recv), send.DType().Size()
	return e.do(ctx, "AllToAll", func() error {
		return e.together(func() error {
			for r := range e.size {
				if err := e.sendTo(from, sendCounts[r]*size, r); err != nil {
					return err
				}
				if err := e.receiveFrom(to, recvCounts[r]*size, r); err != nil {
					return err
				}
				from += uintptr(sendCounts[r] * size)
				to += uintptr(recvCounts[r] * size)
			}
			return nil
		})
	})
}

// AllGather gathers pieces of one length by ncclAllGather, and others by a broadcast of each.
func (e *engine) AllGather(ctx context.Context, piece, all *nd.Array, counts []int) error {
	const fn nd.Func = "nccl.AllGather"
	from, to, size := sent(piece), e.received(fn, all), all.DType().Size()
	same, at := true, make([]uintptr, e.size)
	for r, n := range counts {
		same = same && n == counts[0]
		if r+1 < e.size {
			at[r+1] = at[r] + uintptr(n*size)
		}
	}
	l := e.library
	return e.do(ctx, "AllGather", func() error {
		if same {
			if counts[0] == 0 {
				return nil
			}
			return l.failure("ncclAllGather", l.allGather(from, to, uintptr(counts[0]*size), bytes, e.handle, e.stream()), e.handle)
		}
		return e.together(func() error {
			for r, n := range counts {
				source := to + at[r]
				if r == e.rank {
					source = from
				}
				if n == 0 {
					continue
				}
				if err := l.failure("ncclBroadcast", l.broadcast(source, to+at[r], uintptr(n*size), bytes, int32(r), e.handle, e.stream()), e.handle); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (e *engine) Bcast(ctx context.Context, x *nd.Array, root int) error {
	const fn nd.Func = "nccl.Bcast"
	n := x.Size() * x.DType().Size()
	if n == 0 {
		return nil
	}
	at := sent(x)
	if root != e.rank {
		at = e.received(fn, x)
	}
	return e.do(ctx, "Bcast", func() error {
		return e.library.failure("ncclBroadcast", e.library.broadcast(at, at, uintptr(n), bytes, int32(root), e.handle, e.stream()), e.handle)
	})
}

func (e *engine) AllReduce(ctx context.Context, x *nd.Array) error {
	const fn nd.Func = "nccl.AllReduce"
	kind, numbers := typeOf(x.DType())
	fn.Expect(numbers > 0, []*nd.Array{x}, "want a dtype that NCCL can add")
	if x.Size() == 0 {
		return nil
	}
	at := e.received(fn, x)
	return e.do(ctx, "AllReduce", func() error {
		result := e.library.allReduce(at, at, uintptr(x.Size()*numbers), kind, sum, e.handle, e.stream())
		return e.library.failure("ncclAllReduce", result, e.handle)
	})
}

func (e *engine) Send(ctx context.Context, x *nd.Array, to int) error {
	at := sent(x)
	return e.do(ctx, "Send", func() error { return e.sendTo(at, x.Size()*x.DType().Size(), to) })
}

func (e *engine) Recv(ctx context.Context, x *nd.Array, from int) error {
	const fn nd.Func = "nccl.Recv"
	at := e.received(fn, x)
	return e.do(ctx, "Recv", func() error { return e.receiveFrom(at, x.Size()*x.DType().Size(), from) })
}
