package loss_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestMultiLabelMargin compares with loops over all pairs of a label and another class.
func TestMultiLabelMargin(t *testing.T) {
	const n, k = 4, 6
	labels := []int64{3, 0, -1, 2, 4, 5, -1, 1, 1, 1, 1, 1, 0, 1, 2, 3, 4, 5, 5, 5, 2, -2, 0, 0}
	at := nd.FromSlice(labels, n, k)
	for _, dt := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64} {
		x := opstest.Normal(3, dtype.Float64, n, k).AsType(dt)
		scores := nd.ToSlice[float64](x.AsType(dtype.Float64).Ravel())
		want := make([]float64, n)
		for i := range n {
			named, count := map[int64]bool{}, 0
			for count < k && labels[i*k+count] >= 0 {
				named[labels[i*k+count]] = true
				count++
			}
			for _, label := range labels[i*k : i*k+count] {
				for j := range k {
					if !named[int64(j)] {
						want[i] += max(0, 1-scores[i*k+int(label)]+scores[i*k+j]) / k
					}
				}
			}
		}
		tolerance := 1e-12
		if dt != dtype.Float64 {
			tolerance = 4 / 1024. * math.Pow(2, -13*float64(dt.Size()/4))
		}
		y := loss.MultiLabelMargin(x, at)
		if y.DType() != dt {
			t.Errorf("%s of %s", y.DType(), dt)
		}
		opstest.Close(t, y.AsType(dtype.Float64), nd.FromSlice(want), 10*tolerance)
		opstest.Close(t, loss.MultiLabelMargin(x.Flip(0), at.Flip(0)).Flip(0), y, 0)
	}
	x := opstest.Normal(4, dtype.Float64, n, k)
	f := func(xs ...*nd.Array) *nd.Array { return loss.MultiLabelMargin(xs[0], at) }
	gradcheck.Check(t, f, x)
	gradcheck.CheckSecondOrder(t, f, x)
	many := nd.Full([]int{1, 200}, -1, dtype.Int8)
	opstest.Repr(t, loss.MultiLabelMargin(nd.Zeros([]int{1, 200}), many), "array([0.])")
	nan := nd.FromSlice([]float64{math.NaN(), 1, 2}, 1, 3)
	if y := loss.MultiLabelMargin(nan, nd.FromSlice([]int8{1, -1, -1}, 1, 3)); !math.IsNaN(y.Float(0)) {
		t.Errorf("%v of a NaN", y)
	}
	opstest.Repr(t, loss.MultiLabelMargin(nd.Zeros([]int{0, 3}), nd.Zeros([]int{0, 3}, dtype.Int64)), "array([], dtype=float64)")
	opstest.Repr(t, loss.MultiLabelMargin(nd.Zeros([]int{2, 0}), nd.Zeros([]int{2, 0}, dtype.Int64)), "array([0., 0.])")
	opstest.Refuses(t, "index 6 is outside", func() { loss.MultiLabelMargin(x, nd.Full([]int{n, k}, 6, dtype.Int64)) })
}
