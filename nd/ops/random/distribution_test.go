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
	{"ChiSquare", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.ChiSquare(rng, 3, shape, opts...)
	}, distuv.ChiSquared{K: 3}.CDF, 0, math.Inf(1)},
	{"NoncentralChiSquare", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.NoncentralChiSquare(rng, 0.7, 2.5, shape, opts...)
	}, mixed(1.25, func(j, x float64) float64 { return distuv.ChiSquared{K: 0.7 + 2*j}.CDF(x) }), 0, math.Inf(1)},
	{"F", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.F(rng, 3, 5.5, shape, opts...)
	}, distuv.F{D1: 3, D2: 5.5}.CDF, 0, math.Inf(1)},
	{"NoncentralF", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.NoncentralF(rng, 3, 5, 4, shape, opts...)
	}, mixed(2, func(j, x float64) float64 { return mathext.RegIncBeta(1.5+j, 2.5, 3*x/(3*x+5)) }), 0, math.Inf(1)},
	{"StudentT", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.StudentT(rng, 2.5, shape, opts...)
	}, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 2.5}.CDF, math.Inf(-1), math.Inf(1)},
	{"Power", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Power(rng, 3, shape, opts...)
	}, func(x float64) float64 { return x * x * x }, 0, 1},
	{"Wald", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Wald(rng, 2, 3, shape, opts...)
	}, inverseGaussian(2, 3), 0, math.Inf(1)},
	{"Wald of a small scale", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Wald(rng, 1, 0.05, shape, opts...)
	}, inverseGaussian(1, 0.05), 0, math.Inf(1)},
	{"VonMises", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.VonMises(rng, 0, 1.5, shape, opts...)
	}, circular(1.5), -math.Pi - 1e-6, math.Pi + 1e-6},
	{"VonMises without concentration", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.VonMises(rng, 2, 0, shape, opts...)
	}, circular(0), -math.Pi - 1e-6, math.Pi + 1e-6},
	{"VonMises of a small concentration", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.VonMises(rng, 0, 1e-6, shape, opts...)
	}, circular(1e-6), -math.Pi - 1e-6, math.Pi + 1e-6},
	{"VonMises of a large concentration", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.VonMises(rng, 2*math.Pi, 400, shape, opts...)
	}, circular(400), -math.Pi, math.Pi},
	{"VonMises of a huge concentration", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.VonMises(rng, 0, 4e6, shape, opts...)
	}, distuv.Normal{Mu: 0, Sigma: 0.0005}.CDF, -math.Pi, math.Pi},
	{"a share of Dirichlet", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Dirichlet(rng, nd.FromSlice([]float64{0.5, 1.5, 2}), shape, opts...).Index(nd.Ellipsis(), nd.At(1))
	}, func(x float64) float64 { return mathext.RegIncBeta(1.5, 2.5, min(1, x)) }, 0, 1},
	{"the last share of Dirichlet", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Dirichlet(rng, nd.FromSlice([]float64{0.5, 1.5, 2}), shape, opts...).Index(nd.Ellipsis(), nd.At(-1))
	}, func(x float64) float64 { return mathext.RegIncBeta(2, 2, min(1, x)) }, 0, 1},
	{"a tiny last share of Dirichlet", func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
		return random.Dirichlet(rng, nd.FromSlice([]float64{10, 1, 0.05}), shape, opts...).Index(nd.Ellipsis(), nd.At(-1))
	}, func(x float64) float64 { return mathext.RegIncBeta(0.05, 11, min(1, x)) }, 0, 1},
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

// mixed returns the mean of distribution functions, weighted by the Poisson probabilities of their numbers.
func mixed(rate float64, below func(j, x float64) float64) func(x float64) float64 {
	var weights [16]float64
	for j := range weights {
		weights[j] = distuv.Poisson{Lambda: rate}.Prob(float64(j))
	}
	return func(x float64) float64 {
		sum := 0.0
		for j, w := range weights {
			sum += w * below(float64(j), x)
		}
		return sum
	}
}

// inverseGaussian is the distribution function of the first passage of a Brownian motion.
func inverseGaussian(mean, scale float64) func(x float64) float64 {
	phi := distuv.UnitNormal.CDF
	return func(x float64) float64 {
		root := math.Sqrt(scale / x)
		return phi(root*(x/mean-1)) + math.Exp(2*scale/mean)*phi(-root*(x/mean+1))
	}
}

// circular is the distribution function of the von Mises distribution around 0, by the trapezoidal rule.
func circular(kappa float64) func(x float64) float64 {
	const steps = 20000
	sums := make([]float64, steps+1)
	density := func(x float64) float64 { return math.Exp(kappa * (math.Cos(x) - 1)) }
	for i := range steps {
		from, to := -math.Pi+2*math.Pi*float64(i)/steps, -math.Pi+2*math.Pi*float64(i+1)/steps
		sums[i+1] = sums[i] + (density(from)+density(to))/2
	}
	return func(x float64) float64 {
		at := min(max((x+math.Pi)/(2*math.Pi)*steps, 0), steps)
		i := min(int(at), steps-1)
		return (sums[i] + (at-float64(i))*(sums[i+1]-sums[i])) / sums[steps]
	}
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
		{"NegativeBinomial(3, 0.4)", random.NegativeBinomial(nd.NewRand(15), 3, 0.4, []int{n}), negative(3, 0.4)},
		{"NegativeBinomial(0.5, 0.1)", random.NegativeBinomial(nd.NewRand(16), 0.5, 0.1, []int{n}), negative(0.5, 0.1)},
		{"Zipf(1.6)", random.Zipf(nd.NewRand(17), 1.6, []int{n}), func(k float64) float64 { return math.Pow(k, -1.6) / mathext.Zeta(1.6, 1) }},
		{"Zipf(4)", random.Zipf(nd.NewRand(18), 4, []int{n}), func(k float64) float64 { return math.Pow(k, -4) / mathext.Zeta(4, 1) }},
		{"LogSeries(0.3)", random.LogSeries(nd.NewRand(19), 0.3, []int{n}), func(k float64) float64 { return -math.Pow(0.3, k) / k / math.Log(0.7) }},
		{"LogSeries(0.97)", random.LogSeries(nd.NewRand(20), 0.97, []int{n}), func(k float64) float64 { return -math.Pow(0.97, k) / k / math.Log(0.03) }},
		{"Hypergeometric(5, 7, 4)", random.Hypergeometric(nd.NewRand(21), 5, 7, 4, []int{n}), urn(5, 7, 4)},
		{"Hypergeometric(7, 5, 9)", random.Hypergeometric(nd.NewRand(22), 7, 5, 9, []int{n}), urn(7, 5, 9)},
		{"Hypergeometric(40, 60, 30)", random.Hypergeometric(nd.NewRand(23), 40, 60, 30, []int{n}), urn(40, 60, 30)},
		{"Hypergeometric(60, 40, 80)", random.Hypergeometric(nd.NewRand(24), 60, 40, 80, []int{n}), urn(60, 40, 80)},
		{"Hypergeometric(8, 1000, 300)", random.Hypergeometric(nd.NewRand(25), 8, 1000, 300, []int{n}), urn(8, 1000, 300)},
		{"Hypergeometric(3e5, 2e5, 1000)", random.Hypergeometric(nd.NewRand(26), 300_000, 200_000, 1000, []int{n}), urn(300_000, 200_000, 1000)},
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

// negative is the probability of k failures before the n-th success.
func negative(n, p float64) chance {
	return func(k float64) float64 {
		a, _ := math.Lgamma(k + n)
		b, _ := math.Lgamma(n)
		c, _ := math.Lgamma(k + 1)
		return math.Exp(a - b - c + n*math.Log(p) + k*math.Log1p(-p))
	}
}

// urn is the probability that k of the balls that are drawn are marked.
func urn(marked, others, drawn float64) chance {
	choose := func(n, k float64) float64 {
		if k < 0 || k > n {
			return math.Inf(-1)
		}
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return a - b - c
	}
	return func(k float64) float64 {
		return math.Exp(choose(marked, k) + choose(others, drawn-k) - choose(marked+others, drawn))
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
