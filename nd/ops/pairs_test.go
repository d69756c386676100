package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestPairsInto writes results over arguments and over each other.
func TestPairsInto(t *testing.T) {
	both := nd.FromSlice([]float64{7, -7, 7, 3, 3, -3}, 2, 3)
	a, b := both.Index(nd.At(0)), both.Index(nd.At(1))
	q, r := ops.DivMod(a, b, ops.PairOptions{Out: [2]*nd.Array{b, a}})
	if q != b || r != a {
		t.Error("it does not return Out")
	}
	opstest.Repr(t, both, "array([[ 1., 2., -2.], [ 2., -3., -3.]])")

	mask := nd.FromSlice([]bool{true, false})
	wide := nd.Full([]int{2, 2}, 9)
	y, k := ops.Frexp(nd.FromSlice([]float64{8, 3}), ops.PairOptions{Out: [2]*nd.Array{nil, wide}, Where: mask})
	opstest.Repr(t, y, "array([0.5, 0. ])")
	opstest.Repr(t, k, "array([[4, 9], [4, 9]])")
	_, whole := ops.Modf(nd.FromSlice([]int8{3, -2}), ops.PairOptions{DType: dtype.Float64})
	opstest.Repr(t, whole, "array([ 3., -2.])")

	x, kept := nd.FromSlice([]float64{1.5, 2.5}), nd.Zeros([]int{2})
	opstest.Refuses(t, "the result has shape (2,), Out (3,)", func() {
		ops.Modf(x, ops.PairOptions{Out: [2]*nd.Array{kept, nd.Zeros([]int{3})}})
	})
	opstest.Refuses(t, "the result is float64, which same_kind casting does not turn into int64", func() {
		ops.Modf(x, ops.PairOptions{Out: [2]*nd.Array{kept, nd.Zeros([]int{2}, dtype.Int64)}})
	})
	opstest.Refuses(t, "Where must be bool", func() { ops.Modf(x, ops.PairOptions{Where: x}) })
	opstest.Repr(t, kept, "array([0., 0.])")
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		out := nd.Zeros([]int{2})
		ops.Modf(xs[0], ops.PairOptions{Out: [2]*nd.Array{out}, Where: mask})
		return out
	}, x)
}

func TestCross(t *testing.T) {
	x, y := opstest.Normal(1, dtype.Float64, 3, 4), opstest.Normal(2, dtype.Float64, 2, 4, 3)
	z := ops.Cross(x, y, ops.CrossOptions{A: ops.Over(0), C: ops.Over(0)})
	if got := z.Shape(); len(got) != 3 || got[0] != 3 || got[1] != 2 || got[2] != 4 {
		t.Errorf("shape %v", got)
	}
	for name, f := range map[string]func(a, b *nd.Array) *nd.Array{
		"Cross":  func(a, b *nd.Array) *nd.Array { return ops.Cross(a, b, ops.CrossOptions{A: ops.Over(0)}) },
		"VecDot": func(a, b *nd.Array) *nd.Array { return ops.VecDot(a.T(), b) },
	} {
		for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
			t.Run(name+" of "+dt.String(), func(t *testing.T) {
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0], xs[1]) }, opstest.Normal(3, dt, 3, 4), opstest.Normal(4, dt, 2, 4, 3))
			})
		}
	}
	opstest.Refuses(t, "the vectors have 4 and 3 elements: want three each", func() { ops.Cross(x, y) })
	opstest.Refuses(t, "the vectors have lengths 4 and 3", func() { ops.VecDot(x, y) })
	opstest.Refuses(t, "the rows of a have length 4, the vectors 3", func() { ops.MatVec(x, y) })
	opstest.Refuses(t, "the vectors have length 3, the columns of a 4", func() { ops.VecMat(y, y) })
	opstest.Refuses(t, "want matrices, of at least two axes", func() { ops.MatVec(x.Index(nd.At(0)), x) })
	opstest.Refuses(t, "bools cannot be subtracted", func() { ops.Cross(nd.FromSlice([]bool{true, true, true}), nd.FromSlice([]bool{true, true, true})) })
}
