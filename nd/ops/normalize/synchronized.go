package normalize

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// synchronized is standardized by the statistics of x of several processes, and the number of elements of a channel in
// all of them. Each process computes the mean m and the variance v of its n elements of a channel. The mean of all is
// Σn·m/Σn, and the variance Σn·(v + (m - mean)²)/Σn.
func (n *normalization) synchronized(gather func(*nd.Array) *nd.Array, eps float64) (y, mean, variance *nd.Array, count float64) {
	own := n.statistics()
	defer own.Release()
	given := *n
	defer func() { n.x, n.beta, n.gamma = given.x, given.beta, given.gamma }()
	made := n.fn.Temporaries(&n.x, &n.beta, &n.gamma, &own)
	defer made.Release()
	all := gather(own)
	if shape := own.Shape(); all.Rank() != len(shape)+1 || !broadcast.Equal(all.Shape()[1:], shape) {
		panic(n.fn.Errorf(append(n.operands, all), "Gather returned an array of shape %s for one of shape %s", broadcast.FormatShape(all.Shape()), broadcast.FormatShape(shape)))
	}
	means, variances, counts := all.Index(nd.All(), nd.At(0)), all.Index(nd.All(), nd.At(1)), all.Index(nd.All(), nd.At(2)).Detach()
	total := ops.Sum(counts, ops.Over(0))
	weights := ops.Divide(counts, total)
	mean = ops.Sum(ops.Multiply(weights, means), ops.Over(0))
	between := ops.Square(ops.Subtract(means, mean))
	variance = ops.Sum(ops.Multiply(weights, ops.Add(variances, between)), ops.Over(0))
	y, _ = n.scaled(mean, variance, eps)
	if total.Size() > 0 {
		count = nd.Value[float64](total, make([]int, total.Rank())...)
	}
	return made.Keep(y), made.Keep(mean.AsType(n.result)), made.Keep(variance.AsType(n.result)), count
}

// statistics returns the mean, the variance and the number of elements of each channel of x, along a new first axis. The mean and
// the variance of no elements are 0.
func (n *normalization) statistics() *nd.Array {
	count := reduction.Count(n.x.Shape(), n.over)
	kept := broadcast.ReduceShape(n.x.Shape(), n.over, true)
	if count == 0 { // zeros that depend on x, so that the process takes part in the backward pass
		zero := ops.Sum(n.x, ops.ReduceOptions{Axes: n.over, KeepDims: true})
		return release.Operands(ops.Stack([]*nd.Array{zero, zero, zero}), zero)
	}
	plain := &normalization{fn: n.fn, operands: n.operands, x: n.x, result: n.x.DType(), over: n.over}
	const eps = 1 // for y, which nobody reads
	y, mean, variance := plain.standardized(eps)
	counts := n.fn.NewFilled(n.x.DType(), kept, float64(count), n.x)
	return release.Operands(ops.Stack([]*nd.Array{mean, variance, counts}), y, mean, variance, counts)
}
