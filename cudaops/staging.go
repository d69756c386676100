package cudaops

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
)

// staging is pinned host memory, through which all copies go. Go's own memory is never passed to a copy that continues
// after the call.
type staging struct {
	mu    sync.Mutex
	ring  []slot // for small copies, which are copied in without waiting
	next  int
	pages []slot // for large copies: one page is filled while the other is copied
}

// slot is a piece of pinned memory. event follows its last copy.
type slot struct {
	memory unsafe.Pointer
	event  drv.Event
	busy   bool
}

const (
	slotBytes = 64 << 10
	ringSlots = 16
	pageBytes = 4 << 20
)

// slots returns n slots of bytes bytes each.
func (d *Device) slots(fn string, n, bytes int) []slot {
	memory, err := d.context.HostAlloc(n * bytes)
	d.check(fn, err)
	all := make([]slot, n)
	for i := range all {
		all[i] = slot{memory: unsafe.Add(memory, i*bytes), event: d.event(fn)}
	}
	return all
}

// free waits until the slot's last copy is done.
func (s *slot) free(d *Device, fn string) {
	if s.busy {
		d.check(fn, d.context.EventSynchronize(s.event))
		s.busy = false
	}
}

// follow marks the slot as in use until the copies in the stream are done.
func (s *slot) follow(d *Device, fn string) {
	d.check(fn, d.context.EventRecord(s.event, d.stream))
	s.busy = true
}

// small returns the next slot of the ring.
func (s *staging) small(d *Device, fn string) *slot {
	if s.ring == nil {
		s.ring = d.slots(fn, ringSlots, slotBytes)
	}
	slot := &s.ring[s.next]
	s.next = (s.next + 1) % ringSlots
	slot.free(d, fn)
	return slot
}

// large returns the two pages.
func (s *staging) large(d *Device, fn string) []slot {
	if s.pages == nil {
		s.pages = d.slots(fn, 2, pageBytes)
	}
	return s.pages
}

// in copies to the device.
func (s *staging) in(d *Device, dst uint64, src []byte) {
	const fn = "CopyIn"
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(src) <= slotBytes {
		s.send(d, s.small(d, fn), dst, src)
		return
	}
	for turn := 0; len(src) > 0; turn ^= 1 {
		page := &s.large(d, fn)[turn]
		page.free(d, fn)
		n := min(len(src), pageBytes)
		s.send(d, page, dst, src[:n])
		dst, src = dst+uint64(n), src[n:]
	}
}

func (s *staging) send(d *Device, from *slot, dst uint64, src []byte) {
	const fn = "CopyIn"
	copy(unsafe.Slice((*byte)(from.memory), len(src)), src)
	d.check(fn, d.context.CopyIn(dst, from.memory, len(src), d.stream))
	from.follow(d, fn)
}

// out copies from the device, and waits. After that, errors that earlier kernels found are known.
func (s *staging) out(d *Device, dst []byte, src uint64) {
	const fn = "CopyOut"
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(dst) <= slotBytes {
		slot := s.small(d, fn)
		d.check(fn, d.context.CopyOut(slot.memory, src, len(dst), d.stream))
		d.waitOrPanic(fn)
		copy(dst, unsafe.Slice((*byte)(slot.memory), len(dst)))
		return
	}
	s.outPages(d, dst, src)
	d.waitOrPanic(fn)
}

// outPages copies page by page: one is read while the other is filled.
func (s *staging) outPages(d *Device, dst []byte, src uint64) {
	const fn = "CopyOut"
	pages := s.large(d, fn)
	ask := func(turn, from int) {
		pages[turn].free(d, fn)
		d.check(fn, d.context.CopyOut(pages[turn].memory, src+uint64(from), min(len(dst)-from, pageBytes), d.stream))
		pages[turn].follow(d, fn)
	}
	ask(0, 0)
	for from, turn := 0, 0; from < len(dst); from, turn = from+pageBytes, turn^1 {
		if from+pageBytes < len(dst) {
			ask(turn^1, from+pageBytes)
		}
		pages[turn].free(d, fn)
		n := min(len(dst)-from, pageBytes)
		copy(dst[from:from+n], unsafe.Slice((*byte)(pages[turn].memory), n))
	}
}

// readInt waits for an integer on the device and returns it.
func (d *Device) readInt(fn string, address uint64) int {
	s := &d.staging
	s.mu.Lock()
	defer s.mu.Unlock()
	slot := s.small(d, fn)
	d.check(fn, d.context.CopyOut(slot.memory, address, 8, d.stream))
	d.waitOrPanic(fn)
	return int(*(*int64)(slot.memory))
}
