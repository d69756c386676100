package ops_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestQuantileMethods compares the quantiles 0, 0.4, 0.5 and 1 of 15, 20, 35, 40 and 50 with NumPy's.
func TestQuantileMethods(t *testing.T) {
	x := nd.FromSlice([]float64{40, 15, 50, 20, 35})
	q := nd.FromSlice([]float64{0, 0.4, 0.5, 1})
	for method, repr := range map[ops.QuantileMethod]string{
		"":                          "array([15., 29., 35., 50.])",
		"lower":                     "array([15., 20., 35., 50.])",
		"higher":                    "array([15., 35., 35., 50.])",
		"midpoint":                  "array([15. , 27.5, 35. , 50. ])",
		"nearest":                   "array([15., 35., 35., 50.])",
		"inverted_cdf":              "array([15., 20., 35., 50.])",
		"averaged_inverted_cdf":     "array([15. , 27.5, 35. , 50. ])",
		"closest_observation":       "array([15., 20., 20., 50.])",
		"interpolated_inverted_cdf": "array([15. , 20. , 27.5, 50. ])",
		"hazen":                     "array([15. , 27.5, 35. , 50. ])",
		"weibull":                   "array([15., 26., 35., 50.])",
		"median_unbiased":           "array([15., 27., 35., 50.])",
		"normal_unbiased":           "array([15. , 27.125, 35. , 50. ])",
	} {
		t.Run(string(method), func(t *testing.T) { opstest.Repr(t, ops.Quantile(x, q, ops.QuantileOptions{Method: method}), repr) })
	}
	opstest.Refuses(t, "method", func() { ops.Quantile(x, q, ops.QuantileOptions{Method: "mean"}) })
	opstest.Refuses(t, "range", func() { ops.Quantile(x, nd.Scalar(1.5)) })
	opstest.Refuses(t, "range", func() { ops.Percentile(x, nd.Scalar(nan)) })
	opstest.Refuses(t, "two axes", func() { ops.Quantile(x, nd.Zeros([]int{1, 1, 1})) })
	opstest.Refuses(t, "real numbers", func() { ops.Quantile(x.AsType(dtype.Complex64), q) })
}

func TestQuantileShapesAndDTypes(t *testing.T) {
	x := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	two := nd.FromSlice([]float64{0.25, 1})
	opstest.Repr(t, ops.Quantile(x, nd.Scalar(0.5), ops.Over(0, -1)), "array([ 7.5, 11.5, 15.5])")
	opstest.Repr(t, ops.Quantile(x, two, ops.Over(1, 2).KeepDims()), "array([[[[ 2.75]], [[14.75]]], [[[11. ]], [[23. ]]]])")
	opstest.Repr(t, ops.Quantile(x, two, ops.QuantileOptions{Method: "lower"}), "array([ 5, 23])")
	single := nd.FromSlice([]float32{1, 2})
	opstest.Repr(t, ops.Quantile(single, nd.Scalar(0.5)), "array(1.5, dtype=float32)")
	opstest.Repr(t, ops.Quantile(single, nd.FromSlice([]float64{0.5})), "array([1.5])")
	opstest.Repr(t, ops.Percentile(nd.FromSlice([]int8{-100, 100}), nd.Scalar(75)), "array(50.)") // the difference is out of int8's range
	bools := nd.FromSlice([]bool{true, false, true})
	opstest.Repr(t, ops.Quantile(bools, nd.Scalar(0.5), ops.QuantileOptions{Method: "nearest"}), "array(True)")
	opstest.Refuses(t, "between bools", func() { ops.Quantile(bools, nd.Scalar(0.5)) })
	out := nd.Zeros([]int{3})
	ops.Quantile(x, nd.Scalar(0.0), ops.QuantileOptions{Axes: ops.Over(0, 2), Out: out})
	opstest.Repr(t, out, "array([0., 4., 8.])")
	opstest.Repr(t, ops.Quantile(x, nd.FromSlice([]int{0, 1})), "array([ 0, 23])") // the first and the last need no interpolation
	opstest.Repr(t, ops.NanPercentile(single, nd.FromSlice([]float64{0, 50, 100, 25}, 2, 2)), "array([[1. , 1.5 ], [2. , 1.25]])")
}

func TestQuantileOfNaNAndInf(t *testing.T) {
	x := nd.FromSlice([]float64{1, nan, 2, 3, 4, 5}, 2, 3)
	rows := ops.Over(1)
	opstest.Repr(t, ops.Quantile(x, nd.Scalar(0), rows), "array([nan, 3.])")
	opstest.Repr(t, ops.NanQuantile(x, nd.Scalar(0.5), rows), "array([1.5, 4. ])")
	opstest.Repr(t, ops.NanPercentile(x, nd.FromSlice([]int{0, 100}), rows), "array([[1., 3.], [2., 5.]])")
	opstest.Repr(t, ops.NanQuantile(nd.FromSlice([]float64{nan, nan}), nd.Scalar(0.5)), "array(nan)")
	opstest.Repr(t, ops.Quantile(nd.FromSlice([]float64{1, inf, inf}), nd.FromSlice([]float64{0, 0.1, 0.25, 0.75})), "array([ 1., inf, inf, inf])")
	opstest.Repr(t, ops.Quantile(nd.FromSlice([]float64{-inf, 1}), nd.FromSlice([]float64{0, 0.25, 0.75, 1})), "array([-inf, -inf, -inf, 1.])")
	opstest.Refuses(t, "no elements", func() { ops.Quantile(nd.Zeros([]int{0}), nd.Scalar(0.5)) })
	opstest.Repr(t, ops.Quantile(nd.Zeros([]int{3, 0}), nd.Scalar(0.5), ops.Over(0)), "array([], dtype=float64)")
}

func TestMedian(t *testing.T) {
	x := nd.FromSlice([]float64{3, 1, 2, nan, 5, 4}, 2, 3)
	opstest.Repr(t, ops.Median(x), "array(nan)")
	opstest.Repr(t, ops.Median(x, ops.Over(1)), "array([ 2., nan])")
	opstest.Repr(t, ops.Median(x, ops.Over(0).KeepDims()), "array([[nan, 3., 3.]])")
	opstest.Repr(t, ops.Median(nd.FromSlice([]bool{true, false})), "array(0.5)")
	opstest.Repr(t, ops.Median(nd.FromSlice([]uint8{255, 255})), "array(255.)")
	opstest.Repr(t, ops.Median(nd.Zeros([]int{0})), "array(nan)")
	opstest.Repr(t, ops.Median(nd.Scalar(4)), "array(4.)")
	opstest.Repr(t, ops.Median(nd.FromSlice([]complex128{1i, 1, 2})), "array(1.+0.j)")
	half := nd.FromSlice([]float64{60000, 60000}).AsType(dtype.Float16)
	opstest.Repr(t, ops.Median(half), "array(6.e+04, dtype=float16)")
}

func TestQuantileGradients(t *testing.T) {
	x := opstest.Normal(43, dtype.Float64, 3, 5)
	for method := range map[ops.QuantileMethod]bool{"linear": true, "hazen": true, "midpoint": true, "higher": true} {
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
			o := ops.QuantileOptions{Axes: ops.Over(1), Method: method}
			return ops.Quantile(xs[0], nd.FromSlice([]float64{0, 0.3, 0.7, 1}), o)
		}, x)
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Median(xs[0], ops.Over(0)) }, x)
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Median(x) }, nd.FromSlice([]float64{4, 1, 3, 2}))
	opstest.Repr(t, g, "array([0. , 0. , 0.5, 0.5])")
	_, g = opstest.ValueAndGrad(func(x *nd.Array) *nd.Array { return ops.Quantile(x, nd.Scalar(0.25)) }, nd.FromSlice([]float64{2, 2}))
	opstest.Repr(t, g, "array([0.75, 0.25])") // each of the equal elements gets its part
}

func TestCovariance(t *testing.T) {
	x := nd.FromSlice([]float64{0, 1, 2, 2, 1, 0}, 2, 3)
	opstest.Repr(t, ops.Cov(x), "array([[ 1., -1.], [-1., 1.]])")
	opstest.Repr(t, ops.Cov(x.T(), ops.CovOptions{RowVar: new(false), Bias: true}), "array([[ 0.66666667, -0.66666667], [-0.66666667, 0.66666667]])")
	opstest.Repr(t, ops.Cov(x.Index(nd.At(0)), ops.CovOptions{Y: x.Index(nd.At(1)), DDof: new(0.0)}), "array([[ 0.66666667, -0.66666667], [-0.66666667, 0.66666667]])")
	opstest.Repr(t, ops.Cov(nd.FromSlice([]int{1, 2, 4}), ops.CovOptions{FWeights: nd.FromSlice([]int{1, 0, 2})}), "array(3.)")
	opstest.Repr(t, ops.CorrCoef(x), "array([[ 1., -1.], [-1., 1.]])")
	opstest.Repr(t, ops.CorrCoef(nd.FromSlice([]float64{1, 2})), "array(1.)")
	opstest.Repr(t, ops.Cov(nd.FromSlice([]complex128{1, 1i})), "array(1.+0.j)")
	opstest.Refuses(t, "negative", func() { ops.Cov(x, ops.CovOptions{AWeights: nd.FromSlice([]float64{1, -1, 1})}) })
	opstest.Refuses(t, "integers", func() { ops.Cov(x, ops.CovOptions{FWeights: nd.Ones([]int{3})}) })
	opstest.Refuses(t, "every observation", func() { ops.Cov(x, ops.CovOptions{AWeights: nd.Ones([]int{2})}) })
	opstest.Refuses(t, "one or two", func() { ops.Cov(nd.Zeros([]int{1, 2, 3})) })
	a, w := opstest.Normal(44, dtype.Float64, 3, 6), ops.Square(opstest.Normal(45, dtype.Float64, 6))
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Cov(xs[0], ops.CovOptions{AWeights: xs[1]}) }, a, w)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Cov(xs[0]) }, a)
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array {
		return ops.CorrCoef(xs[0]).Index(nd.At(0), nd.From(1)) // the diagonal is 1 for every x and lies on a kink
	}, a)
}

// TestQuantileGradientInQ compares the gradients of q with differences between elements, and with one-sided slopes at
// elements.
func TestQuantileGradientInQ(t *testing.T) {
	x := nd.FromSlice([]float64{40, 15, 50, 20, 35, 3, nan, nan, -8, -1}, 2, 5)
	rows := func(method ops.QuantileMethod) ops.QuantileOptions {
		return ops.QuantileOptions{Axes: ops.Over(1), Method: method}
	}
	between := nd.FromSlice([]float64{0.013, 0.11, 0.27, 0.44, 0.61, 0.87, 0.993})
	full := x.Index(nd.Span(0, 1))
	for _, method := range []ops.QuantileMethod{"linear", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
		"averaged_inverted_cdf", "midpoint", "lower", "higher", "nearest", "inverted_cdf", "closest_observation"} {
		functions := map[string]gradcheck.Function{
			"Quantile":    func(xs ...*nd.Array) *nd.Array { return ops.Quantile(xs[0], xs[1], rows(method)) },
			"NanQuantile": func(xs ...*nd.Array) *nd.Array { return ops.NanQuantile(x, xs[1], rows(method)) },
			"Percentile": func(xs ...*nd.Array) *nd.Array {
				return ops.Percentile(xs[0], ops.Multiply(xs[1], 100.0), rows(method))
			},
			"NanPercentile": func(xs ...*nd.Array) *nd.Array {
				return ops.NanPercentile(x, ops.Multiply(xs[1], 100.0), rows(method))
			},
		}
		for name, f := range functions {
			t.Run(name+" "+string(method), func(t *testing.T) {
				gradcheck.Check(t, f, full, between)
				gradcheck.CheckSecondOrder(t, f, full, between)
			})
		}
	}
	_, slopes := opstest.ValueAndGrad(func(q *nd.Array) *nd.Array { return ops.Quantile(full, q) }, nd.FromSlice([]float32{0, 0.25, 0.5, 1}))
	opstest.Repr(t, slopes, "array([20., 60., 20., 40.], dtype=float32)")
	_, slope := opstest.ValueAndGrad(func(q *nd.Array) *nd.Array { return ops.Percentile(full, q) }, nd.Full(nil, 50.0))
	opstest.Repr(t, slope, "array(0.2)")
	infinite := nd.FromSlice([]float64{1, inf, inf})
	_, slope = opstest.ValueAndGrad(func(q *nd.Array) *nd.Array { return ops.Quantile(infinite, q) }, nd.Full(nil, 0.8))
	opstest.Repr(t, slope, "array(0.)")
	_, slope = opstest.ValueAndGrad(func(q *nd.Array) *nd.Array { return ops.Quantile(nd.FromSlice([]float64{7}), q) }, nd.Full(nil, 1.0))
	opstest.Repr(t, slope, "array(0.)")
}

// TestQuantilesAreContiguous: the rows of the result belong to the numbers q, and nd.Data reads them in order.
func TestQuantilesAreContiguous(t *testing.T) {
	x := nd.Arange(0, 12, 1).Reshape(4, 3)
	q := nd.FromSlice([]float64{0, 50, 100})
	want := []float64{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}
	for name, y := range map[string]*nd.Array{
		"Percentile":    ops.Percentile(x, q, ops.Over(1)),
		"NanPercentile": ops.NanPercentile(x, q, ops.Over(1)),
		"nearest":       ops.Percentile(x, q, ops.QuantileOptions{Axes: ops.Over(1), Method: ops.QuantileNearest}),
		"weights": ops.Percentile(x, q, ops.QuantileOptions{Axes: ops.Over(1), Method: ops.QuantileInvertedCDF,
			Weights: nd.Ones([]int{3})}),
	} {
		if !slices.Equal(nd.Data[float64](y), want) {
			t.Errorf("%s: %v, want %v", name, nd.Data[float64](y), want)
		}
	}
}
