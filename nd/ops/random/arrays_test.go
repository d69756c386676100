package random_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// TestArraysAsParameters: elements are drawn as with numbers, of the same stream.
func TestArraysAsParameters(t *testing.T) {
	type one = func(rng *nd.Rand, loc, scale float64, shape []int, opts ...nd.ArrayOptions) *nd.Array
	type each = func(rng *nd.Rand, loc, scale *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array
	scaled := func(f func(*nd.Rand, float64, []int, ...nd.ArrayOptions) *nd.Array) one {
		return func(rng *nd.Rand, _, scale float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
			return f(rng, scale, shape, opts...)
		}
	}
	scaledOf := func(f func(*nd.Rand, *nd.Array, []int, ...nd.ArrayOptions) *nd.Array) each {
		return func(rng *nd.Rand, _, scale *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
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
		if slices.Contains(nd.ToSlice[bool](ops.Equal(g[0], nd.Scalar(0))), true) {
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
