package named_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestDTypeCombinations checks the lists of two dtypes: with full all pairs, otherwise each dtype once at each position.
func TestDTypeCombinations(t *testing.T) {
	signed := []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64}
	unsigned := []dtype.DType{dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64}
	integers := slices.Concat(signed, unsigned)
	floats := []dtype.DType{dtype.Float32, dtype.Float64}
	for _, c := range []struct {
		name  string
		named with
		want  []dtype.DType
	}{
		{"cupy.testing.for_signed_dtypes_combination", with{}, signed},
		{"cupy.testing.for_unsigned_dtypes_combination", with{}, unsigned},
		{"cupy.testing.for_int_dtypes_combination", with{}, append(integers, dtype.Bool)},
		{"cupy.testing.for_int_dtypes_combination", with{"no_bool": true}, integers},
		{"cupy.testing.for_all_dtypes_combination", with{"no_float16": true, "no_bool": true}, slices.Concat(floats, integers)},
		{"cupy.testing.for_all_dtypes_combination", with{}, slices.Concat([]dtype.DType{dtype.Float16, dtype.BFloat16}, floats, integers, []dtype.DType{dtype.Bool})},
	} {
		c.named["names"] = []string{"a", "b"}
		c.named["full"] = true
		var want [][]dtype.DType
		for _, a := range c.want {
			for _, b := range c.want {
				want = append(want, []dtype.DType{a, b})
			}
		}
		equal(t, c.name+" in full", one[[][]dtype.DType](t, c.name, c.named), want)

		c.named["full"] = false
		drawn := one[[][]dtype.DType](t, c.name, c.named)
		for k := range 2 {
			var column []dtype.DType
			for _, list := range drawn {
				column = append(column, list[k])
			}
			slices.Sort(column)
			equal(t, fmt.Sprintf("%s: position %d", c.name, k), column, slices.Sorted(slices.Values(c.want)))
		}
	}
}

// messages is a test that collects its errors.
type messages []string

func (m *messages) Helper()                        {}
func (m *messages) Errorf(format string, v ...any) { *m = append(*m, fmt.Sprintf(format, v...)) }

// TestComparisonsOfDevices lets a function return other values on the reference device, for each comparison values that
// just pass and values that just fail.
func TestComparisonsOfDevices(t *testing.T) {
	ref := reference(t)
	next := func(x float64, n int) float64 {
		for range n {
			x = math.Nextafter(x, 2*x)
		}
		return x
	}
	for name, c := range map[string]struct {
		args             []any
		cpu, good, wrong float64 // the results on the CPU and on the other device
	}{
		"cupy.testing.numpy_cupy_allclose":                {[]any{0.1, 0.0}, 10, 10.9, 11.1},
		"cupy.testing.numpy_cupy_array_almost_equal":      {[]any{2}, 1, 1.01, 1.02},
		"cupy.testing.numpy_cupy_array_almost_equal_nulp": {[]any{3}, 1, next(1, 3), next(1, 4)},
		"cupy.testing.numpy_cupy_array_max_ulp":           {[]any{2}, 1, next(1, 2), next(1, 3)},
		"cupy.testing.numpy_cupy_array_equal":             {nil, 1, 1, next(1, 1)},
		"cupy.testing.numpy_cupy_array_list_equal":        {nil, 1, 1, next(1, 1)},
	} {
		result := func(other float64) func(device.Device) *nd.Array {
			return func(dev device.Device) *nd.Array {
				v := c.cpu
				if dev == ref {
					v = other
				}
				return nd.Full([]int{2}, v, nd.ArrayOptions{Device: dev})
			}
		}
		compared(t, name, c.args, result(c.good), true)
		compared(t, name, c.args, result(c.wrong), false)
		compared(t, name, c.args, func(dev device.Device) *nd.Array { // another dtype
			return nd.Full([]int{2}, c.cpu, nd.ArrayOptions{Device: dev, DType: map[bool]dtype.DType{true: dtype.Float32, false: dtype.Float64}[dev == ref]})
		}, false)
	}
	// The other device's elements must be less than the CPU's, so the CPU's own result fails.
	compared(t, "cupy.testing.numpy_cupy_array_less", nil, func(dev device.Device) *nd.Array { return nd.Full(nil, 1.0, nd.ArrayOptions{Device: dev}) }, false)
	calls := 0
	compared(t, "cupy.testing.numpy_cupy_array_less", nil, func(dev device.Device) *nd.Array {
		calls++ // the first result is the one that the others are compared with
		return nd.Full(nil, 10.0/float64(calls), nd.ArrayOptions{Device: dev})
	}, true)
}

// compared runs f through a comparison of devices, which must hold, or fail with a message that names the device.
func compared(t *testing.T, name string, args []any, f func(device.Device) *nd.Array, holds bool) {
	t.Helper()
	var m messages
	compare := one[func(assert.TB, func(device.Device) *nd.Array) bool](t, name, args...)
	if compare(&m, f) != holds || (len(m) == 0) != holds || !holds && !strings.Contains(m[0], "on device ") {
		t.Errorf("%s%v: messages %q, want %t", name, args, m, holds)
	}
}

// TestRefusalsOnDevices checks that a refusal is expected on every device.
func TestRefusalsOnDevices(t *testing.T) {
	raises := one[func(assert.TB, string, func(device.Device)) bool](t, "cupy.testing.numpy_cupy_raises")
	var m messages
	if !raises(&m, "broadcast", func(dev device.Device) {
		ops.Add(nd.Zeros([]int{2}, nd.ArrayOptions{Device: dev}), nd.Zeros([]int{3}, nd.ArrayOptions{Device: dev}))
	}) || len(m) > 0 {
		t.Errorf("a wrong shape: %q", m)
	}
	ref := reference(t)
	if raises(&m, "broadcast", func(dev device.Device) {
		if dev != ref {
			ops.Add(nd.Zeros([]int{2}), nd.Zeros([]int{3}))
		}
	}) || len(m) != 1 {
		t.Errorf("no error on one device: %q", m)
	}
}
