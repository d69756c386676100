package random

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// maxCount is the largest count up to which every one is a float64.
const maxCount = 1 << 53

// Poisson draws counts (int64 unless the options say otherwise) of the Poisson distribution of a rate, their mean.
// numpy.random.poisson, mxnet scalar_poisson.
func Poisson(rng *nd.Rand, rate float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Poisson"
	wantRate(fn, rate)
	return sample(fn, rng, device.DistributionPoisson, nd.Scalar(rate), nd.Scalar(0), shape, withDefault(fn, opts, dtype.Int64))
}

// PoissonOf is Poisson with a rate for each element of an array; the axes of shape, of draws at each rate, follow the
// array's. The device is the array's unless the options say otherwise. mxnet tensor_poisson, torch.poisson.
func PoissonOf(rng *nd.Rand, rates *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.PoissonOf"
	fn.Check(rates)
	made := fn.Temporaries(&rates)
	defer made.Release()
	o := withDefault(fn, opts, dtype.Int64)
	if o.Device == nil {
		o.Device = rates.Device()
	}
	wantAll(fn, rates, ops.GreaterEqual, "a rate is below 0, or no number")
	wantAll(fn, ops.Subtract(nd.Scalar(maxCount/2), rates.Detach().AsType(dtype.Float64)), ops.GreaterEqual, "a rate is too large")
	full := append(rates.Shape(), shape...)
	each := rates.Reshape(append(rates.Shape(), slices.Repeat([]int{1}, len(shape))...)...)
	return made.Keep(made.Own(sample(fn, rng, device.DistributionPoisson, each, nd.Scalar(0), full, o)))
}

func wantRate(fn nd.Func, rate float64) {
	if !(rate >= 0 && rate <= maxCount/2) {
		panic(fn.Errorf(nil, "rate %v: want one from 0 to %v", rate, float64(maxCount/2)))
	}
}

// Binomial draws how many of n trials succeed (int64 unless the options say otherwise), each with probability p.
// numpy.random.binomial, nnabla rand_binomial, torch.binomial.
func Binomial(rng *nd.Rand, n int, p float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Binomial"
	wantTrials(fn, n)
	wantProbability(fn, p)
	return sample(fn, rng, device.DistributionBinomial, nd.Scalar(n), nd.Scalar(p), shape, withDefault(fn, opts, dtype.Int64))
}

func wantTrials(fn nd.Func, n int) {
	if n < 0 || int64(n) > maxCount {
		panic(fn.Errorf(nil, "%d trials: want from 0 to %d", n, int64(maxCount)))
	}
}

// Geometric draws how many trials it takes until one succeeds (int64 unless the options say otherwise), each with
// probability p: P(x > k) = (1-p)^k. numpy.random.geometric.
func Geometric(rng *nd.Rand, p float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Geometric"
	if !(p > 0 && p <= 1) {
		panic(fn.Errorf(nil, "probability %v: want one above 0, up to 1", p))
	}
	o := withDefault(fn, opts, dtype.Int64)
	y := geometric.draw(rng, shape, []nd.ArrayOption{nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}}, 1/math.Log1p(-p))
	return release.Replace(y, y.AsType(o.DType))
}

var geometric = recipe{fn: "random.Geometric", from: device.DistributionUniform, scalars: "T unit", body: "1 + floor(log1p(-u)*unit)"}
