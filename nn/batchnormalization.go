package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// BatchNormalizationOptions are the options of [BatchNormalization].
type BatchNormalizationOptions struct {
	// Axes are the axes that are kept, usually the axis of the channels. Statistics are computed over all other axes.
	// Nil means 1.
	Axes ops.Axes
	// DecayRate is the fraction of the running statistics that each call keeps; nil means 0.9.
	DecayRate *float64
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
	// BatchStat normalises by the statistics of the batch. Nil follows the scope: yes in training, no in evaluation.
	BatchStat *bool
	// NoScale and NoBias leave gamma and beta out.
	NoScale, NoBias bool
	// ParamInit holds initializers for the parameters beta, gamma, mean and var, by these names; their defaults are 0,
	// 1, 0 and 1.
	ParamInit map[string]initializer.Initializer
}

// BatchNormalizationOption is a [BatchNormalizationOptions], or the axes alone.
type BatchNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (BatchNormalizationOptions) Option() {}

func batchNormalizationOver(axes ops.Axes, o BatchNormalizationOptions) BatchNormalizationOptions {
	o.Axes = axes
	return o
}

// BatchNormalization normalises each channel of x over the batch and all positions. It then scales and shifts the
// channel by the parameters "bn/gamma" and "bn/beta" of the scope, which it creates on first use: y = (x - μ)/√(σ² +
// eps)·gamma + beta; see normalize.BatchNormalization.
//
// In training μ and σ² are the statistics of the batch, and the running statistics "bn/mean" and "bn/var", which no
// optimizer trains, follow them. In evaluation μ and σ² are the running statistics. Evaluation never writes them,
// whatever BatchStat is.
//
// All parameters have x's lengths along Axes and 1 elsewhere. The layer computes in their dtype, like [Affine].
// PyTorch: nn.BatchNorm2d. NNabla: parametric_functions.batch_normalization.
func BatchNormalization(scope *Scope, x *nd.Array, opts ...BatchNormalizationOption) *nd.Array {
	const fn nd.Func = "nn.BatchNormalization"
	n := batchNormalization(fn, scope, x, options.Of(fn, opts, batchNormalizationOver))
	return n.Apply(fn)
}

// BatchNormalizationWithStat returns the result of BatchNormalization, and the mean and the biased variance of the
// batch, through which gradients flow. It normalises by the batch's statistics, so that evaluation needs BatchStat.
func BatchNormalizationWithStat(scope *Scope, x *nd.Array, opts ...BatchNormalizationOption) (y, mean, variance *nd.Array) {
	const fn nd.Func = "nn.BatchNormalizationWithStat"
	n := batchNormalization(fn, scope, x, options.Of(fn, opts, batchNormalizationOver))
	return n.WithStat(fn)
}

// FusedBatchNormalization returns max(BatchNormalization(x) + z, 0), with the parameters of BatchNormalization. z has
// x's shape or is nil. NNabla's function has no other nonlinearity either.
// NNabla: parametric_functions.fused_batch_normalization.
func FusedBatchNormalization(scope *Scope, x, z *nd.Array, opts ...BatchNormalizationOption) *nd.Array {
	const fn nd.Func = "nn.FusedBatchNormalization"
	if z != nil {
		fn.Check(x, z)
		if z.IsScalar() || z.DType().IsComplex() || !broadcast.Equal(x.Shape(), z.Shape()) {
			panic(fn.Errorf([]*nd.Array{x, z}, "want a real z of the shape of x"))
		}
	}
	n := batchNormalization(fn, scope, x, options.Of(fn, opts, batchNormalizationOver))
	return n.Fused(fn, z)
}

// batchNormalization creates the parameters of a batch normalisation.
func batchNormalization(fn nd.Func, scope *Scope, x *nd.Array, o BatchNormalizationOptions) layer.BatchNormalization {
	axes := o.Axes
	if axes == nil {
		axes = ops.Over(1)
	}
	shape := onlyAlong(x, scope.separateAxes(fn, x, axes...)...)
	initial := paramInit(o.ParamInit)
	s := scope.Sub("bn").Precise()
	p := newScaleAndBias(fn, s, x, shape, o.NoScale, o.NoBias, initial, "mean", "var")
	n := layer.BatchNormalization{X: x, Beta: p.beta, Gamma: p.gamma}
	n.Mean = s.Parameter("mean", shape, initial.of("mean", initializer.Constant(0)), false)
	n.Variance = s.Parameter("var", shape, initial.of("var", initializer.Constant(1)), false)
	n.Like = n.Mean
	batch := scope.Training()
	if o.BatchStat != nil {
		batch = *o.BatchStat
	}
	if batch && !scope.Training() {
		n.Mean, n.Variance = nil, nil
	}
	n.Options = normalize.BatchNormalizationOptions{Axes: axes, DecayRate: o.DecayRate, Eps: o.Eps, BatchStat: &batch}
	return n
}
