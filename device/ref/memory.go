package ref

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// Device is a reference device. A device cannot use the blocks of another device.
type Device struct {
	device.Base
	live atomic.Int64
}

func init() {
	device.Register("ref", func() (device.Device, error) { return New(), nil })
}

// New returns a separate reference device, with no memory in use, beside the registered one.
func New() *Device { return &Device{} }

// Name returns "ref".
func (d *Device) Name() string { return "ref" }

// Live returns how many blocks were allocated and not freed.
func (d *Device) Live() int { return int(d.live.Load()) }

const (
	// largest is the maximum size of a block: the reference device is for small arrays, and a larger size is a mistake.
	largest = 1 << 30
	// fillByte is the value of every byte of a block before it is written, and after the block is freed.
	fillByte = 0xA5
	// mark distinguishes blocks from the memory behind the handles of other devices.
	mark = 0x6e64677261642e72
)

// block is the memory behind a handle.
type block struct {
	mark  uint64 // must be the first field
	owner *Device
	bytes []byte
	freed atomic.Bool
}

// Alloc returns a block filled with a fixed pattern. It rejects sizes that are negative or above 1 GiB.
func (d *Device) Alloc(bytes int) device.Memory {
	switch {
	case bytes < 0:
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the size is negative")})
	case bytes > largest:
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the reference device holds blocks of up to 1 GiB")})
	}
	words := make([]uint64, bytes/8+1) // aligned for every element type
	b := &block{mark: mark, owner: d, bytes: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes)}
	fill(b.bytes)
	d.live.Add(1)
	return device.Memory{Handle: unsafe.Pointer(b), Size: bytes}
}

func fill(bytes []byte) {
	for i := range bytes {
		bytes[i] = fillByte
	}
}

// Free frees a block; later uses of the block panic.
func (d *Device) Free(m device.Memory) {
	b := d.block(m)
	if b.freed.Swap(true) {
		panic("ref: memory is freed twice")
	}
	fill(b.bytes)
	d.live.Add(-1)
}

// block follows a handle.
func (d *Device) block(m device.Memory) *block {
	if m.IsNil() {
		panic("ref: nil memory")
	}
	if *(*uint64)(m.Handle) != mark { // what a foreign handle points to may be smaller than a block
		panic("ref: memory of another device")
	}
	switch b := (*block)(m.Handle); {
	case b.owner != d:
		panic("ref: memory of another device")
	case b.freed.Load():
		panic("ref: memory is used after Free")
	default:
		return b
	}
}

// CopyIn copies src to m from the byte offset on.
func (d *Device) CopyIn(m device.Memory, offset int, src []byte) {
	copy(d.block(m).bytes[offset:offset+len(src)], src)
}

// CopyOut copies from m, from the byte offset on, to dst.
func (d *Device) CopyOut(dst []byte, m device.Memory, offset int) {
	copy(dst, d.block(m).bytes[offset:offset+len(dst)])
}

// Bytes returns nil: the host cannot see the memory.
func (d *Device) Bytes(m device.Memory) []byte {
	d.block(m)
	return nil
}

// Wrap refuses: the device cannot use host memory.
func (d *Device) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }

// Synchronize returns nil: every kernel has finished when it returns.
func (d *Device) Synchronize() error { return nil }
