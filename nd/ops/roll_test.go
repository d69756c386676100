package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestRollSeveralAxes(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	opstest.Repr(t, ops.Roll(x, []int{1, 2}, ops.Over(0, 1)), "array([[4, 5, 3], [1, 2, 0]])")
	opstest.Repr(t, ops.Roll(x.T(), []int{2, 1}, ops.Over(0, 1)).T(), "array([[4, 5, 3], [1, 2, 0]])")
	opstest.Repr(t, ops.Roll(x, 1, ops.Over(0, -1)), "array([[5, 3, 4], [2, 0, 1]])")
	opstest.Repr(t, ops.Roll(x, []int{1, 1}, ops.Over(1)), "array([[1, 2, 0], [4, 5, 3]])")
	opstest.Repr(t, ops.Roll(x, []int{1, 1}, ops.Over(1, 1)), "array([[1, 2, 0], [4, 5, 3]])")
	opstest.Repr(t, ops.Roll(x, []int{1, 2}), "array([[3, 4, 5], [0, 1, 2]])")
	opstest.Repr(t, ops.Roll(x, []int{math.MaxInt, math.MaxInt, 4}), "array([[0, 1, 2], [3, 4, 5]])") // the sum is divisible by 6
	opstest.Repr(t, ops.Roll(nd.Full(nil, 5), 2), "array(5)")
	opstest.Repr(t, ops.Roll(nd.Zeros([]int{0, 2}), 1, ops.Over(0, 1)), "array([], shape=(0, 2), dtype=float64)")
	for _, y := range []*nd.Array{ops.Roll(x, 1, ops.Over()), ops.Roll(x, []int{}, ops.Over(0)), ops.Roll(x, 3, ops.Over(1)), ops.Roll(x, 12)} {
		if opstest.Repr(t, y, "array([[0, 1, 2], [3, 4, 5]])"); y.SharesMemory(x) {
			t.Error("an array that is not shifted is no copy")
		}
	}
	opstest.Refuses(t, "ops.Roll: 2 shifts along 0 axes", func() { ops.Roll(x, []int{1, 2}, ops.Over()) })
	opstest.Refuses(t, "3 shifts along 2 axes", func() { ops.Roll(x, []int{1, 2, 3}, ops.Over(0, 1)) })
	opstest.Refuses(t, "ops.Roll", func() { ops.Roll(x, []int{}, ops.Over(2)) })
	opstest.Refuses(t, "ops.Roll", func() { ops.Roll(nd.Full(nil, 5), 1, ops.Over(0)) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Roll(xs[0], []int{1, -1, 2}, ops.Over(0, 2, 0)))
	}, opstest.Normal(1, dtype.Complex128, 2, 2, 3))
}

func TestShift(t *testing.T) {
	x := nd.ArangeInt(1, 5, 1)
	for mode, want := range map[ops.PadMode][4]string{
		"":              {"array([0, 1, 2, 3])", "array([3, 4, 0, 0])", "array([0, 0, 0, 0])", "array([0, 0, 0, 0])"},
		"edge":          {"array([1, 1, 2, 3])", "array([3, 4, 4, 4])", "array([1, 1, 1, 1])", "array([4, 4, 4, 4])"},
		"symmetric":     {"array([1, 1, 2, 3])", "array([3, 4, 4, 3])", "array([4, 4, 3, 2])", "array([2, 1, 1, 2])"},
		"reflect":       {"array([2, 1, 2, 3])", "array([3, 4, 3, 2])", "array([2, 3, 4, 3])", "array([1, 2, 3, 4])"},
		ops.PadWrap:     {"array([4, 1, 2, 3])", "array([3, 4, 1, 2])", "array([4, 1, 2, 3])", "array([3, 4, 1, 2])"},
		ops.PadConstant: {"array([0, 1, 2, 3])", "array([3, 4, 0, 0])", "array([0, 0, 0, 0])", "array([0, 0, 0, 0])"},
	} {
		o := ops.ShiftOptions{Mode: mode}
		for k, by := range []int{1, -2, 5, -6} {
			opstest.Repr(t, ops.Shift(x, []int{by}, o), want[k])
		}
	}
	// The definition: the window of the padded array.
	m := opstest.Normal(2, dtype.Float64, 2, 3, 4)
	for _, mode := range []ops.PadMode{"constant", "edge", "symmetric", "reflect", "wrap"} {
		padded := ops.Pad(m, 9, ops.PadOptions{Mode: mode})
		want := padded.Index(nd.Span(9, 11), nd.Span(9-2, 12-2), nd.Span(9+7, 13+7))
		opstest.Close(t, ops.Shift(m, []int{2, -7}, ops.ShiftOptions{Mode: mode}), want, 0)
		opstest.Close(t, ops.Shift(m.T(), []int{-7, 2, 0}, ops.ShiftOptions{Mode: mode}), want.T(), 0)
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return ops.Square(ops.Shift(xs[0], []int{2, -7}, ops.ShiftOptions{Mode: mode}))
		}, m)
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Shift(xs[0], []int{1, -2}, ops.ShiftOptions{Value: xs[1]}))
	}, m, nd.Full(nil, 3.0))

	opstest.Repr(t, ops.Shift(nd.FromSlice([]float64{math.NaN(), math.Inf(1), 2}), []int{1}, ops.ShiftOptions{Value: nd.Scalar(7)}),
		"array([ 7., nan, inf])")
	opstest.Repr(t, ops.Shift(x, []int{math.MinInt}), "array([0, 0, 0, 0])")
	opstest.Repr(t, ops.Shift(x, []int{math.MaxInt - 3}, ops.ShiftOptions{Mode: "wrap"}), "array([1, 2, 3, 4])")
	opstest.Repr(t, ops.Shift(nd.Zeros([]int{0, 2}), []int{1, 1}, ops.ShiftOptions{Mode: "edge"}), "array([], shape=(0, 2), dtype=float64)")
	opstest.Repr(t, ops.Shift(nd.FromSlice([]bool{true, true}), []int{-1}), "array([ True, False])")
	for _, y := range []*nd.Array{ops.Shift(x, nil), ops.Shift(x, []int{0})} {
		if opstest.Repr(t, y, "array([1, 2, 3, 4])"); y.SharesMemory(x) {
			t.Error("an array that is not shifted is no copy")
		}
	}
	opstest.Repr(t, ops.Shift(nd.Full(nil, 5), nil), "array(5)")
	opstest.Refuses(t, "ops.Shift: 2 shifts", func() { ops.Shift(x, []int{1, 1}) })
	opstest.Refuses(t, `mode "mean": want constant, edge, reflect, symmetric or wrap`, func() { ops.Shift(x, nil, ops.ShiftOptions{Mode: ops.PadMean}) })
	opstest.Refuses(t, `mode "edge" has no use for Value`, func() { ops.Shift(x, nil, ops.ShiftOptions{Mode: "edge", Value: nd.Scalar(1)}) })
	opstest.Refuses(t, "a Value of shape (4,)", func() { ops.Shift(x, nil, ops.ShiftOptions{Value: x}) })
	opstest.Refuses(t, "out of bounds for int8", func() { ops.Shift(x.AsType(dtype.Int8), []int{1}, ops.ShiftOptions{Value: nd.Scalar(300)}) })
}

func TestPadShortWidths(t *testing.T) {
	x := nd.FromSlice([]int{1, 2}, 1, 2)
	opstest.Repr(t, ops.Pad(x, 1), "array([[0, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 0]])")
	opstest.Repr(t, ops.Pad(x, [2]int{0, 1}, ops.PadOptions{Mode: "edge"}), "array([[1, 2, 2], [1, 2, 2]])")
	opstest.Repr(t, ops.Pad(nd.Full(nil, 3), 2), "array(3)")
	opstest.Repr(t, ops.Pad(x, 0), "array([[1, 2]])")
	opstest.Repr(t, ops.Pad(x, []int{1, 0}), "array([[0, 1, 2]])")
	opstest.Repr(t, ops.Pad(x, []int{0, 1, 1, 0}), "array([[0, 1, 2], [0, 0, 0]])")
	opstest.Repr(t, ops.Pad(x, []int{}), "array([[1, 2]])")
	opstest.Refuses(t, "ops.Pad: 3 widths: want pairs", func() { ops.Pad(x, []int{1, 1, 1}) })
	opstest.Refuses(t, "6 widths: want pairs, at most one for every axis", func() { ops.Pad(x, make([]int, 6)) })
	opstest.Refuses(t, "ops.Pad: widths [-1 -1] of axis 0", func() { ops.Pad(x, -1) })
	opstest.Refuses(t, "3 pairs of widths", func() { ops.Pad(x, [][2]int{{1, 1}, {1, 1}, {1, 1}}) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Pad(xs[0], [2]int{2, 1}, ops.PadOptions{Mode: "reflect"}))
	}, opstest.Normal(3, dtype.Float64, 3, 4))
}
