package nd_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestSettingsOfCreation gives a dtype and a device by themselves, together and in any order.
func TestSettingsOfCreation(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	cpu := nd.Zeros(nil).Device()
	for _, test := range []struct {
		x   *nd.Array
		dt  dtype.DType
		dev device.Device
	}{
		{nd.Zeros([]int{3}, dtype.Float32), dtype.Float32, cpu},
		{nd.Eye(2, 2, 0, ref), dtype.Float64, ref},
		{nd.Full([]int{2}, 7, ref, dtype.Int8), dtype.Int8, ref},
		{nd.ArangeInt(0, 3, 1, dtype.Float16, ref), dtype.Float16, ref},
		{nd.Linspace(0, 1, 5, dtype.Float32, ref), dtype.Float32, ref},
		{nd.ZerosLike(nd.Zeros([]int{2}, ref), dtype.Bool), dtype.Bool, ref},
	} {
		if test.x.DType() != test.dt || test.x.Device() != test.dev {
			t.Errorf("%s on %s, want %s on %s", test.x.DType(), test.x.Device().Name(), test.dt, test.dev.Name())
		}
	}
	for text, f := range map[string]func(){
		"given twice":                       func() { nd.Zeros(nil, dtype.Float32, dtype.Float64) },
		"a nd.ArrayOptions stands alone":    func() { nd.Zeros(nil, dtype.Float32, nd.ArrayOptions{}) },
		"an option of type <nil>":           func() { nd.Zeros(nil, nil) },
		"want a nd.ArrayOptions":            func() { nd.Zeros(nil, nd.SpaceOptions{}) },
		"an option of type nd.ArrayOptions": func() { nd.Linspace(0, 1, 2, nd.ArrayOptions{}) },
	} {
		refused(t, f, text)
	}
}

// TestPickTakesSlices gives indices and masks as slices, on every device.
func TestPickTakesSlices(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range []device.Device{nd.Zeros(nil).Device(), ref} {
		x := nd.FromRows([][]int{{1, 2, 3}, {4, 5, 6}}).To(dev)
		for want, ix := range map[string][]nd.Index{
			"[[4 5 6]\n [1 2 3]]": {nd.Pick([]int{1, 0})},
			"[3 4]":               {nd.Pick([]int32{0, 1}), nd.Pick([]int64{-1, 0})},
			"[[1 3]\n [4 6]]":     {nd.All(), nd.Pick([]bool{true, false, true})},
		} {
			if got := x.Index(ix...).String(); got != want {
				t.Errorf("on %s: %s, want %s", dev.Name(), got, want)
			}
		}
		line := x.Index(nd.At(0))
		line.Assign(nd.Scalar(0), nd.Pick([]bool{true, false, true}))
		if got := line.String(); got != "[0 2 0]" {
			t.Errorf("on %s: %s after an assignment", dev.Name(), got)
		}
	}
}
