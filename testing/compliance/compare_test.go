package compliance

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestClosenessTellsNearFromFar checks the comparisons on which the whole suite depends.
func TestClosenessTellsNearFromFar(t *testing.T) {
	nan, inf, up := math.NaN(), math.Inf(1), math.Nextafter(1, 2)
	for _, test := range []struct {
		name      string
		near      closeness
		dtype     dtype.DType
		got, want complex128
		ok        bool
	}{
		{"same", same, dtype.Float64, 1, 1, true},
		{"same", same, dtype.Float64, complex(nan, 0), complex(nan, 0), true},
		{"same", same, dtype.Float64, complex(up, 0), 1, false},
		{"same", same, dtype.Float64, complex(math.Copysign(0, -1), 0), 0, false},
		{"equal", equal, dtype.Float64, complex(math.Copysign(0, -1), 0), 0, true},
		{"equal", equal, dtype.Complex128, complex(1, nan), complex(1, 2), false},
		{"ulps", ulps(2, 0), dtype.Float64, complex(up, 0), 1, true},
		{"ulps", ulps(2, 0), dtype.Float64, complex(1+4*0x1p-52, 0), 1, false},
		{"ulps", ulps(2, 0), dtype.Float32, 1 + 0x1p-22, 1, true},
		{"ulps", ulps(2, 0), dtype.Float32, 1 + 0x1p-21, 1, false},
		{"ulps", ulps(2, 0), dtype.Float16, 1 + 0x1p-9, 1, true},
		{"ulps", ulps(2, 0), dtype.BFloat16, 1 + 0x1p-6, 1, true},
		{"ulps", ulps(2, 0), dtype.BFloat16, 1 + 0x1p-5, 1, false},
		{"ulps", ulps(2, 0), dtype.Float64, complex(nan, 0), 1, false},
		{"ulps", ulps(2, 0), dtype.Float64, 1, complex(nan, 0), false},
		{"ulps", ulps(2, 0), dtype.Float64, complex(inf, 0), 1, false},
		{"ulps", ulps(2, 0), dtype.Float64, 0, 0x1p-1074, true},
		{"ulps", ulps(2, 0), dtype.Float64, 0, 0x1p-1030, false},
		{"ulps", ulps(2, 4), dtype.Float64, 0x1p-52, -0x1p-52, true},
		{"ulps", ulps(2, 0), dtype.Complex128, complex(1, 0x1p-52), 1, true},
		{"ulps", ulps(2, 0), dtype.Complex128, complex(1, 0x1p-40), 1, false},
		{"ulps", ulps(2, 0), dtype.Complex128, complex(inf, 0), complex(inf, nan), false},
		{"within", absolute(0.1), dtype.Float64, 1.05, 1, true},
		{"within", absolute(0.1), dtype.Float64, 1.2, 1, false},
		{"within", absolute(0.1), dtype.Float64, complex(nan, 0), 1, false},
		{"within", absolute(0.1), dtype.Float64, 1, complex(nan, 0), false},
		{"within", absolute(0.1), dtype.Float64, 1, complex(inf, 0), false},
		{"within", absolute(0.1), dtype.Float64, complex(-inf, 0), complex(inf, 0), false},
		{"within", absolute(0.1), dtype.Complex128, complex(1.05, nan), complex(1, nan), true},
	} {
		if ok := test.near(test.dtype, test.got, test.want, 0); ok != test.ok {
			t.Errorf("%s of %s: %v close to %v: got %v", test.name, test.dtype, test.got, test.want, ok)
		}
	}
}

// TestFaultsAreFound breaks a correct result in the ways in which a device may be wrong.
func TestFaultsAreFound(t *testing.T) {
	s := newSuite(t, t.Name(), ref.New(), 1)
	shape := []int{3, 4}
	x, y := s.dense(dtype.Float32, shape, tame), s.strided(dtype.Float32, shape, all(2), tame)
	right := func(dev device.Device, l *device.Launch) { dev.Copy(l) }
	c := call{kernel: right, loop: shape, outputs: []*array{y}, inputs: []*array{x}}
	want := s.launch(s.dev, c)

	poke := func(k, at int, value byte) func(device.Device, *device.Launch) {
		return func(dev device.Device, l *device.Launch) {
			dev.Copy(l)
			dev.CopyIn(l.Operands[k].Memory, at, []byte{value})
		}
	}
	for _, test := range []struct {
		name    string
		kernel  func(device.Device, *device.Launch)
		message string
	}{
		{"nothing", right, ""},
		{"no store", func(device.Device, *device.Launch) {}, "element 0 is"},
		{"guard", poke(0, 0, y.block[0]^1), "belongs to no element of an output"},
		{"end", poke(0, len(y.block)-1, y.block[len(y.block)-1]^1), "belongs to no element of an output"},
		{"input", poke(1, guard*4, x.block[guard*4]^1), "belongs to no element of an output"},
		{"last element", poke(0, y.offsets()[11]*4+3, 0x7f), "element 11 is"},
		{"index", func(device.Device, *device.Launch) { panic(&device.IndexError{Index: 3, Size: 2}) }, "ended with index 3"},
	} {
		c.kernel = test.kernel
		got := s.launch(s.dev, c)
		message := c.compare(got, want, -1, -1)
		if test.message == "" && message != "" || !strings.Contains(message, test.message) {
			t.Errorf("%s: the comparison returns %q, want %q", test.name, message, test.message)
		}
	}
	if message := c.compare(want, want, 1, 2); !strings.Contains(message, "returned 1, want 2") {
		t.Errorf("different count: the comparison returns %q", message)
	}
}

// TestLayoutsAreValid checks that no two points of an array share an element and that none lies outside its block.
func TestLayoutsAreValid(t *testing.T) {
	s := newSuite(t, t.Name(), ref.New(), 1)
	for range 500 {
		shape := s.randomShape(500)
		a := s.any(dtype.Int16, shape, tame)
		seen := map[int]bool{}
		for _, offset := range a.offsets() {
			if offset < guard || offset >= a.elements()-guard || seen[offset] {
				t.Fatalf("shape %v, strides %v, offset %d: element %d of %d", shape, a.Strides, a.Offset, offset, a.elements())
			}
			seen[offset] = true
		}
	}
}
