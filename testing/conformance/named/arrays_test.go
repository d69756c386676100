package named_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"

	_ "github.com/ndgrad/ndgrad/device/ref"
)

func reference(t *testing.T) device.Device {
	t.Helper()
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// TestNewArray checks shape, dtype, order and device of an array without values.
func TestNewArray(t *testing.T) {
	x := one[*nd.Array](t, "cupy.ndarray", []int{2, 3})
	equal(t, "shape", x.Shape(), []int{2, 3})
	equal(t, "dtype", x.DType(), dtype.Float64)
	equal(t, "strides", x.Strides(), []int{3, 1})
	x = one[*nd.Array](t, "cupy.ndarray", []int{2, 3}, "int16", with{"order": "F"})
	equal(t, "dtype", x.DType(), dtype.Int16)
	equal(t, "strides of order F", x.Strides(), []int{1, 2})
	refused(t, "order", "cupy.ndarray", []int{2}, "int16", with{"order": "Q"})
	for _, dev := range []device.Device{reference(t), x.Device()} {
		equal(t, "device", one[device.Device](t, "cupy.ndarray.device", x.To(dev)), dev)
	}
}

// TestReductionKernel calls a norm as CuPy's document defines it: over all elements, over an axis, and of an empty array.
func TestReductionKernel(t *testing.T) {
	norm, err := ops.NewReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", ops.ReductionKernelOptions{Name: "l2norm"})
	if err != nil {
		t.Fatal(err)
	}
	const apply = "cupy.ReductionKernel.__call__"
	x := vector(3, 4, 6, 8).Reshape(2, 2)
	equal(t, "the norm of all", one[*nd.Array](t, apply, norm, x), nd.Full(nil, math.Sqrt(125)))
	equal(t, "the norm of rows", one[*nd.Array](t, apply, norm, x, with{"axis": 1}), vector(5, 10))
	equal(t, "with the axis kept", one[*nd.Array](t, apply, norm, x, with{"axis": 1, "keepdims": true}), vector(5, 10).Reshape(2, 1))
	equal(t, "of no elements", one[*nd.Array](t, apply, norm, nd.Zeros([]int{2, 0}), with{"axis": 1}), vector(0, 0))
	refused(t, "axis", apply, norm, x, with{"axis": 2})
	refused(t, "arguments", apply, norm, x, x, x)
}

// TestAliasOfTanh checks the second name that NNabla's document has for tanh.
func TestAliasOfTanh(t *testing.T) {
	r := call(t, "nnabla.functions.tanh#alias_math", vector(0, math.Log(2), math.Inf(-1)), catalogue.CallOptions{Gradients: []string{"x"}})
	near(t, "tanh", r.Values[0], 0, 0.6, -1) // of log 2: (2 - 1/2) / (2 + 1/2)
	near(t, "its gradient", r.Gradients["x"], 1, 0.64, 0)
}
