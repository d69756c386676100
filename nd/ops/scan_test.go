package ops_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestScans(t *testing.T) {
	x := nd.FromSlice([]int8{1, 2, 3, 4, 5, 6}, 2, 3)
	opstest.Repr(t, ops.CumSum(x), "array([ 1, 3, 6, 10, 15, 21])")
	opstest.Repr(t, ops.CumSum(x, ops.Over(0)), "array([[1, 2, 3], [5, 7, 9]])")
	opstest.Repr(t, ops.CumSum(x, ops.ScanOptions{Axis: ops.Over(-1), Exclusive: true}), "array([[0, 1, 3], [0, 4, 9]])")
	opstest.Repr(t, ops.CumProd(x, ops.ScanOptions{Axis: ops.Over(1), Reverse: true}), "array([[ 6, 6, 3], [120, 30, 6]])")
	opstest.Repr(t, ops.CumProd(x, ops.ScanOptions{Axis: ops.Over(1), Reverse: true, Exclusive: true}), "array([[ 6, 3, 1], [30, 6, 1]])")
	opstest.Repr(t, ops.CumSum(nd.Zeros([]int{2, 0}), ops.Over(1)), "array([], shape=(2, 0), dtype=float64)")
	opstest.Refuses(t, "ops.CumSum: axis 2 is outside", func() { ops.CumSum(x, ops.Over(2)) })
}

// TestScansOfManyColumns scans columns side by side, which are cut into strips; the last strip is shorter.
func TestScansOfManyColumns(t *testing.T) {
	for _, columns := range []int{255, 257, 300, 700} {
		for _, dt := range []dtype.DType{dtype.Int32, dtype.Float32} {
			x := nd.ArangeInt(0, 3*columns, 1).AsType(dt).Reshape(3, columns)
			sums := ops.CumSum(x, ops.ScanOptions{Axis: ops.Over(0), DType: dt})
			for i := range 3 {
				want := ops.Sum(x.Index(nd.Span(0, i+1)), ops.ReduceOptions{Axes: ops.Over(0), DType: dt})
				if !ops.ArrayEqual(sums.Index(nd.At(i)), want) {
					t.Errorf("%d columns of %v: row %d is wrong", columns, dt, i)
				}
			}
		}
	}
}

func TestScanGradients(t *testing.T) {
	inputs := []*nd.Array{
		opstest.Normal(4, dtype.Float64, 3, 5), opstest.Normal(5, dtype.Complex128, 2, 4), opstest.Normal(6, dtype.Float64, 2, 1),
		nd.FromSlice([]float64{2, 0, 3, 4, 0, 5, 0, 0, 1, 2, 3, 4}, 3, 4),
	}
	for _, x := range inputs {
		for mode := range 4 {
			o := ops.ScanOptions{Axis: ops.Over(1), Exclusive: mode&1 != 0, Reverse: mode&2 != 0}
			t.Run(fmt.Sprint(x.Shape(), o.Exclusive, o.Reverse), func(t *testing.T) {
				gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.CumSum(xs[0], o) }, x)
				gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.CumProd(xs[0], o) }, x)
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.CumProd(xs[0], o) }, x)
			})
		}
	}
}
