package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Gamma draws from the gamma distribution with shape parameter k and the given scale. Its density is
// x^(k-1)·exp(-x/scale) up to a factor. With ops.Into(out) the draws are written to out, as those of Uniform.
// NumPy: random.gamma, random.standard_gamma (for scale 1). NNabla: rand_gamma.
func Gamma(rng *nd.Rand, k, scale float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Gamma"
	if out := outputOptions(fn, shape, opts); out != nil {
		return written(out, Gamma(rng, k, scale, out.Shape(), likeOf(out)))
	}
	wantNonNegative(fn, "shape parameter", k)
	wantNonNegative(fn, "scale", scale)
	return sample(fn, rng, device.DistributionGamma, []*nd.Array{nd.Scalar(k), nd.Scalar(scale)}, shape, floatOptions(fn, opts))
}

// Beta draws from the beta distribution. Its density is x^(a-1)·(1-x)^(b-1) up to a factor.
// NumPy: random.beta. NNabla: rand_beta.
func Beta(rng *nd.Rand, a, b float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Beta"
	wantPositive(fn, "exponent", a)
	wantPositive(fn, "exponent", b)
	return sample(fn, rng, device.DistributionBeta, []*nd.Array{nd.Scalar(a), nd.Scalar(b)}, shape, floatOptions(fn, opts))
}

// sample draws with a kernel from a distribution with parameters, Scalars or arrays that broadcast to the shape. An
// element depends only on the stream, its number in the stream and its parameters.
func sample(fn nd.Func, rng *nd.Rand, d device.Distribution, parameters []*nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	var made nd.Temporaries
	defer made.Release()
	on := make([]*nd.Array, len(parameters))
	for k, x := range parameters {
		if x.IsScalar() {
			on[k] = made.Own(nd.Full(nil, nd.Value[float64](x), nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}))
			continue
		}
		x = made.Own(made.Own(x.Detach()).AsType(dtype.Float64))
		if o.Device != nil {
			x = made.Own(x.To(o.Device))
		}
		on[k] = x
	}
	return fn.RandomOf(rng, d, shape, on, o)
}
