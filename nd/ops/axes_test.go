package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

func TestAxesStandForOptions(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	opstest.Repr(t, ops.Sum(x, ops.Over(0)), "array([3, 5, 7])")
	opstest.Repr(t, ops.Sum(x, ops.Over(-1).KeepDims()), "array([[ 3], [12]])")
	opstest.Repr(t, ops.Sum(x, ops.Over(1, 0)), "array(15)")
	opstest.Repr(t, ops.Sum(x, ops.Over()), "array([[0, 1, 2], [3, 4, 5]])")
	opstest.Repr(t, ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(0), KeepDims: true}), "array([[3, 5, 7]])")
	opstest.Repr(t, ops.Sum(x, &ops.ReduceOptions{Axes: []int{0}}), "array([3, 5, 7])")
	opstest.Repr(t, ops.ArgMax(x, ops.Over(0).KeepDims()), "array([[1, 1, 1]])")
	opstest.Repr(t, ops.Sort(x, ops.SortOptions{Axis: ops.Over(0), Descending: true}), "array([[3, 4, 5], [0, 1, 2]])")
	opstest.Repr(t, ops.Concatenate([]*nd.Array{x, x}, ops.Over(1)), "array([[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]])")
	opstest.Repr(t, ops.Roll(x, 1, ops.Over(0)), "array([[3, 4, 5], [0, 1, 2]])")
	opstest.Refuses(t, "axes [0 1]: want one", func() { ops.Sort(x, ops.Over(0, 1)) })
	opstest.Refuses(t, "axes []: want one", func() { ops.Softmax(x, ops.Over()) })
	opstest.Refuses(t, "axis 2 is outside", func() { ops.Max(x, ops.Over(2).KeepDims()) })
	opstest.Refuses(t, "2 sets of options", func() { ops.Sum(x, ops.Over(0), ops.ReduceOptions{}) })
	opstest.Refuses(t, "2 sets of options", func() { ops.Roll(x, 1, ops.Over(0), ops.Over(1)) })
}
