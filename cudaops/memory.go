package cudaops

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/lending"
)

// block is what a handle points to.
type block struct {
	address drv.Pointer
	slab    *slab               // that it was cut from; nil if it is memory of its own
	used    atomic.Pointer[use] // where another stream may be at work on it
}

// slab is a piece of the driver's memory that small blocks are cut from.
type slab struct {
	address drv.Pointer
	cut     int // bytes of it that are blocks
	blocks  int // that were not discarded
}

const (
	slabBytes     = 2 << 20
	largestInSlab = 1 << 20
)

// pool has the memory of a device. A block that is given back may serve again at once, since the compute stream keeps the order.
// One whose array was merely dropped serves again once the collector has noticed.
type pool struct {
	device   *Device
	store    lending.Store
	total    int64
	foreign  atomic.Bool // some block may be in use by another stream
	mu       sync.Mutex
	limit    int // of reserved; 0 for none
	reserved int // bytes that the driver gave
	lent     int // bytes of blocks in the hands of arrays and kernels
	bound    int // of lent, at which the collector is asked what of it was dropped
	slab     *slab
	asked    int // how often the driver was asked
}

func (p *pool) begin(d *Device) (err error) {
	p.device = d
	p.store = lending.Store{
		Make: p.make, Discard: p.discard,
		Returned: func(class int, _ unsafe.Pointer) { p.count(-lending.ClassSize(class)) },
		Most:     func() int { return math.MaxInt / 4 },
	}
	p.total, err = drv.TotalMem(d.ordinal)
	return err
}

// Alloc returns a block of any content.
func (d *Device) Alloc(bytes int) device.Memory {
	if f := d.fault.Load(); f != nil {
		panic(f)
	}
	return d.memory.alloc(bytes)
}

func (p *pool) alloc(bytes int) device.Memory {
	if bytes < 0 {
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the size is negative")})
	}
	if int64(bytes) > p.total {
		panic(&device.OutOfMemory{Bytes: bytes, Err: p.state()})
	}
	class := lending.ClassOf(max(bytes, 1))
	if p.isCrowded(lending.ClassSize(class)) {
		p.collect(lending.ClassSize(class))
	}
	b := p.store.Take(class, max(bytes, 1))
	if b.At == nil {
		panic(&device.OutOfMemory{Bytes: bytes, Err: p.state()})
	}
	p.count(lending.ClassSize(class))
	return device.Memory{Handle: b.At, Size: bytes, Owner: unsafe.Pointer(b.Loan)}
}

// leastBound is how many bytes may be in use before the collector is asked for the first time.
const leastBound = 128 << 20

// isCrowded reports whether so many more bytes are to be had by a collection. To the collector an array on the device is a hundred
// bytes, whatever its size: it would not run by itself.
func (p *pool) isCrowded(more int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lent+more > max(p.bound, leastBound)
}

// collect finds what was dropped, to make room for more bytes. The next time is when twice as much is in use as is now. The second time
// finds what somebody looked at during the first collection, which keeps it.
func (p *pool) collect(more int) {
	for times := 0; times < 2 && p.isCrowded(more); times++ {
		lending.Collect()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bound = 2 * p.lent
}

// Free gives a block back.
func (d *Device) Free(m device.Memory) {
	d.awaitUse((*block)(m.Handle))
	class := lending.ClassOf(max(m.Size, 1))
	d.memory.count(-lending.ClassSize(class))
	d.memory.store.Give(class, lending.Block{At: m.Handle, Loan: (*lending.Loan)(m.Owner)})
}

func (p *pool) count(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lent += bytes
}

// make gets a block of a class from the driver, or from a slab. It is nil where there is no room.
func (p *pool) make(class, _ int) unsafe.Pointer {
	bytes := lending.ClassSize(class)
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes > largestInSlab {
		if address, ok := p.reserve(bytes); ok {
			return unsafe.Pointer(&block{address: address})
		}
		return nil
	}
	if p.slab == nil || p.slab.cut+bytes > slabBytes {
		address, ok := p.reserve(slabBytes)
		if !ok {
			return nil
		}
		p.retire()
		p.slab = &slab{address: address}
	}
	s := p.slab
	b := &block{address: s.address + drv.Pointer(s.cut), slab: s}
	s.cut += bytes
	s.blocks++
	return unsafe.Pointer(b)
}

// retire gives the slab back that blocks were cut from, if none is left of them.
func (p *pool) retire() {
	if p.slab != nil && p.slab.blocks == 0 {
		p.release(p.slab.address, slabBytes)
	}
	p.slab = nil
}

// reserve asks the driver for memory.
func (p *pool) reserve(bytes int) (drv.Pointer, bool) {
	if p.limit > 0 && p.reserved+bytes > p.limit {
		return 0, false
	}
	address, err := p.device.context.MemAlloc(bytes)
	if drv.IsOutOfMemory(err) {
		return 0, false
	}
	p.device.check("Alloc", err)
	p.reserved += bytes
	p.asked++
	return address, true
}

// release gives memory back to the driver, which waits for what uses it. Of a device that has failed nothing can be given back.
func (p *pool) release(address drv.Pointer, bytes int) {
	if p.device.context.MemFree(address) == nil {
		p.reserved -= bytes
	}
}

// discard gives a block back that is needed no more.
func (p *pool) discard(class int, at unsafe.Pointer) {
	b := (*block)(at)
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.slab == nil {
		p.release(b.address, lending.ClassSize(class))
		return
	}
	b.slab.blocks--
	if b.slab.blocks == 0 && b.slab != p.slab {
		p.release(b.slab.address, slabBytes)
	}
}

// state says how the memory is used, as the cause of its being out.
func (p *pool) state() error {
	free, _, err := p.device.context.MemInfo()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return &MemoryError{Used: p.lent, Cached: p.reserved - p.lent, Free: int(free), Limit: p.limit}
}

// MemoryError is the cause of a *device.OutOfMemory on a GPU: how its memory was used, in bytes.
type MemoryError struct {
	Used   int // by arrays
	Cached int // kept by the pool for arrays to come
	Free   int // of all programs on the device
	Limit  int // of Used and Cached; 0 for none
}

// Error lists the figures.
func (e *MemoryError) Error() string {
	limit := ""
	if e.Limit > 0 {
		limit = fmt.Sprintf(", and the pool's limit is %d", e.Limit)
	}
	return fmt.Sprintf("%d bytes are used by arrays, %d are cached, %d are free on the device%s", e.Used, e.Cached, e.Free, limit)
}

// address returns where on the device a byte of a block is, 0 for nil memory.
func address(m device.Memory, offset int) uint64 {
	if m.Handle == nil {
		return 0
	}
	return (*block)(m.Handle).address + uint64(offset)
}

// scratch is memory of a kernel's own.
type scratch struct {
	device  *Device
	memory  device.Memory
	address uint64
}

// scratch returns memory of any content. It is freed once what uses it is in the queue.
func (d *Device) scratch(fn string, bytes int) scratch {
	m := d.memory.alloc(bytes)
	return scratch{d, m, address(m, 0)}
}

func (s scratch) free() { s.device.Free(s.memory) }

// zero sets bytes to 0.
func (d *Device) zero(fn string, address uint64, bytes int) {
	d.check(fn, d.context.Fill8(address, 0, bytes, d.stream))
}

// Bytes returns nil: the host cannot see the memory.
func (d *Device) Bytes(device.Memory) []byte { return nil }

// Wrap refuses: host memory is no memory of the device.
func (d *Device) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }

// CopyIn copies src to m from the byte offset on. It returns when src may be overwritten.
func (d *Device) CopyIn(m device.Memory, offset int, src []byte) {
	if f := d.fault.Load(); f != nil {
		panic(f)
	}
	if len(src) > 0 {
		d.awaitUse((*block)(m.Handle))
		d.staging.in(d, address(m, offset), src)
	}
	runtime.KeepAlive(m.Owner)
}

// CopyOut copies from m, from the byte offset on, to dst, once all kernels have run.
func (d *Device) CopyOut(dst []byte, m device.Memory, offset int) {
	if f := d.fault.Load(); f != nil {
		panic(f)
	}
	if len(dst) > 0 {
		d.awaitUse((*block)(m.Handle))
		d.staging.out(d, dst, address(m, offset))
	}
	runtime.KeepAlive(m.Owner)
}

// CopyFrom copies from another CUDA device, without the host.
func (d *Device) CopyFrom(m device.Memory, offset int, from device.Device, src device.Memory, srcOffset, bytes int) bool {
	other, ok := from.(*Device)
	if !ok {
		return false
	}
	for _, side := range []*Device{d, other} {
		if f := side.fault.Load(); f != nil {
			panic(f)
		}
	}
	if bytes > 0 {
		d.awaitUse((*block)(m.Handle))
		other.awaitUse((*block)(src.Handle))
		d.peerCopy(address(m, offset), other, address(src, srcOffset), bytes)
	}
	runtime.KeepAlive(m.Owner)
	runtime.KeepAlive(src.Owner)
	return true
}

// peerCopy is done by the stream of the source, and both wait for it: what was enqueued before on either comes before it.
func (d *Device) peerCopy(dst uint64, from *Device, src uint64, bytes int) {
	const fn = "Array.To"
	ready := d.event(fn)
	d.check(fn, d.context.EventRecord(ready, d.stream))
	from.check(fn, from.context.StreamWait(from.stream, ready))
	from.check(fn, from.context.CopyPeer(dst, d.context, src, bytes, from.stream))
	done := from.event(fn)
	from.check(fn, from.context.EventRecord(done, from.stream))
	d.check(fn, d.context.StreamWait(d.stream, done))
	d.check(fn, d.context.EventDestroy(ready))
	from.check(fn, from.context.EventDestroy(done))
}

// event returns a new event that keeps no time.
func (d *Device) event(fn string) drv.Event {
	e, err := d.context.NewEvent(false, false)
	d.check(fn, err)
	return e
}
