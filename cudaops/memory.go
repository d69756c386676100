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

// block is the target of a memory handle.
type block struct {
	address drv.Pointer
	slab    *slab               // the slab that the block was cut from; nil if it has its own memory
	used    atomic.Pointer[use] // set if another stream may be using the block
}

// slab is a piece of the driver's memory that is cut into small blocks.
type slab struct {
	address drv.Pointer
	cut     int // bytes that were cut into blocks
	blocks  int // blocks that were not discarded
}

const (
	slabBytes     = 2 << 20
	largestInSlab = 1 << 20
)

// pool manages the memory of a device. A freed block can be reused at once, because the compute stream preserves the
// order. A block whose array was dropped without Free is reused once the garbage collector has noticed.
type pool struct {
	device    *Device
	store     lending.Store
	total     int64
	foreign   atomic.Bool // another stream may be using some block
	mu        sync.Mutex
	limit     int // bound of reserved; 0 for no limit
	reserved  int // bytes allocated from the driver
	used      int // bytes of the blocks that arrays and kernels use
	collectAt int // value of used at which a GC cycle is run to find dropped arrays
	slab      *slab
	asked     int // how often the driver was asked for memory
}

func (p *pool) begin(d *Device) (err error) {
	p.device = d
	p.store = lending.Store{
		Make: p.make, Discard: p.discard,
		Returned: func(class int, _ unsafe.Pointer) { p.count(-lending.ClassSize(class)) },
		Limit:    func() int { return math.MaxInt / 4 },
	}
	p.total, err = drv.TotalMem(d.ordinal)
	return err
}

// Alloc returns a block with undefined content.
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

// leastBound is the number of bytes that may be in use before the first GC cycle is run.
const leastBound = 128 << 20

// isCrowded reports whether an allocation of more bytes needs a GC cycle first. To the GC an array on the device is
// about a hundred bytes, whatever its size, so the GC would not run by itself.
func (p *pool) isCrowded(more int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used+more > max(p.collectAt, leastBound)
}

// collect runs GC cycles to find dropped arrays, to make room for more bytes. The next time is when twice as much
// memory is in use as now. A block that was accessed during the first cycle survives it; the second cycle finds it.
func (p *pool) collect(more int) {
	for times := 0; times < 2 && p.isCrowded(more); times++ {
		lending.Collect()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.collectAt = 2 * p.used
}

// Free returns a block to the pool.
func (d *Device) Free(m device.Memory) {
	d.awaitUse((*block)(m.Handle))
	class := lending.ClassOf(max(m.Size, 1))
	d.memory.count(-lending.ClassSize(class))
	d.memory.store.Give(class, lending.Block{At: m.Handle, Loan: (*lending.Loan)(m.Owner)})
}

func (p *pool) count(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used += bytes
}

// make allocates a block of a size class from the driver, or from a slab. It returns nil if there is no room.
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

// retire releases the current slab if none of its blocks is left.
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

// release returns memory to the driver, which waits for the work that uses it. After a device has failed, its memory
// cannot be released.
func (p *pool) release(address drv.Pointer, bytes int) {
	if p.device.context.MemFree(address) == nil {
		p.reserved -= bytes
	}
}

// discard releases a block that is no longer needed.
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

// state returns the figures of the memory, as the cause of running out of it.
func (p *pool) state() error {
	free, _, err := p.device.context.MemInfo()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return &MemoryError{Used: p.used, Cached: p.reserved - p.used, Free: int(free), Limit: p.limit}
}

// MemoryError is the cause of a *device.OutOfMemory on a GPU: the use of its memory, in bytes.
type MemoryError struct {
	Used   int // by arrays
	Cached int // kept by the pool for future arrays
	Free   int // on the device, with all programs counted
	Limit  int // of Used and Cached together; 0 for no limit
}

// Error lists the figures.
func (e *MemoryError) Error() string {
	limit := ""
	if e.Limit > 0 {
		limit = fmt.Sprintf(", and the pool's limit is %d", e.Limit)
	}
	return fmt.Sprintf("%d bytes are used by arrays, %d are cached, %d are free on the device%s", e.Used, e.Cached, e.Free, limit)
}

// address returns the device address of a byte of a block, or 0 for nil memory.
func address(m device.Memory, offset int) uint64 {
	if m.Handle == nil {
		return 0
	}
	return (*block)(m.Handle).address + uint64(offset)
}

// scratch is temporary memory of a kernel.
type scratch struct {
	device  *Device
	memory  device.Memory
	address uint64
}

// scratch allocates memory with undefined content. It may be freed as soon as the work that uses it is in the queue.
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

// Wrap returns false: host memory is not memory of the device.
func (d *Device) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }

// CopyIn copies src to m, from the byte offset on. When it returns, src may be overwritten.
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

// CopyFrom copies from another CUDA device without going through the host.
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

// peerCopy runs in the stream of the source, and both streams wait for each other: all work enqueued before on either
// device comes first.
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

// event returns a new event without timing.
func (d *Device) event(fn string) drv.Event {
	e, err := d.context.NewEvent(false, false)
	d.check(fn, err)
	return e
}
