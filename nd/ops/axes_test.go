package ops_test

import (
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"

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
	opstest.Refuses(t, "2 structs of options", func() { ops.Roll(x, 1, ops.Over(0), ops.Over(1)) })
}

// TestSettingsCombine gives axes and an output by themselves, together and in any order; a struct stands alone.
func TestSettingsCombine(t *testing.T) {
	x := nd.FromSlice([]int64{1, 2, 3, 4}, 2, 2)
	y := nd.Zeros([]int{2}, dtype.Int64)
	if ops.Sum(x, ops.Into(y), ops.Over(1)) != y {
		t.Error("Into did not return its array")
	}
	opstest.Repr(t, y, "array([3, 7])")
	ops.Sum(x, ops.Over(0), ops.Into(y))
	opstest.Repr(t, y, "array([4, 6])")
	column := nd.Zeros([]int{2, 1}, dtype.Int64)
	ops.Max(x, ops.Over(1).KeepDims(), ops.Into(column))
	opstest.Repr(t, column, "array([[2], [4]])")
	opstest.Repr(t, ops.Subtract(x, column, ops.Into(x)), "array([[-1, 0], [-1, 0]])")
	opstest.Repr(t, linalg.Norm(x, ops.Over(0)), "array([1.41421356, 0. ])")
	opstest.Repr(t, fft.FFT(x, ops.Over(0)), "array([[-2.+0.j, 0.+0.j], [ 0.+0.j, 0.+0.j]])")
	out := nd.Zeros([]int{2, 2}, dtype.Complex128)
	if fft.FFT(x, ops.Over(0), ops.Into(out)) != out {
		t.Error("FFT did not return its output")
	}

	opstest.Refuses(t, "a ops.ReduceOptions stands alone", func() { ops.Sum(x, ops.Over(0), ops.ReduceOptions{}) })
	opstest.Refuses(t, "a ops.UfuncOptions stands alone", func() { ops.Add(x, x, ops.UfuncOptions{}, ops.Into(x)) })
	opstest.Refuses(t, "a setting of type ops.Output is given twice", func() { ops.Add(x, x, ops.Into(x), ops.Into(x)) })
	opstest.Refuses(t, "a setting of type ops.KeptAxes is given twice", func() { ops.Sum(x, ops.Over(0), ops.Over(1).KeepDims()) })
	opstest.Refuses(t, "an option of type fft.Options: want a linalg.NormOptions", func() { linalg.Norm(x, fft.Options{}) })
	opstest.Refuses(t, "an option of type <nil>", func() { ops.Sum(x, nil) })
}
