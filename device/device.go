package device

import "fmt"

// Device is one processor with its memory. Backends embed [Base] and override the kernels they have.
//
// A kernel must not keep its Launch, and when it returns, all of its work is done or in the device's queue: kernels of one device
// take effect in the order of their calls. They panic with *[Unsupported], *[IndexError], *[MatrixError], *[OutOfMemory] or *[Fault].
//
// A device that queues its work is asynchronous. It finds an index out of range after the kernel has returned, and keeps the first
// such error: the next CopyOut panics with it, or the next Synchronize returns it, and then it is forgotten. So that it can be
// told where it comes from, it has the name of the function that made the launch. A launch that ends with it writes nothing, or
// with Fresh any content to its own outputs, and later kernels run as ever. What an axis without elements refuses, a
// MatrixError and OutOfMemory are panics of the kernel itself on every device.
type Device interface {
	// Name is the name under which the device is registered, such as "cpu" or "cuda:0".
	Name() string
	// ArrayOption marks devices as options of functions that make arrays: nd.Zeros(shape, dev). [Base] has it.
	ArrayOption()

	// Alloc returns a block of the given number of bytes, of any content. It panics with *[OutOfMemory] or *[Fault].
	Alloc(bytes int) Memory
	// Free gives a block back. Nothing may use it afterwards, but kernels that were called before. It does not panic where the device
	// has failed.
	Free(m Memory)
	// CopyIn copies src to m from the byte offset on. When it returns, src may be changed. It panics with *[Fault].
	CopyIn(m Memory, offset int, src []byte)
	// CopyOut copies from m, from the byte offset on, to dst. It waits for kernels that write m, and panics with the *[IndexError]
	// of a kernel since the last call, or with *[Fault].
	CopyOut(dst []byte, m Memory, offset int)
	// CopyFrom copies bytes from a block of another device, from the byte offset srcOffset on, to m, from offset on, in the order of
	// both devices' kernels and without a copy on the host. It returns false where the device knows no such way.
	CopyFrom(m Memory, offset int, from Device, src Memory, srcOffset, bytes int) bool
	// Bytes returns the host's view of m, or nil where the host cannot see the device's memory. The block is never lent again: the
	// slice may be used as long as somebody has it.
	Bytes(m Memory) []byte
	// Wrap makes a handle of host memory, without copying it; ok is false where the device cannot use host memory.
	Wrap(b []byte) (m Memory, ok bool)
	// Synchronize waits for all kernels. It returns the first *[IndexError] since the last call that no CopyOut panicked with, or
	// *[Fault].
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

// IndexError is the panic of a kernel that found an index or a label out of range. It has written nothing, unless the launch
// says by Fresh that it may. From an asynchronous device it comes later: CopyOut panics with it, or Synchronize returns it.
type IndexError struct {
	Index, Size int
	Func        string // that launched the kernel, where it is reported later than that; else empty
}

// Error names the index and the size, as NumPy does, and the function.
func (e *IndexError) Error() string {
	text := fmt.Sprintf("index %d is outside an axis of length %d", e.Index, e.Size)
	if e.Func != "" {
		text = e.Func + ": " + text
	}
	return text
}

// Fault is the panic, and the error of Synchronize, of a device that failed: its memory is lost, and every later call that needs the
// device ends with the same Fault. Only another process can use the device again.
type Fault struct {
	Func string // that noticed it
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
