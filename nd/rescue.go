package nd

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// rescue, deferred, turns panics of a device into the function's *[Error]. Other panics continue.
func (fn Func) rescue() {
	if e := recover(); e != nil {
		panic(fn.translated(e, nil))
	}
}

// translated returns the function's *[Error] for a panic of a device, and any other value unchanged. An index that an
// asynchronous device reports late becomes an error of the function that received the index.
func (fn Func) translated(e any, operands []*Array) any {
	err, ok := e.(error)
	if !ok {
		return e
	}
	var (
		unsupported *device.Unsupported
		index       *device.IndexError
		memory      *device.OutOfMemory
		matrix      *device.MatrixError
		fault       *device.Fault
	)
	if errors.As(err, &index) && index.Func != "" {
		msg := fmt.Sprintf("index %d is outside an axis of length %d, as %s found when it waited for the device", index.Index, index.Size, fn)
		return &Error{Func: Func(index.Func), Msg: msg, Err: index}
	}
	if errors.As(err, &unsupported) || errors.As(err, &index) || errors.As(err, &memory) || errors.As(err, &matrix) || errors.As(err, &fault) {
		return fn.Errorf(operands, "%v", err)
	}
	return e
}

// alloc calls the device's Alloc. The panics of the device methods below become errors of the function, too.
func (fn Func) alloc(dev device.Device, bytes int) device.Memory {
	if dev == nil {
		panic(fn.Errorf(nil, "no device"))
	}
	defer fn.rescue()
	return dev.Alloc(bytes)
}

// copyIn copies host memory to the beginning of a block.
func (fn Func) copyIn(s *storage, host []byte) {
	defer fn.rescue()
	s.settle()
	s.dev.CopyIn(s.memory(), 0, host)
}

// copyOut copies from a block to host memory.
func (fn Func) copyOut(host []byte, s *storage, offset int) {
	defer fn.rescue()
	fn.gave(s)
	s.dev.CopyOut(host, s.memory(), offset)
}

// move copies bytes from a block, from an offset on, to the beginning of a block on another device: by the destination
// device's own CopyFrom if it supports the pair, directly from or to CPU memory, or else through the host.
func (fn Func) move(to, from *storage, offset, bytes int) {
	defer fn.rescue()
	to.settle()
	dst, src := to.memory(), from.memory()
	defer runtime.KeepAlive(dst)
	defer runtime.KeepAlive(src)
	from.copiedTo(to)
	switch {
	case to.dev.CopyFrom(dst, 0, from.dev, src, offset, bytes):
	case from.onCPU:
		to.dev.CopyIn(dst, 0, from.visible()[offset:offset+bytes])
	case to.onCPU:
		from.dev.CopyOut(to.visible()[:bytes], src, offset)
	default:
		host := make([]byte, bytes)
		from.dev.CopyOut(host, src, offset)
		to.dev.CopyIn(dst, 0, host)
	}
}

// visible returns the memory of a block on the CPU, valid while the storage is kept alive. Unlike Bytes it does not pin
// the block, which can be recycled later.
func (s *storage) visible() []byte {
	m := s.memory()
	return unsafe.Slice((*byte)(m.Handle), m.Size)
}
