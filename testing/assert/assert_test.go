package assert_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// listener keeps the message of an assertion.
type listener struct{ message string }

func (l *listener) Helper()                           {}
func (l *listener) Errorf(format string, args ...any) { l.message += fmt.Sprintf(format, args...) }

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func vector(v ...float64) *nd.Array { return nd.FromSlice(v, len(v)) }

func TestAssertionsHoldOrFail(t *testing.T) {
	single := func(v ...float64) *nd.Array { return vector(v...).AsType(dtype.Float32) }
	next := math.Nextafter32(1, 2)
	for _, c := range []struct {
		what  string
		check func(t assert.TB) bool
		holds bool
	}{
		{"equal", func(t assert.TB) bool { return assert.Equal(t, vector(1, nan, inf), vector(1, nan, inf)) }, true},
		{"equal but for a sign", func(t assert.TB) bool { return assert.Equal(t, vector(inf), vector(-inf)) }, false},
		{"equal, of different dtypes", func(t assert.TB) bool { return assert.Equal(t, single(1, 2), nd.FromSlice([]int{1, 2})) }, true},
		{"equal to a number", func(t assert.TB) bool { return assert.Equal(t, vector(2, 2), nd.Scalar(2)) }, true},
		{"a number equal to", func(t assert.TB) bool { return assert.Equal(t, nd.Scalar(2), vector(2, 3)) }, false},
		{"different shapes, same elements", func(t assert.TB) bool { return assert.Equal(t, vector(2, 2), vector(2, 2).Reshape(1, 2)) }, false},
		{"empty arrays", func(t assert.TB) bool { return assert.Equal(t, vector(), vector()) }, true},
		{"no array", func(t assert.TB) bool { return assert.Equal(t, nil, vector(1)) }, false},
		{"lists", func(t assert.TB) bool {
			return assert.ListEqual(t, []*nd.Array{vector(1), vector(2, 3)}, []*nd.Array{vector(1), vector(2, 3)})
		}, true},
		{"lists of different lengths", func(t assert.TB) bool { return assert.ListEqual(t, []*nd.Array{vector(1)}, nil) }, false},
		{"close", func(t assert.TB) bool {
			return assert.AllClose(t, vector(1.01, nan, inf), vector(1, nan, inf), 0.011, 0)
		}, true},
		{"close to the wanted", func(t assert.TB) bool { return assert.AllClose(t, vector(1.01), vector(1), 0.00995, 0) }, false},
		{"absolutely close", func(t assert.TB) bool { return assert.AllClose(t, vector(0.01), vector(0), 0, 0.01) }, true},
		{"close as complex numbers", func(t assert.TB) bool {
			return assert.AllClose(t, nd.FromSlice([]complex64{1i}), nd.FromSlice([]complex128{1.001i}), 0.01, 0)
		}, true},
		{"decimals", func(t assert.TB) bool { return assert.AlmostEqual(t, vector(1.0149, inf), vector(1, inf), 2) }, true},
		{"too few decimals", func(t assert.TB) bool { return assert.AlmostEqual(t, vector(1.0151), vector(1), 2) }, false},
		{"less", func(t assert.TB) bool { return assert.Less(t, vector(1, nan, -inf), vector(2, nan, inf)) }, true},
		{"not less than itself", func(t assert.TB) bool { return assert.Less(t, vector(inf), vector(inf)) }, false},
		{"spacings", func(t assert.TB) bool { return assert.Spacings(t, single(float64(next)), single(1), 1) }, true},
		{"spacings of float64", func(t assert.TB) bool { return assert.Spacings(t, vector(float64(next)), single(1), 1) }, false},
		{"spacings of NaN", func(t assert.TB) bool { return assert.Spacings(t, vector(nan), vector(nan), 1) }, false},
		{"a neighbour", func(t assert.TB) bool { return assert.ULP(t, single(float64(next)), single(1), 1) }, true},
		{"no neighbour", func(t assert.TB) bool { return assert.ULP(t, single(float64(next)), single(1), 0) }, false},
		{"zeros and NaNs", func(t assert.TB) bool { return assert.ULP(t, vector(math.Copysign(0, -1), nan), vector(0, nan), 0) }, true},
		{"neighbours of zero", func(t assert.TB) bool { return assert.ULP(t, vector(5e-324), vector(-5e-324), 2) }, true},
		{"the ends", func(t assert.TB) bool { return assert.ULP(t, vector(inf), vector(-inf), 1<<63) }, false},
		{"NaN is far from all", func(t assert.TB) bool { return assert.ULP(t, vector(nan), vector(inf), math.MaxUint64) }, false},
		{"complex ulp", func(t assert.TB) bool { return assert.ULP(t, nd.FromSlice([]complex64{1}), vector(1), 1) }, false},
		{"ulp without an array", func(t assert.TB) bool { return assert.ULP(t, nil, vector(1), 1) }, false},
		{"devices", func(t assert.TB) bool {
			return assert.OnDevices(t, func(dev device.Device) *nd.Array { return ops.Exp(vector(1, 2).To(dev)) }, func(t assert.TB, got, want *nd.Array) bool {
				return assert.ULP(t, got, want, 2)
			})
		}, true},
		{"devices that differ", func(t assert.TB) bool {
			return assert.OnDevices(t, func(dev device.Device) *nd.Array { return nd.Full(nil, len(dev.Name())) }, assert.Less)
		}, false},
		{"refused everywhere", func(t assert.TB) bool {
			return assert.RaisesOnDevices(t, "different shapes", func(dev device.Device) {
				panic(nd.Func("f").Errorf([]*nd.Array{vector(1).To(dev)}, "different shapes"))
			})
		}, true},
	} {
		l := &listener{}
		if got := c.check(l); got != c.holds || (l.message == "") != c.holds {
			t.Errorf("%s: it returned %t and reported %q", c.what, got, l.message)
		}
	}
}

func TestMessages(t *testing.T) {
	l := &listener{}
	assert.AllClose(l, nd.FromSlice([]float32{1, 2, 3, 5}, 2, 2), nd.FromSlice([]float64{1, 2.5, 3, 4}, 2, 2), 1e-3, 0)
	for _, part := range []string{"rtol 0.001", "2 of 4 elements", "first is 2 at [0, 1], against 2.5", "maximum difference 1", "0.25", "float32(2, 2)", "float64(2, 2)"} {
		if !strings.Contains(l.message, part) {
			t.Errorf("part %q is missing in %q", part, l.message)
		}
	}
	l = &listener{}
	assert.ListEqual(l, []*nd.Array{vector(1), vector(2)}, []*nd.Array{vector(1), vector(3)})
	if !strings.HasPrefix(l.message, "array 1: not equal") {
		t.Error(l.message)
	}
	l = &listener{}
	assert.Equal(l, nd.Zeros([]int{100}), nd.Ones([]int{100}))
	if n := strings.Count(l.message, "\n"); n != 2 {
		t.Errorf("the elements of large arrays are shown: %q", l.message)
	}
}

func TestRaises(t *testing.T) {
	if err := assert.Raises(t, "broadcast", func() { ops.Add(vector(1, 2), vector(1, 2, 3)) }); err == nil || err.Func != "ops.Add" {
		t.Errorf("%v", err)
	}
	l := &listener{}
	assert.Raises(l, "x", func() {})
	assert.Raises(l, "another text", func() { ops.Add(vector(1, 2), vector(1, 2, 3)) })
	if !strings.Contains(l.message, "did not panic") || !strings.Contains(l.message, "another text") {
		t.Error(l.message)
	}
}
