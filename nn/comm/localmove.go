package comm

import (
	"context"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// How the last goroutine of a call moves the data of all goroutines of its process.

func (e *local) AllToAll(ctx context.Context, send *nd.Array, sendCounts []int, recv *nd.Array, recvCounts []int) error {
	call := meetingCall{x: send, counts: sendCounts, y: recv, more: recvCounts}
	return e.hub.meet(ctx, e.i, call, func(calls []meetingCall) error { return e.hub.allToAll(ctx, calls) })
}

func (h *hub) allToAll(ctx context.Context, calls []meetingCall) error {
	if h.outer == nil {
		for i, from := range h.here() {
			for k, to := range h.here() {
				move(calls[k].y, offset(calls[k].more, from), calls[i].x, offset(calls[i].counts, to), calls[i].counts[to])
			}
		}
		return nil
	}
	// The elements for a process: those of the first goroutine for its goroutines, then those of the second one, ….
	out, in := make([]int, len(h.ranks)), make([]int, len(h.ranks))
	for p, there := range h.ranks {
		for _, r := range there {
			for _, c := range calls {
				out[p] += c.counts[r]
				in[p] += c.more[r]
			}
		}
	}
	send, recv := h.scratch.take(calls[0].x.DType(), total(out)), h.scratch.take(calls[0].x.DType(), total(in))
	defer h.scratch.give(send, recv)
	at := 0
	for _, there := range h.ranks {
		for _, c := range calls {
			for _, to := range there {
				move(send, at, c.x, offset(c.counts, to), c.counts[to])
				at += c.counts[to]
			}
		}
	}
	if err := h.outer.AllToAll(ctx, send, out, recv, in); err != nil {
		return err
	}
	at = 0
	for _, there := range h.ranks {
		for _, from := range there {
			for _, c := range calls {
				move(c.y, offset(c.more, from), recv, at, c.more[from])
				at += c.more[from]
			}
		}
	}
	return nil
}

func (e *local) AllGather(ctx context.Context, piece, all *nd.Array, counts []int) error {
	call := meetingCall{x: piece, y: all, counts: counts}
	return e.hub.meet(ctx, e.i, call, func(calls []meetingCall) error { return e.hub.allGather(ctx, counts, calls) })
}

func (h *hub) allGather(ctx context.Context, counts []int, calls []meetingCall) error {
	if h.outer == nil {
		for _, to := range calls {
			for i, from := range h.here() {
				move(to.y, offset(counts, from), calls[i].x, 0, counts[from])
			}
		}
		return nil
	}
	of := make([]int, len(h.ranks)) // the elements of each process
	for p, there := range h.ranks {
		for _, r := range there {
			of[p] += counts[r]
		}
	}
	all := h.scratch.take(calls[0].x.DType(), total(of))
	defer h.scratch.give(all)
	first := offset(of, h.process)
	at := first
	for _, c := range calls {
		move(all, at, c.x, 0, c.x.Size())
		at += c.x.Size()
	}
	own := part(all, first, of[h.process])
	defer own.Release()
	if err := h.outer.AllGather(ctx, own, all, of); err != nil {
		return err
	}
	at = 0
	for _, there := range h.ranks {
		for _, r := range there {
			for _, c := range calls {
				move(c.y, offset(counts, r), all, at, counts[r])
			}
			at += counts[r]
		}
	}
	return nil
}

// Exchange implements [Exchanger].
func (e *local) Exchange(ctx context.Context, all *nd.Array, n int) error {
	return e.hub.meet(ctx, e.i, meetingCall{x: all, counts: []int{n}}, func(calls []meetingCall) error { return e.hub.exchange(ctx, calls) })
}

func (h *hub) exchange(ctx context.Context, calls []meetingCall) error {
	if h.outer != nil { // other processes do not know how many bytes each goroutine sends: whole slots are sent
		pieces := make([]meetingCall, len(calls))
		for i, r := range h.here() {
			own := part(calls[i].x, r*ExchangeBytes, ExchangeBytes)
			defer own.Release()
			pieces[i] = meetingCall{x: own, y: calls[i].x}
		}
		return h.allGather(ctx, slices.Repeat([]int{ExchangeBytes}, h.size), pieces)
	}
	for i, from := range h.here() {
		for k, to := range calls {
			if i != k {
				move(to.x, from*ExchangeBytes, calls[i].x, from*ExchangeBytes, calls[i].counts[0])
			}
		}
	}
	return nil
}

func (e *local) Bcast(ctx context.Context, x *nd.Array, root int) error {
	return e.hub.meet(ctx, e.i, meetingCall{x: x}, func(calls []meetingCall) error { return e.hub.bcast(ctx, root, calls) })
}

func (h *hub) bcast(ctx context.Context, root int, calls []meetingCall) error {
	source := calls[0].x
	for i, r := range h.here() {
		if r == root {
			source = calls[i].x
		}
	}
	if h.outer != nil {
		for p, there := range h.ranks {
			for _, r := range there {
				if r != root {
					continue
				}
				if err := h.outer.Bcast(ctx, source, p); err != nil {
					return err
				}
			}
		}
	}
	copyToAll(source, calls)
	return nil
}

func (e *local) AllReduce(ctx context.Context, x *nd.Array) error {
	return e.hub.meet(ctx, e.i, meetingCall{x: x}, func(calls []meetingCall) error {
		sum := calls[0].x
		for _, c := range calls[1:] {
			ops.Add(sum, c.x, ops.Into(sum))
		}
		if e.hub.outer != nil {
			if err := e.hub.outer.AllReduce(ctx, sum); err != nil {
				return err
			}
		}
		copyToAll(sum, calls)
		return nil
	})
}

func (e *local) Barrier(ctx context.Context) error {
	return e.hub.meet(ctx, e.i, meetingCall{}, func([]meetingCall) error {
		if e.hub.outer == nil {
			return nil
		}
		return e.hub.outer.Barrier(ctx)
	})
}

// copyToAll copies an array to those of all goroutines.
func copyToAll(x *nd.Array, calls []meetingCall) {
	for _, c := range calls {
		if c.x != x {
			c.x.Assign(x)
		}
	}
}

// move copies n elements from one flat array to another, unless they are the same ones.
func move(to *nd.Array, at int, from *nd.Array, first, n int) {
	if n == 0 || to.SharesMemory(from) && to.Offset()+at == from.Offset()+first {
		return
	}
	y, x := part(to, at, n), part(from, first, n)
	y.Assign(x)
	y.Release()
	x.Release()
}

// offset returns the number of elements before those of a rank.
func offset(counts []int, rank int) int { return total(counts[:rank]) }

func total(counts []int) int {
	n := 0
	for _, k := range counts {
		n += k
	}
	return n
}
