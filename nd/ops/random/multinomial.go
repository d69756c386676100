package random

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// Multinomial draws how often each of several outcomes occurs in n trials (int64 unless the options say otherwise). The
// probabilities p, of one axis, add up to 1. The last axis of the result holds the counts of the outcomes; the axes of
// shape come before it.
// NumPy: random.multinomial.
func Multinomial(rng *nd.Rand, n int, p *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.Multinomial"
	wantTrials(fn, n)
	fn.Check(p)
	return multinomial(fn, rng, nd.Scalar(n), p, shape, withDefault(fn, opts, dtype.Int64))
}

// MultinomialOf is Multinomial with an array of numbers of trials, which broadcasts to the shape; a nil shape means the
// shape of n.
// NumPy: random.Generator.multinomial (with arrays).
func MultinomialOf(rng *nd.Rand, n, p *nd.Array, shape []int, opts ...nd.ArrayOption) *nd.Array {
	const fn nd.Func = "random.MultinomialOf"
	fn.Check(n, p)
	if n.DType().IsInexact() {
		panic(fn.Errorf([]*nd.Array{n, p}, "want whole numbers of trials"))
	}
	wantAll(fn, n, ops.GreaterEqual, "a number of trials is below 0")
	return multinomial(fn, rng, n, p, shapeOf(fn, shape, []*nd.Array{n}), withDefault(fn, opts, dtype.Int64))
}

// multinomial halves the outcomes repeatedly: it splits the trials of each part between its halves by a binomial draw.
func multinomial(fn nd.Func, rng *nd.Rand, n, p *nd.Array, shape []int, o nd.ArrayOptions) *nd.Array {
	if p.Rank() != 1 || p.Dim(0) == 0 {
		panic(fn.Errorf([]*nd.Array{p}, "want one axis of probabilities"))
	}
	if o.Device == nil {
		o.Device = p.Device()
	}
	made := fn.Temporaries(&n, &p)
	defer made.Release()
	outcomes := p.Dim(0)
	parts := []*nd.Array{probabilities(fn, p, outcomes, 0)}
	for size := outcomes; size > 1; size = (size + 1) / 2 { // the sums of neighbouring pairs; a last one without a neighbour stays alone
		w := parts[len(parts)-1]
		if size%2 == 1 {
			w = ops.Concatenate([]*nd.Array{w, nd.Zeros([]int{1}, nd.ArrayOptions{DType: dtype.Float64, Device: w.Device()})})
			parts[len(parts)-1] = w
		}
		parts = append(parts, ops.Sum(w.Reshape(-1, 2), ops.Over(1)))
	}
	wide := nd.ArrayOptions{DType: dtype.Float64, Device: o.Device}
	drawn := nd.Full(append(append([]int{}, shape...), 1), 1.0, wide)
	limit := float64(maxCount)
	if n.IsScalar() {
		drawn, limit = ops.Multiply(drawn, n), nd.Value[float64](n)
	} else {
		drawn = ops.Multiply(drawn, n.AsType(dtype.Float64).To(o.Device).Index(nd.Ellipsis(), nd.NewAxis()))
	}
	for k := len(parts) - 2; k >= 0; k-- {
		first := parts[k].Reshape(-1, 2).Index(nd.All(), nd.At(0))
		share := ops.Where(ops.Greater(parts[k+1].Index(nd.Until(first.Dim(0))), 0), ops.Divide(first, parts[k+1].Index(nd.Until(first.Dim(0)))), 0.0)
		drawn = drawn.Index(nd.Ellipsis(), nd.Until(first.Dim(0)))
		left := made.Own(fn.RandomOf(rng, device.DistributionBinomial, drawn.Shape(), []*nd.Array{drawn, ops.Minimum(share, 1.0).To(o.Device)}, wide))
		drawn = ops.Stack([]*nd.Array{left, ops.Subtract(drawn, left)}, ops.Over(-1)).Reshape(append(append([]int{}, shape...), 2*first.Dim(0))...)
	}
	return made.Keep(counts(fn, o, limit, func(o nd.ArrayOptions) *nd.Array {
		return drawn.Index(nd.Ellipsis(), nd.Until(outcomes)).AsType(o.DType).Copy()
	}))
}
