package nd_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestCopyOn checks that CopyOn and HostCopy copy an array on every device, to the given one.
func TestCopyOn(t *testing.T) {
	cpu := nd.Zeros(nil).Device()
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []device.Device{cpu, ref} {
		x := nd.ArangeInt(0, 6, 1).Reshape(2, 3).T().To(from)
		for _, to := range []device.Device{cpu, ref} {
			y := x.CopyOn(to)
			if y == x || y.SharesMemory(x) || y.Device() != to || !y.IsContiguous() || !slices.Equal(nd.ToSlice[int64](y), nd.ToSlice[int64](x)) {
				t.Errorf("from %s to %s: %v on %s", from.Name(), to.Name(), y, y.Device().Name())
			}
		}
		if y := x.HostCopy(); y.SharesMemory(x) || y.Device() != cpu || !slices.Equal(nd.ToSlice[int64](y), []int64{0, 3, 1, 4, 2, 5}) {
			t.Errorf("from %s to the host: %v on %s", from.Name(), y, y.Device().Name())
		}
	}
	if y := nd.Scalar(2).CopyOn(ref); y.Device() != ref || y.IsScalar() {
		t.Errorf("a Scalar became %v", y)
	}
	refused(t, func() { nd.Ones(nil).CopyOn(nil) }, "Array.CopyOn", "no device")
}

// TestAssignFrom checks that values come from every device, and that only Assign refuses another one.
func TestAssignFrom(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []*nd.Array{nd.FromSlice([]int32{5, 6}), nd.FromSliceOn(ref, []int32{5, 6}), nd.Scalar(7)} {
		x := nd.Zeros([]int{2, 2}, ref, dtype.Float32)
		x.AssignFrom(value, nd.At(1))
		want := []float32{0, 0, 5, 6}
		if value.IsScalar() {
			want = []float32{0, 0, 7, 7}
		}
		if got := nd.ToSlice[float32](x); !slices.Equal(got, want) || x.Device() != ref {
			t.Errorf("%v gives %v, want %v", value, got, want)
		}
		if value.IsReleased() {
			t.Error("the value was released")
		}
	}
	x := nd.Zeros([]int{2}, ref)
	refused(t, func() { x.AssignFrom(nd.Ones([]int{3})) }, "Array.AssignFrom", "broadcast")
	refused(t, func() { x.Assign(nd.Ones([]int{2})) }, "Array.Assign", "different devices")
}
