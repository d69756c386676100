package normalize

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
	"github.com/ndgrad/ndgrad/nd/ops/internal/reduction"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// BatchNormalizationOptions are the options of BatchNormalization, FusedBatchNormalization, and both WithStat.
type BatchNormalizationOptions struct {
	// Axes are the axes that are kept, usually that of the channels: statistics are taken over all other axes. nil
	// means 1.
	Axes ops.Axes
	// DecayRate is the fraction of the running statistics that each call keeps; nil means 0.9.
	DecayRate *float64
	// Eps is added to the variance; nil means 1e-5 (Chainer's default is 2e-5, MXNet's 1e-3).
	Eps *float64
	// BatchStat normalises by the statistics of x, and updates the running statistics; nil means true. If false, x is
	// normalised by the running statistics, which stay as they are.
	BatchStat *bool
	// BiasedVariance updates the running variance with the batch's biased variance, as MXNet does, instead of Σ(x -
	// mean)²/(n-1).
	BiasedVariance bool
	// Gather makes the statistics those of x of several processes together. It returns its argument of each of them,
	// stacked along a new first axis, and is differentiable: comm.Gather does this. Each process calls it once, in the
	// forward pass. nil means the statistics of x alone.
	Gather func(statistics *nd.Array) *nd.Array
}

// BatchNormalizationOption is a [BatchNormalizationOptions], or the axes alone.
type BatchNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (BatchNormalizationOptions) Option() {}

func batchNormalizationOver(axes ops.Axes, o BatchNormalizationOptions) BatchNormalizationOptions {
	o.Axes = axes
	return o
}

// BatchNormalization normalises each channel over the batch and all positions: y = (x - μ)/√(σ² + eps)·gamma + beta.
//
// In training (BatchStat) μ and σ² are the mean and the biased variance of x. mean and variance, unless they are nil,
// are updated in place: r = DecayRate·r + (1 - DecayRate)·new, where the new variance is n/(n-1)·σ², with n the number
// of elements of a channel. A tape must not record them then; no gradient flows to them. Without BatchStat, mean and
// variance are μ and σ², and gradients flow to them. beta, gamma, mean and variance have x's lengths along Axes and 1
// elsewhere; beta and gamma may be nil.
//
// Source: S. Ioffe, C. Szegedy, Batch normalization: accelerating deep network training by reducing internal covariate
// shift, 2015.
// PyTorch: nn.functional.batch_norm. NNabla: batch_normalization, sync_batch_normalization (with Gather). Chainer:
// batch_normalization, fixed_batch_normalization. MXNet: batch_norm, sync_batch_norm (with Gather).
func BatchNormalization(x, beta, gamma, mean, variance *nd.Array, opts ...BatchNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.BatchNormalization"
	y, batchMean, batchVariance := batchNormalization(fn, x, beta, gamma, mean, variance, options.Of(fn, opts, batchNormalizationOver))
	if batchMean != nil {
		alone(y, batchMean, batchVariance)
	}
	return y
}

// BatchNormalizationWithStat is BatchNormalization that also returns the mean and the biased variance of x, through which
// gradients flow. BatchStat must not be false.
func BatchNormalizationWithStat(x, beta, gamma, mean, variance *nd.Array, opts ...BatchNormalizationOption) (y, batchMean, batchVariance *nd.Array) {
	const fn nd.Func = "normalize.BatchNormalizationWithStat"
	return batchNormalization(fn, x, beta, gamma, mean, variance, withBatchStat(fn, x, opts))
}

// withBatchStat reads options, and panics without BatchStat.
func withBatchStat(fn nd.Func, x *nd.Array, opts []BatchNormalizationOption) BatchNormalizationOptions {
	o := options.Of(fn, opts, batchNormalizationOver)
	if !argument.ValueOr(o.BatchStat, true) {
		panic(fn.Errorf([]*nd.Array{x}, "without BatchStat the batch has no statistics to return"))
	}
	return o
}

// FusedBatchNormalization returns max(BatchNormalization(x…) + z, 0), where z, of x's shape, may be nil.
// NNabla: fused_batch_normalization.
func FusedBatchNormalization(x, beta, gamma, mean, variance, z *nd.Array, opts ...BatchNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.FusedBatchNormalization"
	checkResidual(fn, x, z)
	y, batchMean, batchVariance := batchNormalization(fn, x, beta, gamma, mean, variance, options.Of(fn, opts, batchNormalizationOver))
	if batchMean != nil {
		alone(y, batchMean, batchVariance)
	}
	return rectified(y, z)
}

// FusedBatchNormalizationWithStat is FusedBatchNormalization that also returns the mean and the biased variance of x,
// through which gradients flow. BatchStat must not be false.
// NNabla: fused_batch_normalization (with output_stat).
func FusedBatchNormalizationWithStat(x, beta, gamma, mean, variance, z *nd.Array, opts ...BatchNormalizationOption) (y, batchMean, batchVariance *nd.Array) {
	const fn nd.Func = "normalize.FusedBatchNormalizationWithStat"
	checkResidual(fn, x, z)
	y, batchMean, batchVariance = batchNormalization(fn, x, beta, gamma, mean, variance, withBatchStat(fn, x, opts))
	return rectified(y, z), batchMean, batchVariance
}

// rectified returns max(y + z, 0), and releases y. z may be nil.
func rectified(y, z *nd.Array) *nd.Array {
	if z != nil {
		y = release.Replace(y, ops.Add(y, z))
	}
	return release.Replace(y, ops.ReLU(y))
}

// checkResidual panics for a wrong z, before the running statistics are changed.
func checkResidual(fn nd.Func, x, z *nd.Array) {
	if z == nil {
		return
	}
	fn.Check(x, z)
	if z.IsScalar() || !broadcast.Equal(x.Shape(), z.Shape()) || z.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x, z}, "want a real z of the shape of x"))
	}
}

func batchNormalization(fn nd.Func, x, beta, gamma, mean, variance *nd.Array, o BatchNormalizationOptions) (y, batchMean, batchVariance *nd.Array) {
	n := newNormalization(fn, x, beta, gamma)
	defer n.release()
	axes := o.Axes
	if axes == nil {
		axes = []int{1}
	}
	n.keep(axes)
	n.checkStatistics(mean, variance)
	eps := argument.ValueOr(o.Eps, 1e-5)
	if !argument.ValueOr(o.BatchStat, true) {
		if mean == nil || variance == nil {
			panic(fn.Errorf(n.operands, "without BatchStat it needs a mean and a variance"))
		}
		y, _ = n.scaled(mean, variance, eps)
		return y, nil, nil
	}
	for _, r := range []*nd.Array{mean, variance} {
		if r == nil {
			continue
		}
		fn.CheckWritable(r)
		if ufunc.Recorded(r) {
			panic(fn.Errorf(n.operands, "the running statistics are updated in place: they must not be recorded by a tape"))
		}
	}
	count := float64(reduction.Count(n.x.Shape(), n.over))
	if o.Gather != nil {
		y, batchMean, batchVariance, count = n.synchronized(o.Gather, eps)
	} else {
		y, batchMean, batchVariance = n.standardized(eps)
	}
	decay := argument.ValueOr(o.DecayRate, 0.9)
	if count == 0 || batchMean.Size() == 0 { // nothing to move the running statistics to
		return y, batchMean, batchVariance
	}
	n.update(mean, batchMean, decay, 1)
	correction := 1.0
	if !o.BiasedVariance {
		correction = count / max(count-1, 1)
	}
	n.update(variance, batchVariance, decay, correction)
	return y, batchMean, batchVariance
}

// checkStatistics checks the shapes of all parameters.
func (n *normalization) checkStatistics(mean, variance *nd.Array) {
	shape := broadcast.ReduceShape(n.x.Shape(), n.over, true)
	for _, r := range []*nd.Array{mean, variance} {
		if r != nil {
			n.operands = append(n.operands, r)
		}
	}
	n.fn.Check(n.operands...)
	for _, p := range n.operands[1:] {
		if p.IsScalar() || !p.DType().IsFloat() || !broadcast.Equal(p.Shape(), shape) {
			panic(n.fn.Errorf(n.operands, "beta, gamma, mean and variance must be floats of shape %s", broadcast.FormatShape(shape)))
		}
	}
}

// update moves a running statistic towards the batch's.
func (n *normalization) update(running, batch *nd.Array, decay, correction float64) {
	if running == nil {
		return
	}
	made := n.fn.Temporaries(&running, &batch)
	defer made.Release()
	batch = ops.Multiply(batch.Detach().AsType(dtype.Promote(running.DType(), dtype.Float32)), (1-decay)*correction)
	running.Assign(ops.Add(ops.Multiply(running.Detach(), decay), batch))
}
