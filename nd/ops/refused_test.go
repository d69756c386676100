package ops_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
)

// TestRefusedAsInNumPy makes calls that NumPy refuses too.
func TestRefusedAsInNumPy(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 4})
	m := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	none := nd.Zeros([]int{0}, dtype.Int64)
	for text, f := range map[string]func(){
		"ops.SearchSorted: Sorter[2] is -1: want an index from 0 to 2": func() {
			ops.SearchSorted(x, nd.Scalar(2.0), ops.SearchOptions{Sorter: nd.FromSlice([]int8{0, 1, -1})})
		},
		"ops.Subscripts: axis -1: want 0 to 51, or EllipsisAxis":      func() { ops.Subscripts([][]int{{0, -1}}, nil) },
		"ops.UnravelIndex: a 0-d array has one element":               func() { ops.UnravelIndex(nd.FromSlice([]int{0}), nil) },
		"ops.Gradient: coordinates along one axis for 2 axes":         func() { ops.Gradient(m, ops.GradientOptions{Spacing: []*nd.Array{nd.FromSlice([]float64{0, 1})}}) },
		"ops.Delete: want a mask of one axis, with a bool for each":   func() { ops.Delete(x, nd.Pick(nd.Full(nil, true))) },
		"ops.Delete: want a mask of one axis, with a bool for each o": func() { ops.Delete(x, nd.Pick([]bool{})) },
		"ops.HistogramDD: Bins [0 2]: want positive numbers":          func() { ops.HistogramDD(m, ops.HistogramDDOptions{Bins: []int{0, 2}}) },
		"ops.HistogramDD: Bins []: want positive numbers":             func() { ops.HistogramDD(m, ops.HistogramDDOptions{Bins: []int{}}) },
		"Array.Index: index 5 is outside axis 0, of length 2":         func() { m.Index(nd.Pick(nd.Full(nil, 5)), nd.Pick(none)) },
		"Array.Assign: index 5 is outside axis 1, of length 2": func() {
			m.Assign(nd.Scalar(1), nd.Pick(none), nd.Pick(nd.Full(nil, 5)))
		},
		"ops.Insert: values do not broadcast": func() { ops.Insert(x, 1, nd.Ones([]int{1, 2})) },
	} {
		opstest.Refuses(t, text, f)
	}
	if y := m.Index(nd.Pick(nd.Full(nil, 1)), nd.Pick(none)); y.Size() != 0 || y.Rank() != 1 {
		t.Errorf("an index array without elements gives shape %v", y.Shape())
	}
	if all := ops.UnravelIndex(nd.Scalar(0), nil); len(all) != 0 {
		t.Errorf("the index of the element of a 0-d array has %d parts", len(all))
	}
	if y := ops.Delete(nd.Zeros([]int{0}), nd.Pick([]bool{})); y.Size() != 0 {
		t.Errorf("Delete from nothing leaves %v", y)
	}
}

// TestAnsweredAsInNumPy makes calls that NumPy answers too.
func TestAnsweredAsInNumPy(t *testing.T) {
	bytes := nd.FromSlice([]uint8{1, 44, 255})
	opstest.Repr(t, ops.IsIn(bytes, nd.Scalar(300)), "array([False, False, False])")
	opstest.Repr(t, ops.IsIn(bytes, nd.Scalar(-1), ops.IsInOptions{Invert: true}), "array([ True, True, True])")
	opstest.Repr(t, ops.IsIn(bytes, nd.Scalar(44)), "array([False, True, False])")
	opstest.Repr(t, ops.IsIn(nd.Scalar(300), bytes), "array(False)")
	most := nd.ScalarInt(new(big.Int).SetUint64(math.MaxUint64))
	opstest.Repr(t, ops.BitwiseCount(most), "array(64, dtype=uint8)")
	opstest.Repr(t, most.Copy(), "array(18446744073709551615, dtype=uint64)")
	if v := ops.Invert(most); !v.IsScalar() || nd.Value[uint64](v) != 0 {
		t.Errorf("the bits that 2⁶⁴-1 lacks are %v", v)
	}
	opstest.Repr(t, ops.Insert(nd.ArangeInt(0, 6, 1).Reshape(2, 3), 1, nd.FromSlice([]int{7, 8}, 2, 1, 1), ops.Over(1)),
		"array([[0, 7, 7, 1, 2], [3, 8, 8, 4, 5]])")
	small := nd.FromSlice([]float32{0, 1, 2, 3}, 2, 2)
	_, edges := ops.HistogramDD(small, ops.HistogramDDOptions{Bins: []int{2}, Range: [][2]float64{{0, 1}, {0, 0.3}}})
	opstest.Repr(t, edges[1], "array([0. , 0.15, 0.3 ])")
	_, edges = ops.HistogramDD(small, ops.HistogramDDOptions{Bins: []int{2}})
	if edges[0].DType() != dtype.Float32 {
		t.Errorf("edges without Range are %s", edges[0].DType())
	}
	opstest.Repr(t, ops.Einsum(ops.Subscripts([][]int{{ops.EllipsisAxis, 0}, {ops.EllipsisAxis, 0}}, []int{ops.EllipsisAxis}), small, small),
		"array([ 1., 13.], dtype=float32)")
}
