package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// sampleOf is sample with arrays, or Scalars, that broadcast to the shape; a nil shape means their broadcast shape.
func sampleOf(fn nd.Func, rng *nd.Rand, d device.Distribution, parameters []*nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	if o.Device == nil {
		o.Device = deviceOf(parameters...)
	}
	return sample(fn, rng, d, parameters, shapeOf(fn, shape, parameters), o)
}

// BinomialOf is Binomial with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape.
// NumPy: random.binomial (with arrays).
func BinomialOf(rng *nd.Rand, n, p *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.BinomialOf"
	fn.Check(n, p)
	if n.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{n, p}, "want whole numbers of trials"))
	}
	wantAll(fn, n, ops.GreaterEqual, "a number of trials is below 0")
	wantAll(fn, n, upTo(nd.Scalar(int64(maxCount))), "a number of trials is too large")
	wantAll(fn, p, ops.GreaterEqual, "a probability is below 0, or NaN")
	wantAll(fn, p, upTo(nd.Scalar(1)), "a probability is above 1")
	return counts(fn, withDefault(fn, opts, dtype.Int64), maxCount, func(o nd.ArrayOptions) *nd.Array {
		return sampleOf(fn, rng, device.DistributionBinomial, []*nd.Array{n, p}, shape, o)
	})
}

// upTo returns an upper bound as a condition for wantAll, which otherwise compares with 0.
func upTo(limit *nd.Array) func(x, _ *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	return func(x, _ *nd.Array, opts ...ops.UfuncOption) *nd.Array { return ops.LessEqual(x, limit, opts...) }
}

// GammaOf is Gamma with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their
// broadcast shape. No gradient flows.
// NumPy: random.gamma (with arrays).
func GammaOf(rng *nd.Rand, k, scale *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.GammaOf"
	fn.Check(k, scale)
	wantFromZero(fn, "a shape parameter, or a scale,", k, scale)
	return sampleOf(fn, rng, device.DistributionGamma, []*nd.Array{k, scale}, shape, floatOptions(fn, opts))
}

// BetaOf is Beta with arrays, or Scalars, as parameters. They broadcast to the shape; a nil shape means their broadcast
// shape. No gradient flows.
// NumPy: random.beta (with arrays).
func BetaOf(rng *nd.Rand, a, b *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.BetaOf"
	fn.Check(a, b)
	wantPositives(fn, "an exponent", a, b)
	return sampleOf(fn, rng, device.DistributionBeta, []*nd.Array{a, b}, shape, floatOptions(fn, opts))
}
