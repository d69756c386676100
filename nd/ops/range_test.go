package ops_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// sizes are factors whose squares leave the range of a dtype.
var sizes = map[dtype.DType][]float64{
	dtype.Float32: {0x1p-130, 0x1p-100, 0x1p80, 0x1p122}, dtype.BFloat16: {0x1p-100, 0x1p100},
	dtype.Float64: {0x1p-1000, 0x1p-600, 0x1p600, 0x1p1010}, dtype.Complex64: {0x1p-100, 0x1p100}, dtype.Complex128: {0x1p-600, 0x1p600},
}

// sized fails unless got is want times a factor, within 1e-5, or 1e-2 for bfloat16.
func sized(t *testing.T, name string, got *nd.Array, factor float64, want ...float64) {
	t.Helper()
	tolerance := 1e-5
	if got.DType() == dtype.BFloat16 {
		tolerance = 1e-2
	}
	values := nd.ToSlice[float64](got.AsType(dtype.Float64))
	for i, w := range want {
		if len(values) != len(want) || values[i] != w*factor && !(math.Abs(values[i]/factor-w) <= tolerance*math.Abs(w)) {
			t.Errorf("%s of size %v in %s: got %v, want %v", name, factor, got.DType(), got, want)
			return
		}
	}
}

// TestNormsOfAnySize computes norms and deviations whose squares leave the range, along rows, columns and all axes, in
// contiguous and strided layouts, beside rows of zeros and of usual numbers.
func TestNormsOfAnySize(t *testing.T) {
	rows := []float64{3, 4, 0, 0, 0, 0, 2, 4, 6, 5, 5, 5}
	for dt, factors := range sizes {
		for _, f := range factors {
			x := ops.Multiply(nd.FromSlice(rows, 4, 3), f).AsType(dt)
			sized(t, "Norm of rows", ops.Norm(x, ops.Over(1)), f, 5, 0, math.Sqrt(56), math.Sqrt(75))
			sized(t, "Norm of strided rows", ops.Norm(x.T().Copy().T(), ops.Over(1)), f, 5, 0, math.Sqrt(56), math.Sqrt(75))
			sized(t, "Norm of columns", ops.Norm(x, ops.Over(0)), f, math.Sqrt(38), math.Sqrt(57), math.Sqrt(61))
			sized(t, "Norm", ops.Norm(x), f, math.Sqrt(156))
			sized(t, "Norm of order 3", ops.Norm(x, ops.NormOptions{P: new(3.0), Axes: ops.Over(1)}), f,
				math.Cbrt(91), 0, math.Cbrt(8+64+216), math.Cbrt(375))
			sized(t, "Std", ops.Std(x, ops.Over(1)), f, math.Sqrt(26.0/9), 0, math.Sqrt(8.0/3), 0)
			if dt.IsFloat() {
				sized(t, "NanStd", ops.NanStd(x, ops.Over(1)), f, math.Sqrt(26.0/9), 0, math.Sqrt(8.0/3), 0)
				sized(t, "Std of chosen", ops.Std(x, ops.VarOptions{Axes: ops.Over(1), Where: nd.Ones([]int{1}, dtype.Bool)}), f,
					math.Sqrt(26.0/9), 0, math.Sqrt(8.0/3), 0)
				sized(t, "CosineSimilarity", ops.CosineSimilarity(x.Index(nd.At(0)), x.Index(nd.At(2)), ops.CosineSimilarityOptions{Eps: new(0.0)}), 1,
					22/(5*math.Sqrt(56)))
			}
		}
	}
	many := nd.Ones([]int{300, 7}) // some of many sums are out of the range
	many.Index(nd.At(3), nd.At(2)).Assign(nd.Scalar(1e200))
	many.Index(nd.At(7), nd.At(0)).Assign(nd.Scalar(math.Inf(1)))
	got := ops.Norm(many, ops.Over(1))
	sized(t, "Norm of some large rows", got.Index(nd.Span(2, 9)), 1, math.Sqrt(7), 1e200, math.Sqrt(7), math.Sqrt(7), math.Sqrt(7), math.Inf(1), math.Sqrt(7))
}

// TestGradientsOfLargeNorms checks the values of gradients, and that they do not depend on the size.
func TestGradientsOfLargeNorms(t *testing.T) {
	x := nd.FromSlice([]float32{1e20, 1, 1})
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(x)
	sized(t, "gradient of Norm", tape.Gradient(ops.Norm(w), w)[0], 1, 1, 1e-20, 1e-20)
	for dt, factors := range sizes {
		if !dt.IsFloat() || dt == dtype.BFloat16 {
			continue
		}
		for _, f := range factors {
			for name, of := range map[string]func(x *nd.Array) *nd.Array{
				"Norm":            func(x *nd.Array) *nd.Array { return ops.Norm(x) },
				"Norm of order 3": func(x *nd.Array) *nd.Array { return ops.Norm(x, ops.NormOptions{P: new(3.0)}) },
				"Std":             func(x *nd.Array) *nd.Array { return ops.Std(x) },
			} {
				x := nd.FromSlice([]float64{3, -4, 12}).AsType(dt)
				_, want := opstest.ValueAndGrad(of, x)
				_, got := opstest.ValueAndGrad(of, ops.Multiply(x, f))
				sized(t, "gradient of "+name, got, 1, nd.ToSlice[float64](want.AsType(dtype.Float64))...)
			}
		}
	}
}

// TestSumsOutOfRange computes results that are in the range from sums or differences that are not.
func TestSumsOutOfRange(t *testing.T) {
	const big = 1.7e308
	sized(t, "Mean", ops.Mean(opstest.Vector(big, big)), big, 1)
	sized(t, "Mean of rows", ops.Mean(nd.FromSlice([]float32{3e38, 3e38, 1, 2, -3e38, -2e38}, 3, 2), ops.Over(1)), 1, 3e38, 1.5, -2.5e38)
	two, nan, some := opstest.Vector(big, big), math.NaN(), nd.FromSlice([]bool{true, false, true})
	sized(t, "Average of large products", ops.Average(two, ops.AverageOptions{Weights: opstest.Vector(3.0, 5)}), big, 1)
	sized(t, "Average of large sums", ops.Average(opstest.Vector(big, -big, big), ops.AverageOptions{Weights: opstest.Vector(1, 0.5, 1)}), big, 0.6)
	sized(t, "Average by large weights", ops.Average(opstest.Vector(1.0, 3), ops.AverageOptions{Weights: two}), 1, 2)
	sized(t, "Average of float32", ops.Average(nd.FromSlice([]float32{3e38, 3e38}), ops.AverageOptions{Weights: nd.FromSlice([]int64{3, 1})}), 1, 3e38)
	sized(t, "NanMean", ops.NanMean(nd.FromSlice([]float64{big, nan, big, 1, 2, nan, -big, -big, -big}, 3, 3), ops.Over(1)), 1,
		big, 1.5, -big)
	sized(t, "NanMean of all", ops.NanMean(opstest.Vector(big, nan, big)), big, 1)
	sized(t, "NanMean of chosen", ops.NanMean(opstest.Vector(big, nan, big), ops.ReduceOptions{Where: some}), big, 1)
	sized(t, "Mean of chosen", ops.Mean(opstest.Vector(big, big, big), ops.ReduceOptions{Where: some}), big, 1)
	sized(t, "Mean of chosen in rows", ops.Mean(nd.FromSlice([]float64{big, big, big, 1, 9, 2}, 2, 3), ops.ReduceOptions{Where: some, Axes: ops.Over(1)}), 1, big, 1.5)
	sized(t, "Std of chosen", ops.Std(opstest.Vector(big, 0, big), ops.VarOptions{Where: some}), 1, 0)
	for name, of := range map[string]func(x *nd.Array) *nd.Array{
		"Average": func(x *nd.Array) *nd.Array {
			return ops.Average(x, ops.AverageOptions{Weights: opstest.Vector(4.0, 0, 4)})
		},
		"NanMean":        func(x *nd.Array) *nd.Array { return ops.NanMean(ops.Where(some, x, nan)) },
		"Mean of chosen": func(x *nd.Array) *nd.Array { return ops.Mean(x, ops.ReduceOptions{Where: some}) },
	} {
		_, got := opstest.ValueAndGrad(of, opstest.Vector(big, big, big))
		sized(t, "gradient of "+name, got, 1, 0.5, 0, 0.5)
	}
	sized(t, "Median", ops.Median(opstest.Vector(big, big)), big, 1)
	if got := nd.Value[complex128](ops.Mean(nd.FromSlice([]complex128{complex(big, -big), complex(big, -big)}))); got != complex(big, -big) {
		t.Errorf("the complex mean is %v", got)
	}
	for q, want := range map[float64]float64{0: -1.5e308, 0.25: -7.5e307, 0.5: 0, 0.75: 7.5e307, 1: 1.5e308} {
		got := nd.Value[float64](ops.Quantile(opstest.Vector(-1.5e308, 1.5e308), nd.Scalar(q)))
		if !(math.Abs(got-want) <= 1e-15*math.Abs(want)) {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	inf := math.Inf(1)
	for _, test := range []struct {
		v        float64
		decimals int
		dt       dtype.DType
		want     float64
	}{
		{12345, -400, dtype.Float64, 0}, {12345, -40, dtype.Float32, 0}, {1.5e308, 5, dtype.Float64, 1.5e308}, {1.5e38, 5, dtype.Float32, 1.5e38},
		{1.5, 400, dtype.Float64, 1.5}, {1.5, 700, dtype.Float64, 1.5}, {1.26e-320, 321, dtype.Float64, 1.3e-320}, {inf, -400, dtype.Float64, inf}, {inf, 5, dtype.Float64, inf},
		{1.5, 5, dtype.Float16, 1.5}, {0.285, 2, dtype.Float64, 0.28}, {12345, -2, dtype.Float64, 12300}, {1234, -5, dtype.Float16, 0},
	} {
		got := ops.Round(nd.FromSlice([]float64{test.v}).AsType(test.dt), ops.RoundOptions{Decimals: test.decimals})
		sized(t, "Round", got, 1, nd.Value[float64](nd.FromSlice([]float64{test.want}).AsType(test.dt).AsType(dtype.Float64)))
	}
	opstest.Floats(t, "Round of integers", ops.Round(nd.FromSlice([]int64{12345}), ops.RoundOptions{Decimals: -400}).AsType(dtype.Float64), 0)
}

// TestCorrCoefOfRows checks constant rows, whose mean is rounded, and that the size of rows does not matter.
// Equal elements have no variance, although their mean may differ from them in the last place.
func TestDeviationsOfEqualElements(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
		for _, n := range []int{1, 3, 7, 300, 1000, 5000} {
			for _, v := range []float64{0.1, -1.0 / 3, 0.1e-30, 0.1e20} {
				if dt == dtype.Float16 && math.Abs(math.Log10(math.Abs(v))) > 4 {
					continue
				}
				x := nd.Full([]int{2, n}, v, dt)
				w := nd.ArangeInt(1, n+1, 1)
				chosen := ops.Equal(ops.Remainder(w, 3), 1)
				holed := ops.Where(chosen, x, math.NaN())
				results := map[string]*nd.Array{
					"Std": ops.Std(x), "Var of rows": ops.Var(x, ops.Over(1)), "Std of columns": ops.Std(x.T(), ops.Over(0)),
					"Std of each": ops.Std(x, ops.Over()), "Std of reversed rows": ops.Std(x.Flip(1), ops.Over(1)),
				}
				if !dt.IsComplex() { // the mean of equal complex distances may have a rounding error
					results["Var with Where"] = ops.Var(x, ops.VarOptions{Axes: ops.Over(1), Where: chosen})
					results["Std with Where"] = ops.Std(x, ops.VarOptions{Where: chosen})
					results["NanVar"], results["NanStd"] = ops.NanVar(holed), ops.NanStd(holed, ops.Over(1))
					results["Cov"] = ops.Cov(x, ops.CovOptions{DDof: new(0.0)})
					results["Cov with FWeights"] = ops.Cov(x, ops.CovOptions{DDof: new(0.0), FWeights: w})
				}
				for name, y := range results {
					if nd.Value[bool](ops.Any(ops.NotEqual(y, 0))) {
						t.Errorf("%s of %d numbers %v in %s: %v", name, n, v, dt, y)
					}
				}
				if g := grad.Grad(func(x *nd.Array) *nd.Array { return ops.Std(x) })(x); nd.Value[bool](ops.Any(ops.NotEqual(g, 0))) {
					t.Errorf("%d numbers %v in %s: the gradient of Std is %v", n, v, dt, g)
				}
			}
		}
	}
	// neighbours are not equal
	for _, x := range []*nd.Array{nd.FromSlice([]float64{1, 1 + 0x1p-51, 1 + 0x1p-51, 1}), nd.FromSlice([]float64{1 + 0x1p-51, 1})} {
		if y := ops.Std(x); y.Float() != 0x1p-52 {
			t.Errorf("the standard deviation of %v is %v", x, y)
		}
	}
	if y := ops.Var(nd.Full([]int{3}, 0.1), ops.VarOptions{Mean: nd.Scalar(0.2)}); math.Abs(y.Float()-0.01) > 1e-15 {
		t.Errorf("the variance around another mean is %v", y)
	}
}

func TestCorrCoefOfRows(t *testing.T) {
	constant := nd.Full([]int{2, 300}, 0.1)
	for i, v := range nd.ToSlice[float64](ops.CorrCoef(constant)) {
		if !math.IsNaN(v) {
			t.Errorf("coefficient %d of constant rows is %v", i, v)
		}
	}
	x := opstest.Normal(1, dtype.Float64, 3, 10)
	want := ops.CorrCoef(x)
	for _, f := range []float64{1e-200, 1e200} {
		opstest.Close(t, ops.CorrCoef(ops.Multiply(x, f)), want, 1e-12)
		opstest.Close(t, ops.R2Score(ops.Multiply(x.Index(nd.At(0)), f), ops.Multiply(x.Index(nd.At(1)), f)),
			ops.R2Score(x.Index(nd.At(0)), x.Index(nd.At(1))), 1e-12)
	}
}

// TestDistancesOfAnySize checks distances of near rows, of rows of any size, and of orders whose powers leave the range.
func TestDistancesOfAnySize(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		x := ops.Add(opstest.Normal(1, dtype.Float64, 30, 3), 1000).AsType(dt)
		direct := ops.Norm(ops.Subtract(x.ExpandDims(1), x), ops.Over(-1))
		opstest.Close(t, ops.CDist(x, x), direct, 100*dtype.Info(dt).Eps)
		x.Assign(ops.Where(ops.Greater(nd.ArangeInt(0, 30, 1).ExpandDims(1), 1), x, ops.Add(x.Index(nd.At(0)), 1e-3*dtype.Info(dt).Eps)))
		if v := ops.CDist(x, x).Index(nd.At(0), nd.At(1)); nd.Value[float64](v.AsType(dtype.Float64)) != 0 {
			t.Errorf("equal rows have distance %v", v)
		}
		for _, f := range sizes[dt][1:3] {
			for _, p := range []float64{1, 2, 3, 100, math.Inf(1)} {
				a, o := opstest.Normal(2, dtype.Float64, 30, 3), ops.DistanceOptions{P: &p}
				want := nd.ToSlice[float64](ops.PDist(a, o))
				sized(t, "PDist", ops.PDist(ops.Multiply(a, f).AsType(dt), o), f, want...)
			}
		}
	}
	sized(t, "PDist of order 100", ops.PDist(nd.FromSlice([]float32{0.1, 0}, 2, 1), ops.DistanceOptions{P: new(100.0)}), 1, 0.1)
}

// TestGradientsOfDistances compares gradients of both forms with differences, also for rows that are near each other.
func TestGradientsOfDistances(t *testing.T) {
	for _, rows := range []int{4, 30} {
		a, b := opstest.Normal(1, dtype.Float64, 2, rows, 3), opstest.Normal(2, dtype.Float64, rows+1, 3)
		b.Index(nd.At(0)).Assign(ops.Add(a.Index(nd.At(1), nd.At(2)), opstest.Vector(0.01, 0.023, -0.017)))
		for _, p := range []float64{1, 2, 3, math.Inf(1)} {
			o := ops.DistanceOptions{P: &p}
			f := func(xs ...*nd.Array) *nd.Array { return ops.Sum(ops.Sin(ops.CDist(xs[0], xs[1], o))) }
			gradcheck.Check(t, f, a, b)
			if p < 3 {
				gradcheck.CheckSecondOrder(t, f, a, b)
			}
		}
		gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return ops.Sum(ops.Sin(ops.PDist(xs[0]))) }, b)
	}
}
