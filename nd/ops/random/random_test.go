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
		"float32":     {random.Normal(nd.NewRand(3), 3, 0.5, shape, nd.ArrayOptions{DType: dtype.Float32}), 3, 0.5},
		"LogNormal":   {random.LogNormal(nd.NewRand(4), 0.1, 0.3, shape), math.Exp(0.1 + 0.045), math.Exp(0.145) * math.Sqrt(math.Expm1(0.09))},
		"Exponential": {random.Exponential(nd.NewRand(5), 2, shape), 2, 2},
		"Gumbel":      {random.Gumbel(nd.NewRand(6), 1, 2, shape), 1 + 2*euler, 2 * math.Pi / math.Sqrt(6)},
		"Bernoulli":   {random.Bernoulli(nd.NewRand(7), 0.3, shape, nd.ArrayOptions{DType: dtype.Float64}), 0.3, math.Sqrt(0.21)},
		"Integers":    {random.Integers(nd.NewRand(8), -3, 4, shape), 0, 2},
	} {
		mean, std := nd.Value[float64](ops.Mean(c.x)), nd.Value[float64](ops.Std(c.x))
		if math.Abs(mean-c.mean) > 5*c.std/math.Sqrt(n) || math.Abs(std-c.std) > 0.03*c.std {
			t.Errorf("%s: mean %v, deviation %v, want about %v and %v", name, mean, std, c.mean, c.std)
		}
	}
}

func TestSupports(t *testing.T) {
	u := random.Uniform(nd.NewRand(1), 5, 6, []int{1000})
	if low, high := nd.Value[float64](ops.Min(u)), nd.Value[float64](ops.Max(u)); low < 5 || high >= 6 {
		t.Errorf("Uniform reaches from %v to %v", low, high)
	}
	counts := nd.ToSlice[int64](ops.Bincount(random.Integers(nd.NewRand(2), 0, 5, []int{5000})))
	if len(counts) != 5 || slices.Min(counts) < 850 || slices.Max(counts) > 1150 {
		t.Errorf("Integers from 0 to 4 occur %v times of 5000", counts)
	}
	p := nd.ToSlice[int64](random.Permutation(nd.NewRand(3), 50))
	if slices.IsSorted(p) {
		t.Error("Permutation leaves the order")
	}
	slices.Sort(p)
	for i, v := range p {
		if int64(i) != v {
			t.Fatalf("%v is no permutation", p)
		}
	}
	bytes := random.Integers(nd.NewRand(4), 0, 256, []int{2000}, nd.ArrayOptions{DType: dtype.Uint8})
	if nd.Value[int](ops.Max(bytes)) < 250 || bytes.DType() != dtype.Uint8 {
		t.Errorf("the largest of 2000 bytes is %v", ops.Max(bytes))
	}
	if x := random.Bernoulli(nd.NewRand(5), 1, []int{3}); x.DType() != dtype.Bool || !nd.Value[bool](ops.All(x)) {
		t.Errorf("Bernoulli with p = 1: %v", x)
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
		"an integer dtype":       func() { random.Normal(r, 0, 1, nil, nd.ArrayOptions{DType: dtype.Int32}) },
		"a probability above 1":  func() { random.Bernoulli(r, 1.1, nil) },
		"no numbers":             func() { random.Integers(r, 3, 3, nil) },
		"numbers beyond a dtype": func() { random.Integers(r, 0, 300, nil, nd.ArrayOptions{DType: dtype.Uint8}) },
		"a negative length":      func() { random.Permutation(r, -1) },
		"no stream":              func() { random.Uniform(nil, 0, 1, nil) },
		"a negative dimension":   func() { random.Uniform(r, 0, 1, []int{-1}) },
	} {
		if err := nd.Catch(f); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
