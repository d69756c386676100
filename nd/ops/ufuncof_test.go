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
