// Package deferring registers "deferring", a device for tests of asynchronous behaviour: it reports an index that is
// out of range only when values are read, and the host cannot see its memory.
package deferring

import (
	"errors"
	"sync"

	"github.com/ndgrad/ndgrad/device"
)

// Device computes immediately on another device, but defers the index panics of its kernels.
type Device struct {
	device.Device
	lock  sync.Mutex
	first *device.IndexError // first error since the last CopyOut or Synchronize
}

func init() {
	device.Register("deferring", func() (device.Device, error) {
		dev, err := device.Get("cpu")
		return New(dev), err
	})
}

// New returns a device that computes on dev.
func New(dev device.Device) *Device { return &Device{Device: dev} }

// Name returns "deferring".
func (d *Device) Name() string { return "deferring" }

// Bytes returns nil.
func (d *Device) Bytes(device.Memory) []byte { return nil }

// Wrap refuses host memory.
func (d *Device) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }

// Flat returns nil: flat functions need memory that the host can see.
func (d *Device) Flat(*device.Program) device.Flat { return nil }

// CopyOut panics with the first index error, after copying.
func (d *Device) CopyOut(dst []byte, m device.Memory, offset int) {
	d.Device.CopyOut(dst, m, offset)
	if err := d.takeError(); err != nil {
		panic(err)
	}
}

// Synchronize returns the first index error.
func (d *Device) Synchronize() error {
	if err := d.takeError(); err != nil {
		return err
	}
	return d.Device.Synchronize()
}

// takeError returns the first index error and clears it.
func (d *Device) takeError() *device.IndexError {
	d.lock.Lock()
	defer d.lock.Unlock()
	err := d.first
	d.first = nil
	return err
}

// deferError calls a kernel and keeps its index error if it is the first one. It cannot defer the error of an axis of length
// 0.
func (d *Device) deferError(kernel func(device.Device, *device.Launch), l *device.Launch) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		var index *device.IndexError
		if err, ok := e.(error); !ok || !errors.As(err, &index) || index.Size == 0 {
			panic(e)
		}
		d.lock.Lock()
		defer d.lock.Unlock()
		if d.first == nil {
			d.first = &device.IndexError{Index: index.Index, Size: index.Size, Func: l.Func}
		}
	}()
	kernel(d.Device, l)
}

// Gather defers its index error.
func (d *Device) Gather(l *device.Launch) { d.deferError(device.Device.Gather, l) }

// Scatter defers its index error.
func (d *Device) Scatter(l *device.Launch) { d.deferError(device.Device.Scatter, l) }

// CrossEntropy defers its index error.
func (d *Device) CrossEntropy(l *device.Launch) { d.deferError(device.Device.CrossEntropy, l) }

// CrossEntropyGrad defers its index error.
func (d *Device) CrossEntropyGrad(l *device.Launch) { d.deferError(device.Device.CrossEntropyGrad, l) }

// CTC defers its index error.
func (d *Device) CTC(l *device.Launch) { d.deferError(device.Device.CTC, l) }

// CTCGrad defers its index error.
func (d *Device) CTCGrad(l *device.Launch) { d.deferError(device.Device.CTCGrad, l) }
