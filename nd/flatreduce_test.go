package nd_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestReductionsOfFewElements compares the fast path of contiguous arrays with the launch that a view with strides needs, bit by
// bit.
func TestReductionsOfFewElements(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 1024, 1025, 2048, 2049} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64(i)) - 0.1
		}
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int64, dtype.Int32, dtype.Bool, dtype.Float16, dtype.Complex64} {
			a := nd.FromSlice(x, n).AsType(dt)
			column := nd.FromSlice(x, n, 1).AsType(dt).BroadcastTo(n, 2).Copy().Index(nd.All(), nd.At(0))
			for name, f := range map[string]func(*nd.Array, ...ops.ReduceOption) *nd.Array{"Sum": ops.Sum, "Prod": ops.Prod, "All": ops.All, "Any": ops.Any} {
				got, want := f(a), f(column.Copy().Reshape(1, n), ops.ReduceOptions{Axes: []int{0, 1}})
				if got.Rank() != 0 || got.DType() != want.DType() || got.String() != want.String() {
					t.Errorf("%s of %d elements of %v is %v, through a launch %v", name, n, dt, got, want)
				}
			}
		}
	}
	empty := nd.Zeros([]int{0})
	if y := ops.Sum(empty); y.Float() != 0 {
		t.Errorf("the sum of no elements is %v", y)
	}
	if y := ops.Max(nd.FromSlice([]float64{1, math.NaN(), 3}, 3)); !math.IsNaN(y.Float()) {
		t.Errorf("the maximum beside a NaN is %v", y)
	}
}
