package random_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// Counts that an integer dtype does not hold are refused, not saturated.
func TestCountsBeyondTheDType(t *testing.T) {
	shape := []int{200}
	half := nd.FromSlice([]float64{0.5, 0.5})
	for _, c := range []struct {
		fn   nd.Func
		dt   dtype.DType
		draw func(rng *nd.Rand, dt dtype.DType) *nd.Array
	}{
		{"random.Poisson", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Poisson(rng, 120, shape, dt) }},
		{"random.Poisson", dtype.Uint16, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Poisson(rng, 65500, shape, dt) }},
		{"random.Poisson", dtype.Int32, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Poisson(rng, 1<<31, shape, dt) }},
		{"random.PoissonOf", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.PoissonOf(rng, nd.FromSlice([]float64{1, 120}), shape, dt)
		}},
		{"random.Binomial", dtype.Uint8, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Binomial(rng, 512, 0.5, shape, dt) }},
		{"random.BinomialOf", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.BinomialOf(rng, nd.Scalar(256), nd.Scalar(0.5), shape, dt)
		}},
		{"random.Geometric", dtype.Int16, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Geometric(rng, 1e-5, shape, dt) }},
		{"random.Geometric", dtype.Int64, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Geometric(rng, 1e-300, shape, dt) }},
		{"random.GeometricOf", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.GeometricOf(rng, nd.Scalar(0.01), shape, dt)
		}},
		{"random.Multinomial", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.Multinomial(rng, 256, half, shape, dt)
		}},
		{"random.MultinomialOf", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.MultinomialOf(rng, nd.FromSlice([]int64{1, 256}), half, nil, dt)
		}},
		{"random.NegativeBinomial", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.NegativeBinomial(rng, 20, 0.1, shape, dt)
		}},
		{"random.Zipf", dtype.Uint8, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Zipf(rng, 1.5, shape, dt) }},
		{"random.LogSeries", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.LogSeries(rng, 0.999, shape, dt) }},
		{"random.Hypergeometric", dtype.Int8, func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.Hypergeometric(rng, 1000, 1000, 500, shape, dt)
		}},
	} {
		err := nd.Catch(func() { c.draw(nd.NewRand(1), c.dt) })
		if err == nil || !strings.HasPrefix(err.Error(), string(c.fn)+": a count of ") || !strings.Contains(err.Error(), "out of bounds for "+c.dt.String()) {
			t.Errorf("%s into %s: %v", c.fn, c.dt, err)
		}
		if y := c.draw(nd.NewRand(1), dtype.Float64); nd.Value[float64](ops.Max(y)) <= float64(dtype.Info(c.dt).MaxInt) {
			t.Errorf("%s: the largest draw fits %s: the test shows nothing", c.fn, c.dt)
		}
	}
}

// Counts that fit are the same in every dtype.
func TestCountsOfNarrowDTypes(t *testing.T) {
	shape := []int{300}
	for name, draw := range map[string]func(rng *nd.Rand, dt dtype.DType) *nd.Array{
		"Poisson": func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Poisson(rng, 30, shape, dt) },
		"PoissonOf": func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.PoissonOf(rng, nd.FromSlice([]float64{0, 5}), shape, dt)
		},
		"Binomial": func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Binomial(rng, 300, 0.2, shape, dt) },
		"BinomialOf": func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.BinomialOf(rng, nd.Scalar(300), nd.Scalar(0.2), shape, dt)
		},
		"Geometric": func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Geometric(rng, 0.3, shape, dt) },
		"Multinomial": func(rng *nd.Rand, dt dtype.DType) *nd.Array {
			return random.Multinomial(rng, 300, nd.FromSlice([]float64{0.2, 0.2, 0.2, 0.2, 0.2}), shape, dt)
		},
		"nothing": func(rng *nd.Rand, dt dtype.DType) *nd.Array { return random.Poisson(rng, 1e6, []int{0, 3}, dt) },
	} {
		want := draw(nd.NewRand(7), dtype.Float64)
		for _, dt := range []dtype.DType{dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint32, dtype.Int64, dtype.Uint64, dtype.Float32} {
			y := draw(nd.NewRand(7), dt)
			if y.DType() != dt || !nd.Value[bool](ops.All(ops.Equal(y, want))) {
				t.Errorf("%s: %s draws %v, want %v", name, dt, y, want)
			}
		}
	}
	if y := random.Poisson(nd.NewRand(1), 100, shape, dtype.Float16); math.IsInf(nd.Value[float64](ops.Max(y)), 0) {
		t.Error("a count of about 100 is infinite in float16")
	}
}
