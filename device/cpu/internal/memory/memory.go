// Package memory owns the CPU's memory: blocks for arrays, scratch memory that kernels reuse, and two functions that
// turn an address into a slice or another address. Released blocks are recycled (package lending; small.go for small
// ones); large blocks also if they are dropped without a release. New blocks are not cleared, and small ones are cut
// from chunks (chunks.go). Dropped blocks come back when a GC cycle has run, so the package makes sure that cycles run
// at the right time (floor.go).
package memory

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/lending"
)

// empty is the target of the handles of empty blocks.
var empty uint64

// Blocks up to the class largestSmall are allocated and recycled in another way than larger ones.
const (
	largestSmall = 56 // of 32 KiB
	largestCut   = 64 // of 64 KiB, cut from chunks
)

// large has the blocks that are not small.
var large = lending.Store{
	Make:     newBlock,
	Returned: func(class int, block unsafe.Pointer) { poison(block, lending.ClassSize(class)) },
	MinClass: leastRecycled,
	Limit:    func() int { return mostIdle(device.HostMemory(), debug.SetMemoryLimit(-1)) },
}

// mostIdle limits the memory of idle blocks to a quarter of the memory that this process can use, which is 0 if not
// known, and to a quarter of the limit that the runtime was given (GOMEMLIMIT).
func mostIdle(memory uint64, asked int64) int {
	most := uint64(1 << 30)
	if memory > 0 {
		most = memory / 4
	}
	return int(min(most, uint64(asked)/4, 1<<(bits.UintSize-2)))
}

// Alloc returns a block of Go memory without pointers, aligned to 64 bytes: a recycled block or a new one. Its content
// is arbitrary.
func Alloc(bytes int) device.Memory {
	switch {
	case bytes < 0:
		panic(&device.OutOfMemory{Bytes: bytes, Err: errors.New("the size is negative")})
	case bytes == 0:
		return device.Memory{Handle: unsafe.Pointer(&empty)}
	}
	class := lending.ClassOf(bytes)
	var b lending.Block
	if class >= leastStored {
		b = large.Take(class, bytes)
	} else {
		b.At = takeSmall(class, bytes)
	}
	poison(b.At, bytes)
	return device.Memory{Handle: b.At, Size: bytes, Owner: unsafe.Pointer(b.Loan)}
}

// Free keeps the block for a later Alloc of about the same size. A block from Wrap must not be freed.
func Free(m device.Memory) {
	if m.Size == 0 {
		return
	}
	poison(m.Handle, m.Size)
	if class := lending.ClassOf(m.Size); class >= leastStored {
		large.Give(class, lending.Block{At: m.Handle, Loan: (*lending.Loan)(m.Owner)})
	} else {
		small[class].Put(m.Handle)
	}
}

// newBlock allocates a block. It panics with *device.OutOfMemory if there is no memory for it.
func newBlock(class, bytes int) unsafe.Pointer {
	checkSize(bytes)
	floor.begun.Do(func() { lending.AfterGC(floor.set) })
	size := max(bytes, lending.ClassSize(class))
	newBlocks.blocks.Add(1)
	newBlocks.bytes.Add(int64(size))
	if class <= largestCut && !census.single.Load() {
		return cut(size)
	}
	return allocate(size)
}

// newBlocks counts new blocks.
var newBlocks struct{ blocks, bytes atomic.Int64 }

// BlocksMade returns how many blocks were newly allocated so far because no block of their size was idle, and their total
// number of bytes.
func BlocksMade() (blocks, bytes int64) { return newBlocks.blocks.Load(), newBlocks.bytes.Load() }

// allocate allocates bytes that are not cleared, and that will be written.
func allocate(bytes int) unsafe.Pointer {
	block := reserve(bytes)
	adviseHugePages(block, bytes)
	return block
}

// reserve allocates bytes without touching them, as strings.Builder does: Go memory without pointers, in the runtime's
// size classes, which are multiples of 64 if bytes is one. It panics with *device.OutOfMemory if the runtime cannot
// allocate the memory.
func reserve(bytes int) unsafe.Pointer {
	checkSize(bytes)
	defer func() {
		if e := recover(); e != nil {
			panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("%v", e)})
		}
	}()
	var b strings.Builder
	b.Grow(bytes)
	b.WriteByte(0) // an empty builder has no memory
	return unsafe.Pointer(unsafe.StringData(b.String()))
}

// checkSize panics if the process cannot have the given number of bytes.
func checkSize(bytes int) {
	if limit := device.HostMemory(); bytes < 0 || limit > 0 && uint64(bytes) > limit {
		panic(&device.OutOfMemory{Bytes: bytes, Err: fmt.Errorf("this process can use %d bytes", limit)})
	}
}

// WordsFor returns how many words of 8 bytes hold a number of bytes.
func WordsFor(bytes int) int { return bytes/8 + (bytes%8+7)/8 }

// CopyIn copies src to m from the byte offset on.
func CopyIn(m device.Memory, offset int, src []byte) {
	copy(view(m)[offset:offset+len(src)], src)
	runtime.KeepAlive(m.Owner)
}

// CopyOut copies from m, from the byte offset on, to dst.
func CopyOut(dst []byte, m device.Memory, offset int) {
	copy(dst, view(m)[offset:offset+len(dst)])
	runtime.KeepAlive(m.Owner)
}

// Bytes returns the block itself. The block is never recycled from now on, as the slice may outlive m.
func Bytes(m device.Memory) []byte {
	if m.Owner != nil {
		(*lending.Loan)(m.Owner).Escape()
	}
	return view(m)
}

// view is like Bytes, but the slice is valid only while m.Owner is kept alive.
func view(m device.Memory) []byte { return unsafe.Slice((*byte)(m.Handle), m.Size) }

// Wrap makes a handle of host memory, which is the device's own.
func Wrap(b []byte) (device.Memory, bool) {
	if len(b) == 0 {
		return device.Memory{Handle: unsafe.Pointer(&empty)}, true
	}
	return device.Memory{Handle: unsafe.Pointer(unsafe.SliceData(b)), Size: len(b)}, true
}
