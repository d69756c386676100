package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func TestTolerancesAndReplacementsAsArrays(t *testing.T) {
	a, b := vector(1.0, 1, 1), vector(1.1, 1.1, 1.1)
	want(t, ops.IsClose(a, b, ops.IsCloseOptions{ATol: vector(0.05, 0.2, 0), RTol: nd.Scalar(0)}), "array([False, True, False])")
	column := nd.FromSlice([]float64{0, 0.1}, 2, 1)
	want(t, ops.IsClose(a, b, ops.IsCloseOptions{RTol: column}), "array([[False, False, False], [ True, True, True]])")
	refuses(t, "want real tolerances", func() { ops.IsClose(a, b, ops.IsCloseOptions{RTol: nd.Scalar(1i)}) })
	x := vector(nan, inf, -inf, 1)
	o := ops.NaNToNumOptions{NaN: vector(1.0, 2, 3, 4), PosInf: nd.Scalar(5), NegInf: vector(-1.0)}
	want(t, ops.NaNToNum(x, o), "array([ 1., 5., -1., 1.])")
	refuses(t, "real values that broadcast", func() { ops.NaNToNum(x, ops.NaNToNumOptions{NaN: a}) })
	_, g := gradOf(func(v *nd.Array) *nd.Array { return ops.NaNToNum(x, ops.NaNToNumOptions{NaN: v}) }, vector(2.0, 3, 4, 5))
	want(t, g, "array([1., 0., 0., 0.])")
}

func TestSorter(t *testing.T) {
	x := vector(3.0, 1, 2)
	want(t, ops.SearchSorted(x, vector(1.5, 3), ops.SearchOptions{Sorter: ops.ArgSort(x)}), "array([1, 2])")
	refuses(t, "want a Sorter of integers", func() { ops.SearchSorted(x, x, ops.SearchOptions{Sorter: vector[int64](0, 1)}) })
	refuses(t, "want a Sorter of integers", func() { ops.SearchSorted(x, x, ops.SearchOptions{Sorter: x}) })
}

func TestMeanOfVariances(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 5}, 2, 2)
	mean := ops.Mean(x, ops.Over(1).KeepDims())
	want(t, ops.Var(x, ops.VarOptions{Axes: ops.Over(1), Mean: mean}), "array([0.25, 1. ])")
	want(t, ops.Var(x, ops.VarOptions{Mean: nd.Scalar(0)}), "array(9.75)")
	want(t, ops.NanVar(vector(1, nan, 3), ops.VarOptions{Mean: nd.Scalar(1)}), "array(2.)")
	refuses(t, "want a Mean that broadcasts", func() { ops.Std(x, ops.VarOptions{Mean: vector(1.0, 2, 3)}) })
	refuses(t, "a complex Mean of real numbers", func() { ops.Std(x, ops.VarOptions{Mean: nd.Scalar(1i)}) })
	for name, f := range map[string]func(*nd.Array, ...ops.VarOption) *nd.Array{"Var": ops.Var, "Std": ops.Std, "NanVar": ops.NanVar} {
		t.Run(name, func(t *testing.T) {
			gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
				return f(xs[0], ops.VarOptions{Axes: ops.Over(1), DDof: 0.5, Mean: xs[1]})
			}, normal(1, dtype.Float64, 3, 4), normal(2, dtype.Float64, 3, 1))
		})
	}
}

func TestAverageOverAxes(t *testing.T) {
	x := nd.ArangeInt(0, 12, 1).Reshape(2, 3, 2)
	w := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	y, total := ops.AverageAndWeight(x, ops.AverageOptions{Axis: ops.Over(1, 2), Weights: w})
	want(t, y, "array([3.33333333, 9.33333333])")
	want(t, total, "array([21., 21.])")
	want(t, ops.Average(x, ops.AverageOptions{Axis: ops.Over(2, 1), Weights: w.T()}), "array([3.33333333, 9.33333333])")
	y, total = ops.AverageAndWeight(x, ops.Over(0, 1).KeepDims())
	want(t, y, "array([[[5., 6.]]])")
	want(t, total, "array([[[6., 6.]]])")
	refuses(t, "want weights of the array's shape", func() { ops.Average(x, ops.AverageOptions{Axis: ops.Over(2, 1), Weights: w}) })
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		return ops.Average(xs[0], ops.AverageOptions{Axis: ops.Over(1, 2), Weights: xs[1]})
	}, normal(1, dtype.Float64, 2, 3, 2), ops.Exp(normal(2, dtype.Float64, 3, 2)))
}

func TestWeightedQuantiles(t *testing.T) {
	x := vector(3.0, 1, 2, nan)
	o := ops.QuantileOptions{Method: "inverted_cdf", Weights: vector(1.0, 1, 2, 5)}
	q := vector(0, 0.25, 0.3, 0.75, 0.8, 1)
	want(t, ops.NanQuantile(x, q, o), "array([1., 1., 2., 2., 3., 3.])")
	want(t, ops.Quantile(x, nd.Scalar(0.5), o), "array(nan)")
	o.Weights = vector(1.0, 0, 2, 5) // an element without weight is not the smallest element either
	want(t, ops.NanPercentile(x, nd.Scalar(0), o), "array(2.)")
	missing := nd.Full([]int{2}, math.NaN())
	want(t, ops.NanQuantile(missing, nd.Scalar(0.5), ops.QuantileOptions{Method: "inverted_cdf", Weights: vector(1.0, 1)}), "array(nan)")
	_, g := gradOf(func(x *nd.Array) *nd.Array { return ops.NanQuantile(x, nd.Scalar(0.5), o) }, x)
	want(t, g, "array([0., 0., 1., 0.])")
	for text, w := range map[string]*nd.Array{"no weight below 0": vector(1.0, -1, 2, 5), "want finite weights": vector(0.0, 0, 0, 0),
		"want weights of the array's shape": vector(1.0), "want real weights": vector(1i, 1, 1, 1)} {
		refuses(t, text, func() { ops.NanQuantile(x, q, ops.QuantileOptions{Method: "inverted_cdf", Weights: w}) })
	}
	refuses(t, `weights with the method ""`, func() { ops.Quantile(x, q, ops.QuantileOptions{Weights: x}) })
}

func TestBinsByRule(t *testing.T) {
	x := ops.Square(nd.Linspace(0, 4, 50))
	for rule, bins := range map[string]int{"auto": 7, "fd": 4, "doane": 9, "scott": 4, "stone": 6, "rice": 8, "sturges": 7, "sqrt": 8} {
		if got := ops.HistogramBinEdges(x, ops.HistogramOptions{Rule: rule}).Size() - 1; got != bins {
			t.Errorf("%s: %d bins, want %d", rule, got, bins)
		}
	}
	refuses(t, `rule "wild"`, func() { ops.Histogram(x, ops.HistogramOptions{Rule: "wild"}) })
	refuses(t, "Rule goes with neither", func() { ops.Histogram(x, ops.HistogramOptions{Rule: "auto", Weights: x}) })
	refuses(t, "Rule goes with neither", func() { ops.Histogram(x, ops.HistogramOptions{Rule: "auto", Bins: 3}) })
}
