package cudaops

import "runtime"

// Use calls f on a thread of the system whose current context is that of the device, as other libraries of CUDA expect it.
// f must not start goroutines for its calls. Work that f enqueues in the compute stream ([Device.Stream]) runs in the
// order of the device's kernels; [Address] returns where arrays are.
func (d *Device) Use(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := d.context.StreamQuery(d.stream); err != nil { // each call of the driver makes the context current first
		return d.failed("Device.Use", err)
	}
	return f()
}
