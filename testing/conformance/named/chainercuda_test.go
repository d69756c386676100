package named_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func TestChainerDevices(t *testing.T) {
	ref := reference(t)
	x, y := vector(1, 2), vector(3).To(ref)
	cpu := x.Device()
	gives := func(want device.Device, name string, args ...any) {
		t.Helper()
		equal(t, name, one[device.Device](t, name, args...).Name(), want.Name())
	}
	gives(cpu, "chainer.cuda.get_device_from_id", nil)
	refused(t, "", "chainer.cuda.get_device_from_id", 99)
	gives(ref, "chainer.cuda.get_device_from_array", y, x)
	gives(cpu, "chainer.cuda.get_device_from_array", x, y)
	gives(cpu, "chainer.cuda.get_device_from_array")
	gives(cpu, "chainer.cuda.get_device")
	gives(ref, "chainer.cuda.get_device", ref)
	gives(ref, "chainer.cuda.get_device", nil, y)
	refused(t, "", "chainer.cuda.get_device", 99)
}

func TestChainerTransfers(t *testing.T) {
	ref := reference(t)
	x := vector(1, 2)
	y := one[*nd.Array](t, "chainer.cuda.to_gpu", x, ref)
	equal(t, "moved to the reference device", y.Device() == ref, true)
	equal(t, "moved", y, []float64{1, 2})
	refused(t, "", "chainer.cuda.to_gpu", x, 99)
	back := one[*nd.Array](t, "chainer.cuda.to_cpu", y)
	equal(t, "moved back to the CPU", back.Device() == x.Device(), true)
	equal(t, "moved back", back, []float64{1, 2})

	copied := one[*nd.Array](t, "chainer.cuda.copy", y)
	equal(t, "copied on its device", copied.Device() == ref && copied != y && !copied.SharesMemory(y), true)
	out := vector(0, 0)
	equal(t, "the result is out", one[*nd.Array](t, "chainer.cuda.copy", y, with{"out": out, "out_device": ref}), out)
	equal(t, "copied to out", out, []float64{1, 2})
	other := one[*nd.Array](t, "chainer.cuda.copy", x, with{"out_device": ref})
	equal(t, "copied to a device", other.Device() == ref, true)
	nd.Fill(x, 9)
	equal(t, "the copy", other, []float64{1, 2})
	equal(t, "the copied array", y, []float64{1, 2})
}

// kernelsOfChainer are the document's kernels: the squared difference, and the L2 norm.
func kernelsOfChainer(t *testing.T) (*ops.Kernel, *ops.ReductionKernel) {
	return one[*ops.Kernel](t, "chainer.cuda.elementwise", "T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff"),
		one[*ops.ReductionKernel](t, "chainer.cuda.reduce", "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
}

func TestChainerKernels(t *testing.T) {
	squares, norm := kernelsOfChainer(t)
	equal(t, "squared differences", squares.Call(vector(1, 2), vector(4, 0)), []float64{9, 4})
	equal(t, "the norm", norm.Call([]*nd.Array{vector(3, 4)}), []float64{5})
	refused(t, "squared_diff", "chainer.cuda.elementwise", "T x", "T z", "z = x -", "squared_diff")
	refused(t, "l2norm", "chainer.cuda.reduce", "T x", "T y", "x * x", "a +", "y = a", "0", "l2norm")
}
