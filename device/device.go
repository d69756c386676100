package device

import "fmt"

// Device is one processor with its memory. Backends embed [Base] and override the kernels they have.
//
// A kernel must not keep its Launch, and when it returns, all of its work is done or in the device's queue: kernels of one device
// take effect in the order of their calls. They panic with *[Unsupported], *[IndexError], *[MatrixError], *[OutOfMemory] or *[Fault].
//
// A device whose kernels return before they are done reports an index out of range later: CopyOut panics with the first *[IndexError]
// since the last report, and Synchronize returns it. Func names the function that was given the index. What the kernel would have
// written is untouched then, unless the launch is Fresh. It may be another goroutine's copy that meets the report.
type Device interface {
	// Name is the name under which the device is registered, such as "cpu" or "cuda:0".
	Name() string

	// Alloc returns a block of the given number of bytes, of any content. It panics with *[OutOfMemory].
	Alloc(bytes int) Memory
	// Free gives a block back. Nothing may use it afterwards.
	Free(m Memory)
	// CopyIn copies src to m from the byte offset on.
	CopyIn(m Memory, offset int, src []byte)
	// CopyOut copies from m, from the byte offset on, to dst. It waits for kernels that write m.
	CopyOut(dst []byte, m Memory, offset int)
	// Bytes returns the host's view of m, or nil where the host cannot see the device's memory. The block is never lent again: the
	// slice may be used as long as somebody has it.
	Bytes(m Memory) []byte
	// Wrap makes a handle of host memory, without copying it; ok is false where the device cannot use host memory.
	Wrap(b []byte) (m Memory, ok bool)
	// CopyFrom copies bytes between two devices without the host, from src of the device from on. It reports whether it can, and
	// otherwise has done nothing.
	CopyFrom(m Memory, offset int, from Device, src Memory, srcOffset, bytes int) bool
	// Synchronize waits for all kernels and returns the first fault since the last call.
	Synchronize() error

	// Flat returns a function that runs a program without a Launch, or nil where there is none. The program has one output, one or
	// two inputs and at most one scalar, and the operands have the dtypes that it declares. Only a device whose memory the host
	// sees can have such functions.
	Flat(p *Program) Flat

	Kernels
}

// Unsupported is the panic of a kernel that a backend does not have.
type Unsupported struct{ Kernel string }

// Error names the kernel.
func (e *Unsupported) Error() string { return "the device has no kernel " + e.Kernel }

// OutOfMemory is the panic of Alloc.
type OutOfMemory struct {
	Bytes int
	Err   error
}

// Error says how much was wanted, and the cause.
func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("out of memory: no block of %d bytes: %v", e.Bytes, e.Err)
}

// Unwrap returns the cause.
func (e *OutOfMemory) Unwrap() error { return e.Err }

// IndexError is the panic of a kernel that found an index or a label out of range; of an asynchronous device, that of CopyOut and the
// result of Synchronize. The kernel has written nothing, unless the launch says by Fresh that it may.
type IndexError struct {
	Index, Size int
	Func        string // that was given the index, where it is reported later than that; else empty
}

// Error names the index and the size, as NumPy does, and the function.
func (e *IndexError) Error() string {
	text := fmt.Sprintf("index %d is outside an axis of length %d", e.Index, e.Size)
	if e.Func != "" {
		text = e.Func + ": " + text
	}
	return text
}

// Fault is what every call panics with from then on when a device has failed. Func is the function that noticed it.
type Fault struct {
	Func string
	Err  error
}

// Error names the function and the cause.
func (e *Fault) Error() string {
	return fmt.Sprintf("the device has failed (noticed in %s): %v", e.Func, e.Err)
}

// Unwrap returns the cause.
func (e *Fault) Unwrap() error { return e.Err }

// MatrixError is the panic of a kernel for a matrix that has no such factorisation, or for which it did not converge.
type MatrixError struct{ Kernel, Msg string }

// Error names the factorisation and what is wrong.
func (e *MatrixError) Error() string { return e.Kernel + ": " + e.Msg }
