package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// randomRows is the chapter of random numbers. Functions take a stream where the documents use a stream of their own.
var randomRows = []Row{
	{Signature: "cupy.random.uniform(low=0.0, high=1.0, size=None, dtype=float)", Func: random.Uniform, Random: true},
	{Signature: "cupy.random.normal(loc=0.0, scale=1.0, size=None, dtype=float)", Func: random.NormalOf, Random: true},
	{Signature: "cupy.random.lognormal(mean=0.0, sigma=1.0, size=None, dtype=float)", Func: random.LogNormalOf, Random: true},
	{Signature: "cupy.random.gumbel(loc=0.0, scale=1.0, size=None, dtype=float)", Func: random.GumbelOf, Random: true},
	{Signature: "cupy.random.rand(*size, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.random(size=None, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.random_sample(size=None, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.ranf(size=None, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.sample(size=None, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.randn(*size, dtype=float)", Func: standardNormal, Random: true},
	{Signature: "cupy.random.standard_normal(size=None, dtype=float)", Func: standardNormal, Random: true},
	{Signature: "cupy.random.randint(low, high=None, size=None)", Func: func(rng *nd.Rand, low int, high *int, size []int) *nd.Array {
		if high == nil {
			low, high = 0, new(low)
		}
		return random.Integers(rng, low, *high, size)
	}, Random: true},
	{Signature: "cupy.random.random_integers(low, high=None, size=None)", Func: func(rng *nd.Rand, low int, high *int, size []int) *nd.Array {
		if high == nil {
			low, high = 1, new(low)
		}
		return random.IntegersClosed(rng, low, *high, size)
	}, Random: true},
	{Signature: "cupy.random.choice(a, size=None, replace=True, p=None)", Func: choice, Random: true},
	{Signature: "cupy.random.seed(seed=None)", Func: nd.NewRand, Random: true},

	{Signature: "cupy.random.RandomState(seed=None, method=100)", Func: nd.NewRand, Random: true, Ignores: []string{"method"}},
	{Signature: "cupy.random.RandomState.seed(seed=None)", Func: nd.NewRand, Random: true},
	{Signature: "cupy.random.RandomState.choice(a, size=None, replace=True, p=None)", Func: choice, Random: true},
	{Signature: "cupy.random.RandomState.uniform(low=0.0, high=1.0, size=None, dtype=float)", Func: random.Uniform, Random: true},
	{Signature: "cupy.random.RandomState.normal(loc=0.0, scale=1.0, size=None, dtype=float)", Func: random.NormalOf, Random: true},
	{Signature: "cupy.random.RandomState.lognormal(mean=0.0, sigma=1.0, size=None, dtype=float)", Func: random.LogNormalOf, Random: true},
	{Signature: "cupy.random.RandomState.rand(*size, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.RandomState.random_sample(size=None, dtype=float)", Func: unit, Random: true},
	{Signature: "cupy.random.RandomState.randn(*size, dtype=float)", Func: standardNormal, Random: true},
	{Signature: "cupy.random.RandomState.standard_normal(size=None, dtype=float)", Func: standardNormal, Random: true},
	{Signature: "cupy.random.RandomState.interval(mx, size=None)", Func: func(rng *nd.Rand, largest int, size []int) *nd.Array {
		return random.IntegersClosed(rng, 0, largest, size, dtype.Int32)
	}, Random: true},

	{Signature: "nnabla.functions.rand(low=0, high=1, shape=[], seed=-1)", Func: random.Uniform, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.randn(mu=0, sigma=1, shape=[], seed=-1)", Func: random.Normal, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.randint(low=0, high=1, shape=[], seed=-1)", Func: random.Integers, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.rand_binomial(n=1, p=0.5, shape=[], seed=-1)", Func: random.Binomial, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.rand_beta(alpha=0.5, beta=0.5, shape=[], seed=-1)", Func: random.Beta, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.rand_gamma(k=0.5, theta=1, shape=[], seed=-1)", Func: random.Gamma, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.random_choice(x, w, shape=[], replace=True, seed=-1)", Func: random.ChoiceOfRows, Random: true, Ignores: []string{"seed"}},

	{Signature: "nnabla.functions.random_crop(x, shape=None, base_axis=1, seed=-1)", Func: random.Crop, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.random_flip(x, axes=None, base_axis=1, seed=-1)", Func: random.Flip, Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.random_shift(x, shifts=None, border_mode='nearest', constant_value=0, base_axis=1, seed=-1)", Func: random.Shift,
		Random: true, Ignores: []string{"seed"}},
	{Signature: "nnabla.functions.random_erase(x, prob=0.5, area_ratios=(0.02, 0.4), aspect_ratios=(0.3, 3.3333), replacements=(0.0, 255.0), n=None, " +
		"share=True, inplace=False, base_axis=1, seed=-1, channel_last=False, ste_fine_grained=True)", Func: random.Erase,
		Random: true, Ignores: []string{"inplace", "seed"}},
	{Signature: "nnabla.functions.image_augmentation(x, shape=None, pad=(0, 0), min_scale=1.0, max_scale=1.0, angle=0.0, aspect_ratio=1.0, distortion=0.0, " +
		"flip_lr=False, flip_ud=False, brightness=0.0, brightness_each=False, contrast=1.0, contrast_center=0.0, contrast_each=False, noise=0.0, seed=-1)",
		Func: random.AugmentImage, Random: true, Ignores: []string{"seed"}},

	{Signature: "mxnet.npx.scalar_poisson(lam=1, shape=None, ctx='', dtype='None')", Func: func(rng *nd.Rand, rate float64, shape []int, dt any) *nd.Array {
		return random.Poisson(rng, rate, shape, orFloat32(dt))
	}, Random: true, Ignores: []string{"ctx"}},
	{Signature: "mxnet.npx.tensor_poisson(lam, shape=[], dtype='None')", Func: func(rng *nd.Rand, rates *nd.Array, shape []int, dt any) *nd.Array {
		return random.PoissonOf(rng, rates, shape, orFloat32(dt))
	}, Random: true, NoGrad: true},
}

// orFloat32 returns a dtype, or the default float32 for MXNet's 'None'.
func orFloat32(v any) dtype.DType {
	if dt, ok := v.(dtype.DType); ok {
		return dt
	}
	return dtype.Float32
}

// choice draws from the integers below a, or from an array.
func choice(rng *nd.Rand, a any, size []int, replace *bool, p *nd.Array) *nd.Array {
	o := random.ChoiceOptions{Replace: replace, P: p}
	if x, ok := a.(*nd.Array); ok {
		return random.ChoiceOf(rng, x, size, o)
	}
	return random.Choice(rng, integer(a), size, o)
}

// unit draws numbers between 0 and 1.
func unit(rng *nd.Rand, size []int, opts ...nd.ArrayOption) *nd.Array {
	return random.Uniform(rng, 0, 1, size, opts...)
}

func standardNormal(rng *nd.Rand, size []int, opts ...nd.ArrayOption) *nd.Array {
	return random.Normal(rng, 0, 1, size, opts...)
}
