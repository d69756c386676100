package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// InstanceNormalizationOptions are the options of [InstanceNormalization].
type InstanceNormalizationOptions struct {
	// ChannelAxis is the axis of the channels; nil means 1.
	ChannelAxis ops.Axes
	// BatchAxis are the axes of the batch. Nil means 0, an empty slice means no axis. Negative axes count from the end.
	BatchAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
	// NoScale and NoBias leave gamma and beta out.
	NoScale, NoBias bool
	// ParamInit holds initializers for the parameters beta and gamma, by these names; their defaults are 0 and 1.
	ParamInit map[string]initializer.Initializer
}

// InstanceNormalization normalises each channel of each example separately. It then scales and shifts each channel by
// the parameters "instance_normalization/gamma" and "instance_normalization/beta" of the scope, which it creates on
// first use; see normalize.InstanceNormalization. It does the same in training and in evaluation. PyTorch's
// nn.InstanceNorm2d has no parameters by default.
//
// The parameters have x's length along ChannelAxis and 1 elsewhere. The layer computes in their dtype, like [Affine].
// PyTorch: nn.InstanceNorm2d. NNabla: parametric_functions.instance_normalization.
func InstanceNormalization(scope *Scope, x *nd.Array, opts ...InstanceNormalizationOptions) *nd.Array {
	const fn nd.Func = "nn.InstanceNormalization"
	o := options.Read(fn, opts)
	p := o.parameters(fn, scope, x)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	return made.Keep(normalize.InstanceNormalization(p.convert(x), p.beta, p.gamma, o.plain()))
}

// InstanceNormalizationWithStat returns the result of InstanceNormalization, and the mean and the biased variance, in
// which the normalised axes have length 1.
func InstanceNormalizationWithStat(scope *Scope, x *nd.Array,
	opts ...InstanceNormalizationOptions) (y, mean, variance *nd.Array) {
	const fn nd.Func = "nn.InstanceNormalizationWithStat"
	o := options.Read(fn, opts)
	p := o.parameters(fn, scope, x)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	y, mean, variance = normalize.InstanceNormalizationWithStat(p.convert(x), p.beta, p.gamma, o.plain())
	return made.Keep(y), made.Keep(mean), made.Keep(variance)
}

func (o *InstanceNormalizationOptions) plain() normalize.InstanceNormalizationOptions {
	return normalize.InstanceNormalizationOptions{ChannelAxis: o.ChannelAxis, BatchAxis: o.BatchAxis, Eps: o.Eps}
}

func (o *InstanceNormalizationOptions) parameters(fn nd.Func, scope *Scope, x *nd.Array) scaleAndBias {
	channel := scope.channelAxis(fn, x, o.ChannelAxis, o.BatchAxis)
	return newScaleAndBias(fn, scope.Sub("instance_normalization"), x, onlyAlong(x, channel), o.NoScale, o.NoBias, o.ParamInit)
}
