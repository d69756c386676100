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

func TestReductionsOfMatrix(t *testing.T) {
	x := nd.FromSlice([]float64{3, 1, 2, 0, 5, -4}, 2, 3)
	rows := ops.Over(1)
	opstest.Repr(t, ops.Sum(x), "array(7.)")
	opstest.Repr(t, ops.Sum(x, rows), "array([6., 1.])")
	opstest.Repr(t, ops.Sum(x, ops.Over(-2).KeepDims()), "array([[ 3., 6., -2.]])")
	opstest.Repr(t, ops.Sum(x, ops.Over()), "array([[ 3., 1., 2.], [ 0., 5., -4.]])")
	opstest.Repr(t, ops.Prod(x, rows), "array([ 6., -0.])")
	opstest.Repr(t, ops.Max(x, rows), "array([3., 5.])")
	opstest.Repr(t, ops.Min(x, ops.Over(0)), "array([ 0., 1., -4.])")
	opstest.Repr(t, ops.Mean(x), "array(1.16666667)")
	opstest.Repr(t, ops.CountNonzero(x, rows), "array([3, 2])")
	opstest.Repr(t, ops.PTP(x, rows), "array([2., 9.])")
	opstest.Repr(t, ops.ArgMax(x, ops.Over(1)), "array([0, 1])")
	opstest.Repr(t, ops.ArgMin(x, ops.ArgOptions{KeepDims: true}), "array([[5]])")
	opstest.Repr(t, ops.ArgMin(x, ops.ArgOptions{DType: dtype.Int8}), "array(5, dtype=int8)")
	values, indices := ops.MaxWithIndex(x.Reshape(1, 2, 3), ops.Over(2, 1))
	opstest.Repr(t, values, "array([5.])")
	opstest.Repr(t, indices, "array([4])")
}

func TestReductionDTypes(t *testing.T) {
	bytes := nd.FromSlice([]uint8{200, 100})
	opstest.Repr(t, ops.Sum(bytes), "array(300, dtype=uint64)")
	opstest.Repr(t, ops.Prod(bytes.AsType(dtype.Int8)), "array(-5600)")
	opstest.Repr(t, ops.Mean(bytes), "array(150.)")
	opstest.Repr(t, ops.Sum(bytes, ops.ReduceOptions{DType: dtype.Uint8}), "array(44, dtype=uint8)")
	opstest.Repr(t, ops.Max(nd.FromSlice([]bool{false, true})), "array(True)")
	half := nd.Full([]int{4096}, 1.0, dtype.Float16)
	opstest.Repr(t, ops.Sum(half), "array(4.096e+03, dtype=float16)") // by steps of 1 float16 stops at 2048
	opstest.Repr(t, ops.Var(nd.FromSlice([]int{1, 2, 3, 4})), "array(1.25)")
	opstest.Repr(t, ops.Var(nd.FromSlice([]complex64{1 + 1i, -1 - 1i})), "array(2., dtype=float32)")
}

func TestEmptyReductions(t *testing.T) {
	x := nd.Zeros([]int{0, 3})
	first := ops.Over(0)
	opstest.Repr(t, ops.Sum(x, first), "array([0., 0., 0.])")
	opstest.Repr(t, ops.Prod(x, first), "array([1., 1., 1.])")
	opstest.Repr(t, ops.Mean(x, first), "array([nan, nan, nan])")
	opstest.Repr(t, ops.Max(x, ops.Over(1)), "array([], dtype=float64)")
	opstest.Repr(t, ops.All(x), "array(True)")
	opstest.Repr(t, ops.Any(x), "array(False)")
	opstest.Repr(t, ops.LogSumExp(x, first), "array([-inf, -inf, -inf])")
	opstest.Repr(t, ops.Std(x), "array(nan)")
	opstest.Refuses(t, "ops.Max: there are no elements to reduce", func() { ops.Max(x) })
	opstest.Refuses(t, "ops.NanMin: there are no elements to reduce", func() { ops.NanMin(x, first) })
	opstest.Refuses(t, "ops.ArgMax: attempt to search an empty sequence", func() { ops.ArgMax(x) })
}

func TestReductionsOfNotANumbers(t *testing.T) {
	nan := math.NaN()
	x := nd.FromSlice([]float64{1, nan, 3, nan, nan, nan}, 2, 3)
	rows := ops.Over(1)
	opstest.Repr(t, ops.Max(x, rows), "array([nan, nan])")
	opstest.Repr(t, ops.NanMax(x, rows), "array([ 3., nan])")
	opstest.Repr(t, ops.NanMin(x, rows), "array([ 1., nan])")
	opstest.Repr(t, ops.ArgMin(x, ops.Over(1)), "array([1, 0])")
	opstest.Repr(t, ops.Min(nd.FromSlice([]complex128{2, 1 + 5i, 1 - 5i})), "array(1.-5.j)")
}

func TestReductionRefusals(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	opstest.Refuses(t, "ops.Sum: axis 2 is outside", func() { ops.Sum(x, ops.Over(2)) })
	opstest.Refuses(t, "named twice", func() { ops.Sum(x, ops.Over(0, -2)) })
	opstest.Refuses(t, "the result has shape (3,), Out (2,)", func() {
		ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(0), Out: nd.Zeros([]int{2})})
	})
	opstest.Refuses(t, "want a float or complex dtype", func() {
		ops.Std(x, ops.Into(nd.Zeros(nil, nd.ArrayOptions{DType: dtype.Int32})))
	})
	for _, shape := range [][]int{{0}, {0, 0}, {3, 0}, {0, 3}} { // an empty input has no maximum, even if the result is empty
		along := len(shape) - 1
		if shape[along] != 0 {
			along = 0
		}
		opstest.Refuses(t, "no identity", func() { ops.Max(nd.Zeros(shape), ops.Over(along)) })
		opstest.Refuses(t, "empty sequence", func() { ops.ArgMin(nd.Zeros(shape), ops.Over(along)) })
	}
	opstest.Refuses(t, "want a float or complex dtype", func() { ops.Var(x, ops.VarOptions{DType: dtype.Int64}) })
	opstest.Repr(t, ops.Sum(nd.Full(nil, 5.0), ops.Over(-1)), "array(5.)")
	opstest.Refuses(t, "ops.Mean: axis 0 is outside", func() { ops.Mean(nd.Full(nil, 5.0), ops.Over(0)) })
}

func TestReductionOut(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	out := nd.Zeros([]int{2, 2})
	column := out.T().Index(nd.At(0)) // every second element
	y := ops.Sum(x, ops.ReduceOptions{Axes: ops.Over(1), Out: column})
	if y != column {
		t.Error("the result is not Out")
	}
	opstest.Repr(t, out, "array([[3., 0.], [7., 0.]])")
	ops.Std(x, ops.VarOptions{Axes: ops.Over(0), Out: out.Index(nd.At(1))})
	opstest.Repr(t, out, "array([[3., 0.], [1., 1.]])")
}

func TestReductionGradients(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Complex128} {
		x := opstest.Normal(1, dt, 2, 3, 4)
		axes := ops.Over(2, 0)
		for name, f := range map[string]func(*nd.Array) *nd.Array{
			"Sum":  func(x *nd.Array) *nd.Array { return ops.Sum(x, axes) },
			"Mean": func(x *nd.Array) *nd.Array { return ops.Mean(x, axes) },
			"Prod": func(x *nd.Array) *nd.Array { return ops.Prod(x, axes) },
			"Max":  func(x *nd.Array) *nd.Array { return ops.Max(x, axes) },
			"Var":  func(x *nd.Array) *nd.Array { return ops.Var(x, ops.VarOptions{Axes: ops.Over(1), DDof: 1}) },
			"Std":  func(x *nd.Array) *nd.Array { return ops.Std(x, ops.Over(0, 1).KeepDims()) },
			"Norm": func(x *nd.Array) *nd.Array { return ops.Norm(x, ops.NormOptions{P: new(2.5), Axes: ops.Over(1)}) },
		} {
			t.Run(name+" of "+dt.String(), func(t *testing.T) {
				gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }, x)
				gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }, x)
			})
		}
	}
	x := opstest.Normal(2, dtype.Float64, 3, 4)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.LogSumExp(xs[0], ops.Over(0).KeepDims())
	}, x)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.PTP(xs[0]) }, x)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Average(xs[0], ops.AverageOptions{Axis: ops.Over(1), Weights: xs[1]})
	}, x, ops.Exp(opstest.Normal(3, dtype.Float64, 4)))
}

func TestProductGradientWithZeros(t *testing.T) {
	for _, data := range [][]float64{{2, 0, 3, 4}, {0, 0, 3, 4}, {0, 5, 0, 0}, {7}} {
		x := nd.FromSlice(data)
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Prod(xs[0]) }, x)
		gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Prod(xs[0]) }, x)
	}
}

func TestLogSumExpOfLargeNumbers(t *testing.T) {
	inf := math.Inf(1)
	x := nd.FromSlice([]float64{1000, 1000, -inf, -inf, inf, 3}, 3, 2)
	opstest.Repr(t, ops.LogSumExp(x, ops.Over(1)), "array([1000.69314718, -inf, inf])")
}

func TestVarianceIsWellConditioned(t *testing.T) {
	x := nd.FromSlice([]float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16})
	opstest.Repr(t, ops.Var(x), "array(22.5)")
	opstest.Repr(t, ops.Var(x, ops.VarOptions{DDof: 1}), "array(30.)")
	opstest.Repr(t, ops.Var(x, ops.VarOptions{DDof: 5}), "array(inf)")
}

func TestNorm(t *testing.T) {
	x := nd.FromSlice([]float64{3, -4, 0, 0}, 2, 2)
	rows := func(p float64) ops.NormOptions { return ops.NormOptions{P: &p, Axes: ops.Over(1)} }
	opstest.Repr(t, ops.Norm(x), "array(5.)")
	opstest.Repr(t, ops.Norm(x, rows(1)), "array([7., 0.])")
	opstest.Repr(t, ops.Norm(x, rows(3)), "array([4.49794145, 0. ])")
	opstest.Repr(t, ops.Norm(nd.FromSlice([]complex64{3i, 4})), "array(5., dtype=float32)")
	for _, p := range []float64{1, 1.5, 2, 3} {
		_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Norm(x, rows(p)) }, x)
		opstest.Repr(t, ops.Any(ops.NotEqual(g.Index(nd.At(1)), 0)), "array(False)") // flat at 0
	}
	opstest.Refuses(t, "p = -1: want a positive power", func() { ops.Norm(x, rows(-1)) })
}
