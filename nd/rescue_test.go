package nd_test

import (
	"errors"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
)

// failing is a device that fails on demand.
type failing struct {
	device.Device
	fault *device.Fault
}

func (d *failing) fail() {
	if d.fault != nil {
		panic(d.fault)
	}
}

func (d *failing) Alloc(bytes int) device.Memory { d.fail(); return d.Device.Alloc(bytes) }
func (d *failing) CopyIn(m device.Memory, offset int, src []byte) {
	d.fail()
	d.Device.CopyIn(m, offset, src)
}
func (d *failing) CopyOut(dst []byte, m device.Memory, offset int) {
	d.fail()
	d.Device.CopyOut(dst, m, offset)
}
func (d *failing) CopyFrom(device.Memory, int, device.Device, device.Memory, int, int) bool {
	d.fail()
	return false
}
func (d *failing) Elementwise(l *device.Launch) { d.fail(); d.Device.Elementwise(l) }
func (d *failing) Nonzero(l *device.Launch) int { d.fail(); return d.Device.Nonzero(l) }

// TestFaultsNameTheFunction: every call to a failed device panics with an *nd.Error that names the function.
func TestFaultsNameTheFunction(t *testing.T) {
	dev := &failing{Device: ref.New()}
	x := nd.FromSliceOn(dev, []float64{1, 2, 3, 4}, 2, 2)
	one := nd.FromSliceOn(dev, []float64{1})
	here := nd.Ones([]int{2})
	dev.fault = &device.Fault{Func: "ops.Add", Err: errors.New("an illegal address")}
	for name, f := range map[string]func(){
		"nd.FromSliceOn": func() { nd.FromSliceOn(dev, []float64{1}) },
		"nd.Empty":       func() { nd.Empty([]int{2}, nd.ArrayOptions{Device: dev}) },
		"Array.Assign":   func() { x.Assign(nd.Scalar(2)) },
		"nd.ToSlice":     func() { nd.ToSlice[float64](x) },
		"nd.Value":       func() { nd.Value[float64](x, 0, 0) },
		"Array.Item":     func() { one.Item() },
		"test.Nonzero":   func() { nd.Func("test.Nonzero").Nonzero(x) },
		"Array.To":       func() { x.To(here.Device()) },
	} {
		err := nd.Catch(f)
		var named *nd.Error
		var fault *device.Fault
		if !errors.As(err, &named) || string(named.Func) != name || !errors.As(err, &fault) || fault != dev.fault {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused(t, func() { here.To(dev) }, "Array.To", "the device has failed (noticed in ops.Add): an illegal address")
	x.Release() // releases memory on a failed device, too
}

// ways is a device that copies from devices of its kind.
type ways struct {
	device.Device
	used int
}

func (d *ways) CopyFrom(m device.Memory, offset int, from device.Device, src device.Memory, srcOffset, bytes int) bool {
	other, ok := from.(*ways)
	if !ok {
		return false
	}
	d.used++
	host := make([]byte, bytes)
	other.Device.CopyOut(host, src, srcOffset)
	d.Device.CopyIn(m, offset, host)
	return true
}

// TestToAsksTheDeviceFirst: an array moves to another device by that device's own CopyFrom if possible, otherwise
// through the host.
func TestToAsksTheDeviceFirst(t *testing.T) {
	a, b := &ways{Device: ref.New()}, &ways{Device: ref.New()}
	x := nd.FromSliceOn(a, []float32{1, 2, 3, 4, 5, 6}, 2, 3).Index(nd.At(1))
	y := x.To(b)
	if got := nd.ToSlice[float32](y); b.used != 1 || y.Device() != device.Device(b) || got[0] != 4 || got[2] != 6 {
		t.Errorf("%v, with %d copies", got, b.used)
	}
	for _, dev := range []device.Device{nd.Empty(nil).Device(), ref.New()} {
		if got := nd.ToSlice[float32](y.To(dev).To(a).T()); got[0] != 4 || got[2] != 6 || a.used != 0 {
			t.Errorf("through %s: %v", dev.Name(), got)
		}
	}
	big := nd.Arange(0, 1000, 1)
	if got := nd.ToSlice[float64](big.Index(nd.From(10)).To(a).To(big.Device())); len(got) != 990 || got[0] != 10 || got[989] != 999 {
		t.Errorf("there and back: %v", got[:3])
	}
}
