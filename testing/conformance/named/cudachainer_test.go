package named_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// TestChainerOnGPU calls Chainer's functions of devices with the first GPU, which they take by its number.
func TestChainerOnGPU(t *testing.T) {
	dev := device.Device(gpu(t))
	equal(t, "the device", one[device.Device](t, "chainer.cuda.get_device_from_id", 0).Name(), "cuda:0")
	equal(t, "the device", one[device.Device](t, "chainer.cuda.get_device", 0).Name(), "cuda:0")
	x := vector(1, 2)
	on := func(what string, y *nd.Array) {
		t.Helper()
		equal(t, what+" is on the GPU", y.Device() == dev, true)
		equal(t, what, y, []float64{1, 2})
	}
	y := one[*nd.Array](t, "chainer.cuda.to_gpu", x)
	on("to_gpu", y)
	on("to_gpu with a number", one[*nd.Array](t, "chainer.cuda.to_gpu", x, 0))
	on("a variable", one[*nd.Array](t, "chainer.Variable.to_gpu", x))
	on("a copy", one[*nd.Array](t, "chainer.cuda.copy", x, with{"out_device": 0}))
	on("a copy on its device", one[*nd.Array](t, "chainer.cuda.copy", y))
	equal(t, "the device of an array", one[device.Device](t, "chainer.cuda.get_device_from_array", y).Name(), "cuda:0")
	back := one[*nd.Array](t, "chainer.cuda.to_cpu", y)
	equal(t, "on the CPU again", back.Device() == x.Device(), true)

	squares, norm := kernelsOfChainer(t)
	equal(t, "squared differences", squares.Call(y, vector(4, 0).To(dev)), []float64{9, 4})
	equal(t, "the norm", norm.Call([]*nd.Array{vector(3, 4).To(dev)}), []float64{5})

	s := nn.NewScope()
	s.Set("w", x)
	moved := one[*nn.Scope](t, "chainer.Link.to_gpu", in(s))
	on("a parameter", moved.Get("w"))
	sampler := call(t, "chainer.utils.WalkerAlias", vector(0, 1)).Values[0]
	drawn := one[*nd.Array](t, "chainer.utils.WalkerAlias.sample", call(t, "chainer.utils.WalkerAlias.to_gpu", sampler).Values[0], []int{2})
	equal(t, "draws", drawn, []int{1, 1})
	equal(t, "draws are on the GPU", drawn.Device() == dev, true)
}
