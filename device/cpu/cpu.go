package cpu

import "github.com/ndgrad/ndgrad/device"

// processor is the device. It has no state of its own: what kernels share are the pool and the scratch memory.
type processor struct{ device.Base }

func init() {
	device.Register("cpu", func() (device.Device, error) { return processor{}, nil })
}

// Name returns "cpu".
func (processor) Name() string { return "cpu" }

// Synchronize returns nil: every kernel has finished when it returns.
func (processor) Synchronize() error { return nil }
