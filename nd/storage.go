package nd

import (
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// storage is one block of memory, with the state that all headers on it share.
type storage struct {
	dev          device.Device
	block        device.Memory            // read it by memory, nowhere else; only its size is known while the storage is pending
	pending      atomic.Pointer[deferred] // the result that the block is to hold; nil if it has its memory
	readings     atomic.Pointer[readings] // who may read the block late
	extraHeaders atomic.Int32             // unreleased headers minus one; a dropped header stays counted
	recorded     atomic.Int32             // unreleased headers that a tape knows
	version      uint32                   // counts writes; callers synchronize writes with other writes and reads
	pinned       atomic.Bool              // a slice of it left the library: it never returns to the pool; only the GC frees it
	borrowed     bool                     // the header or the caller owns the memory, not the device: again only the GC frees it
	onCPU        bool
	number       atomic.Uint32               // identifies the block; 0 until it is requested
	writer       Func                        // the function that wrote last, for messages
	traced       uint32                      // the number of the Trace that marked it
	kept         atomic.Pointer[device.Kept] // what the device keeps beside the block; nil if nobody asked for it
}

// blocks counts the storages that have a number.
var blocks atomic.Uint32

// blockNumber returns the number of the block, which is assigned at the first request.
func (s *storage) blockNumber() uint32 {
	if n := s.number.Load(); n != 0 {
		return n
	}
	n := blocks.Add(1)
	if n == 0 { // the counter wrapped around
		n = blocks.Add(1)
	}
	if !s.number.CompareAndSwap(0, n) {
		return s.number.Load()
	}
	return n
}

// sameDevice reports whether two blocks are on one device.
func (s *storage) sameDevice(other *storage) bool {
	return s == other || s.onCPU && other.onCPU || s.dev == other.dev
}

// memory returns the block. It is the only way to a block's memory: a test compares the uses of the field with this file.
func (s *storage) memory() device.Memory {
	if s.pending.Load() != nil {
		s.compute()
	}
	return s.block
}

// first returns the address of the block's memory, on the CPU.
func (s *storage) first() unsafe.Pointer {
	if s.pending.Load() != nil {
		s.compute()
	}
	return s.block.Handle
}

// inMemory reports whether the block is in the CPU's memory, where address finds it.
func (s *storage) inMemory() bool { return s.onCPU && s.pending.Load() == nil }

// address is first for a block of which inMemory is known.
func (s *storage) address() unsafe.Pointer { return s.block.Handle }

// bytes returns the size of the block.
func (s *storage) bytes() int { return s.block.Size }

// drop removes one header, and releases the memory with the last one.
func (s *storage) drop() {
	if !s.dropOne() {
		return
	}
	if d := s.pending.Load(); d != nil {
		d.set.forget(d)
	}
	s.free()
}

// dropOne removes one header, and reports whether it was the last one, which has no competitors and need not count down.
func (s *storage) dropOne() bool { return s.extraHeaders.Load() == 0 || s.extraHeaders.Add(-1) < 0 }

// free releases the memory.
func (s *storage) free() {
	if counting.Load() {
		s.uncount()
	}
	if !s.borrowed && !s.pinned.Load() && !s.block.IsNil() {
		s.dev.Free(s.block)
	}
	s.block = device.Memory{}
	if s.kept.Load() != nil {
		s.kept.Store(nil)
	}
}

// keeper returns where the device keeps what it makes of the elements, or nil if somebody else may write to them.
func (s *storage) keeper() *device.Kept {
	if s.pinned.Load() {
		return nil
	}
	if k := s.kept.Load(); k != nil {
		return k
	}
	s.kept.CompareAndSwap(nil, &device.Kept{})
	return s.kept.Load()
}

// wrote notes a write by function fn.
func (s *storage) wrote(fn Func) {
	s.version++
	s.writer = fn
}

// inlineBytes is the largest data size, in bytes, that is allocated together with the first header of a CPU array.
const inlineBytes = 64

// ownHeader is the first header on a storage; inlineArray also contains the data.
type (
	ownHeader struct {
		x Array
		s storage
	}
	inlineArray struct {
		ownHeader
		data [inlineBytes / 8]uint64
	}
)

// allocate returns a contiguous array with arbitrary content. No arena owns it.
func allocate(fn Func, dev device.Device, dt dtype.DType, shape []int) *Array {
	return newArray(fn, dev, dt, shape, false)
}

// newArray is allocate, or, if the result will be pending, returns an array without memory.
func newArray(fn Func, dev device.Device, dt dtype.DType, shape []int, later bool) *Array {
	if !dt.Valid() {
		panic(fn.Errorf(nil, "no dtype"))
	}
	bytes := sizeIn(fn, dt, shape)
	onCPU := dev == cpu
	var y *Array
	if bytes <= inlineBytes && onCPU && !later {
		block := new(inlineArray)
		y = &block.x
		y.store = &block.s
		y.store.block = device.Memory{Handle: unsafe.Pointer(&block.data), Size: bytes}
		y.store.borrowed = true
	} else {
		mem := device.Memory{Size: bytes}
		if !later {
			mem = fn.alloc(dev, bytes)
		}
		block := new(ownHeader)
		y = &block.x
		y.store = &block.s
		y.store.block = mem
	}
	y.store.dev, y.store.onCPU = dev, onCPU
	if counting.Load() {
		y.store.count(fn)
	}
	y.fn, y.dtype = fn, dt
	y.setRank(len(shape))
	copy(y.shape, shape)
	step := 1
	if bytes == 0 {
		step = 0 // as NumPy: an empty array has strides of 0
	}
	for k := len(shape) - 1; k >= 0; k-- {
		y.strides[k] = step
		step *= shape[k]
	}
	return y
}

// sizeIn returns the size of an array in bytes, and refuses impossible shapes.
func sizeIn(fn Func, dt dtype.DType, shape []int) int {
	const small = 1 << 30
	bytes := dt.Size()
	for _, n := range shape {
		if uint(n) > small || bytes > small || len(shape) > MaxRank {
			return largeSizeIn(fn, dt, shape)
		}
		bytes *= n
	}
	return bytes
}

// largeSizeIn is sizeIn for products that may overflow.
func largeSizeIn(fn Func, dt dtype.DType, shape []int) int {
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	n := broadcast.Size(shape)
	if n > int(^uint(0)>>1)/dt.Size() {
		panic(fn.Errorf(nil, "out of memory: shape %s has more bytes than an int can count", broadcast.FormatShape(shape)))
	}
	return n * dt.Size()
}
