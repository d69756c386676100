package cpu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// nothing is what handles of empty blocks point to.
var nothing uint64

// Alloc returns a block of plain Go memory, aligned for every element type.
func (processor) Alloc(bytes int) device.Memory {
	switch {
	case bytes < 0:
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the size is negative")})
	case bytes == 0:
		return device.Memory{Handle: unsafe.Pointer(&nothing)}
	}
	if limit := physicalMemory(); limit > 0 && uint64(bytes) > limit {
		panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("the machine has %d", limit)})
	}
	return device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(words(bytes))), Size: bytes}
}

// words makes room for a number of bytes. What the runtime finds absurd becomes a panic with *device.OutOfMemory.
func words(bytes int) []uint64 {
	defer func() {
		if e := recover(); e != nil {
			panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("%v", e)})
		}
	}()
	return make([]uint64, wordsFor(bytes))
}

// wordsFor returns how many words hold a number of bytes.
func wordsFor(bytes int) int { return bytes/8 + (bytes%8+7)/8 }

// Free does nothing: the collector finds the block when its last handle is gone.
func (processor) Free(device.Memory) {}

// CopyIn copies src to m from the byte offset on.
func (d processor) CopyIn(m device.Memory, offset int, src []byte) {
	copy(d.Bytes(m)[offset:offset+len(src)], src)
}

// CopyOut copies from m, from the byte offset on, to dst.
func (d processor) CopyOut(dst []byte, m device.Memory, offset int) {
	copy(dst, d.Bytes(m)[offset:offset+len(dst)])
}

// Bytes returns the block itself.
func (processor) Bytes(m device.Memory) []byte {
	return unsafe.Slice((*byte)(m.Handle), m.Size)
}

// Wrap makes a handle of host memory, which is the device's own.
func (processor) Wrap(b []byte) (device.Memory, bool) {
	if len(b) == 0 {
		return device.Memory{Handle: unsafe.Pointer(&nothing)}, true
	}
	return device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(b)), Size: len(b)}, true
}
