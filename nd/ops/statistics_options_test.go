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

func TestTolerancesAndReplacementsAsArrays(t *testing.T) {
	a, b := opstest.Vector(1.0, 1, 1), opstest.Vector(1.1, 1.1, 1.1)
	opstest.Repr(t, ops.IsClose(a, b, ops.IsCloseOptions{ATol: opstest.Vector(0.05, 0.2, 0), RTol: nd.Scalar(0)}), "array([False, True, False])")
	column := nd.FromSlice([]float64{0, 0.1}, 2, 1)
	opstest.Repr(t, ops.IsClose(a, b, ops.IsCloseOptions{RTol: column}), "array([[False, False, False], [ True, True, True]])")
	opstest.Refuses(t, "want real tolerances", func() { ops.IsClose(a, b, ops.IsCloseOptions{RTol: nd.Scalar(1i)}) })
	x := opstest.Vector(nan, inf, -inf, 1)
	o := ops.NaNToNumOptions{NaN: opstest.Vector(1.0, 2, 3, 4), PosInf: nd.Scalar(5), NegInf: opstest.Vector(-1.0)}
	opstest.Repr(t, ops.NaNToNum(x, o), "array([ 1., 5., -1., 1.])")
	opstest.Refuses(t, "real values that broadcast", func() { ops.NaNToNum(x, ops.NaNToNumOptions{NaN: a}) })
	_, g := opstest.ValueAndGrad(func(v *nd.Array) *nd.Array { return ops.NaNToNum(x, ops.NaNToNumOptions{NaN: v}) }, opstest.Vector(2.0, 3, 4, 5))
	opstest.Repr(t, g, "array([1., 0., 0., 0.])")
}

func TestSorter(t *testing.T) {
	x := opstest.Vector(3.0, 1, 2)
	opstest.Repr(t, ops.SearchSorted(x, opstest.Vector(1.5, 3), ops.SearchOptions{Sorter: ops.ArgSort(x)}), "array([1, 2])")
	opstest.Refuses(t, "want a Sorter of integers", func() { ops.SearchSorted(x, x, ops.SearchOptions{Sorter: opstest.Vector[int64](0, 1)}) })
	opstest.Refuses(t, "want a Sorter of integers", func() { ops.SearchSorted(x, x, ops.SearchOptions{Sorter: x}) })
}

func TestMeanOfVariances(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 5}, 2, 2)
	mean := ops.Mean(x, ops.Over(1).KeepDims())
	opstest.Repr(t, ops.Var(x, ops.VarOptions{Axes: ops.Over(1), Mean: mean}), "array([0.25, 1. ])")
	opstest.Repr(t, ops.Var(x, ops.VarOptions{Mean: nd.Scalar(0)}), "array(9.75)")
	opstest.Repr(t, ops.NanVar(opstest.Vector(1, nan, 3), ops.VarOptions{Mean: nd.Scalar(1)}), "array(2.)")
	opstest.Refuses(t, "want a Mean that broadcasts", func() { ops.Std(x, ops.VarOptions{Mean: opstest.Vector(1.0, 2, 3)}) })
	opstest.Refuses(t, "a complex Mean of real numbers", func() { ops.Std(x, ops.VarOptions{Mean: nd.Scalar(1i)}) })
	for name, f := range map[string]func(*nd.Array, ...ops.VarOption) *nd.Array{"Var": ops.Var, "Std": ops.Std, "NanVar": ops.NanVar} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
				return f(xs[0], ops.VarOptions{Axes: ops.Over(1), DDof: 0.5, Mean: xs[1]})
			}, opstest.Normal(1, dtype.Float64, 3, 4), opstest.Normal(2, dtype.Float64, 3, 1))
		})
	}
}

func TestAverageOverAxes(t *testing.T) {
	x := nd.ArangeInt(0, 12, 1).Reshape(2, 3, 2)
	w := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	y, total := ops.AverageAndWeight(x, ops.AverageOptions{Axis: ops.Over(1, 2), Weights: w})
	opstest.Repr(t, y, "array([3.33333333, 9.33333333])")
	opstest.Repr(t, total, "array([21., 21.])")
	opstest.Repr(t, ops.Average(x, ops.AverageOptions{Axis: ops.Over(2, 1), Weights: w.T()}), "array([3.33333333, 9.33333333])")
	y, total = ops.AverageAndWeight(x, ops.Over(0, 1).KeepDims())
	opstest.Repr(t, y, "array([[[5., 6.]]])")
	opstest.Repr(t, total, "array([[[6., 6.]]])")
	for _, zero := range []*nd.Array{nd.FromSlice([]float64{1, -1}), nd.FromSlice([]int8{2, -2}), nd.FromSlice([]complex64{1i, -1i}), nd.Zeros([]int{2})} {
		x := nd.FromRows([][]float32{{1, 2}, {3, 4}})
		opstest.Refuses(t, "the weights add up to 0", func() { ops.Average(x, ops.AverageOptions{Axis: ops.Over(1), Weights: zero}) })
		opstest.Refuses(t, "the weights add up to 0", func() { ops.AverageAndWeight(x, ops.AverageOptions{Axis: ops.Over(0), Weights: zero}) })
		one := ops.Stack([]*nd.Array{nd.OnesLike(zero), zero})
		opstest.Refuses(t, "the weights add up to 0", func() { ops.Average(x, ops.AverageOptions{Axis: ops.Over(1), Weights: one}) })
	}
	none := nd.Zeros([]int{0, 3})
	opstest.Repr(t, ops.Average(none, ops.AverageOptions{Axis: ops.Over(1), Weights: none}), "array([], dtype=float64)")
	opstest.Refuses(t, "the weights add up to 0", func() { ops.Average(none, ops.AverageOptions{Axis: ops.Over(0), Weights: none}) })
	opstest.Refuses(t, "want weights of the array's shape", func() { ops.Average(x, ops.AverageOptions{Axis: ops.Over(2, 1), Weights: w}) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Average(xs[0], ops.AverageOptions{Axis: ops.Over(1, 2), Weights: xs[1]})
	}, opstest.Normal(1, dtype.Float64, 2, 3, 2), ops.Exp(opstest.Normal(2, dtype.Float64, 3, 2)))
}

func TestWeightedQuantiles(t *testing.T) {
	x := opstest.Vector(3.0, 1, 2, nan)
	o := ops.QuantileOptions{Method: "inverted_cdf", Weights: opstest.Vector(1.0, 1, 2, 5)}
	q := opstest.Vector(0, 0.25, 0.3, 0.75, 0.8, 1)
	opstest.Repr(t, ops.NanQuantile(x, q, o), "array([1., 1., 2., 2., 3., 3.])")
	opstest.Repr(t, ops.Quantile(x, nd.Scalar(0.5), o), "array(nan)")
	o.Weights = opstest.Vector(1.0, 0, 2, 5) // an element without weight is not the smallest element either
	opstest.Repr(t, ops.NanPercentile(x, nd.Scalar(0), o), "array(2.)")
	missing := nd.Full([]int{2}, math.NaN())
	opstest.Repr(t, ops.NanQuantile(missing, nd.Scalar(0.5), ops.QuantileOptions{Method: "inverted_cdf", Weights: opstest.Vector(1.0, 1)}), "array(nan)")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.NanQuantile(x, nd.Scalar(0.5), o) }, x)
	opstest.Repr(t, g, "array([0., 0., 1., 0.])")
	for text, w := range map[string]*nd.Array{"no weight below 0": opstest.Vector(1.0, -1, 2, 5), "want finite weights": opstest.Vector(0.0, 0, 0, 0),
		"want weights of the array's shape": opstest.Vector(1.0), "want real weights": opstest.Vector(1i, 1, 1, 1)} {
		opstest.Refuses(t, text, func() { ops.NanQuantile(x, q, ops.QuantileOptions{Method: "inverted_cdf", Weights: w}) })
	}
	opstest.Refuses(t, `weights with the method ""`, func() { ops.Quantile(x, q, ops.QuantileOptions{Weights: x}) })
}

func TestBinsByRule(t *testing.T) {
	x := ops.Square(nd.Linspace(0, 4, 50))
	for rule, bins := range map[ops.BinRule]int{"auto": 7, "fd": 4, "doane": 9, "scott": 4, "stone": 6, "rice": 8, "sturges": 7, "sqrt": 8} {
		if got := ops.HistogramBinEdges(x, ops.HistogramOptions{Rule: rule}).Size() - 1; got != bins {
			t.Errorf("%s: %d bins, want %d", rule, got, bins)
		}
	}
	opstest.Refuses(t, `rule "wild"`, func() { ops.Histogram(x, ops.HistogramOptions{Rule: "wild"}) })
	opstest.Refuses(t, "Rule goes with neither", func() { ops.Histogram(x, ops.HistogramOptions{Rule: "auto", Weights: x}) })
	opstest.Refuses(t, "Rule goes with neither", func() { ops.Histogram(x, ops.HistogramOptions{Rule: "auto", Bins: 3}) })
}
