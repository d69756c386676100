package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestTileAndRepeat(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)
	opstest.Repr(t, ops.Tile(x, 2), "array([[1, 2, 1, 2], [3, 4, 3, 4]])")
	opstest.Repr(t, ops.Tile(nd.FromSlice([]int{1, 2}), 2, 2), "array([[1, 2, 1, 2], [1, 2, 1, 2]])")
	opstest.Repr(t, ops.Tile(x, 0, 1), "array([], shape=(0, 2), dtype=int64)")
	opstest.Repr(t, ops.Tile(nd.Full(nil, 7), 3), "array([7, 7, 7])")
	opstest.Repr(t, ops.Repeat(x, 2), "array([1, 1, 2, 2, 3, 3, 4, 4])")
	opstest.Repr(t, ops.Repeat(x, 2, ops.Over(-1)), "array([[1, 1, 2, 2], [3, 3, 4, 4]])")
	opstest.Repr(t, ops.RepeatEach(x, []int{0, 2}, ops.Over(0)), "array([[3, 4], [3, 4]])")
	deep := x.Reshape(append([]int{2, 2}, make([]int, 15)...)[:2]...)
	shape := make([]int, 17)
	for k := range shape {
		shape[k] = 1
	}
	shape[16] = 4
	opstest.Repr(t, ops.Tile(deep.Reshape(shape...), 2).Ravel(), "array([1, 2, 3, 4, 1, 2, 3, 4])") // twice 17 axes are too many
	opstest.Refuses(t, "at least 0", func() { ops.Tile(x, -1) })
	opstest.Refuses(t, "at least 0", func() { ops.RepeatEach(x, []int{1, -1}, ops.Over(0)) })
	opstest.Refuses(t, "3 counts for an axis of length 2", func() { ops.RepeatEach(x, []int{1, 1, 1}, ops.Over(0)) })
}

func TestRollAndTurn(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	opstest.Repr(t, ops.Roll(x, 1), "array([[5, 0, 1], [2, 3, 4]])")
	opstest.Repr(t, ops.Roll(x, -4, ops.Over(1)), "array([[1, 2, 0], [4, 5, 3]])")
	opstest.Repr(t, ops.Roll(nd.Zeros([]int{0, 2}), 3), "array([], shape=(0, 2), dtype=float64)")
	opstest.Repr(t, ops.Rot90(x, 1), "array([[2, 5], [1, 4], [0, 3]])")
	opstest.Repr(t, ops.Rot90(x, -1), "array([[3, 0], [4, 1], [5, 2]])")
	opstest.Repr(t, ops.Rot90(x, 6, ops.Over(1, 0)), "array([[5, 4, 3], [2, 1, 0]])")
	opstest.Repr(t, ops.FlipLR(x), "array([[2, 1, 0], [5, 4, 3]])")
	opstest.Repr(t, ops.FlipUD(x), "array([[3, 4, 5], [0, 1, 2]])")
	opstest.Refuses(t, "want at least 2 axes", func() { ops.FlipLR(x.Ravel()) })
	opstest.Refuses(t, "named twice", func() { ops.Rot90(x, 1, ops.Over(1, -1)) })
}

func TestPad(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3})
	for mode, wanted := range map[ops.PadMode]string{
		"":            "array([7, 7, 7, 7, 1, 2, 3, 7, 7])",
		"edge":        "array([1, 1, 1, 1, 1, 2, 3, 3, 3])",
		"reflect":     "array([1, 2, 3, 2, 1, 2, 3, 2, 1])",
		"symmetric":   "array([3, 3, 2, 1, 1, 2, 3, 3, 2])",
		"wrap":        "array([3, 1, 2, 3, 1, 2, 3, 1, 2])",
		"mean":        "array([2, 2, 2, 2, 1, 2, 3, 2, 2])",
		"maximum":     "array([3, 3, 3, 3, 1, 2, 3, 3, 3])",
		"minimum":     "array([1, 1, 1, 1, 1, 2, 3, 1, 1])",
		"linear_ramp": "array([0, 0, 0, 0, 1, 2, 3, 1, 0])",
	} {
		o := ops.PadOptions{Mode: mode}
		if mode == "" {
			o.Value = nd.Scalar(7)
		}
		opstest.Repr(t, ops.Pad(x, [][2]int{{4, 2}}, o), wanted)
	}
	opstest.Repr(t, ops.Pad(nd.FromSlice([]int{5, 6}, 2, 1), [][2]int{{1, 0}, {0, 2}}, ops.PadOptions{Mode: "reflect"}), "array([[6, 6, 6], [5, 5, 5], [6, 6, 6]])")
	opstest.Repr(t, ops.Pad(nd.Zeros([]int{0}), [][2]int{{1, 1}}), "array([0., 0.])")
	opstest.Repr(t, ops.Pad(nd.Full(nil, 3), [][2]int{}), "array(3)")
	opstest.Refuses(t, "1 pairs of widths", func() { ops.Pad(nd.Zeros([]int{2, 2}), [][2]int{{1, 1}}) })
	opstest.Refuses(t, `mode "mirror"`, func() { ops.Pad(x, [][2]int{{1, 1}}, ops.PadOptions{Mode: "mirror"}) })
	opstest.Refuses(t, "only a constant can", func() { ops.Pad(nd.Zeros([]int{0}), [][2]int{{1, 1}}, ops.PadOptions{Mode: "edge"}) })
	opstest.Refuses(t, "at least 0", func() { ops.Pad(x, [][2]int{{1, -1}}) })
}

func TestPadOptions(t *testing.T) {
	x, row := nd.FromSlice([]int{1, 2, 4}), [][2]int{{3, 2}}
	pad := func(o ops.PadOptions) *nd.Array { return ops.Pad(x, row, o) }
	large := 1<<62 + 1
	opstest.Repr(t, ops.Pad(x, [][2]int{{1, 0}}, ops.PadOptions{Value: nd.Scalar(large)}).Index(nd.At(0)), "array(4611686018427387905)")
	opstest.Repr(t, pad(ops.PadOptions{Value: nd.FromSlice([]int8{-1, -2})}), "array([-1, -1, -1, 1, 2, 4, -2, -2])")
	opstest.Repr(t, pad(ops.PadOptions{Mode: "linear_ramp", Value: nd.Scalar(7)}), "array([7, 5, 3, 1, 2, 4, 5, 7])")
	opstest.Repr(t, pad(ops.PadOptions{Mode: "mean", StatLength: [][2]int{{1, 2}}}), "array([1, 1, 1, 1, 2, 4, 3, 3])")
	opstest.Repr(t, pad(ops.PadOptions{Mode: "reflect", ReflectType: "odd"}), "array([-4, -2, 0, 1, 2, 4, 6, 7])")
	opstest.Repr(t, pad(ops.PadOptions{Mode: "symmetric", ReflectType: "odd"}), "array([-2, 0, 1, 1, 2, 4, 4, 6])")
	opstest.Repr(t, ops.Pad(nd.Zeros([]int{1, 1}), [][2]int{{1, 0}, {0, 1}}, ops.PadOptions{Value: nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)}),
		"array([[1., 4.], [0., 4.]])")
	opstest.Refuses(t, `mode "edge" has no use for Value`, func() { pad(ops.PadOptions{Mode: "edge", Value: nd.Scalar(1)}) })
	opstest.Refuses(t, `mode "" has no use for StatLength`, func() { pad(ops.PadOptions{StatLength: [][2]int{{1, 1}}}) })
	opstest.Refuses(t, `mode "wrap" has no use for ReflectType`, func() { pad(ops.PadOptions{Mode: "wrap", ReflectType: "odd"}) })
	opstest.Refuses(t, `ReflectType "both"`, func() { pad(ops.PadOptions{Mode: "reflect", ReflectType: "both"}) })
	opstest.Refuses(t, "a Value of shape (3,)", func() { pad(ops.PadOptions{Value: x}) })
	opstest.Refuses(t, "2 pairs of StatLength", func() { pad(ops.PadOptions{Mode: "mean", StatLength: [][2]int{{1, 1}, {1, 1}}}) })
	opstest.Refuses(t, "there is no maximum", func() { pad(ops.PadOptions{Mode: "maximum", StatLength: [][2]int{{1, 0}}}) })
	opstest.Refuses(t, "out of bounds for int8", func() { ops.Pad(x.AsType(dtype.Int8), row, ops.PadOptions{Value: nd.Scalar(300)}) })
	m, values := opstest.Normal(3, dtype.Float64, 3, 2), opstest.Normal(4, dtype.Float64, 2, 2)
	for _, mode := range []ops.PadMode{"constant", "linear_ramp"} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return ops.Square(ops.Pad(xs[0], [][2]int{{1, 2}, {0, 2}}, ops.PadOptions{Mode: mode, Value: xs[1]}))
		}, m, values)
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Pad(xs[0], [][2]int{{6, 4}, {0, 0}}, ops.PadOptions{Mode: "reflect", ReflectType: "odd"})
	}, m)
}

func TestManipulationGradients(t *testing.T) {
	x := opstest.Normal(9, dtype.Float64, 3, 4)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"Tile":       func(x *nd.Array) *nd.Array { return ops.Tile(x, 2, 3) },
		"RepeatEach": func(x *nd.Array) *nd.Array { return ops.RepeatEach(x, []int{2, 0, 1}, ops.Over(0)) },
		"Roll":       func(x *nd.Array) *nd.Array { return ops.Roll(x, 5) },
		"Rot90":      func(x *nd.Array) *nd.Array { return ops.Rot90(x, 3) },
		"Pad": func(x *nd.Array) *nd.Array {
			return ops.Pad(x, [][2]int{{1, 0}, {2, 3}}, ops.PadOptions{Value: nd.Scalar(2)})
		},
		"reflect": func(x *nd.Array) *nd.Array {
			return ops.Pad(x, [][2]int{{5, 0}, {2, 3}}, ops.PadOptions{Mode: "reflect"})
		},
		"linear_ramp": func(x *nd.Array) *nd.Array {
			return ops.Pad(x, [][2]int{{1, 1}, {2, 3}}, ops.PadOptions{Mode: "linear_ramp"})
		},
		"mean":       func(x *nd.Array) *nd.Array { return ops.Pad(x, [][2]int{{1, 1}, {2, 3}}, ops.PadOptions{Mode: "mean"}) },
		"Tril":       func(x *nd.Array) *nd.Array { return ops.Tril(x, 1) },
		"MatrixDiag": ops.MatrixDiag,
		"DiagFlat":   func(x *nd.Array) *nd.Array { return ops.DiagFlat(x, -2) },
		"Trace":      func(x *nd.Array) *nd.Array { return ops.Trace(x, ops.TraceOptions{Offset: 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(f(xs[0])) }, x)
		})
	}
}

func TestTriangles(t *testing.T) {
	x := nd.ArangeInt(1, 7, 1).Reshape(2, 3)
	opstest.Repr(t, ops.Tril(x, 0), "array([[1, 0, 0], [4, 5, 0]])")
	opstest.Repr(t, ops.Triu(x, 1), "array([[0, 2, 3], [0, 0, 6]])")
	opstest.Repr(t, ops.Triu(nd.FromSlice([]int{1, 2}), 0), "array([[1, 2], [0, 2]])")
	opstest.Repr(t, ops.Diag(x, 1), "array([2, 6])")
	opstest.Repr(t, ops.Diag(nd.FromSlice([]int{1, 2}), -1), "array([[0, 0, 0], [1, 0, 0], [0, 2, 0]])")
	opstest.Repr(t, ops.DiagFlat(nd.Zeros([]int{0}), 1), "array([[0.]])")
	opstest.Repr(t, ops.DiagFlat(nd.FromSlice([]int{3}), -1), "array([[0, 0], [3, 0]])")
	opstest.Repr(t, ops.MatrixDiag(nd.FromSlice([]bool{true, false})), "array([[ True, False], [False, False]])")
	opstest.Repr(t, ops.Trace(x.Reshape(1, 2, 3), ops.Over(-1, -2)), "array([6])")
	opstest.Refuses(t, "want one axis or two", func() { ops.Diag(nd.Zeros([]int{1, 1, 1}), 0) })
}
