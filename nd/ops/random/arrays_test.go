package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestArraysAsParameters checks that elements are drawn as with numbers, from the same stream.
func TestArraysAsParameters(t *testing.T) {
	type one = func(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array
	type each = func(rng *nd.Rand, loc, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array
	scaled := func(f func(*nd.Rand, float64, []int, ...nd.ArrayOption) *nd.Array) one {
		return func(rng *nd.Rand, _, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return f(rng, scale, shape, opts...)
		}
	}
	scaledOf := func(f func(*nd.Rand, *nd.Array, []int, ...nd.ArrayOption) *nd.Array) each {
		return func(rng *nd.Rand, _, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return f(rng, scale, shape, opts...)
		}
	}
	for name, f := range map[string]struct {
		one  one
		each each
	}{
		"Laplace": {random.Laplace, random.LaplaceOf}, "Gumbel": {random.Gumbel, random.GumbelOf}, "Logistic": {random.Logistic, random.LogisticOf},
		"LogNormal":   {random.LogNormal, random.LogNormalOf},
		"Exponential": {scaled(random.Exponential), scaledOf(random.ExponentialOf)},
		"Rayleigh":    {scaled(random.Rayleigh), scaledOf(random.RayleighOf)},
		"Weibull":     {scaled(random.Weibull), scaledOf(random.WeibullOf)},
		"Pareto":      {scaled(random.Pareto), scaledOf(random.ParetoOf)},
		"Uniform": {func(rng *nd.Rand, low, width float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Uniform(rng, low, low+width, shape, opts...)
		}, func(rng *nd.Rand, low, width *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
			if width.IsScalar() {
				panic(nd.Func("Uniform").Errorf(nil, "for this test"))
			}
			return random.UniformOf(rng, low, ops.Add(low, width), shape, opts...)
		}},
		"Triangular": {func(rng *nd.Rand, left, width float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Triangular(rng, left, left+width/2, left+width, shape, opts...)
		}, func(rng *nd.Rand, left, width *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.TriangularOf(rng, left, ops.Add(left, ops.Divide(width, 2)), ops.Add(left, width), shape, opts...)
		}},
	} {
		for _, dt := range []dtype.DType{dtype.Float16, dtype.Float32, dtype.Float64} {
			like := nd.ArrayOptions{DType: dt}
			loc, scale := nd.FromSlice([]float64{-1, 0, 2}), nd.FromSlice([]float64{0.5, 3}, 2, 1)
			y := f.each(nd.NewRand(3), loc, scale, []int{2, 3}, like)
			for i, s := range []float64{0.5, 3} {
				for k, l := range []float64{-1, 0, 2} {
					wanted := f.one(nd.NewRand(3), l, s, []int{2, 3}, like)
					if got, want := nd.Value[float64](y, i, k), nd.Value[float64](wanted, i, k); got != want {
						t.Errorf("%s of %s at %d, %d: %v, want %v", name, dt, i, k, got, want)
					}
				}
			}
		}
		y, g := grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return f.each(nd.NewRand(3), nd.Scalar(0), xs[0], []int{4}) })(nd.Ones([]int{4}))
		if slices.Contains(nd.ToSlice[bool](ops.Equal(g[0], 0)), true) {
			t.Errorf("%s: of %v the gradient of the scale is %v", name, y, g[0])
		}
		for _, f := range []func(){
			func() { f.each(nd.NewRand(3), nd.Scalar(0), nd.Scalar(-1), nil) },
			func() { f.each(nd.NewRand(3), nd.Scalar(0), nd.Ones([]int{3}), []int{2}) },
			func() {
				f.each(nd.NewRand(3), nd.Scalar(0), nd.Ones([]int{3}), nil, nd.ArrayOptions{DType: dtype.Int32})
			},
			func() { f.each(nil, nd.Scalar(0), nd.Ones([]int{3}), nil) },
		} {
			if nd.Catch(f) == nil {
				t.Errorf("%s: a bad call is not refused", name)
			}
		}
	}
	if y := random.LaplaceOf(nd.NewRand(1), nd.Ones([]int{3}), nd.Ones([]int{2, 1}), nil); !slices.Equal(y.Shape(), []int{2, 3}) {
		t.Errorf("without a shape: %v", y.Shape())
	}
}

// TestArraysAsParametersOfHostDraws checks that an array of one repeated number draws the same as the number.
func TestArraysAsParametersOfHostDraws(t *testing.T) {
	shape := []int{2, 50}
	full := func(v any) *nd.Array {
		if n, ok := v.(int); ok {
			return nd.Full([]int{50}, n)
		}
		return nd.Full([]int{2, 1}, v.(float64))
	}
	rng := func() *nd.Rand { return nd.NewRand(7) }
	for name, y := range map[string][2]*nd.Array{
		"Binomial":         {random.Binomial(rng(), 9, 0.25, shape), random.BinomialOf(rng(), full(9), full(0.25), nil)},
		"Binomial, number": {random.Binomial(rng(), 9, 0.25, shape), random.BinomialOf(rng(), nd.Scalar(9), full(0.25), shape)},
		"Geometric":        {random.Geometric(rng(), 0.25, shape), random.GeometricOf(rng(), full(0.25), shape)},
		"Gamma":            {random.Gamma(rng(), 2.5, 3, shape), random.GammaOf(rng(), full(2.5), full(3), nil)},
		"Beta":             {random.Beta(rng(), 0.5, 3, shape), random.BetaOf(rng(), full(0.5), full(3), nil)},
	} {
		if y[0].DType() != y[1].DType() || !ops.ArrayEqual(y[0], y[1]) {
			t.Errorf("%s: %v, want %v", name, y[1], y[0])
		}
	}
	for name, f := range map[string]func(){
		"a probability":        func() { random.BinomialOf(rng(), nd.Scalar(3), nd.FromSlice([]float64{0.5, 1.5}), nil) },
		"a probability of 0":   func() { random.GeometricOf(rng(), nd.Zeros([]int{2}), nil) },
		"an infinite bound":    func() { random.UniformOf(rng(), nd.Scalar(0), nd.Scalar(math.Inf(1)), []int{2}) },
		"a mode outside":       func() { random.TriangularOf(rng(), nd.Scalar(0), nd.Scalar(3), nd.Ones([]int{2}), nil) },
		"trials below 0":       func() { random.BinomialOf(rng(), nd.FromSlice([]int{3, -1}), nd.Scalar(0.5), nil) },
		"parts of trials":      func() { random.BinomialOf(rng(), nd.Scalar(2.5), nd.Scalar(0.5), nil) },
		"another shape":        func() { random.GammaOf(rng(), nd.Ones([]int{3}), nd.Scalar(1), []int{2}) },
		"complex parameters":   func() { random.GammaOf(rng(), nd.Scalar(1i), nd.Scalar(1), nil) },
		"an exponent of 0":     func() { random.BetaOf(rng(), nd.Zeros([]int{2}), nd.Scalar(1), nil) },
		"a nil parameter":      func() { random.BetaOf(rng(), nil, nd.Scalar(1), nil) },
		"no stream of numbers": func() { random.BetaOf(nil, nd.Scalar(1), nd.Scalar(1), nil) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
