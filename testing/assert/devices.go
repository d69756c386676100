package assert

import (
	"errors"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// OnDevices calls f once for each registered device that can be opened. It reports an error unless all results have the
// dtype of the result on the CPU and pass same, a function such as [Equal]. A device is registered when its package is
// imported.
//
// OnDevices replaces CuPy's numpy_cupy_ decorators, which compare two libraries; this library has several devices.
func OnDevices(t TB, f func(dev device.Device) *nd.Array, same func(t TB, got, want *nd.Array) bool) bool {
	t.Helper()
	want := f(nd.Empty(nil).Device())
	for _, dev := range devices() {
		got := f(dev)
		on := prefixed{t, "on device " + dev.Name() + ": "}
		if got != nil && want != nil && got.DType() != want.DType() {
			on.Errorf("%s, want %s", describe(got), describe(want))
			return false
		}
		if !same(on, got, want) {
			return false
		}
	}
	return true
}

// RaisesOnDevices calls f once for each registered device that can be opened. It reports an error unless f always
// panics with an [nd.Error] whose message contains text. An index error that an asynchronous device reports after f has
// returned counts, too.
// CuPy: testing.numpy_cupy_raises.
func RaisesOnDevices(t TB, text string, f func(dev device.Device)) bool {
	t.Helper()
	refused := true
	for _, dev := range devices() {
		on := prefixed{t, "on device " + dev.Name() + ": "}
		refused = Raises(on, text, func() {
			f(dev)
			if late := new(device.IndexError); errors.As(dev.Synchronize(), &late) {
				panic(&nd.Error{Func: nd.Func(late.Func), Msg: late.Error(), Err: late})
			}
		}) != nil && refused
	}
	return refused
}

func devices() []device.Device {
	var all []device.Device
	for _, name := range device.Names() {
		if dev, err := device.Get(name); err == nil {
			all = append(all, dev)
		}
	}
	return all
}
