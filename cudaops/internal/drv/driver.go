//go:build cuda && linux

package drv

// #cgo LDFLAGS: -L${SRCDIR}/lib -ldl
// #cgo noescape drv_launch
// #cgo nocallback drv_launch
// #cgo noescape drv_copy_in
// #cgo nocallback drv_copy_in
// #cgo noescape drv_copy_out
// #cgo nocallback drv_copy_out
// #include <stdlib.h>
// #include "driver.h"
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Built reports whether the package was built for CUDA.
func Built() bool { return true }

// failure converts a result code of the driver to an error.
func failure(call string, code C.int) error {
	if code == 0 {
		return nil
	}
	e := &Error{Call: call, Code: int(code), Name: "CUDA_ERROR", Text: "the driver has no description"}
	var name, text *C.char
	C.drv_error(code, &name, &text)
	if name != nil {
		e.Name = C.GoString(name)
	}
	if text != nil {
		e.Text = C.GoString(text)
	}
	return e
}

// DeviceCount returns the number of devices. If there is no driver, or none that works, the error holds the driver's
// answer.
func DeviceCount() (int, error) {
	if code := int(C.drv_init_result); code != 0 {
		return 0, fmt.Errorf("%v (cuInit: %d)", cu.NoDevice, code)
	}
	n, err := cu.NumDevices()
	if err != nil {
		return 0, fmt.Errorf("cuDeviceGetCount: %w", err)
	}
	return n, nil
}

// DeviceName returns the driver's name for a device.
func DeviceName(ordinal int) (string, error) { return cu.Device(ordinal).Name() }

// DeviceAttribute returns a property of a device.
func DeviceAttribute(ordinal int, a Attribute) (int, error) {
	return cu.Device(ordinal).Attribute(cu.DeviceAttribute(a))
}

// DriverVersion returns the newest CUDA version that the driver supports: 1000 times the major number plus 10 times the
// minor one.
func DriverVersion() (int, error) {
	v := cu.Version()
	if v < 0 {
		return 0, fmt.Errorf("cuDriverGetVersion: %v", cu.NoDevice)
	}
	return v, nil
}

// TotalMem returns the size of a device's memory in bytes.
func TotalMem(ordinal int) (int64, error) { return cu.Device(ordinal).TotalMem() }

// Primary returns the primary context of a device, which it keeps for the life of the process.
func Primary(ordinal int) (Context, error) {
	c, err := cu.Device(ordinal).RetainPrimaryCtx()
	if err != nil {
		return 0, fmt.Errorf("cuDevicePrimaryCtxRetain: %w", err)
	}
	return Context(*(*uintptr)(unsafe.Pointer(&c))), nil // a struct of one pointer
}

// MemAlloc allocates device memory.
func (c Context) MemAlloc(bytes int) (Pointer, error) {
	var at C.uint64_t
	err := failure("cuMemAlloc", C.drv_alloc(C.word(c), C.size_t(bytes), &at))
	return Pointer(at), err
}

// MemFree frees device memory. It waits for the device.
func (c Context) MemFree(at Pointer) error {
	return failure("cuMemFree", C.drv_free(C.word(c), C.uint64_t(at)))
}

// MemInfo returns the number of free bytes on the device, and the total.
func (c Context) MemInfo() (free, total int64, err error) {
	var f, t C.size_t
	err = failure("cuMemGetInfo", C.drv_info(C.word(c), &f, &t))
	return int64(f), int64(t), err
}

// HostAlloc allocates pinned host memory, which devices can access.
func (c Context) HostAlloc(bytes int) (unsafe.Pointer, error) {
	var at unsafe.Pointer
	err := failure("cuMemHostAlloc", C.drv_host_alloc(C.word(c), C.size_t(bytes), &at))
	return at, err
}

// HostFree frees pinned memory.
func (c Context) HostFree(at unsafe.Pointer) error {
	return failure("cuMemFreeHost", C.drv_host_free(C.word(c), at))
}

// HostAddress returns the device address of pinned memory.
func (c Context) HostAddress(at unsafe.Pointer) (Pointer, error) {
	var p C.uint64_t
	err := failure("cuMemHostGetDevicePointer", C.drv_host_address(C.word(c), at, &p))
	return Pointer(p), err
}

// NewStream returns a stream. A blocking stream and the null stream wait for each other.
func (c Context) NewStream(nonBlocking bool) (Stream, error) {
	var s C.word
	flag := C.int(0)
	if nonBlocking {
		flag = 1
	}
	err := failure("cuStreamCreate", C.drv_stream(C.word(c), flag, &s))
	return Stream(s), err
}

// StreamDestroy destroys a stream once its work is done.
func (c Context) StreamDestroy(s Stream) error {
	return failure("cuStreamDestroy", C.drv_stream_destroy(C.word(c), C.word(s)))
}

// StreamSynchronize waits for all work of a stream.
func (c Context) StreamSynchronize(s Stream) error {
	return failure("cuStreamSynchronize", C.drv_stream_synchronize(C.word(c), C.word(s)))
}

// StreamQuery reports whether all work of a stream is done.
func (c Context) StreamQuery(s Stream) (bool, error) {
	return ready("cuStreamQuery", C.drv_stream_query(C.word(c), C.word(s)))
}

func ready(call string, code C.int) (bool, error) {
	if code == notReady {
		return false, nil
	}
	return code == 0, failure(call, code)
}

// StreamWait makes work that is added to a stream later wait for an event.
func (c Context) StreamWait(s Stream, e Event) error {
	return failure("cuStreamWaitEvent", C.drv_stream_wait(C.word(c), C.word(s), C.word(e)))
}

// NewEvent returns an event. Waiting for a blocking event sleeps.
func (c Context) NewEvent(blocking, timing bool) (Event, error) {
	var flags C.uint
	if blocking {
		flags |= C.CU_EVENT_BLOCKING_SYNC
	}
	if !timing {
		flags |= C.CU_EVENT_DISABLE_TIMING
	}
	var e C.word
	err := failure("cuEventCreate", C.drv_event(C.word(c), flags, &e))
	return Event(e), err
}

// EventDestroy destroys an event. Streams that wait for it continue to wait.
func (c Context) EventDestroy(e Event) error {
	return failure("cuEventDestroy", C.drv_event_destroy(C.word(c), C.word(e)))
}

// EventRecord records an event in a stream.
func (c Context) EventRecord(e Event, s Stream) error {
	return failure("cuEventRecord", C.drv_event_record(C.word(c), C.word(e), C.word(s)))
}

// EventSynchronize waits for an event.
func (c Context) EventSynchronize(e Event) error {
	return failure("cuEventSynchronize", C.drv_event_synchronize(C.word(c), C.word(e)))
}

// EventQuery reports whether an event is done.
func (c Context) EventQuery(e Event) (bool, error) {
	return ready("cuEventQuery", C.drv_event_query(C.word(c), C.word(e)))
}

// Elapsed returns the milliseconds from one event to another.
func (c Context) Elapsed(from, to Event) (float32, error) {
	var ms C.float
	err := failure("cuEventElapsedTime", C.drv_elapsed(C.word(c), C.word(from), C.word(to), &ms))
	return float32(ms), err
}

// CopyIn copies from pinned memory to the device, in a stream.
func (c Context) CopyIn(dst Pointer, src unsafe.Pointer, bytes int, s Stream) error {
	return failure("cuMemcpyHtoDAsync", C.drv_copy_in(C.word(c), C.uint64_t(dst), src, C.size_t(bytes), C.word(s)))
}

// CopyOut copies from the device to pinned memory, in a stream.
func (c Context) CopyOut(dst unsafe.Pointer, src Pointer, bytes int, s Stream) error {
	return failure("cuMemcpyDtoHAsync", C.drv_copy_out(C.word(c), dst, C.uint64_t(src), C.size_t(bytes), C.word(s)))
}

// Copy copies on the device, in a stream.
func (c Context) Copy(dst, src Pointer, bytes int, s Stream) error {
	return failure("cuMemcpyDtoDAsync", C.drv_copy(C.word(c), C.uint64_t(dst), C.uint64_t(src), C.size_t(bytes), C.word(s)))
}

// CopyPeer copies from this context's device to that of another, in a stream of this one.
func (c Context) CopyPeer(dst Pointer, to Context, src Pointer, bytes int, s Stream) error {
	return failure("cuMemcpyPeerAsync", C.drv_copy_peer(C.word(c), C.uint64_t(dst), C.word(to), C.uint64_t(src), C.size_t(bytes), C.word(s)))
}

// Fill8 sets bytes to a value, in a stream.
func (c Context) Fill8(dst Pointer, value byte, count int, s Stream) error {
	return failure("cuMemsetD8Async", C.drv_fill8(C.word(c), C.uint64_t(dst), C.uchar(value), C.size_t(count), C.word(s)))
}

// Fill32 sets 32-bit words to a value, in a stream.
func (c Context) Fill32(dst Pointer, value uint32, count int, s Stream) error {
	return failure("cuMemsetD32Async", C.drv_fill32(C.word(c), C.uint64_t(dst), C.uint(value), C.size_t(count), C.word(s)))
}

// LoadModule loads code: PTX that ends with a zero byte, or code that NVRTC compiled for the device.
func (c Context) LoadModule(image []byte) (Module, error) {
	var m C.word
	err := failure("cuModuleLoadData", C.drv_load(C.word(c), unsafe.Pointer(unsafe.SliceData(image)), &m))
	return Module(m), err
}

// UnloadModule unloads a module.
func (c Context) UnloadModule(m Module) error {
	return failure("cuModuleUnload", C.drv_unload(C.word(c), C.word(m)))
}

// Function returns a module's function.
func (c Context) Function(m Module, name string) (Function, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var f C.word
	err := failure("cuModuleGetFunction "+name, C.drv_function(C.word(c), C.word(m), text, &f))
	return Function(f), err
}

// SetSharedLimit permits launches of a function with more than 48 KiB of dynamic shared memory.
func (c Context) SetSharedLimit(f Function, bytes int) error {
	return failure("cuFuncSetAttribute", C.drv_shared_limit(C.word(c), C.word(f), C.int(bytes)))
}

// Launch enqueues a kernel in a stream: a grid of blocks of threads, and the packed parameters.
func (c Context) Launch(f Function, gx, gy, gz, bx, by, bz, shared int, s Stream, params unsafe.Pointer, size int) error {
	code := C.drv_launch(C.word(c), C.word(f), C.uint(gx), C.uint(gy), C.uint(gz), C.uint(bx), C.uint(by), C.uint(bz), C.uint(shared), C.word(s),
		params, C.size_t(size))
	if code == 0 {
		return nil
	}
	return failure("cuLaunchKernel", code)
}

// ProfilerStart starts the collection of profilers.
func (c Context) ProfilerStart() error {
	return failure("cuProfilerStart", C.drv_profiler(C.word(c), 1))
}

// ProfilerStop stops the collection of profilers.
func (c Context) ProfilerStop() error { return failure("cuProfilerStop", C.drv_profiler(C.word(c), 0)) }
