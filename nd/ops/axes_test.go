package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func TestAxesStandForOptions(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	want(t, ops.Sum(x, ops.Over(0)), "array([3, 5, 7])")
	want(t, ops.Sum(x, ops.Over(-1).KeepDims()), "array([[ 3], [12]])")
	want(t, ops.Sum(x, ops.Over(1, 0)), "array(15)")
	want(t, ops.Sum(x, ops.Over()), "array([[0, 1, 2], [3, 4, 5]])")
	want(t, ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(0), KeepDims: true}), "array([[3, 5, 7]])")
	want(t, ops.Sum(x, &ops.ReduceOptions{Axes: []int{0}}), "array([3, 5, 7])")
	want(t, ops.ArgMax(x, ops.Over(0).KeepDims()), "array([[1, 1, 1]])")
	want(t, ops.Sort(x, ops.SortOptions{Axis: ops.Over(0), Descending: true}), "array([[3, 4, 5], [0, 1, 2]])")
	want(t, ops.Concatenate([]*nd.Array{x, x}, ops.Over(1)), "array([[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]])")
	want(t, ops.Roll(x, 1, ops.Over(0)), "array([[3, 4, 5], [0, 1, 2]])")
	refuses(t, "axes [0 1]: want one", func() { ops.Sort(x, ops.Over(0, 1)) })
	refuses(t, "axes []: want one", func() { ops.Softmax(x, ops.Over()) })
	refuses(t, "axis 2 is outside", func() { ops.Max(x, ops.Over(2).KeepDims()) })
	refuses(t, "2 sets of options", func() { ops.Sum(x, ops.Over(0), ops.ReduceOptions{}) })
	refuses(t, "2 sets of options", func() { ops.Roll(x, 1, ops.Over(0), ops.Over(1)) })
}
