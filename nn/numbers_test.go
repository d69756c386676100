package nn_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// waves are float64 numbers from -1 to 1.
func waves(shape ...int) *nd.Array {
	x := nd.Zeros(shape, nd.ArrayOptions{DType: dtype.Float64})
	values := make([]float64, x.Size())
	for k := range values {
		values[k] = math.Sin(1.7*float64(k) + 0.3*float64(len(shape)))
	}
	return nd.FromSlice(values, shape...)
}

// near compares with a tolerance for sums of float64.
func near(t *testing.T, what string, got *nd.Array, want []float64) {
	t.Helper()
	values := floats(got)
	if len(values) != len(want) {
		t.Fatalf("%s has %d elements, want %d", what, len(values), len(want))
	}
	for i, v := range values {
		if d := math.Abs(v - want[i]); !(d <= 1e-11*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, v, want[i])
		}
	}
}
