package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// GroupNormalizationOptions are the options of [GroupNormalization].
type GroupNormalizationOptions struct {
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

// GroupNormalization divides the channels of each example into groups of equal size and normalises each group. It then
// scales and shifts each channel by the parameters "group_normalization/gamma" and "group_normalization/beta" of the
// scope, which it creates on first use; see normalize.GroupNormalization. It does the same in training and in
// evaluation.
//
// The parameters have x's length along ChannelAxis and 1 elsewhere. The layer computes in their dtype, like [Affine].
// PyTorch: nn.GroupNorm. NNabla: parametric_functions.group_normalization.
func GroupNormalization(scope *Scope, x *nd.Array, groups int, opts ...GroupNormalizationOptions) *nd.Array {
	const fn nd.Func = "nn.GroupNormalization"
	o := options.Read(fn, opts)
	p := o.parameters(fn, scope, x, groups)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	return made.Keep(normalize.GroupNormalization(p.convert(x), p.beta, p.gamma, groups, o.plain()))
}

// GroupNormalizationWithStat returns the result of GroupNormalization, and the mean and the biased variance. These have
// two axes for the axis of the channels: the groups, and an axis of length 1, like all other normalised axes.
func GroupNormalizationWithStat(scope *Scope, x *nd.Array, groups int,
	opts ...GroupNormalizationOptions) (y, mean, variance *nd.Array) {
	const fn nd.Func = "nn.GroupNormalizationWithStat"
	o := options.Read(fn, opts)
	p := o.parameters(fn, scope, x, groups)
	made := fn.Temporaries(&x, &p.beta, &p.gamma)
	defer made.Release()
	y, mean, variance = normalize.GroupNormalizationWithStat(p.convert(x), p.beta, p.gamma, groups, o.plain())
	return made.Keep(y), made.Keep(mean), made.Keep(variance)
}

func (o *GroupNormalizationOptions) plain() normalize.GroupNormalizationOptions {
	return normalize.GroupNormalizationOptions{ChannelAxis: o.ChannelAxis, BatchAxis: o.BatchAxis, Eps: o.Eps}
}

func (o *GroupNormalizationOptions) parameters(fn nd.Func, scope *Scope, x *nd.Array, groups int) scaleAndBias {
	channel := scope.channelAxis(fn, x, o.ChannelAxis, o.BatchAxis)
	if groups < 1 || x.Dim(channel)%groups != 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d groups of %d channels: want groups that divide them", groups, x.Dim(channel)))
	}
	return newScaleAndBias(fn, scope.Sub("group_normalization"), x, onlyAlong(x, channel), o.NoScale, o.NoBias, o.ParamInit)
}
