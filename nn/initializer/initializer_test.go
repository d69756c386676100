package initializer_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

func TestInitializersHaveTheirMoments(t *testing.T) {
	const n = 20000
	for _, c := range []struct {
		name          string
		initial       initializer.Initializer
		mean, sigma   float64
		low, high     float64
		normalFourth  bool
		lowAndHighHit float64 // how near the extremes are to the limits
	}{
		{name: "Uniform", initial: initializer.Uniform(-3, -1), mean: -2, sigma: 2 / math.Sqrt(12), low: -3, high: -1, lowAndHighHit: 0.01},
		{name: "UniformGlorot", initial: initializer.UniformGlorot(2, 6, 3, 3), mean: 0, sigma: 0.5 / math.Sqrt(3), low: -0.5, high: 0.5, lowAndHighHit: 0.01},
		{name: "Normal", initial: initializer.Normal(3), mean: 0, sigma: 3, low: -30, high: 30, normalFourth: true},
		{name: "NormalGlorot", initial: initializer.NormalGlorot(30, 20), mean: 0, sigma: 0.2, low: -2, high: 2, normalFourth: true},
		{name: "NormalHeForward", initial: initializer.NormalHeForward(2, 99, 5, 5), mean: 0, sigma: 0.2, low: -2, high: 2, normalFourth: true},
		{name: "NormalHeBackward", initial: initializer.NormalHeBackward(99, 2, 5, 5), mean: 0, sigma: 0.2, low: -2, high: 2, normalFourth: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := floats(nn.NewScope().Parameter("w", []int{n / 100, 100}, c.initial, true))
			sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
			for _, v := range x {
				sum += v
				low, high = min(low, v), max(high, v)
			}
			mean := sum / n
			second, fourth := 0.0, 0.0
			for _, v := range x {
				d := (v - c.mean) / c.sigma
				second += d * d / n
				fourth += d * d * d * d / n
			}
			if math.Abs(mean-c.mean) > 5*c.sigma/math.Sqrt(n) || math.Abs(second-1) > 0.06 {
				t.Errorf("mean %v, want %v; variance %v times the wanted one", mean, c.mean, second)
			}
			if low < c.low || high > c.high {
				t.Errorf("from %v to %v, want within %v and %v", low, high, c.low, c.high)
			}
			if c.normalFourth && math.Abs(fourth-3) > 0.3 {
				t.Errorf("fourth moment %v, want 3", fourth)
			}
			if c.lowAndHighHit > 0 && (low > c.low+c.lowAndHighHit || high < c.high-c.lowAndHighHit) {
				t.Errorf("from %v to %v, want up to %v and %v", low, high, c.low, c.high)
			}
		})
	}
}

func TestInitializersHaveTheScopesDType(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		s := nn.NewScope(nn.ScopeOptions{DType: dt, Rand: nd.NewRand(5)})
		for name, initial := range map[string]initializer.Initializer{"c": initializer.Constant(1), "u": initializer.Uniform(0, 1), "n": initializer.Normal(1)} {
			if x := s.Parameter(name, []int{3}, initial, true); x.DType() != dt {
				t.Errorf("%s: dtype %s, want %s", name, x.DType(), dt)
			}
		}
	}
}

func TestLimitsOfInitialValues(t *testing.T) {
	near := func(got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("%v, want %v", got, want)
		}
	}
	low, high := initializer.CalcUniformLimGlorot(4, 5)
	near(low, -math.Sqrt(6.0/9))
	near(high, math.Sqrt(6.0/9))
	_, high = initializer.CalcUniformLimGlorot(64, 3, 5, 5)
	near(high, math.Sqrt(6.0/(64*25+3))) // N·K + M, not K·(N + M)
	near(initializer.CalcNormalStdGlorot(16, 32, 3), math.Sqrt(2.0/(16*3+32)))
	near(initializer.CalcNormalStdHeForward(8, 99, 3, 3), math.Sqrt(2.0/72))
	near(initializer.CalcNormalStdHeBackward(99, 8, 3, 3), math.Sqrt(2.0/72))
}
