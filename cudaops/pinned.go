package cudaops

import (
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// Pinned is host memory that the device can copy from and to while the host continues.
// CuPy: cuda.PinnedMemory.
type Pinned struct {
	device *Device
	bytes  []byte
}

// NewPinned allocates bytes bytes of pinned memory, all 0. The memory is freed after the last reference to the Pinned
// is gone: whoever keeps a slice of it must keep the Pinned, too.
func (d *Device) NewPinned(bytes int) (*Pinned, error) {
	memory, err := d.context.HostAlloc(max(bytes, 1))
	if err != nil {
		return nil, err
	}
	p := &Pinned{d, unsafe.Slice((*byte)(memory), bytes)}
	clear(p.bytes)
	runtime.AddCleanup(p, func(memory unsafe.Pointer) { _ = d.context.HostFree(memory) }, memory)
	return p, nil
}

// Bytes returns the memory. It must not be written while it is the source of a copy, nor read while it is the
// destination.
func (p *Pinned) Bytes() []byte { return p.bytes }

// CopyIn copies the bytes of p from offset on to all of x, without waiting. x must be contiguous and on the stream's
// device. p must be kept and left unchanged until the stream has done the copy.
// CuPy: cuda.MemoryPointer.copy_from_host_async.
func (s *Stream) CopyIn(x *nd.Array, p *Pinned, offset int) {
	const fn nd.Func = "Stream.CopyIn"
	s.checkPinned(fn, x, p, offset)
	s.write(fn, x, nil, func(to, _ uint64, bytes int) error {
		return s.device.context.CopyIn(to, unsafe.Pointer(&p.bytes[offset]), bytes, s.handle)
	})
}

// CopyOut copies x to the bytes of p from offset on, without waiting. x must be contiguous and on the stream's device.
// The bytes are valid once the stream has done the copy.
// CuPy: cuda.MemoryPointer.copy_to_host_async.
func (s *Stream) CopyOut(p *Pinned, offset int, x *nd.Array) {
	const fn nd.Func = "Stream.CopyOut"
	s.checkPinned(fn, x, p, offset)
	s.read(fn, x, func(from uint64, bytes int) error {
		return s.device.context.CopyOut(unsafe.Pointer(&p.bytes[offset]), from, bytes, s.handle)
	})
}

func (s *Stream) checkPinned(fn nd.Func, x *nd.Array, p *Pinned, offset int) {
	if p == nil || offset < 0 || offset > len(p.bytes) || x.Bytes() > len(p.bytes)-offset {
		room := 0
		if p != nil {
			room = len(p.bytes)
		}
		panic(fn.Errorf([]*nd.Array{x}, "%d bytes at offset %d are out of range for %d bytes of pinned memory", x.Bytes(), offset, room))
	}
}

// Copy copies the bytes of src to dst. Both must be contiguous, of the same size in bytes, and on the stream's device.
// CuPy: cuda.MemoryPointer.copy_from_async, cuda.MemoryPointer.copy_from_device_async.
func (s *Stream) Copy(dst, src *nd.Array) {
	const fn nd.Func = "Stream.Copy"
	if dst.Bytes() != src.Bytes() {
		panic(fn.Errorf([]*nd.Array{dst, src}, "the arrays have %d and %d bytes: want the same number", dst.Bytes(), src.Bytes()))
	}
	s.write(fn, dst, src, func(to, from uint64, bytes int) error {
		return s.device.context.Copy(to, from, bytes, s.handle)
	})
}

// Fill sets every byte of x to value. x must be contiguous and on the stream's device.
// CuPy: cuda.MemoryPointer.memset_async.
func (s *Stream) Fill(x *nd.Array, value byte) {
	const fn nd.Func = "Stream.Fill"
	s.write(fn, x, nil, func(to, _ uint64, bytes int) error {
		return s.device.context.Fill8(to, value, bytes, s.handle)
	})
}

// write enqueues work that writes dst, and reads src unless src is nil.
func (s *Stream) write(fn nd.Func, dst, src *nd.Array, work func(to, from uint64, bytes int) error) {
	s.contiguous(fn, dst)
	l := fn.Launch(s.device, nil)
	l.Write(dst)
	if src != nil {
		s.contiguous(fn, src)
		l.Read(src)
	}
	bytes := dst.Bytes()
	l.Run(func(_ device.Device, l *device.Launch) {
		if bytes == 0 {
			return
		}
		var from uint64
		if src != nil {
			from = start(&l.Operands[1])
		}
		s.ordered(l.Func, blocks(l), func() error { return work(start(&l.Operands[0]), from, bytes) })
	})
}

// read enqueues work that reads src.
func (s *Stream) read(fn nd.Func, src *nd.Array, work func(from uint64, bytes int) error) {
	s.contiguous(fn, src)
	l := fn.Launch(s.device, nil)
	l.Read(src)
	bytes := src.Bytes()
	l.Run(func(_ device.Device, l *device.Launch) {
		if bytes > 0 {
			s.ordered(l.Func, blocks(l), func() error { return work(start(&l.Operands[0]), bytes) })
		}
	})
}

func (s *Stream) contiguous(fn nd.Func, x *nd.Array) {
	if !x.IsContiguous() {
		panic(fn.Errorf([]*nd.Array{x}, "strides %v are not contiguous: use Contiguous", x.Strides()))
	}
}

// start returns the address of an operand's first element.
func start(o *device.Operand) uint64 { return address(o.Memory, o.Offset*o.DType.Size()) }

// blocks returns the blocks of all operands.
func blocks(l *device.Launch) []*block {
	var all []*block
	for k := range l.N {
		all = append(all, (*block)(l.Operands[k].Memory.Handle))
	}
	return all
}

// Address returns the device address of the first element of x, for other libraries. It is valid as long as x is. The
// library does not know of work that others do there: order it after the device's work with [Stream.Wait] or
// Synchronize.
// CuPy: cuda.MemoryPointer.__int__, cuda.Memory.__int__.
func Address(x *nd.Array) uint64 {
	const fn nd.Func = "cudaops.Address"
	d, err := Of(x.Device())
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	var at uint64
	l := fn.Launch(d, nil)
	l.Read(x)
	l.Run(func(_ device.Device, l *device.Launch) { at = start(&l.Operands[0]) })
	return at
}
