// Package memory owns the CPU's memory: blocks for arrays, which serve again once they are given back (freelist.go), scratch
// memory of kernels, which is kept from one to the next, and the two ways from an address to a slice.
package memory

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// empty is what handles of empty blocks point to.
var empty uint64

// Alloc returns a block of plain Go memory, aligned to 64 bytes: one that was freed, or a new one. Memory of a new block
// is all zeros, but nobody may count on that.
func Alloc(bytes int) device.Memory {
	switch {
	case bytes < 0:
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the size is negative")})
	case bytes == 0:
		return device.Memory{Handle: unsafe.Pointer(&empty)}
	}
	class := classOf(bytes)
	block := takeBlock(class)
	if block == nil {
		block = newBlock(class, bytes)
	}
	poison(block, bytes)
	return device.Memory{Handle: block, Size: bytes}
}

// Free keeps the block for another Alloc of about its size. What Wrap made must not be freed.
func Free(m device.Memory) {
	if m.Size == 0 {
		return
	}
	poison(m.Handle, m.Size)
	putBlock(classOf(m.Size), m.Handle)
}

func newBlock(class, bytes int) unsafe.Pointer {
	checkSize(bytes)
	size := max(bytes, classSize(class))
	made.blocks.Add(1)
	made.bytes.Add(int64(size))
	return unsafe.Pointer(unsafe.SliceData(makeWords(size)))
}

// made counts new blocks.
var made struct{ blocks, bytes atomic.Int64 }

// Made returns how many blocks, of how many bytes, had to be made so far because none of their size had been given back.
func Made() (blocks, bytes int64) { return made.blocks.Load(), made.bytes.Load() }

// makeWords allocates room for a number of bytes. It panics with *device.OutOfMemory where there is no memory for them.
func makeWords(bytes int) []uint64 {
	checkSize(bytes)
	defer func() {
		if e := recover(); e != nil {
			panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("%v", e)})
		}
	}()
	return make([]uint64, WordsFor(bytes))
}

// checkSize panics where there is no memory for so many bytes.
func checkSize(bytes int) {
	if limit := device.HostMemory(); bytes < 0 || limit > 0 && uint64(bytes) > limit {
		panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("there are %d for this process", limit)})
	}
}

// WordsFor returns how many words of 8 bytes hold a number of bytes.
func WordsFor(bytes int) int { return bytes/8 + (bytes%8+7)/8 }

// CopyIn copies src to m from the byte offset on.
func CopyIn(m device.Memory, offset int, src []byte) {
	copy(Bytes(m)[offset:offset+len(src)], src)
}

// CopyOut copies from m, from the byte offset on, to dst.
func CopyOut(dst []byte, m device.Memory, offset int) {
	copy(dst, Bytes(m)[offset:offset+len(dst)])
}

// Bytes returns the block itself.
func Bytes(m device.Memory) []byte {
	return unsafe.Slice((*byte)(m.Handle), m.Size)
}

// Wrap makes a handle of host memory, which is the device's own.
func Wrap(b []byte) (device.Memory, bool) {
	if len(b) == 0 {
		return device.Memory{Handle: unsafe.Pointer(&empty)}, true
	}
	return device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(b)), Size: len(b)}, true
}
