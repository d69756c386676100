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

// maxCount is the largest count up to which float64 represents every count.
const maxCount = 1 << 53

// Poisson draws counts (int64 unless the options say otherwise) from the Poisson distribution with the given rate,
// which is its mean. It panics if a count is too large for an integer dtype, as the other functions that draw counts do.
// NumPy: random.poisson. MXNet: scalar_poisson.
func Poisson(rng *nd.Rand, rate float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Poisson"
	wantRate(fn, rate)
	return counts(fn, withDefault(fn, opts, dtype.Int64), probableCount(rate), func(o nd.ArrayOptions) *nd.Array {
		return sample(fn, rng, device.DistributionPoisson, []*nd.Array{nd.Scalar(rate), nd.Scalar(0)}, shape, o)
	})
}

// PoissonOf is Poisson with a rate for each element of an array. The axes of shape, for the draws at each rate, follow
// the array's axes. The device is the array's unless the options say otherwise.
// PyTorch: poisson. MXNet: tensor_poisson.
func PoissonOf(rng *nd.Rand, rates *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.PoissonOf"
	fn.Check(rates)
	made := fn.Temporaries(&rates)
	defer made.Release()
	o := withDefault(fn, opts, dtype.Int64)
	if o.Device == nil {
		o.Device = rates.Device()
	}
	wantAll(fn, rates, ops.GreaterEqual, "a rate is below 0, or NaN")
	wantAll(fn, ops.Subtract(float64(maxCount/2), rates.Detach().AsType(dtype.Float64)), ops.GreaterEqual, "a rate is too large")
	full := append(rates.Shape(), shape...)
	each := rates.Reshape(append(rates.Shape(), slices.Repeat([]int{1}, len(shape))...)...)
	return made.Keep(counts(fn, o, probableCount(maxCount/2), func(o nd.ArrayOptions) *nd.Array {
		return made.Own(sample(fn, rng, device.DistributionPoisson, []*nd.Array{each, nd.Scalar(0)}, full, o))
	}))
}

// probableCount returns a number that counts with a Poisson distribution exceed with a probability below 10⁻¹⁰⁰.
func probableCount(rate float64) float64 { return 2*rate + 1000 }

// counts returns what draw returns for the options. If counts may reach limit, and the dtype does not hold that, it
// refuses counts that are too large for the dtype. For this it waits for the device.
func counts(fn nd.Func, o nd.ArrayOptions, limit float64, draw func(nd.ArrayOptions) *nd.Array) *nd.Array {
	if !o.DType.IsInteger() || limit < beyond(o.DType) {
		return draw(o)
	}
	y := draw(nd.ArrayOptions{DType: dtype.Float64, Device: o.Device})
	defer y.Release()
	return counted(fn, y, o.DType)
}

// beyond returns the smallest number above those of an integer dtype.
func beyond(t dtype.DType) float64 { return float64(dtype.Info(t).MaxInt) + 1 }

// counted returns counts, which are float64, in another dtype. It refuses counts that are too large for an integer dtype.
func counted(fn nd.Func, y *nd.Array, t dtype.DType) *nd.Array {
	if t.IsInteger() && y.Size() > 0 {
		if largest := release.Value[float64](ops.Max(y)); largest >= beyond(t) {
			panic(fn.Errorf(nil, "a count of %.0f is out of bounds for %s: want a wider dtype", largest, t))
		}
	}
	return y.AsType(t)
}

func wantRate(fn nd.Func, rate float64) {
	if !(rate >= 0 && rate <= maxCount/2) {
		panic(fn.Errorf(nil, "rate %v: want a number from 0 to %v", rate, float64(maxCount/2)))
	}
}

// Binomial draws the number of successes in n trials, each with probability p (int64 unless the options say otherwise).
// NumPy: random.binomial. PyTorch: binomial. NNabla: rand_binomial.
func Binomial(rng *nd.Rand, n int, p float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Binomial"
	wantTrials(fn, n)
	wantProbability(fn, p)
	return counts(fn, withDefault(fn, opts, dtype.Int64), float64(n), func(o nd.ArrayOptions) *nd.Array {
		return sample(fn, rng, device.DistributionBinomial, []*nd.Array{nd.Scalar(n), nd.Scalar(p)}, shape, o)
	})
}

func wantTrials(fn nd.Func, n int) {
	if n < 0 || int64(n) > maxCount {
		panic(fn.Errorf(nil, "%d trials: want from 0 to %d", n, int64(maxCount)))
	}
}

// Geometric draws the number of trials until the first success, each with probability p (int64 unless the options say
// otherwise): P(x > k) = (1-p)^k.
// NumPy: random.geometric.
func Geometric(rng *nd.Rand, p float64, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Geometric"
	if !(p > 0 && p <= 1) {
		panic(fn.Errorf(nil, "probability %v: want a number above 0, up to 1", p))
	}
	unit := 1 / math.Log1p(-p)
	return counts(fn, withDefault(fn, opts, dtype.Int64), 1+math.Log(0x1p-53)*unit, func(o nd.ArrayOptions) *nd.Array {
		y := geometric.draw(rng, shape, []nd.ArrayOption{nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}}, unit)
		return release.Replace(y, y.AsType(o.DType))
	})
}

var geometric = transform{fn: "random.Geometric", from: device.DistributionUniform, scalars: "T unit", body: "1 + floor(log1p(-u)*unit)"}
