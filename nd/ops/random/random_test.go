package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

func TestMoments(t *testing.T) {
	const n = 40000
	shape := []int{200, 200}
	euler := 0.57721566490153286
	for name, c := range map[string]struct {
		x         *nd.Array
		mean, std float64
	}{
		"Uniform":     {random.Uniform(nd.NewRand(1), -2, 4, shape), 1, 6 / math.Sqrt(12)},
		"Normal":      {random.Normal(nd.NewRand(2), 3, 0.5, shape), 3, 0.5},
		"float32":     {random.Normal(nd.NewRand(3), 3, 0.5, shape, dtype.Float32), 3, 0.5},
		"LogNormal":   {random.LogNormal(nd.NewRand(4), 0.1, 0.3, shape), math.Exp(0.1 + 0.045), math.Exp(0.145) * math.Sqrt(math.Expm1(0.09))},
		"Exponential": {random.Exponential(nd.NewRand(5), 2, shape), 2, 2},
		"Gumbel":      {random.Gumbel(nd.NewRand(6), 1, 2, shape), 1 + 2*euler, 2 * math.Pi / math.Sqrt(6)},
		"Bernoulli":   {random.Bernoulli(nd.NewRand(7), 0.3, shape, dtype.Float64), 0.3, math.Sqrt(0.21)},
		"Integers":    {random.Integers(nd.NewRand(8), -3, 4, shape), 0, 2},
	} {
		mean, std := nd.Value[float64](ops.Mean(c.x)), nd.Value[float64](ops.Std(c.x))
		if math.Abs(mean-c.mean) > 5*c.std/math.Sqrt(n) || math.Abs(std-c.std) > 0.03*c.std {
			t.Errorf("%s: mean %v, deviation %v, want about %v and %v", name, mean, std, c.mean, c.std)
		}
	}
}

func TestSameSeedSameNumbers(t *testing.T) {
	r := nd.NewRand(9)
	first, second := random.Normal(r, 0, 1, []int{7}), random.Normal(r, 0, 1, []int{7})
	again := random.Normal(nd.NewRand(9), 0, 1, []int{14})
	if !slices.Equal(nd.ToSlice[float64](ops.Concatenate([]*nd.Array{first, second})), nd.ToSlice[float64](again)) {
		t.Error("two draws of 7 are not one of 14")
	}
}

func TestRefusals(t *testing.T) {
	r := nd.NewRand(1)
	for name, f := range map[string]func(){
		"an infinite interval":   func() { random.Uniform(r, 0, math.Inf(1), nil) },
		"a negative deviation":   func() { random.Normal(r, 0, -1, nil) },
		"an integer dtype":       func() { random.Normal(r, 0, 1, nil, dtype.Int32) },
		"a probability above 1":  func() { random.Bernoulli(r, 1.1, nil) },
		"no numbers":             func() { random.Integers(r, 3, 3, nil) },
		"numbers beyond a dtype": func() { random.Integers(r, 0, 300, nil, dtype.Uint8) },
		"a negative length":      func() { random.Permutation(r, -1) },
		"no stream":              func() { random.Uniform(nil, 0, 1, nil) },
		"no stream on the host":  func() { random.Gamma(nil, 1, 1, nil) },
		"an unbounded interval":  func() { random.Uniform(r, math.NaN(), 1, nil) },
		"a scale of infinity":    func() { random.Gumbel(r, 0, math.Inf(1), nil) },
		"no exponent":            func() { random.Weibull(r, 0, nil) },
		"a peak outside":         func() { random.Triangular(r, 0, 2, 1, nil) },
		"an empty triangle":      func() { random.Triangular(r, 1, 1, 1, nil) },
		"a negative parameter":   func() { random.Gamma(r, -1, 1, nil) },
		"a parameter of 0":       func() { random.Beta(r, 0, 1, nil) },
		"a negative rate":        func() { random.Poisson(r, -1, nil) },
		"rates that are none":    func() { random.PoissonOf(r, nd.FromSlice([]float64{1, math.NaN()}), nil) },
		"negative trials":        func() { random.Binomial(r, -1, 0.5, nil) },
		"no success":             func() { random.Geometric(r, 0, nil) },
		"numbers in wrong order": func() { random.IntegersClosed(r, 3, 2, nil) },
		"bits of floats":         func() { random.Bits(r, nil, dtype.Float32) },
		"too few to choose from": func() { random.Choice(r, 3, []int{4}, random.ChoiceOptions{Replace: new(false)}) },
		"nothing to choose from": func() { random.Choice(r, 0, []int{1}) },
		"too few probabilities":  func() { random.Choice(r, 3, nil, random.ChoiceOptions{P: nd.Ones([]int{2})}) },
		"probabilities above 1":  func() { random.Choice(r, 2, nil, random.ChoiceOptions{P: nd.Ones([]int{2})}) },
		"one probability below 0": func() {
			random.Choice(r, 2, nil, random.ChoiceOptions{P: nd.FromSlice([]float64{1.5, -0.5})})
		},
		"too few that can be drawn": func() {
			random.Choice(r, 3, []int{2}, random.ChoiceOptions{P: nd.FromSlice([]float64{1, 0, 0}), Replace: new(false)})
		},
		"rows without weights":    func() { random.ChoiceOfRows(r, nd.Ones([]int{2, 3}), nd.Zeros([]int{2, 3}), nil) },
		"weights of other shape":  func() { random.ChoiceOfRows(r, nd.Ones([]int{2, 3}), nd.Ones([]int{3}), nil) },
		"an axis out of range":    func() { random.Shuffled(r, nd.Ones([]int{3}), ops.Over(1)) },
		"a view that repeats":     func() { random.Shuffle(r, nd.Ones([]int{1}).BroadcastTo(4)) },
		"no outcomes":             func() { random.Multinomial(r, 3, nd.Ones(nil), nil) },
		"deviations below 0":      func() { random.NormalOf(r, nd.Scalar(0), nd.FromSlice([]float64{1, -1}), nil) },
		"shapes that do not meet": func() { random.NormalOf(r, nd.Ones([]int{3}), nd.Scalar(1), []int{2}) },
		"a negative dimension":    func() { random.Uniform(r, 0, 1, []int{-1}) },
	} {
		if err := nd.Catch(f); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
