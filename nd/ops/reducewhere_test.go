package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestReductionsOfWhatIsChosen(t *testing.T) {
	x := nd.FromSlice([]float64{1, nan, 3, 4, 5, 6}, 2, 3)
	mask := opstest.Vector(true, false, true)
	rows := ops.ReduceOptions{Axes: ops.Over(1), Where: mask}
	opstest.Repr(t, ops.Sum(x, rows), "array([ 4., 10.])")
	opstest.Repr(t, ops.Prod(x, rows), "array([ 3., 24.])")
	opstest.Repr(t, ops.Mean(x, rows), "array([2., 5.])")
	opstest.Repr(t, ops.NanSum(x, ops.ReduceOptions{Where: opstest.Vector(false, true, true)}), "array(14.)")
	opstest.Repr(t, ops.NanMean(x, ops.ReduceOptions{Where: opstest.Vector(false, true, true)}), "array(4.66666667)")
	opstest.Repr(t, ops.All(x, ops.ReduceOptions{Where: opstest.Vector(false)}), "array(True)")
	opstest.Repr(t, ops.Any(x, ops.ReduceOptions{Where: opstest.Vector(false)}), "array(False)")
	opstest.Repr(t, ops.Var(x, ops.VarOptions{Axes: ops.Over(1), Where: mask}), "array([1., 1.])")
	opstest.Repr(t, ops.Std(x, ops.VarOptions{Axes: ops.Over(1), Where: mask, DDof: 2}), "array([inf, inf])")
	opstest.Repr(t, ops.NanVar(x, ops.VarOptions{Where: opstest.Vector(false, true, true)}), "array(1.55555556)")
	opstest.Repr(t, ops.Mean(x, ops.ReduceOptions{Where: opstest.Vector(false)}), "array(nan)")
	rows.Initial = nd.Scalar(5)
	opstest.Repr(t, ops.Max(x, rows), "array([5., 6.])")
	opstest.Repr(t, ops.Min(x, rows), "array([1., 4.])")
	opstest.Repr(t, ops.NanMax(x, ops.ReduceOptions{Initial: nd.Scalar(9)}), "array(9.)")
	bytes := opstest.Vector[uint8](200, 100)
	opstest.Repr(t, ops.Sum(bytes, ops.ReduceOptions{Initial: nd.Scalar(7)}), "array(307, dtype=uint64)")
	opstest.Repr(t, ops.Prod(bytes, ops.ReduceOptions{Initial: nd.Scalar(2), Where: opstest.Vector(true, false)}), "array(400, dtype=uint64)")
	opstest.Repr(t, ops.Max(bytes.Index(nd.Until(0)), ops.ReduceOptions{Initial: nd.Scalar(3)}), "array(3, dtype=uint8)")
	out := nd.Zeros([]int{2})
	ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(1), Where: mask, Out: out})
	opstest.Repr(t, out, "array([ 4., 10.])")
	for text, f := range map[string]func(){
		"with Where it needs an Initial": func() { ops.Max(x, ops.ReduceOptions{Where: mask}) },
		"Where must be bool":             func() { ops.Sum(x, ops.ReduceOptions{Where: x}) },
		"does not broadcast":             func() { ops.Var(x, ops.VarOptions{Where: opstest.Vector(true, false)}) },
		"want Initial to be one number":  func() { ops.Mean(x, ops.ReduceOptions{Initial: nd.Scalar(1)}) },
		"out of bounds for uint8":        func() { ops.Max(bytes, ops.ReduceOptions{Initial: nd.Scalar(300)}) },
		"ops.Median: it has no use":      func() { ops.Median(x, ops.ReduceOptions{Where: mask}) },
		"ops.NanMean: it has no use":     func() { ops.NanMean(x, ops.ReduceOptions{Initial: nd.Scalar(1)}) },
		"ops.CountNonzero: it has":       func() { ops.CountNonzero(x, ops.ReduceOptions{Where: mask}) },
	} {
		opstest.Refuses(t, text, f)
	}
}

func TestGradientsOfWhatIsChosen(t *testing.T) {
	x, mask := opstest.Normal(5, dtype.Float64, 3, 4), ops.Greater(opstest.Normal(6, dtype.Float64, 3, 4), -0.5)
	for name, f := range map[string]func(x, initial *nd.Array) *nd.Array{
		"Sum": func(x, v *nd.Array) *nd.Array {
			return ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(1), Where: mask, Initial: v})
		},
		"Prod": func(x, v *nd.Array) *nd.Array { return ops.Prod(x, ops.ReduceOptions{Where: mask, Initial: v}) },
		"Max": func(x, v *nd.Array) *nd.Array {
			return ops.Max(x, ops.ReduceOptions{Axes: ops.Over(0), Where: mask, Initial: v})
		},
		"Mean": func(x, v *nd.Array) *nd.Array { return ops.Multiply(ops.Mean(x, ops.ReduceOptions{Where: mask}), v) },
		"Std": func(x, v *nd.Array) *nd.Array {
			return ops.Multiply(ops.Std(x, ops.VarOptions{Axes: ops.Over(1), Where: mask}), v)
		},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0], xs[1]) }, x, nd.Full(nil, 0.3))
		})
	}
	missing := ops.Where(mask, x, nan) // excluded elements may be anything
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"Sum": func(x *nd.Array) *nd.Array { return ops.Sum(x, ops.ReduceOptions{Where: mask}) },
		"Var": func(x *nd.Array) *nd.Array { return ops.Var(x, ops.VarOptions{Where: mask}) },
	} {
		if _, g := opstest.ValueAndGrad(f, missing); nd.Value[bool](ops.Any(ops.IsNaN(g))) {
			t.Errorf("%s: the gradient is %v", name, g)
		}
	}
}
