package ops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestRefusalsShowWhatWasGiven checks that errors show the shapes of the arguments, not of intermediate arrays.
func TestRefusalsShowWhatWasGiven(t *testing.T) {
	three, four, matrix := nd.Ones([]int{3}), nd.Ones([]int{4}), nd.Ones([]int{3, 2})
	for text, call := range map[string]func(){
		"ops.HStack: array 1 has 2 axes, array 0 has 1: want equally many [operands: float64() float64(3, 2)]": func() {
			ops.HStack([]*nd.Array{nd.Ones(nil), matrix})
		},
		"[operands: float64(3,) float64(4,)]":   func() { ops.VStack([]*nd.Array{three, four}) },
		"[operands: float64(3,) float64(3, 2)]": func() { ops.DStack([]*nd.Array{three, matrix}) },
		"[operands: float64(4,) float64(3, 2)]": func() { ops.ColumnStack([]*nd.Array{four, matrix}) },
		"conv.DepthwiseConvolution: the window has 3 elements and spans 3 along its axis 0, the padded input has 2 [operands: float64(1, 1, 2) float64(1, 3)]": func() {
			conv.DepthwiseConvolution(nd.Ones([]int{1, 1, 2}), nd.Ones([]int{1, 3}), nil)
		},
		"ops.Pad: axis 1 has no elements to pad with: only a constant can [operands: float64(3, 0)]": func() {
			ops.Pad(nd.Ones([]int{3, 0}), [][2]int{{2, 2}, {1, 1}}, ops.PadOptions{Mode: "reflect"})
		},
		"ops.ArgMax: attempt to search an empty sequence [operands: float64(3, 0)]": func() { ops.ArgMax(nd.Ones([]int{3, 0}), ops.Over(1)) },
	} {
		opstest.Refuses(t, text, call)
	}
}

func TestConcatenate(t *testing.T) {
	a := nd.FromSlice([]int8{1, 2, 3, 4}, 2, 2)
	b := nd.FromSlice([]float32{5, 6}, 1, 2)
	opstest.Repr(t, ops.Concatenate([]*nd.Array{a, b}), "array([[1., 2.], [3., 4.], [5., 6.]], dtype=float32)")
	opstest.Repr(t, ops.Concatenate([]*nd.Array{a.T(), a.Flip(0)}, ops.Over(-1)), "array([[1, 3, 3, 4], [2, 4, 1, 2]], dtype=int8)")
	opstest.Repr(t, ops.Concatenate([]*nd.Array{b, nd.Zeros([]int{0, 2})}), "array([[5., 6.]])")
	opstest.Repr(t, ops.Concatenate([]*nd.Array{a}, ops.JoinOptions{DType: dtype.Float16}), "array([[1., 2.], [3., 4.]], dtype=float16)")
	out := nd.Zeros([]int{3, 2})
	ops.Concatenate([]*nd.Array{a, b}, ops.Into(out))
	opstest.Repr(t, out, "array([[1., 2.], [3., 4.], [5., 6.]])")
	opstest.Refuses(t, "want at least one array", func() { ops.Concatenate(nil) })
	opstest.Refuses(t, "0-d arrays cannot be joined", func() { ops.Concatenate([]*nd.Array{nd.Scalar(1), nd.Scalar(2)}) })
	opstest.Refuses(t, "array 1 has 1 axes, array 0 2", func() { ops.Concatenate([]*nd.Array{a, b.Ravel()}) })
	opstest.Refuses(t, "along axis 0 array 0 has length 2, array 1 1", func() { ops.Concatenate([]*nd.Array{a, b}, ops.Over(1)) })
	opstest.Refuses(t, "axis 2 is outside", func() { ops.Concatenate([]*nd.Array{a, a}, ops.Over(2)) })
}

// TestJoinedDTypes joins arrays of every dtype into every dtype, as far as same_kind casting allows, and likewise with
// Out.
func TestJoinedDTypes(t *testing.T) {
	joins := map[string]func(xs []*nd.Array, opts ...ops.JoinOption) *nd.Array{"Concatenate": ops.Concatenate, "Stack": ops.Stack}
	for name, join := range joins {
		for _, from := range strings.Fields(operandTypes) {
			for _, to := range strings.Fields(operandTypes) {
				source, target := parseType(t, from), parseType(t, to)
				x, allowed := nd.Ones([]int{2}, source), dtype.CanCast(source, target, dtype.CastSameKind)
				if err := nd.Catch(func() { join([]*nd.Array{x}, ops.JoinOptions{DType: target}) }); (err == nil) != allowed {
					t.Errorf("%s of %s as %s: error %v, allowed %v", name, source, target, err, allowed)
				}
			}
		}
	}
}

func TestConcatenateGivesOverlappingViews(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4})
	front, back := x.Index(nd.Until(2)), x.Index(nd.From(2))
	ops.Concatenate([]*nd.Array{back, front}, ops.Into(x)) // the arrays are parts of Out
	if got := fmt.Sprint(x); got != "[3 4 1 2]" {
		t.Errorf("got %s, want [3 4 1 2]", got)
	}
}

func TestStacks(t *testing.T) {
	a, b := nd.FromSlice([]int{1, 2}), nd.FromSlice([]int{3, 4})
	both := []*nd.Array{a, b}
	opstest.Repr(t, ops.Stack(both), "array([[1, 2], [3, 4]])")
	opstest.Repr(t, ops.Stack(both, ops.Over(-1)), "array([[1, 3], [2, 4]])")
	opstest.Repr(t, ops.HStack(both), "array([1, 2, 3, 4])")
	opstest.Repr(t, ops.VStack(both), "array([[1, 2], [3, 4]])")
	opstest.Repr(t, ops.DStack(both), "array([[[1, 3], [2, 4]]])")
	opstest.Repr(t, ops.ColumnStack(both), "array([[1, 3], [2, 4]])")
	opstest.Repr(t, ops.HStack([]*nd.Array{nd.Scalar(1), nd.Scalar(2.5)}), "array([1. , 2.5])")
	opstest.Refuses(t, "array 1 has another shape", func() { ops.Stack([]*nd.Array{a, nd.Zeros([]int{3})}) })
	opstest.Refuses(t, "axis 3 is outside", func() { ops.Stack(both, ops.Over(3)) })
}

func TestSplits(t *testing.T) {
	x := nd.ArangeInt(0, 7, 1)
	shown := func(parts []*nd.Array) string { return fmt.Sprint(parts) }
	for got, wanted := range map[string]string{
		shown(ops.ArraySplit(x, 3)):                              "[[0 1 2] [3 4] [5 6]]",
		shown(ops.ArraySplit(x, 9)):                              "[[0] [1] [2] [3] [4] [5] [6] [] []]",
		shown(ops.SplitAt(x, []int{2, -1})):                      "[[0 1] [2 3 4 5] [6]]",
		shown(ops.SplitAt(x, []int{4, 2, 9})):                    "[[0 1 2 3] [] [2 3 4 5 6] []]",
		shown(ops.SplitAt(x, nil)):                               "[[0 1 2 3 4 5 6]]",
		shown(ops.Unstack(x.Index(nd.Until(4)).Reshape(2, 2))):   "[[0 1] [2 3]]",
		shown(ops.Split(nd.Zeros([]int{2, 4}), 2, ops.Over(-1))): "[[[0. 0.]\n [0. 0.]] [[0. 0.]\n [0. 0.]]]",
		shown(ops.Unstack(nd.Zeros([]int{0, 2}))):                "[]",
		shown(ops.Unstack(nd.Ones([]int{1, 2}), ops.Over(1))):    "[[1.] [1.]]",
	} {
		if got != wanted {
			t.Errorf("got %s, want %s", got, wanted)
		}
	}
	if !ops.Split(x, 7)[3].SharesMemory(x) {
		t.Error("Split copies")
	}
	opstest.Refuses(t, "3 parts of an axis of length 7 are not equal", func() { ops.Split(x, 3) })
	opstest.Refuses(t, "0 parts", func() { ops.ArraySplit(x, 0) })
	opstest.Refuses(t, "axis 1 is outside", func() { ops.Split(x, 7, ops.Over(1)) })
}

func TestAtLeastAndBroadcastArrays(t *testing.T) {
	zero, vector, matrix := nd.Scalar(2), nd.FromSlice([]int{1, 2}), nd.Zeros([]int{2, 3})
	for i, f := range []func(*nd.Array) *nd.Array{ops.AtLeast1D, ops.AtLeast2D, ops.AtLeast3D} {
		got := fmt.Sprint(f(zero).Shape(), f(vector).Shape(), f(matrix).Shape())
		wanted := [...]string{"[1] [2] [2 3]", "[1 1] [1 2] [2 3]", "[1 1 1] [1 2 1] [2 3 1]"}[i]
		if got != wanted {
			t.Errorf("AtLeast%dD: got shapes %s, want %s", i+1, got, wanted)
		}
	}
	both := ops.BroadcastArrays(nd.FromSlice([]int{1, 2}, 2, 1), nd.FromSlice([]float64{1, 2, 3}))
	opstest.Repr(t, both[0], "array([[1, 1, 1], [2, 2, 2]])")
	opstest.Repr(t, both[1], "array([[1., 2., 3.], [1., 2., 3.]])")
	opstest.Refuses(t, "do not broadcast to one shape", func() { ops.BroadcastArrays(vector, nd.Zeros([]int{3})) })
}

func TestJoinGradients(t *testing.T) {
	a, b := opstest.Normal(7, dtype.Float64, 2, 3), opstest.Normal(8, dtype.Complex128, 2, 3)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		y := ops.Concatenate([]*nd.Array{xs[0], xs[1], xs[0]}, ops.Over(1))
		return ops.Multiply(y, y)
	}, a, b)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Square(ops.Stack([]*nd.Array{xs[0], xs[1]}, ops.Over(2)))
	}, a, b)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		parts := ops.ArraySplit(xs[0], 2, ops.Over(1))
		return ops.Multiply(ops.Sum(parts[0]), ops.Square(parts[1]))
	}, a)
}
