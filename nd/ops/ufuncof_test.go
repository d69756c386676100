package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestUfunc(t *testing.T) {
	x := nd.FromSlice([]float64{8, 3, 2, 7, 1, 5})
	minus := ops.UfuncOf(ops.Subtract)
	opstest.Repr(t, minus.Outer(nd.FromSlice([]int{1, 2}), nd.FromSlice([]int{10, 20, 30})), "array([[ -9, -19, -29], [ -8, -18, -28]])")
	opstest.Repr(t, minus.Reduce(x), "array(-10.)")
	opstest.Repr(t, minus.Accumulate(x), "array([ 8., 5., 3., -4., -5., -10.])")
	opstest.Repr(t, minus.ReduceAt(x, []int{1, 3, 3, 0, 5}), "array([ 1., 7., 7., -5., 5.])")
	opstest.Repr(t, minus.ReduceAt(x.Reshape(2, 3), []int{1, 0}, ops.Over(1)), "array([[3., 3.], [1., 1.]])")
	opstest.Repr(t, minus.ReduceAt(x, nil), "array([], dtype=float64)")
	opstest.Repr(t, ops.UfuncOf(ops.LogicalAnd).ReduceAt(x, []int{5, 0}), "array([ True, True])")
	opstest.Repr(t, ops.UfuncOf(ops.Divide).Accumulate(nd.Zeros([]int{0, 2}, dtype.Int8)), "array([], shape=(0, 2), dtype=float64)")

	small := nd.FromSlice([]int8{100, 100, 1}, 3)
	wide, plus := ops.AlongOptions{DType: dtype.SumType(small.DType())}, ops.UfuncOf(ops.Add)
	opstest.Repr(t, plus.Reduce(small), "array(-55, dtype=int8)")
	opstest.Repr(t, plus.Reduce(small, wide), "array(201)")
	opstest.Repr(t, plus.Reduce(small.Reshape(1, 3), ops.AlongOptions{Axis: ops.Over(-1), DType: dtype.Float32}), "array([201.], dtype=float32)")
	opstest.Repr(t, plus.Accumulate(small, wide), "array([100, 200, 201])")
	opstest.Repr(t, plus.Accumulate(nd.Zeros([]int{0}, dtype.Int8), wide), "array([], dtype=int64)")
	opstest.Repr(t, plus.ReduceAt(small, []int{0, 2}, wide), "array([200, 1])")
	opstest.Repr(t, plus.ReduceAt(small, nil, wide), "array([], dtype=int64)")
	opstest.Refuses(t, "Ufunc.Reduce", func() { plus.Reduce(small, ops.AlongOptions{Axis: ops.Over(1), DType: dtype.Int64}) })

	alone := minus.Reduce(x.Reshape(1, 6))
	if alone.SharesMemory(x) {
		t.Error("Reduce of one element returns a view")
	}
	opstest.Refuses(t, "there are no elements along axis 0", func() { minus.Reduce(nd.Zeros([]int{0})) })
	opstest.Refuses(t, "index 6 is outside an axis of length 6", func() { minus.ReduceAt(x, []int{0, 6}) })
	opstest.Refuses(t, "index -1 is outside an axis of length 6", func() { minus.ReduceAt(x, []int{-1}) })
}

func TestUfuncReduceOptions(t *testing.T) {
	x := nd.ArangeInt(1, 13, 1).Reshape(2, 3, 2)
	plus, minus := ops.UfuncOf(ops.Add), ops.UfuncOf(ops.Subtract)
	opstest.Repr(t, plus.Reduce(x, ops.Over(0, 2)), "array([18, 26, 34])")
	opstest.Repr(t, plus.Reduce(x, ops.Over(0, 1, 2).KeepDims()), "array([[[78]]])")
	opstest.Repr(t, plus.Reduce(x, ops.Over()), "array([[[ 1, 2], [ 3, 4], [ 5, 6]], [[ 7, 8], [ 9, 10], [11, 12]]])")
	opstest.Repr(t, minus.Reduce(x, ops.Over(2, 0)), "array([-16, -20, -24])") // 1-2-7-8, from left to right in row-major order
	opstest.Repr(t, minus.Reduce(x, ops.AlongOptions{Axis: ops.Over(0, 1, 2), Initial: nd.Scalar(100)}), "array(22)")
	opstest.Repr(t, minus.Reduce(nd.Zeros([]int{0, 2}), ops.AlongOptions{Initial: nd.Scalar(1.5)}), "array([1.5, 1.5])")

	mask := nd.FromSlice([]bool{true, false, true, false, true, true}, 3, 2)
	opstest.Repr(t, minus.Reduce(x, ops.AlongOptions{Axis: ops.Over(1), Where: mask}), "array([[ -7, 6], [-13, 12]])")
	opstest.Repr(t, minus.Reduce(x, ops.AlongOptions{Axis: ops.Over(2), Where: mask, Initial: nd.Scalar(0), KeepDims: true}),
		"array([[[ -1], [ -3], [-11]], [[ -7], [ -9], [-23]]])")
	out := nd.Zeros([]int{3}, dtype.Float32)
	if y := plus.Reduce(x, ops.Over(0, 2), ops.Into(out)); y != out {
		t.Error("Reduce does not return Out")
	}
	opstest.Repr(t, out, "array([18., 26., 34.], dtype=float32)")
	small := nd.FromSlice([]int8{100, 100, 1})
	wide := nd.Zeros([]int{3}, dtype.Int64)
	plus.Accumulate(small, ops.Into(wide))
	opstest.Repr(t, wide, "array([100, 200, 201])")
	plus.ReduceAt(small, []int{1, 0, 2}, ops.AlongOptions{Out: wide})
	opstest.Repr(t, wide, "array([100, 200, 1])")
	opstest.Repr(t, ops.UfuncOf(ops.LogicalXor).Reduce(nd.FromSlice([]int{3, 0, 2})), "array(False)")
	opstest.Repr(t, ops.UfuncOf(ops.Equal).Reduce(nd.FromSlice([]bool{true, false, false})), "array(True)")

	for text, f := range map[string]func(){
		"Ufunc.Reduce: the function compares numbers":     func() { ops.UfuncOf(ops.Equal).Reduce(x) },
		"Ufunc.Accumulate: the function compares numbers": func() { ops.UfuncOf(ops.Less).Accumulate(x) },
		"Ufunc.ReduceAt: the function compares numbers":   func() { ops.UfuncOf(ops.GreaterEqual).ReduceAt(x, []int{0}) },
		"there are no elements along axis 1":              func() { plus.Reduce(nd.Zeros([]int{2, 0}), ops.Over(0, 1)) },
		"the result has shape (3, 2), Out (3,)":           func() { plus.Reduce(x, ops.Into(out)) },
		"which same_kind casting does not turn into":      func() { plus.Reduce(out, ops.Into(nd.Zeros(nil, dtype.Int8))) },
		"Where must be bool":                              func() { plus.Reduce(x, ops.AlongOptions{Where: x}) },
		"Where of shape (3, 2) does not broadcast":        func() { plus.Reduce(out, ops.AlongOptions{Where: mask}) },
		"Where selects no element for some results":       func() { plus.Reduce(x, ops.AlongOptions{Axis: ops.Over(0), Where: mask}) },
		"want Initial to be one number":                   func() { plus.Reduce(x, ops.AlongOptions{Initial: out}) },
		"the integer 300 is out of bounds for int8":       func() { plus.Reduce(small, ops.AlongOptions{Initial: nd.Scalar(300)}) },
		"Ufunc.Accumulate: it has no use for KeepDims":    func() { plus.Accumulate(x, ops.Over(0).KeepDims()) },
		"Ufunc.ReduceAt: it has no use for KeepDims, W":   func() { plus.ReduceAt(x, []int{0}, ops.AlongOptions{Where: mask}) },
		"Ufunc.Accumulate: axes [0 1]: want one":          func() { plus.Accumulate(x, ops.Over(0, 1)) },
	} {
		opstest.Refuses(t, text, f)
	}
	opstest.Repr(t, out, "array([18., 26., 34.], dtype=float32)")
}

func TestUfuncGradients(t *testing.T) {
	quotient := ops.UfuncOf(ops.Divide)
	a, b := opstest.Normal(1, dtype.Float64, 6, 2), opstest.Normal(2, dtype.Complex128, 3)
	for name, f := range map[string]func(xs ...*nd.Array) *nd.Array{
		"Outer":      func(xs ...*nd.Array) *nd.Array { return quotient.Outer(xs[0], xs[1]) },
		"Reduce":     func(xs ...*nd.Array) *nd.Array { return quotient.Reduce(xs[0], ops.Over(-1)) },
		"Accumulate": func(xs ...*nd.Array) *nd.Array { return quotient.Accumulate(xs[0], ops.Over(1)) },
		"DType": func(xs ...*nd.Array) *nd.Array {
			return quotient.Reduce(xs[0], ops.AlongOptions{DType: dtype.Complex128})
		},
		"axes, Where and Initial": func(xs ...*nd.Array) *nd.Array {
			return quotient.Reduce(xs[0], ops.AlongOptions{Axis: ops.Over(1, 0), Initial: nd.Scalar(2), Where: nd.FromSlice([]bool{true, false})})
		},
		"Where": func(xs ...*nd.Array) *nd.Array {
			return quotient.Reduce(xs[0], ops.AlongOptions{Where: nd.FromSlice([]bool{false, true, true, false, true, true}, 6, 1), KeepDims: true})
		},
		"ReduceAt": func(xs ...*nd.Array) *nd.Array { return quotient.ReduceAt(xs[0], []int{4, 0, 3, 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, f, a, b)
		})
	}
}

func TestUfuncCounts(t *testing.T) {
	for _, c := range []struct {
		f        any
		nin, out int
	}{
		{ops.Sin, 1, 1}, {ops.Modf, 1, 2}, {ops.Frexp, 1, 2}, {ops.UfuncOf(ops.Add), 2, 1}, {ops.DivMod[*nd.Array, *nd.Array], 2, 2},
	} {
		if nin, out := ops.UfuncCounts(c.f); nin != c.nin || out != c.out {
			t.Errorf("%T: %d and %d, want %d and %d", c.f, nin, out, c.nin, c.out)
		}
	}
	for _, f := range []any{nil, 3, func() {}, func(x *nd.Array) int { return 0 }, func(n int) *nd.Array { return nil }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a %T is accepted", f)
				}
			}()
			ops.UfuncCounts(f)
		}()
	}
}
