package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestTileAndRepeat(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)
	want(t, ops.Tile(x, 2), "array([[1, 2, 1, 2], [3, 4, 3, 4]])")
	want(t, ops.Tile(nd.FromSlice([]int{1, 2}), 2, 2), "array([[1, 2, 1, 2], [1, 2, 1, 2]])")
	want(t, ops.Tile(x, 0, 1), "array([], shape=(0, 2), dtype=int64)")
	want(t, ops.Tile(nd.Full(nil, 7), 3), "array([7, 7, 7])")
	want(t, ops.Repeat(x, 2), "array([1, 1, 2, 2, 3, 3, 4, 4])")
	want(t, ops.Repeat(x, 2, ops.Over(-1)), "array([[1, 1, 2, 2], [3, 3, 4, 4]])")
	want(t, ops.RepeatEach(x, []int{0, 2}, ops.Over(0)), "array([[3, 4], [3, 4]])")
	deep := x.Reshape(append([]int{2, 2}, make([]int, 15)...)[:2]...)
	shape := make([]int, 17)
	for k := range shape {
		shape[k] = 1
	}
	shape[16] = 4
	want(t, ops.Tile(deep.Reshape(shape...), 2).Ravel(), "array([1, 2, 3, 4, 1, 2, 3, 4])") // more axes than can be split in two each
	refuses(t, "at least 0", func() { ops.Tile(x, -1) })
	refuses(t, "at least 0", func() { ops.RepeatEach(x, []int{1, -1}, ops.Over(0)) })
	refuses(t, "3 counts for an axis of length 2", func() { ops.RepeatEach(x, []int{1, 1, 1}, ops.Over(0)) })
}

func TestRollAndTurn(t *testing.T) {
	x := nd.ArangeInt(0, 6, 1).Reshape(2, 3)
	want(t, ops.Roll(x, 1), "array([[5, 0, 1], [2, 3, 4]])")
	want(t, ops.Roll(x, -4, ops.Over(1)), "array([[1, 2, 0], [4, 5, 3]])")
	want(t, ops.Roll(nd.Zeros([]int{0, 2}), 3), "array([], shape=(0, 2), dtype=float64)")
	want(t, ops.Rot90(x, 1), "array([[2, 5], [1, 4], [0, 3]])")
	want(t, ops.Rot90(x, -1), "array([[3, 0], [4, 1], [5, 2]])")
	want(t, ops.Rot90(x, 6, ops.Over(1, 0)), "array([[5, 4, 3], [2, 1, 0]])")
	want(t, ops.FlipLR(x), "array([[2, 1, 0], [5, 4, 3]])")
	want(t, ops.FlipUD(x), "array([[3, 4, 5], [0, 1, 2]])")
	refuses(t, "want at least 2 axes", func() { ops.FlipLR(x.Ravel()) })
	refuses(t, "named twice", func() { ops.Rot90(x, 1, ops.Over(1, -1)) })
}

func TestPad(t *testing.T) {
	x := nd.FromSlice([]int{1, 2, 3})
	for mode, wanted := range map[string]string{
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
		want(t, ops.Pad(x, [][2]int{{4, 2}}, o), wanted)
	}
	want(t, ops.Pad(nd.FromSlice([]int{5, 6}, 2, 1), [][2]int{{1, 0}, {0, 2}}, ops.PadOptions{Mode: "reflect"}), "array([[6, 6, 6], [5, 5, 5], [6, 6, 6]])")
	want(t, ops.Pad(nd.Zeros([]int{0}), [][2]int{{1, 1}}), "array([0., 0.])")
	want(t, ops.Pad(nd.Full(nil, 3), nil), "array(3)")
	refuses(t, "1 pairs of widths", func() { ops.Pad(nd.Zeros([]int{2, 2}), [][2]int{{1, 1}}) })
	refuses(t, `mode "mirror"`, func() { ops.Pad(x, [][2]int{{1, 1}}, ops.PadOptions{Mode: "mirror"}) })
	refuses(t, "only a constant can", func() { ops.Pad(nd.Zeros([]int{0}), [][2]int{{1, 1}}, ops.PadOptions{Mode: "edge"}) })
	refuses(t, "none below 0", func() { ops.Pad(x, [][2]int{{1, -1}}) })
}

func TestPadOptions(t *testing.T) {
	x, row := nd.FromSlice([]int{1, 2, 4}), [][2]int{{3, 2}}
	pad := func(o ops.PadOptions) *nd.Array { return ops.Pad(x, row, o) }
	large := 1<<62 + 1
	want(t, ops.Pad(x, [][2]int{{1, 0}}, ops.PadOptions{Value: nd.Scalar(large)}).Index(nd.At(0)), "array(4611686018427387905)")
	want(t, pad(ops.PadOptions{Value: nd.FromSlice([]int8{-1, -2})}), "array([-1, -1, -1, 1, 2, 4, -2, -2])")
	want(t, pad(ops.PadOptions{Mode: "linear_ramp", Value: nd.Scalar(7)}), "array([7, 5, 3, 1, 2, 4, 5, 7])")
	want(t, pad(ops.PadOptions{Mode: "mean", StatLength: [][2]int{{1, 2}}}), "array([1, 1, 1, 1, 2, 4, 3, 3])")
	want(t, pad(ops.PadOptions{Mode: "reflect", ReflectType: "odd"}), "array([-4, -2, 0, 1, 2, 4, 6, 7])")
	want(t, pad(ops.PadOptions{Mode: "symmetric", ReflectType: "odd"}), "array([-2, 0, 1, 1, 2, 4, 4, 6])")
	want(t, ops.Pad(nd.Zeros([]int{1, 1}), [][2]int{{1, 0}, {0, 1}}, ops.PadOptions{Value: nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)}),
		"array([[1., 4.], [0., 4.]])")
	refuses(t, `mode "edge" has no use for Value`, func() { pad(ops.PadOptions{Mode: "edge", Value: nd.Scalar(1)}) })
	refuses(t, `mode "" has no use for StatLength`, func() { pad(ops.PadOptions{StatLength: [][2]int{{1, 1}}}) })
	refuses(t, `mode "wrap" has no use for ReflectType`, func() { pad(ops.PadOptions{Mode: "wrap", ReflectType: "odd"}) })
	refuses(t, `ReflectType "both"`, func() { pad(ops.PadOptions{Mode: "reflect", ReflectType: "both"}) })
	refuses(t, "a Value of shape (3,)", func() { pad(ops.PadOptions{Value: x}) })
	refuses(t, "2 pairs of StatLength", func() { pad(ops.PadOptions{Mode: "mean", StatLength: [][2]int{{1, 1}, {1, 1}}}) })
	refuses(t, "there is no maximum", func() { pad(ops.PadOptions{Mode: "maximum", StatLength: [][2]int{{1, 0}}}) })
	refuses(t, "out of bounds for int8", func() { ops.Pad(x.AsType(dtype.Int8), row, ops.PadOptions{Value: nd.Scalar(300)}) })
	m, values := normal(3, dtype.Float64, 3, 2), normal(4, dtype.Float64, 2, 2)
	for _, mode := range []string{"constant", "linear_ramp"} {
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
			return ops.Square(ops.Pad(xs[0], [][2]int{{1, 2}, {0, 2}}, ops.PadOptions{Mode: mode, Value: xs[1]}))
		}, m, values)
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Pad(xs[0], [][2]int{{6, 4}, {0, 0}}, ops.PadOptions{Mode: "reflect", ReflectType: "odd"})
	}, m)
}

func TestManipulationGradients(t *testing.T) {
	x := normal(9, dtype.Float64, 3, 4)
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
	want(t, ops.Tril(x, 0), "array([[1, 0, 0], [4, 5, 0]])")
	want(t, ops.Triu(x, 1), "array([[0, 2, 3], [0, 0, 6]])")
	want(t, ops.Triu(nd.FromSlice([]int{1, 2}), 0), "array([[1, 2], [0, 2]])")
	want(t, ops.Diag(x, 1), "array([2, 6])")
	want(t, ops.Diag(nd.FromSlice([]int{1, 2}), -1), "array([[0, 0, 0], [1, 0, 0], [0, 2, 0]])")
	want(t, ops.DiagFlat(nd.Zeros([]int{0}), 1), "array([[0.]])")
	want(t, ops.DiagFlat(nd.FromSlice([]int{3}), -1), "array([[0, 0], [3, 0]])")
	want(t, ops.MatrixDiag(nd.FromSlice([]bool{true, false})), "array([[ True, False], [False, False]])")
	want(t, ops.Trace(x.Reshape(1, 2, 3), ops.Over(-1, -2)), "array([6])")
	refuses(t, "want one axis or two", func() { ops.Diag(nd.Zeros([]int{1, 1, 1}), 0) })
}
