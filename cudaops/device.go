package cudaops

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
)

// Device is a GPU. All kernels of the library run in one queue of the device, its compute stream.
type Device struct {
	device.Base
	name     string
	ordinal  int
	context  drv.Context
	stream   drv.Stream
	blocking bool // wait for every kernel

	printing printing // the form that programs run in

	modules modules
	memory  pool
	staging staging
	faults  faults
	fault   atomic.Pointer[device.Fault] // the reason why the device can no longer be used
	waits   atomic.Int64                 // how often the host waited for the compute stream
	opened  sync.Mutex                   // guards handles that are opened on first use
	blas    *drv.BLAS                    // for the user's own calls

	products products
	counters counters
}

var absent = func() error {
	count, err := drv.DeviceCount()
	for ordinal := range count {
		device.Register(fmt.Sprintf("cuda:%d", ordinal), func() (device.Device, error) { return open(ordinal) })
	}
	if err == nil && count == 0 {
		err = fmt.Errorf("the driver reports no device")
	}
	return err
}()

// Err returns the reason why there are no CUDA devices, or nil if there are some.
func Err() error {
	if absent == nil {
		return nil
	}
	return fmt.Errorf("no CUDA device: %w", absent)
}

// Of returns dev as a GPU, or an error if it is not one.
func Of(dev device.Device) (*Device, error) {
	if d, ok := dev.(*Device); ok {
		return d, nil
	}
	if dev == nil {
		return nil, fmt.Errorf("cudaops: no device")
	}
	return nil, fmt.Errorf("cudaops: %s is not a CUDA device", dev.Name())
}

func open(ordinal int) (device.Device, error) {
	context, err := drv.Primary(ordinal)
	if err != nil {
		return nil, err
	}
	d := &Device{name: fmt.Sprintf("cuda:%d", ordinal), ordinal: ordinal, context: context, blocking: os.Getenv("CUDA_LAUNCH_BLOCKING") == "1",
		printing: printingOf(os.Getenv("NDGRAD_CUDA_PROGRAMS")), products: products{own: os.Getenv("NDGRAD_CUDA_PRODUCTS") == "own"}}
	if d.stream, err = context.NewStream(true); err != nil {
		return nil, err
	}
	d.modules.begin()
	if err := d.faults.begin(context, d.stream); err != nil {
		return nil, err
	}
	return d, d.memory.begin(d)
}

// Name returns "cuda:0" and so on.
func (d *Device) Name() string { return d.name }

// Ordinal returns the index of the device among those that the driver shows to this process.
func (d *Device) Ordinal() int { return d.ordinal }

// enter begins a kernel. If the device has failed, it panics with the first fault.
func (d *Device) enter(l *device.Launch) {
	if f := d.fault.Load(); f != nil {
		panic(f)
	}
	if d.memory.foreign.Load() {
		d.awaitStreams(l)
	}
}

// check panics with *device.Fault if a driver call failed.
func (d *Device) check(fn string, err error) {
	if err != nil {
		panic(d.failed(fn, err))
	}
}

// failed converts an error of the driver to a fault. If the context is lost, the fault is kept, and everything later
// fails with it.
func (d *Device) failed(fn string, err error) *device.Fault {
	f := &device.Fault{Func: fn, Err: err}
	if drv.IsSticky(err) && !d.fault.CompareAndSwap(nil, f) {
		return d.fault.Load()
	}
	return f
}

// Synchronize waits for all kernels and returns the first fault since the last call.
func (d *Device) Synchronize() error {
	if f := d.fault.Load(); f != nil {
		return f
	}
	if err := d.wait(); err != nil {
		return d.failed("Synchronize", err)
	}
	if e := d.faults.take(); e != nil {
		return e
	}
	return nil
}

// wait waits for the compute stream.
func (d *Device) wait() error {
	d.waits.Add(1)
	return d.context.StreamSynchronize(d.stream)
}

// waitOrPanic waits for the compute stream, and panics if work in it has failed.
func (d *Device) waitOrPanic(fn string) {
	d.check(fn, d.wait())
	if e := d.faults.take(); e != nil {
		panic(e)
	}
}
