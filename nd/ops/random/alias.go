package random

import (
	"math"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// WalkerAlias draws whole numbers with given probabilities, in a time that does not depend on how many they are: one of n numbers, each
// as likely, of which each stands for itself with a probability of its own, and otherwise for another. It does not change, and may be
// used from many goroutines. chainer.utils.WalkerAlias.
//
// Source: A. Walker, An Efficient Method for Generating Discrete Random Variables with General Distributions, 1977.
type WalkerAlias struct {
	itself *nd.Array // float64: the probability that the number drawn stands for itself
	other  *nd.Array // int64: the number that it stands for otherwise
}

// NewWalkerAlias makes one for the numbers from 0 to n-1, with probabilities in proportion to p, of one axis of n elements. Its tables, and
// what it draws, are on p's device. It takes a time in proportion to n, and waits for p.
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
		left[k] /= largest // the sum of finite numbers need not be finite
		sum += left[k]
	}
	if !(largest > 0) || math.IsInf(largest, 1) {
		panic(fn.Errorf([]*nd.Array{p}, "the largest probability is %v: want finite ones, and one above 0", largest))
	}

	// What a number lacks of the n-th part of all is taken from one that has more (Vose 1991).
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
	// Of those that remain only rounding says that they are not the n-th part: each stands for itself.
	for _, k := range append(less, more...) {
		left[k] = 1
	}
	return &WalkerAlias{nd.FromSliceOn(p.Device(), left), nd.FromSliceOn(p.Device(), other)}
}

// Len returns the number n of numbers that are drawn from.
func (w *WalkerAlias) Len() int { return w.other.Dim(0) }

// To returns the sampler with its tables on a device, itself where they are there. chainer.utils.WalkerAlias.to_gpu.
func (w *WalkerAlias) To(dev device.Device) *WalkerAlias {
	if w.other.Device() == dev {
		return w
	}
	return &WalkerAlias{w.itself.To(dev), w.other.To(dev)}
}

// Release gives the tables back; the sampler cannot be used any more. Without it they go when the program forgets the sampler.
func (w *WalkerAlias) Release() {
	w.itself.Release()
	w.other.Release()
}

// Sample draws whole numbers (int64) of a shape, on the device of the tables. chainer.utils.WalkerAlias.sample.
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
