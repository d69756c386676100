package mpi

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// Ranks of one machine exchange small arrays by memory that MPI shares between their processes (MPI_Win_allocate_shared). A
// message takes MPI a microsecond, and the way to C and back; here a rank copies, sets a number, and waits for the numbers of
// the others, without a call.

// shared is the memory of all ranks, divided into areas, of which each group gets one, as long as there are some.
type shared struct {
	window handle
	base   unsafe.Pointer
	areas  int
	next   int // the first area that no group of this rank has
}

// area is the memory of a group. A rank has two slots, which it uses by turns: it writes to one again when all others have
// used the other one, and so have read what the first one had.
type area struct {
	base  unsafe.Pointer
	round uint64 // the number of the last exchange
}

// A slot begins with the number of its exchange, and the number of bytes that its rank sends to each other, or tooLong.
const (
	slotHeader  = 64
	slotBytes   = slotHeader + stagedBytes
	stagedBytes = 128 << 10
	sharedMost  = 256 << 10 // the bytes for a rank up to which they are copied to slots, in pieces; longer messages are MPI's
	tooLong     = -1        // instead of the number of bytes: they are sent by messages
	sharedRanks = 8         // at most
	sharedBytes = 16 << 20  // at most, for all groups; the system provides only what is used
)

// useShared permits shared memory. Tests of messages set it to false.
var useShared = true

// share makes the memory, if all ranks are on one machine, and few. If the library cannot make it, all messages are MPI's.
func (e *engine) share(ctx context.Context) error {
	l := e.thread.library
	if !useShared || !e.near || e.size == 1 || e.size > sharedRanks || !e.thread.shared || !l.has(winAllocateShared, winSharedQuery, winFree, iprobe) {
		return nil
	}
	s, each := &shared{}, 2*e.size*slotBytes
	s.areas = sharedBytes / each
	own := 0 // bytes that this rank provides
	if e.rank == 0 {
		own = s.areas * each
	}
	if err := e.Barrier(ctx); err != nil { // the following calls block
		return err
	}
	err := e.do(ctx, e.operation("Win_allocate_shared"), func(*operation, int) (bool, error) {
		mine, size, unit := new(unsafe.Pointer), new(int), new(int32)
		if l.call(winAllocateShared, uintptr(own), 1, l.infoNull, e.communicator, uintptr(unsafe.Pointer(mine)), uintptr(unsafe.Pointer(&s.window))) != nil {
			s.window = 0
			return false, nil
		}
		if l.call(winSharedQuery, s.window, 0, uintptr(unsafe.Pointer(size)), uintptr(unsafe.Pointer(unit)), uintptr(unsafe.Pointer(&s.base))) != nil {
			s.base = nil
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	// Each rank leaves a number. If all see those of all others, the memory is the same.
	const sign = uint64(1) << 40
	a, seen := &area{base: s.base}, []byte{1}
	if s.base != nil {
		a.clear(e.rank)
		atomic.StoreUint64(a.number(e.rank, 0), sign+uint64(e.rank))
	}
	if err := e.Barrier(ctx); err != nil {
		return err
	}
	for r := range e.size {
		if s.base == nil || atomic.LoadUint64(a.number(r, 0)) != sign+uint64(r) {
			seen[0] = 0
		}
	}
	all, err := e.tellAll(ctx, seen)
	if err != nil || slices.Contains(all, 0) { // then the window stays until the process ends
		return err
	}
	s.next = 1
	e.shared, e.area = s, a
	return nil
}

// shareGroup gives a group the first area that none of its ranks has used.
func (g *engine) shareGroup(ctx context.Context) error {
	s := g.world.shared
	if s == nil || g.size == 1 {
		return nil
	}
	mine := binary.NativeEndian.AppendUint64(nil, uint64(s.next))
	all, err := g.tellAll(ctx, mine)
	if err != nil {
		return err
	}
	at := 0
	for ; len(all) > 0; all = all[len(mine):] {
		at = max(at, int(binary.NativeEndian.Uint64(all)))
	}
	if at >= s.areas {
		return nil
	}
	s.next = at + 1
	a := &area{base: unsafe.Add(s.base, at*2*g.world.size*slotBytes)}
	a.clear(g.rank)
	if err := g.Barrier(ctx); err != nil {
		return err
	}
	g.area = a
	return nil
}

// tellAll returns the bytes of all ranks, as many of each.
func (e *engine) tellAll(ctx context.Context, mine []byte) ([]byte, error) {
	n := len(mine)
	x, counts := e.New(dtype.Uint8, e.size*n), make([]int, e.size)
	defer e.Free(x)
	for i := range counts {
		counts[i] = n
	}
	bytes := unsafe.Slice((*byte)(e.sent("mpi.Open", x)), e.size*n)
	copy(bytes[e.rank*n:], mine)
	err := e.do(ctx, e.operation("AllGather", x), func(o *operation, _ int) (bool, error) {
		e.gather(o, unsafe.Pointer(&bytes[0]), dtype.Uint8, counts)
		return false, nil
	})
	return slices.Clone(bytes), err
}

// slot returns the slot of a rank for an exchange.
func (a *area) slot(rank int, round uint64) unsafe.Pointer {
	return unsafe.Add(a.base, (2*rank+int(round&1))*slotBytes)
}

// clear sets the numbers of a rank to one that no exchange has.
func (a *area) clear(rank int) {
	for round := range uint64(2) {
		atomic.StoreUint64(a.number(rank, round), 0)
	}
}

// number returns the number of the exchange in a slot.
func (a *area) number(rank int, round uint64) *uint64 { return (*uint64)(a.slot(rank, round)) }

// length returns the number of bytes in a slot, or tooLong.
func (a *area) length(rank int, round uint64) *int64 {
	return (*int64)(unsafe.Add(a.slot(rank, round), 8))
}

// stage begins an exchange, and returns the memory for what this rank sends.
func (e *engine) stage(ctx context.Context, name string) (unsafe.Pointer, error) {
	err := e.usable()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("mpi: %s: %w", name, err)
	}
	return unsafe.Add(e.area.slot(e.rank, e.area.round+1), slotHeader), nil
}

// publish tells the others that this rank's slot is complete, with a number, and waits for them all.
func (e *engine) publish(ctx context.Context, name string, n int) error {
	a := e.area
	a.round++
	*a.length(e.rank, a.round) = int64(n)
	atomic.StoreUint64(a.number(e.rank, a.round), a.round)
	const atOnce = 128 // how often it looks before it looks at the clock
	ready, began := 0, time.Time{}
	for tries := 1; ; tries++ {
		for ready < e.size && atomic.LoadUint64(a.number(ready, a.round)) == a.round {
			ready++
		}
		if ready == e.size {
			return nil
		}
		if tries%atOnce > 0 {
			continue
		}
		if began.IsZero() {
			began = time.Now()
		}
		waited := time.Since(began)
		if waited < time.Duration(e.thread.idle.Load()) {
			continue
		}
		if err := e.thread.interrupted(ctx); err != nil {
			err = fmt.Errorf("mpi: %s: %w", name, err)
			e.fail(err)
			return err
		}
		e.thread.progress(e)
		e.thread.pause(waited)
		tries = atOnce - 1
	}
}

// received returns what a rank has copied to its slot. ok is false if it sends that by messages.
func (a *area) received(rank int) (at unsafe.Pointer, ok bool) {
	return unsafe.Add(a.slot(rank, a.round), slotHeader), *a.length(rank, a.round) != tooLong
}

// meet waits until all ranks have come.
func (e *engine) meet(ctx context.Context, name string) error {
	if _, err := e.stage(ctx, name); err != nil {
		return err
	}
	return e.publish(ctx, name, 0)
}

// exchangeShared is Exchange.
func (e *engine) exchangeShared(ctx context.Context, slots unsafe.Pointer, n int) error {
	own, err := e.stage(ctx, "Exchange")
	if err != nil {
		return err
	}
	move(own, unsafe.Add(slots, e.rank*comm.ExchangeBytes), n)
	if err := e.publish(ctx, "Exchange", n); err != nil {
		return err
	}
	for r := range e.size {
		if at, _ := e.area.received(r); r != e.rank {
			move(unsafe.Add(slots, r*comm.ExchangeBytes), at, int(*e.area.length(r, e.area.round)))
		}
	}
	return nil
}

// allGatherShared is AllGather, of elements of a size, with this rank's own in their location already.
func (e *engine) allGatherShared(ctx context.Context, all unsafe.Pointer, counts []int, size int) error {
	// copyPart copies the part of a rank's elements from a byte on.
	copyPart := func(rank, from int, slot unsafe.Pointer, in bool) {
		n := min(counts[rank]*size-from, stagedBytes)
		at := unsafe.Add(all, sum(counts[:rank])*size+from)
		switch {
		case n <= 0:
		case in:
			move(slot, at, n)
		default:
			move(at, slot, n)
		}
	}
	for from := 0; from < slices.Max(counts)*size; from += stagedBytes {
		own, err := e.stage(ctx, "AllGather")
		if err != nil {
			return err
		}
		copyPart(e.rank, from, own, true)
		if err := e.publish(ctx, "AllGather", 0); err != nil {
			return err
		}
		for r := range counts {
			if at, _ := e.area.received(r); r != e.rank {
				copyPart(r, from, at, false)
			}
		}
	}
	return nil
}

// bcastShared is Bcast of n bytes.
func (e *engine) bcastShared(ctx context.Context, at unsafe.Pointer, n, root int) error {
	for from := 0; from < n; from += stagedBytes {
		own, err := e.stage(ctx, "Bcast")
		if err != nil {
			return err
		}
		part, bytes := unsafe.Add(at, from), min(n-from, stagedBytes)
		if e.rank == root {
			move(own, part, bytes)
		}
		if err := e.publish(ctx, "Bcast", 0); err != nil {
			return err
		}
		if e.rank != root {
			received, _ := e.area.received(root)
			move(part, received, bytes)
		}
	}
	return nil
}

// allToAllShared is AllToAll, of elements of a size, apart from a rank's own, and from those of ranks that send by messages,
// for which copied is false afterwards. A slot has equal parts for the other ranks, in their order.
func (e *engine) allToAllShared(ctx context.Context, from unsafe.Pointer, sendCounts []int, to unsafe.Pointer, recvCounts []int, size int, copied []bool) error {
	const fn = "AllToAll"
	part := stagedBytes / (e.size - 1) &^ 63
	longest := 0 // message of this rank
	for r, n := range sendCounts {
		if r != e.rank {
			longest = max(longest, n*size)
		}
	}
	if longest > sharedMost {
		longest = tooLong
	}
	for first, last := 0, 0; first <= last; first += part {
		own, err := e.stage(ctx, fn)
		if err != nil {
			return err
		}
		at := from
		for r, n := range sendCounts {
			if r != e.rank && longest != tooLong {
				move(own, unsafe.Add(at, first), min(n*size-first, part))
				own = unsafe.Add(own, part)
			}
			at = unsafe.Add(at, n*size)
		}
		if err := e.publish(ctx, fn, longest); err != nil {
			return err
		}
		at = to
		for r, n := range recvCounts {
			slot, ok := e.area.received(r)
			copied[r] = ok
			last = max(last, int(*e.area.length(r, e.area.round))-1)
			if ok && r != e.rank {
				index := e.rank // of this rank among the others of r
				if index > r {
					index--
				}
				move(unsafe.Add(at, first), unsafe.Add(slot, index*part), min(n*size-first, part))
			}
			at = unsafe.Add(at, n*size)
		}
	}
	return nil
}
