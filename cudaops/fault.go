package cudaops

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
)

// record is where kernels write the first index out of range. It lies in host memory that the device can access: after
// waiting for the stream, reading it costs nothing.
type record struct {
	set      uint64 // not 0 if the other fields are valid
	function uint64
	index    int64
	size     int64
}

// faults holds the errors that kernels have found, and the numbers by which they refer to functions.
type faults struct {
	record  *record
	address uint64 // device address of the record
	blame   uint64 // address of a Blame in kernels/indices.cuh
	launch  atomic.Uint64
	mu      sync.Mutex
	numbers map[string]int
	names   []string
}

const blameBytes = 24

func (f *faults) begin(context drv.Context, stream drv.Stream) error {
	page, err := context.HostAlloc(int(unsafe.Sizeof(record{})))
	if err != nil {
		return err
	}
	f.record = (*record)(page)
	*f.record = record{}
	f.numbers = map[string]int{}
	if f.address, err = context.HostAddress(page); err != nil {
		return err
	}
	if f.blame, err = context.MemAlloc(blameBytes); err != nil {
		return err
	}
	return context.Fill8(f.blame, 0, blameBytes, stream)
}

// functionID returns the number by which kernels refer to a function.
func (d *Device) functionID(fn string) int {
	f := &d.faults
	f.mu.Lock()
	defer f.mu.Unlock()
	id, ok := f.numbers[fn]
	if !ok {
		id = len(f.names)
		f.numbers[fn] = id
		f.names = append(f.names, fn)
	}
	return id
}

// take returns what a kernel has recorded, and clears it. The caller has waited for the stream.
func (f *faults) take() *device.IndexError {
	if atomic.LoadUint64(&f.record.set) == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.record.set == 0 {
		return nil
	}
	e := &device.IndexError{Index: int(f.record.index), Size: int(f.record.size), Func: f.names[f.record.function]}
	*f.record = record{}
	return e
}
