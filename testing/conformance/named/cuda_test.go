package named_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/lending"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// hasGPU reports whether there is a GPU, or the emulator of one.
func hasGPU() bool {
	_, err := device.Get("cuda:0")
	return err == nil
}

// gpu returns the first GPU. It skips the test if there is none.
func gpu(t *testing.T) *cudaops.Device {
	t.Helper()
	dev, err := device.Get("cuda:0")
	if err != nil {
		t.Skip(err)
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// bytesOn returns bytes on a device.
func bytesOn(dev device.Device, values ...uint8) *nd.Array { return nd.FromSlice(values).To(dev) }

func TestGPUProperties(t *testing.T) {
	d := gpu(t)
	for _, number := range []string{"cupy.cuda.Device.__int__", "cupy.cuda.Device.__long__"} {
		equal(t, number, one[int](t, number, d), 0)
	}
	for name, want := range map[string]bool{"cupy.cuda.Device.__lt__": false, "cupy.cuda.Device.__le__": true,
		"cupy.cuda.Device.__gt__": false, "cupy.cuda.Device.__ge__": true} {
		equal(t, name+" of a device and itself", one[bool](t, name, d, d), want)
	}
	major, minor, err := d.ComputeCapability()
	if err != nil || major < 5 {
		t.Errorf("compute capability %d.%d: %v", major, minor, err)
	}
	text := one[string](t, "cupy.cuda.Device.compute_capability", d)
	equal(t, "compute capability", text, fmt.Sprint(major, minor))
	handle := one[uintptr](t, "cupy.cuda.Device.cublas_handle", d)
	equal(t, "a second handle", one[uintptr](t, "cupy.cuda.Device.cublas_handle", d), handle)
	if handle == 0 {
		t.Error("the handle is 0")
	}
}

// TestStreamsAndEvents orders copies on two streams by an event, and measures time between events.
func TestStreamsAndEvents(t *testing.T) {
	d := gpu(t)
	a, b := one[*cudaops.Stream](t, "cupy.cuda.Stream", with{"non_blocking": true}), one[*cudaops.Stream](t, "cupy.cuda.Stream")
	null := one[*cudaops.Stream](t, "cupy.cuda.Stream", with{"null": true})
	equal(t, "the null stream's handle", one[uintptr](t, "cupy.cuda.runtime.Stream", null), uintptr(0))
	if x, y := one[uintptr](t, "cupy.cuda.runtime.Stream", a), one[uintptr](t, "cupy.cuda.runtime.Stream", b); x == 0 || y == 0 || x == y {
		t.Errorf("handles %d and %d of two streams", x, y)
	}
	x, y := bytesOn(d, 0, 0, 0), bytesOn(d, 0, 0, 0)
	filled := one[*cudaops.Event](t, "cupy.cuda.Event", true, true)
	equal(t, "an event that was never recorded is done", one[bool](t, "cupy.cuda.Event.done", filled), true)
	call(t, "cupy.cuda.MemoryPointer.memset_async", x, 5, 2, a)
	call(t, "cupy.cuda.Stream.record", a, filled)
	call(t, "cupy.cuda.Stream.wait_event", b, filled)
	call(t, "cupy.cuda.MemoryPointer.copy_from_device_async", y, x, 3, b)
	finished := make(chan any, 2)
	call(t, "cupy.cuda.Stream.add_callback", b, func(s *cudaops.Stream, err error, arg any) {
		finished <- arg
		finished <- errors.Join(err, map[bool]error{false: errors.New("another stream")}[s == b])
	}, "arg")
	call(t, "cupy.cuda.Stream.synchronize", b)
	equal(t, "done after synchronize", one[bool](t, "cupy.cuda.Stream.done", b), true)
	equal(t, "the copy", y, []uint8{5, 5, 0})
	for _, want := range []any{"arg", error(nil)} {
		select {
		case got := <-finished:
			equal(t, "the callback's argument", got, want)
		case <-time.After(time.Minute):
			t.Fatal("no callback")
		}
	}
	call(t, "cupy.cuda.MemoryPointer.copy_from_async", y, bytesOn(d, 1, 2, 3), 1, b)
	call(t, "cupy.cuda.Stream.synchronize", b)
	equal(t, "a copy of one byte", y, []uint8{1, 5, 0})

	start, end := one[*cudaops.Event](t, "cupy.cuda.Event"), one[*cudaops.Event](t, "cupy.cuda.Event")
	call(t, "cupy.cuda.Event.record", start) // in the compute stream
	ops.Add(nd.Ones([]int{1000}, nd.ArrayOptions{Device: d}), 1)
	call(t, "cupy.cuda.Event.record", end, d.Stream())
	call(t, "cupy.cuda.Event.synchronize", end)
	equal(t, "done", one[bool](t, "cupy.cuda.Event.done", end), true)
	if ms := one[float64](t, "cupy.cuda.get_elapsed_time", start, end); ms < 0 || ms > 60_000 {
		t.Errorf("%v ms elapsed", ms)
	}
	if _, err := try("cupy.cuda.get_elapsed_time", filled, end); err == nil {
		t.Error("time from an event without timing")
	}
}

// TestPinnedCopies copies from pinned memory to the device, and back.
func TestPinnedCopies(t *testing.T) {
	d := gpu(t)
	s := one[*cudaops.Stream](t, "cupy.cuda.Stream")
	pinned, err := d.NewPinned(4)
	if err != nil {
		t.Fatal(err)
	}
	copy(pinned.Bytes(), []byte{1, 2, 3, 4})
	x := bytesOn(d, 9, 9, 9)
	call(t, "cupy.cuda.MemoryPointer.copy_from_host_async", x.Index(nd.Until(2)), pinned, 2, s)
	call(t, "cupy.cuda.Stream.synchronize", s)
	equal(t, "on the device", x, []uint8{1, 2, 9})
	refused(t, "out of range", "cupy.cuda.MemoryPointer.copy_from_host_async", nd.Zeros([]int{5}, dtype.Uint8, d), pinned, 5, s)
	call(t, "cupy.cuda.MemoryPointer.copy_to_host_async", x, pinned, 3, s)
	call(t, "cupy.cuda.Stream.synchronize", s)
	equal(t, "in pinned memory", pinned.Bytes(), []byte{1, 2, 9, 4})
}

// TestAddresses computes with addresses of the device's memory.
func TestAddresses(t *testing.T) {
	d := gpu(t)
	x := bytesOn(d, 1, 2, 3, 4, 5, 6, 7, 8)
	start := cudaops.Address(x)
	if start == 0 {
		t.Error("the address is 0")
	}
	for _, address := range []string{"cupy.cuda.Memory.__int__", "cupy.cuda.Memory.__long__", "cupy.cuda.MemoryPointer.__int__", "cupy.cuda.MemoryPointer.__long__"} {
		equal(t, address, one[uint64](t, address, x), start)
		equal(t, address+" of a view", one[uint64](t, address, x.Index(nd.From(3))), start+3)
		refused(t, "", address, bytesOn(nd.Zeros(nil).Device(), 1))
	}
	for _, subtract := range []string{"cupy.cuda.MemoryPointer.__sub__", "cupy.cuda.MemoryPointer.__rsub__", "cupy.cuda.MemoryPointer.__isub__"} {
		equal(t, subtract, one[uint64](t, subtract, x.Index(nd.From(5)), 2), start+3)
	}
}

// TestMemoryPool allocates from the pool, frees, and discards the idle blocks.
func TestMemoryPool(t *testing.T) {
	d := gpu(t)
	pool := one[cudaops.MemoryPool](t, "cupy.cuda.MemoryPool", d)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // arrays of other tests must not become free between two readings
	for _, discard := range []string{"cupy.cuda.MemoryPool.free_all_blocks", "cupy.cuda.MemoryPool.free_all_free"} {
		lending.Collect()
		lending.Collect() // finds blocks that were in use during the first GC cycle
		call(t, discard, pool)
		used := pool.Used()
		block := one[device.Memory](t, "cupy.cuda.MemoryPool.malloc", pool, 1<<20)
		if n := pool.Used() - used; n < 1<<20 {
			t.Errorf("a block of 1 MiB counts %d bytes", n)
		}
		before := one[int](t, "cupy.cuda.MemoryPool.n_free_blocks", pool)
		d.Free(block)
		equal(t, "free blocks after Free", one[int](t, "cupy.cuda.MemoryPool.n_free_blocks", pool), before+1)
		call(t, discard, pool)
		equal(t, "free blocks after "+discard, one[int](t, "cupy.cuda.MemoryPool.n_free_blocks", pool), 0)
	}
}

// TestProfilers starts and stops the collection of NVIDIA's profilers.
func TestProfilers(t *testing.T) {
	d := gpu(t)
	call(t, "cupy.cuda.profiler.start", d)
	call(t, "cupy.cuda.profiler.stop", d)
	if err := one[func() error](t, "cupy.cuda.profile", d)(); err != nil {
		t.Errorf("the end of a profile: %v", err)
	}
}
