package random

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// WalkerAlias draws whole numbers with given probabilities, in a time that does not depend on their number n. It draws
// one of n numbers uniformly; each number represents itself with its own probability, and otherwise another number. A
// WalkerAlias is immutable, and may be used from many goroutines.
//
// Source: A. Walker, An Efficient Method for Generating Discrete Random Variables with General Distributions, 1977.
// Chainer: utils.WalkerAlias.
type WalkerAlias struct {
	itself *nd.Array // float64: the probability that the drawn number represents itself
	other  *nd.Array // int64: the number that it represents otherwise
}

// NewWalkerAlias makes a WalkerAlias for the numbers from 0 to n-1, with probabilities in proportion to p, which has
// one axis of n elements. Its tables and its draws are on p's device. The time is proportional to n; it waits for p.
func NewWalkerAlias(p *nd.Array) *WalkerAlias {
	const fn nd.Func = "random.NewWalkerAlias"
	fn.Check(p)
	if p.Rank() != 1 || p.Dim(0) == 0 || p.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{p}, "want one axis of real probabilities, at least one"))
	}
	made := fn.Temporaries(&p)
	defer made.Release()
	wide := p.Detach().AsType(dtype.Float64)
	factsOf(fn, wide).wantPossible(fn, wide)
	left := nd.ToSlice[float64](wide)
	largest := 0.0
	for _, v := range left {
		largest = max(largest, v)
	}
	sum := 0.0
	for k := range left {
		left[k] /= largest // the sum of finite numbers may overflow
		sum += left[k]
	}
	if !(largest > 0) || math.IsInf(largest, 1) {
		panic(fn.Errorf([]*nd.Array{p}, "the largest probability is %v: want finite probabilities, and one above 0", largest))
	}

	// A number with less than 1/n of the total takes the rest from a number with more (Vose 1991).
	n := len(left)
	other := make([]int64, n)
	var less, more []int
	for k := range left {
		left[k] *= float64(n) / sum
		if other[k] = int64(k); left[k] < 1 {
			less = append(less, k)
		} else {
			more = append(more, k)
		}
	}
	for len(less) > 0 && len(more) > 0 {
		poor, rich := less[len(less)-1], more[len(more)-1]
		less = less[:len(less)-1]
		other[poor] = int64(rich)
		if left[rich] -= 1 - left[poor]; left[rich] < 1 {
			more, less = more[:len(more)-1], append(less, rich)
		}
	}
	// The remaining numbers differ from 1/n only by rounding: each represents itself.
	for _, k := range append(less, more...) {
		left[k] = 1
	}
	return &WalkerAlias{nd.FromSliceOn(p.Device(), left), nd.FromSliceOn(p.Device(), other)}
}

// Len returns the number n of numbers from which it draws.
func (w *WalkerAlias) Len() int { return w.other.Dim(0) }

// To returns the sampler with its tables on a device; it returns w itself if they are there.
// Chainer: utils.WalkerAlias.to_gpu.
func (w *WalkerAlias) To(dev device.Device) *WalkerAlias {
	if w.other.Device() == dev {
		return w
	}
	return &WalkerAlias{w.itself.To(dev), w.other.To(dev)}
}

// Release releases the tables; the sampler must not be used any more. Without Release, the GC frees them together with
// the sampler.
func (w *WalkerAlias) Release() {
	w.itself.Release()
	w.other.Release()
}

// Sample draws whole numbers (int64) of a shape, on the device of the tables.
// Chainer: utils.WalkerAlias.sample.
func (w *WalkerAlias) Sample(rng *nd.Rand, shape []int) *nd.Array {
	const fn nd.Func = "WalkerAlias.Sample"
	if err := broadcast.CheckShape(shape); err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	itself, other := w.itself, w.other
	made := fn.Temporaries(&itself, &other)
	defer made.Release()
	dev := other.Device()
	one := made.Own(remainders(fn, rng, uint64(w.Len()), shape, dev))
	part := made.Own(fn.Random(rng, device.DistributionUniform, shape, nd.ArrayOptions{DType: dtype.Float64, Device: dev}))
	stays := ops.Less(part, ops.Take(itself, one, ops.Over(0)))
	return made.Keep(ops.Where(stays, one.AsType(dtype.Int64), ops.Take(other, one, ops.Over(0))))
}
