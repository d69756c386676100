package random_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// continuous lists the distributions of real numbers, with their distribution functions and their ranges.
var continuous = []struct {
	name      string
	draw      func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array
	below     func(x float64) float64
	low, high float64
}{
	{"Uniform", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Uniform(rng, -2, 3, shape, opts...)
	}, distuv.Uniform{Min: -2, Max: 3}.CDF, -2, 3},
	{"Normal", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Normal(rng, 1, 2, shape, opts...)
	}, distuv.Normal{Mu: 1, Sigma: 2}.CDF, math.Inf(-1), math.Inf(1)},
	{"LogNormal", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.LogNormal(rng, 0.5, 0.25, shape, opts...)
	}, distuv.LogNormal{Mu: 0.5, Sigma: 0.25}.CDF, 0, math.Inf(1)},
	{"Exponential", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Exponential(rng, 2, shape, opts...)
	}, distuv.Exponential{Rate: 0.5}.CDF, 0, math.Inf(1)},
	{"Gumbel", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Gumbel(rng, 1, 2, shape, opts...)
	}, distuv.GumbelRight{Mu: 1, Beta: 2}.CDF, math.Inf(-1), math.Inf(1)},
	{"Laplace", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Laplace(rng, 1, 2, shape, opts...)
	}, distuv.Laplace{Mu: 1, Scale: 2}.CDF, math.Inf(-1), math.Inf(1)},
	{"Logistic", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Logistic(rng, 1, 2, shape, opts...)
	}, func(x float64) float64 { return 1 / (1 + math.Exp(-(x-1)/2)) }, math.Inf(-1), math.Inf(1)},
	{"Cauchy", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Cauchy(rng, 1, 2, shape, opts...)
	}, func(x float64) float64 { return 0.5 + math.Atan((x-1)/2)/math.Pi }, math.Inf(-1), math.Inf(1)},
	{"Rayleigh", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Rayleigh(rng, 2, shape, opts...)
	}, func(x float64) float64 { return -math.Expm1(-x * x / 8) }, 0, math.Inf(1)},
	{"Weibull", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Weibull(rng, 1.5, shape, opts...)
	}, distuv.Weibull{K: 1.5, Lambda: 1}.CDF, 0, math.Inf(1)},
	{"Pareto", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Pareto(rng, 3, shape, opts...)
	}, func(x float64) float64 { return 1 - math.Pow(1+x, -3) }, 0, math.Inf(1)},
	{"Triangular", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Triangular(rng, -1, 0, 3, shape, opts...)
	}, distuv.NewTriangle(-1, 3, 0, nil).CDF, -1, 3},
	{"Gamma", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Gamma(rng, 2.5, 2, shape, opts...)
	}, distuv.Gamma{Alpha: 2.5, Beta: 0.5}.CDF, 0, math.Inf(1)},
	{"Gamma of a small parameter", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Gamma(rng, 0.5, 1, shape, opts...)
	}, distuv.Gamma{Alpha: 0.5, Beta: 1}.CDF, 0, math.Inf(1)},
	{"Beta", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Beta(rng, 2, 3, shape, opts...)
	}, func(x float64) float64 { return mathext.RegIncBeta(2, 3, x) }, 0, 1},
	{"Beta of small parameters", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Beta(rng, 0.5, 0.7, shape, opts...)
	}, func(x float64) float64 { return mathext.RegIncBeta(0.5, 0.7, min(1, x)) }, 0, 1},
}

// The largest distance between the distribution function and that of n draws, times √n, is above 1.95 once in a
// thousand times (Kolmogorov).
func TestContinuousDistributions(t *testing.T) {
	const n = 20000
	for _, c := range continuous {
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
			x := c.draw(nd.NewRand(11), []int{n}, dt)
			if x.DType() != dt {
				t.Errorf("%s: dtype %s, want %s", c.name, x.DType(), dt)
			}
			values := nd.ToSlice[float64](x.AsType(dtype.Float64))
			slices.Sort(values)
			distance := 0.0
			for i, v := range values {
				f := c.below(v)
				distance = max(distance, f-float64(i)/n, float64(i+1)/n-f)
			}
			if !(distance*math.Sqrt(n) < 1.95) {
				t.Errorf("%s of %s: the distance from its distribution is %v", c.name, dt, distance)
			}
			if values[0] < c.low || values[n-1] > c.high || math.IsNaN(values[0]) {
				t.Errorf("%s of %s: values from %v to %v", c.name, dt, values[0], values[n-1])
			}
		}
	}
}

func TestHalfPrecision(t *testing.T) {
	for _, c := range continuous {
		for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
			half := c.draw(nd.NewRand(5), []int{500}, dt)
			single := c.draw(nd.NewRand(5), []int{500}, dtype.Float32).AsType(dt)
			got, want := nd.ToSlice[float32](half.AsType(dtype.Float32)), nd.ToSlice[float32](single.AsType(dtype.Float32))
			for i, v := range got {
				if d := math.Abs(float64(v - want[i])); d > dtype.Info(dt).Eps*math.Abs(float64(want[i])) {
					t.Fatalf("%s of %s: element %d is %v, want %v", c.name, dt, i, v, want[i])
				}
			}
		}
	}
}

// chance is the probability of a count.
type chance func(k float64) float64

// TestDiscreteDistributions uses that the sum of (observed - expected)²/expected over values that are expected at least
// 10 times, with the rest together, has the chi-squared distribution.
func TestDiscreteDistributions(t *testing.T) {
	const n = 20000
	binomial := func(trials int, p float64) chance { return distuv.Binomial{N: float64(trials), P: p}.Prob }
	for _, c := range []struct {
		name   string
		x      *nd.Array
		chance chance
	}{
		{"Poisson(0.3)", random.Poisson(nd.NewRand(1), 0.3, []int{n}), distuv.Poisson{Lambda: 0.3}.Prob},
		{"Poisson(9.9)", random.Poisson(nd.NewRand(2), 9.9, []int{n}), distuv.Poisson{Lambda: 9.9}.Prob},
		{"Poisson(10)", random.Poisson(nd.NewRand(3), 10, []int{n}), distuv.Poisson{Lambda: 10}.Prob},
		{"Poisson(500)", random.Poisson(nd.NewRand(4), 500, []int{n}), distuv.Poisson{Lambda: 500}.Prob},
		{"Binomial(1, 0.3)", random.Binomial(nd.NewRand(5), 1, 0.3, []int{n}), binomial(1, 0.3)},
		{"Binomial(20, 0.7)", random.Binomial(nd.NewRand(6), 20, 0.7, []int{n}), binomial(20, 0.7)},
		{"Binomial(30, 0.03)", random.Binomial(nd.NewRand(7), 30, 0.03, []int{n}), binomial(30, 0.03)},
		{"Binomial(25, 0.96)", random.Binomial(nd.NewRand(8), 25, 0.96, []int{n}), binomial(25, 0.96)},
		{"Binomial(40, 0.5)", random.Binomial(nd.NewRand(9), 40, 0.5, []int{n}), binomial(40, 0.5)},
		{"Binomial(1000, 0.01)", random.Binomial(nd.NewRand(10), 1000, 0.01, []int{n}), binomial(1000, 0.01)},
		{"Geometric(0.2)", random.Geometric(nd.NewRand(11), 0.2, []int{n}), func(k float64) float64 { return 0.2 * math.Pow(0.8, k-1) }},
		{"Integers", random.Integers(nd.NewRand(12), 0, 37, []int{n}), func(float64) float64 { return 1. / 37 }},
		{"Choice", random.Choice(nd.NewRand(13), 5, []int{n}, random.ChoiceOptions{P: nd.FromSlice([]float64{0.1, 0, 0.5, 0.4, 0})}),
			func(k float64) float64 { return []float64{0.1, 0, 0.5, 0.4, 0}[int(k)] }},
		{"Bernoulli", random.Bernoulli(nd.NewRand(14), 0.2, []int{n}).AsType(dtype.Int64), func(k float64) float64 { return 0.8 - 0.6*k }},
	} {
		if c.x.DType() != dtype.Int64 {
			t.Errorf("%s is %s", c.name, c.x.DType())
		}
		if message := agrees(nd.ToSlice[int64](c.x), c.chance); message != "" {
			t.Errorf("%s: %s", c.name, message)
		}
	}
}

// agrees compares counts with their expectations; it returns a description of a failure, or "".
func agrees(x []int64, p chance) string {
	observed := map[int64]float64{}
	for _, v := range x {
		observed[v]++
	}
	n := float64(len(x))
	statistic, cells, rest, restExpected := 0.0, 0, n, n
	for v, count := range observed {
		expected := n * p(float64(v))
		if expected == 0 {
			return fmt.Sprintf("%d was drawn, which is impossible", v)
		}
		if expected < 10 {
			continue
		}
		statistic += (count - expected) * (count - expected) / expected
		cells++
		rest, restExpected = rest-count, restExpected-expected
	}
	freedom := float64(cells - 1)
	if restExpected >= 10 {
		statistic += (rest - restExpected) * (rest - restExpected) / restExpected
		freedom++
	}
	if freedom < 1 {
		return "too few values"
	}
	if share := (distuv.ChiSquared{K: freedom}).Survival(statistic); share < 1e-3 || math.Abs(rest-restExpected) > 5*math.Sqrt(restExpected)+5 {
		return fmt.Sprintf("χ² is %v for %v degrees of freedom", statistic, freedom)
	}
	return ""
}
