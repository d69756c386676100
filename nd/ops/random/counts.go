package random

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// maxCount is the largest count up to which every one is a float64.
const maxCount = 1 << 53

// Poisson draws counts (int64 unless the options say otherwise) of the Poisson distribution of a rate, their mean.
// numpy.random.poisson, mxnet scalar_poisson.
func Poisson(rng *nd.Rand, rate float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Poisson"
	wantRate(fn, rate)
	return hostDraws(fn, rng, shape, withDefault(fn, opts, dtype.Int64), func(s *source) float64 { return s.poisson(rate) })
}

// PoissonOf is Poisson with a rate for each element of an array; the axes of shape, of draws at each rate, follow the
// array's. The device is the array's unless the options say otherwise. mxnet tensor_poisson, torch.poisson.
func PoissonOf(rng *nd.Rand, rates *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.PoissonOf"
	fn.Check(rates)
	o := withDefault(fn, opts, dtype.Int64)
	if o.Device == nil {
		o.Device = rates.Device()
	}
	made := fn.Temporaries(&rates)
	defer made.Release()
	each := nd.ToSlice[float64](rates.Detach().AsType(dtype.Float64))
	for _, rate := range each {
		wantRate(fn, rate)
	}
	per := 1
	for _, n := range shape {
		per *= n
	}
	at := 0
	return hostDraws(fn, rng, append(rates.Shape(), shape...), o, func(s *source) float64 {
		at++
		return s.poisson(each[(at-1)/per])
	})
}

func wantRate(fn nd.Func, rate float64) {
	if !(rate >= 0 && rate <= maxCount/2) {
		panic(fn.Errorf(nil, "rate %v: want one from 0 to %v", rate, float64(maxCount/2)))
	}
}

// Binomial draws how many of n trials succeed (int64 unless the options say otherwise), each with probability p.
// numpy.random.binomial, nnabla rand_binomial, torch.binomial.
func Binomial(rng *nd.Rand, n int, p float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Binomial"
	wantTrials(fn, n)
	wantProbability(fn, p)
	return hostDraws(fn, rng, shape, withDefault(fn, opts, dtype.Int64), func(s *source) float64 { return s.binomial(float64(n), p) })
}

func wantTrials(fn nd.Func, n int) {
	if n < 0 || int64(n) > maxCount {
		panic(fn.Errorf(nil, "%d trials: want from 0 to %d", n, int64(maxCount)))
	}
}

// Multinomial draws how often each of several outcomes occurs in n trials (int64 unless the options say otherwise). The
// probabilities p, of one axis, add up to 1; the counts of the outcomes are along the last axis of the result, which
// follows those of shape. numpy.random.multinomial.
func Multinomial(rng *nd.Rand, n int, p *nd.Array, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Multinomial"
	wantTrials(fn, n)
	fn.Check(p)
	if p.Rank() != 1 || p.Dim(0) == 0 {
		panic(fn.Errorf([]*nd.Array{p}, "want one axis of probabilities"))
	}
	o := withDefault(fn, opts, dtype.Int64)
	if o.Device == nil {
		o.Device = p.Device()
	}
	made := fn.Temporaries(&p)
	defer made.Release()
	each := nd.ToSlice[float64](probabilities(fn, p, p.Dim(0)))
	outcome, trials, share := 0, 0.0, 0.0 // which is next, and the trials and the probability that are left
	return hostDraws(fn, rng, append(append([]int{}, shape...), len(each)), o, func(s *source) float64 {
		if outcome == 0 {
			trials, share = float64(n), 1
		}
		count := trials
		if outcome < len(each)-1 {
			count = s.binomial(trials, min(1, max(0, each[outcome]/share)))
		}
		trials, share = trials-count, share-each[outcome]
		outcome = (outcome + 1) % len(each)
		return count
	})
}

// Geometric draws how many trials it takes until one succeeds (int64 unless the options say otherwise), each with
// probability p: P(x > k) = (1-p)^k. numpy.random.geometric.
func Geometric(rng *nd.Rand, p float64, shape []int, opts ...nd.ArrayOptions) *nd.Array {
	const fn nd.Func = "random.Geometric"
	if !(p > 0 && p <= 1) {
		panic(fn.Errorf(nil, "probability %v: want one above 0, up to 1", p))
	}
	o := withDefault(fn, opts, dtype.Int64)
	y := geometric.draw(rng, shape, []nd.ArrayOptions{{DType: dtype.Float64, Device: o.Device}}, 1/math.Log1p(-p))
	return instead(y, y.AsType(o.DType))
}

var geometric = recipe{fn: "random.Geometric", from: device.DistributionUniform, scalars: "T unit", body: "1 + floor(log1p(-u)*unit)"}
