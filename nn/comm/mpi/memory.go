package mpi

import (
	"context"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// alignment is that of the memory of arrays, as of the library's own.
const alignment = 64

// memory is what MPI_Alloc_mem has made, by the block of the array that uses it.
type memory struct {
	lock   sync.Mutex
	blocks map[any]block
}

// block is one piece of that memory: its address, and that of the first element of its array.
type block struct{ base, first unsafe.Pointer }

// New returns an array in memory of MPI's. MPI may have told the network where it is, which it does not do for Go's memory:
// Go returns pages to the system without MPI's notice, and the network would then send pages that are no longer the array's.
func (e *engine) New(t dtype.DType, shape ...int) *nd.Array {
	const fn nd.Func = "mpi.New"
	fn.CheckAllocatable(t, shape...)
	bytes := t.Size()
	for _, n := range shape {
		bytes *= n
	}
	if bytes == 0 || e.usable() != nil {
		return nd.Empty(shape, t)
	}
	base := new(unsafe.Pointer)
	err := e.thread.do(context.Background(), &operation{name: "New", start: func(*operation, int) (bool, error) {
		return false, e.thread.library.call(allocMem, uintptr(bytes+alignment-1), e.thread.library.infoNull, uintptr(unsafe.Pointer(base)))
	}})
	if err != nil {
		panic(fn.Errorf(nil, "no %d bytes: %v", bytes, err))
	}
	shift := -int(uintptr(*base)) & (alignment - 1)
	first := unsafe.Add(*base, shift)
	x := wrap(t, unsafe.Slice((*byte)(first), bytes), shape)
	e.memory.lock.Lock()
	defer e.memory.lock.Unlock()
	e.memory.blocks[x.Block()] = block{*base, first}
	return x
}

// wrap returns an array that uses the bytes. Bools are set to false, since not all bytes are bools.
func wrap(t dtype.DType, bytes []byte, shape []int) *nd.Array {
	if t == dtype.Bool {
		clear(bytes)
		return nd.Wrap(unsafe.Slice((*bool)(unsafe.Pointer(&bytes[0])), len(bytes)), shape...)
	}
	raw := nd.Wrap(bytes)
	typed := raw.View(t)
	x := typed.Reshape(shape...)
	raw.Release()
	typed.Release()
	return x
}

// Free releases the memory of an array that New returned.
func (e *engine) Free(x *nd.Array) {
	e.memory.lock.Lock()
	b := e.memory.blocks[x.Block()]
	delete(e.memory.blocks, x.Block())
	e.memory.lock.Unlock()
	x.Release()
	if b.base == nil || e.usable() != nil {
		return // its messages may be in transit, or MPI has ended
	}
	_ = e.thread.do(context.Background(), &operation{name: "Free", start: func(*operation, int) (bool, error) {
		return false, e.thread.library.call(freeMem, uintptr(b.base))
	}})
}

// sent returns the address of the elements of an array that New returned, or of a view of it. The array is contiguous.
func (e *engine) sent(fn nd.Func, x *nd.Array) unsafe.Pointer {
	fn.Check(x)
	if x.Size() == 0 {
		return nil
	}
	e.memory.lock.Lock()
	b := e.memory.blocks[x.Block()]
	e.memory.lock.Unlock()
	fn.Expect(b.first != nil, []*nd.Array{x}, "an array of New")
	fn.Expect(x.IsContiguous(), []*nd.Array{x}, "a contiguous array")
	return unsafe.Add(b.first, x.Layout().Offset*x.DType().Size())
}

// received is sent for an array that is written: its version changes.
func (e *engine) received(fn nd.Func, x *nd.Array) unsafe.Pointer {
	at := e.sent(fn, x)
	l := fn.Launch(e.device, nil)
	l.Write(x)
	l.Run(func(device.Device, *device.Launch) {})
	return at
}
