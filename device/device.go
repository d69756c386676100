package device

import (
	"fmt"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Device is one processor with its memory. Backends embed [Base] and override the kernels they have.
//
// A kernel must not keep its Launch. When a kernel returns, all of its work is done or in the device's queue: the
// kernels of one device take effect in the order of their calls. Kernels panic with *[Unsupported], *[IndexError],
// *[MatrixError], *[OutOfMemory] or *[Fault].
//
// A device that queues its work is asynchronous. It finds an index out of range after the kernel has returned, and
// keeps the first such error. The next CopyOut panics with the error, or the next Synchronize returns it, and then the
// device forgets it. The error holds the name of the function that made the launch, so that the message can say where
// the error comes from. A launch that ends with such an error writes nothing; with Fresh it may leave any content in
// its own outputs. Later kernels run as usual. An empty axis that a kernel rejects, a MatrixError and OutOfMemory are
// panics of the kernel itself on every device.
type Device interface {
	// Name is the name under which the device is registered, such as "cpu" or "cuda:0".
	Name() string
	// ArrayOption marks devices as options of functions that make arrays: nd.Zeros(shape, dev). [Base] has it.
	ArrayOption()

	// Alloc returns a block of the given number of bytes, with arbitrary content. It panics with *[OutOfMemory] or
	// *[Fault].
	Alloc(bytes int) Memory
	// Free releases a block. Only kernels that were called before Free may still use it. Free does not panic if the
	// device has failed.
	Free(m Memory)
	// CopyIn copies src to m, starting at the byte offset. When it returns, src may be changed. It panics with
	// *[Fault].
	CopyIn(m Memory, offset int, src []byte)
	// CopyOut copies from m, starting at the byte offset, to dst. It waits for kernels that write m. It panics with the
	// *[IndexError] of a kernel launched since the last call, or with *[Fault].
	CopyOut(dst []byte, m Memory, offset int)
	// CopyFrom copies bytes from a block of another device, starting at the byte offset srcOffset, to m, starting at
	// offset. The copy keeps the order of both devices' kernels and needs no copy on the host. CopyFrom returns false
	// if the device cannot copy directly.
	CopyFrom(m Memory, offset int, from Device, src Memory, srcOffset, bytes int) bool
	// Bytes returns the host's view of m, or nil if the host cannot see the device's memory. The block is never reused:
	// the slice stays valid as long as it is reachable.
	Bytes(m Memory) []byte
	// Wrap makes a handle of host memory, without copying it; ok is false if the device cannot use host memory.
	Wrap(b []byte) (m Memory, ok bool)
	// Synchronize waits for all kernels. It returns the first *[IndexError] since the last call that no CopyOut
	// panicked with, or a *[Fault].
	Synchronize() error

	// Flat returns a function that runs a program without a Launch, or nil if the device has no such function. The
	// program has one output, one or two inputs and at most one scalar, and the operands have the dtypes that it
	// declares. Only a device whose memory the host can see can have such functions.
	Flat(p *Program) Flat
	// FlatReduce is Flat for a reduction of elements of type t.
	FlatReduce(c Combine, t dtype.DType) FlatReduce
	// Engines returns the engines that give p's results, bit for bit, as part of a joined program; the operands have the
	// dtypes that p declares. Programs may be joined if one engine has this for all of them. The empty set means that p
	// must not be joined.
	Engines(p *Program) Engines
	// FlatMatMul multiplies two contiguous matrices of type t without a Launch: a (m, k) by b (k, n) gives y (m, n). Each has
	// between 1 and FlatLen elements. The result is bitwise that of Kernels.MatMul. If FlatMatMul returns false, it has done
	// nothing, and the product needs a launch.
	FlatMatMul(t dtype.DType, m, n, k int, y, a, b unsafe.Pointer) bool

	Kernels
}

// Unsupported is the panic value of a kernel that a backend does not have.
type Unsupported struct{ Kernel string }

// Error names the kernel.
func (e *Unsupported) Error() string { return "the device has no kernel " + e.Kernel }

// OutOfMemory is the panic value of Alloc.
type OutOfMemory struct {
	Bytes int
	Err   error
}

// Error states the requested size and the cause.
func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("out of memory: no block of %d bytes: %v", e.Bytes, e.Err)
}

// Unwrap returns the cause.
func (e *OutOfMemory) Unwrap() error { return e.Err }

// IndexError is the panic value of a kernel that found an index or a label out of range. The kernel has written
// nothing, unless the launch allows it by Fresh. An asynchronous device reports the error later: CopyOut panics with
// it, or Synchronize returns it.
type IndexError struct {
	Index, Size int
	Func        string // the function that launched the kernel, if the device reports the error later; else empty
}

// Error names the index and the size, as NumPy does, and the function.
func (e *IndexError) Error() string {
	text := fmt.Sprintf("index %d is outside an axis of length %d", e.Index, e.Size)
	if e.Func != "" {
		text = e.Func + ": " + text
	}
	return text
}

// Fault is the panic value, and the error of Synchronize, of a device that failed. Its memory is lost, and every later
// call that needs the device ends with the same Fault. Only another process can use the device again.
type Fault struct {
	Func string // the function that noticed it
	Err  error
}

// Error names the function and the cause.
func (e *Fault) Error() string {
	return fmt.Sprintf("the device has failed (noticed in %s): %v", e.Func, e.Err)
}

// Unwrap returns the cause.
func (e *Fault) Unwrap() error { return e.Err }

// MatrixError is the panic value of a kernel for a matrix that has no such factorisation, or for which the kernel did
// not converge.
type MatrixError struct{ Kernel, Msg string }

// Error names the factorisation and what is wrong.
func (e *MatrixError) Error() string { return e.Kernel + ": " + e.Msg }
