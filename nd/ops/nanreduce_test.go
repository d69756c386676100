package ops_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestNanReductions(t *testing.T) {
	x := nd.FromSlice([]float64{1, nan, 3, nan, nan, nan}, 2, 3)
	rows := ops.Over(1)
	opstest.Repr(t, ops.NanSum(x, rows), "array([4., 0.])")
	opstest.Repr(t, ops.NanProd(x, rows), "array([3., 1.])")
	opstest.Repr(t, ops.NanMean(x, rows), "array([ 2., nan])")
	opstest.Repr(t, ops.NanMean(x, ops.Over(0).KeepDims()), "array([[ 1., nan, 3.]])")
	opstest.Repr(t, ops.NanVar(x, ops.Over(1)), "array([ 1., nan])")
	opstest.Repr(t, ops.NanStd(x, ops.VarOptions{DDof: 1}), "array(1.41421356)")
	opstest.Repr(t, ops.NanStd(x, ops.VarOptions{DDof: 2}), "array(nan)")
	opstest.Repr(t, ops.NanMedian(x, rows), "array([ 2., nan])")
	opstest.Repr(t, ops.NanCumSum(x), "array([1., 1., 4., 4., 4., 4.])")
	opstest.Repr(t, ops.NanCumProd(x, ops.Over(0)), "array([[1., 1., 3.], [1., 1., 3.]])")
	opstest.Repr(t, ops.NanArgMax(x), "array(2)")
	opstest.Repr(t, ops.NanArgMin(x.Index(nd.At(0)), ops.ArgOptions{KeepDims: true}), "array([0])")
	opstest.Refuses(t, "All-NaN slice", func() { ops.NanArgMax(x, ops.Over(1)) })
	opstest.Refuses(t, "empty sequence", func() { ops.NanArgMin(nd.Zeros([]int{0})) })
}

func TestNanReductionsOfNothing(t *testing.T) {
	none := nd.Zeros([]int{2, 0})
	rows := ops.Over(1)
	opstest.Repr(t, ops.NanSum(none, rows), "array([0., 0.])")
	opstest.Repr(t, ops.NanProd(none, rows), "array([1., 1.])")
	opstest.Repr(t, ops.NanMean(none, rows), "array([nan, nan])")
	opstest.Repr(t, ops.NanMedian(none, rows), "array([nan, nan])")
	opstest.Repr(t, ops.NanQuantile(none, nd.Scalar(0.5), ops.Over(1)), "array([nan, nan])")
	opstest.Repr(t, ops.NanMean(none, ops.Over(0)), "array([], dtype=float64)")
}

func TestNanReductionDTypes(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Complex64} {
		x := nd.FromSlice([]float64{1, nan, 3}).AsType(dt)
		for name, y := range map[string]*nd.Array{"NanSum": ops.NanSum(x), "NanProd": ops.NanProd(x), "NanMean": ops.NanMean(x),
			"NanMedian": ops.NanMedian(x), "NanCumSum": ops.NanCumSum(x)} {
			if y.DType() != dt {
				t.Errorf("%s of %s is %s", name, dt, y.DType())
			}
		}
		if v := ops.NanVar(x); v.DType() != dt.Real() {
			t.Errorf("NanVar of %s is %s", dt, v.DType())
		}
	}
	opstest.Repr(t, ops.NanMean(nd.FromSlice([]int8{100, 101})), "array(100.5)")
	large := nd.FromSlice([]float64{60000, 60000, nan}).AsType(dtype.Float16)
	opstest.Repr(t, ops.NanMean(large), "array(6.e+04, dtype=float16)") // the sum is out of range, the mean is not
	out := nd.Zeros(nil, dtype.Float32)
	ops.NanStd(nd.FromSlice([]float64{1, 3, nan}), ops.Into(out))
	opstest.Repr(t, out, "array(1., dtype=float32)")
	opstest.Refuses(t, "want a float or complex DType and Out", func() {
		ops.NanMean(nd.FromSlice([]float64{nan}), ops.Into(nd.FromSlice([]int{7}).Reshape()))
	})
	opstest.Refuses(t, "want a float or complex DType and Out", func() {
		ops.NanVar(nd.FromSlice([]float64{nan}), ops.VarOptions{DType: dtype.Int64})
	})
}

func TestNanReductionGradients(t *testing.T) {
	holes := nd.FromSlice([]float64{0, nan, 0, 0, 0, 0, nan, nan, 0, 0, 0, 0}, 3, 4)
	x := opstest.Normal(41, dtype.Float64, 3, 4)
	rows := ops.Over(1)
	for name, f := range map[string]func(x *nd.Array) *nd.Array{
		"NanSum":      func(x *nd.Array) *nd.Array { return ops.NanSum(x, rows) },
		"NanProd":     func(x *nd.Array) *nd.Array { return ops.NanProd(x, rows) },
		"NanMean":     func(x *nd.Array) *nd.Array { return ops.NanMean(x, rows) },
		"NanVar":      func(x *nd.Array) *nd.Array { return ops.NanVar(x, ops.VarOptions{Axes: ops.Over(1), DDof: 1}) },
		"NanStd":      func(x *nd.Array) *nd.Array { return ops.NanStd(x, ops.Over(1)) },
		"NanMedian":   func(x *nd.Array) *nd.Array { return ops.NanMedian(x, rows) },
		"NanCumProd":  func(x *nd.Array) *nd.Array { return ops.NanCumProd(x) },
		"NanQuantile": func(x *nd.Array) *nd.Array { return ops.NanQuantile(x, nd.FromSlice([]float64{0.3, 0.8})) },
	} {
		_, g := opstest.ValueAndGrad(f, ops.Add(x, holes))
		if nd.Value[bool](ops.Any(ops.IsNaN(g))) {
			t.Errorf("%s: the gradient is not a number:\n%v", name, g)
		}
		withHoles := func(xs ...*nd.Array) *nd.Array { return f(ops.Where(ops.IsNaN(holes), nan, xs[0])) }
		gradcheck.Check(t, withHoles, x)
	}
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.NanStd(x) }, nd.FromSlice([]float64{2, nan, 2}))
	opstest.Repr(t, g, "array([0., 0., 0.])")
}
