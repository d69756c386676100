package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

func TestTriangleIndices(t *testing.T) {
	row, column := ops.TrilIndices(3, 2, 0)
	opstest.Repr(t, row, "array([0, 1, 1, 2, 2])")
	opstest.Repr(t, column, "array([0, 0, 1, 0, 1])")
	row, column = ops.TriuIndices(3, 3, 1)
	opstest.Repr(t, row, "array([0, 0, 1])")
	opstest.Repr(t, column, "array([1, 2, 2])")
	if row, _ = ops.TrilIndices(0, 2, 0); row.Size() != 0 {
		t.Errorf("%v of a matrix without rows", row)
	}
	for _, at := range ops.DiagIndices(2, 3) {
		opstest.Repr(t, at, "array([0, 1])")
	}
	opstest.Refuses(t, "at least 0", func() { ops.TriuIndices(-1, 2, 0) })
	opstest.Refuses(t, "at least one axis", func() { ops.DiagIndices(2, 0) })
}

func TestFlatPositions(t *testing.T) {
	shape := []int{3, 4}
	at := []*nd.Array{nd.FromSlice([]int{0, 2}), nd.FromSlice([]int{3, 1})}
	opstest.Repr(t, ops.RavelMultiIndex(at, shape), "array([3, 9])")
	opstest.Repr(t, ops.RavelMultiIndex(at, shape, ops.RavelOptions{Order: "F"}), "array([9, 5])")
	far := []*nd.Array{nd.FromSlice([]int{-1, 3}), nd.Scalar(5)}
	opstest.Repr(t, ops.RavelMultiIndex(far, shape, ops.RavelOptions{Mode: "wrap"}), "array([9, 1])")
	opstest.Repr(t, ops.RavelMultiIndex(far, shape, ops.RavelOptions{Mode: "clip"}), "array([ 3, 11])")
	opstest.Refuses(t, "out of bounds", func() { ops.RavelMultiIndex(far, shape) })
	for _, mode := range []ops.IndexMode{"raise", "wrap", "clip"} {
		none := nd.Zeros([]int{0}, dtype.Int64)
		opstest.Repr(t, ops.RavelMultiIndex([]*nd.Array{none, none}, []int{0, 3}, ops.RavelOptions{Mode: mode}), "array([], dtype=int64)")
		opstest.Refuses(t, "shape (3, 0) has no indices", func() { ops.RavelMultiIndex(at, []int{3, 0}, ops.RavelOptions{Mode: mode}) })
	}
	opstest.Refuses(t, "for 2 axes", func() { ops.RavelMultiIndex(far[:1], shape) })
	opstest.Refuses(t, "C or F", func() { ops.RavelMultiIndex(at, shape, ops.RavelOptions{Order: "K"}) })
	for _, order := range []ops.ElementOrder{"C", "F"} {
		o := ops.RavelOptions{Order: order}
		all := nd.ArangeInt(0, 12, 1)
		opstest.Repr(t, ops.Subtract(ops.RavelMultiIndex(ops.UnravelIndex(all, shape, o), shape, o), all), "array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])")
	}
	opstest.Refuses(t, "out of bounds", func() { ops.UnravelIndex(nd.Scalar(12), shape) })
	opstest.Refuses(t, "integers", func() { ops.UnravelIndex(nd.Zeros([]int{1}), shape) })
}

func TestTrimZeros(t *testing.T) {
	x := nd.FromSlice([]int{0, 0, 3, 0, 4, 0})
	opstest.Repr(t, ops.TrimZeros(x), "array([3, 0, 4])")
	opstest.Repr(t, ops.TrimZeros(x, ops.TrimOptions{Trim: "f"}), "array([3, 0, 4, 0])")
	opstest.Repr(t, ops.TrimZeros(x, ops.TrimOptions{Trim: "b"}), "array([0, 0, 3, 0, 4])")
	opstest.Repr(t, ops.TrimZeros(nd.Eye(3, 4, 2)), "array([[1., 0.], [0., 1.]])")
	opstest.Repr(t, ops.TrimZeros(nd.Zeros([]int{3})), "array([], dtype=float64)")
	opstest.Refuses(t, "want f, b or fb", func() { ops.TrimZeros(x, ops.TrimOptions{Trim: "x"}) })
}
