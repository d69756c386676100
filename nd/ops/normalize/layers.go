package normalize

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// The functions of this file scale parts of an array to mean 0 and variance 1: y = (x - mean)/√(variance + eps)·gamma +
// beta. The variance is the biased one, Σ(x - mean)²/n, in two passes. Floats of 16 bits are computed in float32.
// Gradients of every order flow, also through the statistics.

// LayerNormalizationOptions are the options of LayerNormalization.
type LayerNormalizationOptions struct {
	// BatchAxis are the axes whose indices are normalised separately; nil means 0, an empty slice none.
	BatchAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
}

// LayerNormalizationOption is a [LayerNormalizationOptions], or the axes of the batch alone.
type LayerNormalizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (LayerNormalizationOptions) Option() {}

func layerNormalizationOver(axes ops.Axes, o LayerNormalizationOptions) LayerNormalizationOptions {
	o.BatchAxis = axes
	return o
}

// LayerNormalization normalises over all axes except those of the batch. beta and gamma broadcast to x; either may be
// nil.
//
// Source: J. Ba et al., Layer normalization, 2016.
// PyTorch: nn.functional.layer_norm. NNabla: layer_normalization. MXNet: layer_norm.
func LayerNormalization(x, beta, gamma *nd.Array, opts ...LayerNormalizationOption) *nd.Array {
	const fn nd.Func = "normalize.LayerNormalization"
	return alone(layerNormalization(fn, x, beta, gamma, options.Of(fn, opts, layerNormalizationOver)))
}

// LayerNormalizationWithStat is LayerNormalization that also returns the mean and the biased variance, in which the
// normalised axes have length 1.
func LayerNormalizationWithStat(x, beta, gamma *nd.Array, opts ...LayerNormalizationOption) (y, mean, variance *nd.Array) {
	const fn nd.Func = "normalize.LayerNormalizationWithStat"
	return layerNormalization(fn, x, beta, gamma, options.Of(fn, opts, layerNormalizationOver))
}

func layerNormalization(fn nd.Func, x, beta, gamma *nd.Array, o LayerNormalizationOptions) (y, mean, variance *nd.Array) {
	n := newNormalization(fn, x, beta, gamma)
	defer n.release()
	n.keep(batchOr(o.BatchAxis))
	return n.standardized(argument.ValueOr(o.Eps, 1e-5))
}

// InstanceNormalizationOptions are the options of InstanceNormalization.
type InstanceNormalizationOptions struct {
	// ChannelAxis is the axis of the channels; nil means 1.
	ChannelAxis ops.Axes
	// BatchAxis are the axes of the batch; nil means 0, an empty slice none.
	BatchAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5 (MXNet's default is 1e-3).
	Eps *float64
}

// InstanceNormalization normalises each channel of each example by itself. beta and gamma broadcast to x; either may be
// nil.
//
// Source: D. Ulyanov et al., Instance normalization: the missing ingredient for fast stylization, 2016.
// PyTorch: nn.functional.instance_norm. NNabla: instance_normalization. MXNet: instance_norm.
func InstanceNormalization(x, beta, gamma *nd.Array, opts ...InstanceNormalizationOptions) *nd.Array {
	const fn nd.Func = "normalize.InstanceNormalization"
	return alone(instanceNormalization(fn, x, beta, gamma, options.Read(fn, opts)))
}

// InstanceNormalizationWithStat is InstanceNormalization that also returns the mean and the biased variance, in which
// the normalised axes have length 1.
func InstanceNormalizationWithStat(x, beta, gamma *nd.Array, opts ...InstanceNormalizationOptions) (y, mean, variance *nd.Array) {
	const fn nd.Func = "normalize.InstanceNormalizationWithStat"
	return instanceNormalization(fn, x, beta, gamma, options.Read(fn, opts))
}

func instanceNormalization(fn nd.Func, x, beta, gamma *nd.Array, o InstanceNormalizationOptions) (y, mean, variance *nd.Array) {
	n := newNormalization(fn, x, beta, gamma)
	defer n.release()
	n.keep(batchOr(o.BatchAxis), fn.Axis(x, o.ChannelAxis, 1))
	return n.standardized(argument.ValueOr(o.Eps, 1e-5))
}

// GroupNormalizationOptions are the options of GroupNormalization.
type GroupNormalizationOptions struct {
	// ChannelAxis is the axis of the channels; nil means 1.
	ChannelAxis ops.Axes
	// BatchAxis are the axes of the batch; nil means 0, an empty slice none.
	BatchAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
}

// GroupNormalization splits the channels of each example into groups of equal size and normalises each group. beta and
// gamma broadcast to x, and usually have one number per channel; either may be nil.
//
// Source: Y. Wu, K. He, Group normalization, 2018.
// PyTorch: nn.functional.group_norm. NNabla: group_normalization. MXNet: group_norm.
func GroupNormalization(x, beta, gamma *nd.Array, groups int, opts ...GroupNormalizationOptions) *nd.Array {
	const fn nd.Func = "normalize.GroupNormalization"
	return alone(groupNormalization(fn, x, beta, gamma, groups, options.Read(fn, opts)))
}

// GroupNormalizationWithStat is GroupNormalization that also returns the mean and the biased variance. In these, the
// axis of the channels is split into the groups and an axis of length 1; all other normalised axes have length 1, too.
func GroupNormalizationWithStat(x, beta, gamma *nd.Array, groups int, opts ...GroupNormalizationOptions) (y, mean, variance *nd.Array) {
	const fn nd.Func = "normalize.GroupNormalizationWithStat"
	return groupNormalization(fn, x, beta, gamma, groups, options.Read(fn, opts))
}

func groupNormalization(fn nd.Func, x, beta, gamma *nd.Array, groups int, o GroupNormalizationOptions) (y, mean, variance *nd.Array) {
	n := newNormalization(fn, x, beta, gamma)
	defer n.release()
	n.keep(batchOr(o.BatchAxis), fn.Axis(x, o.ChannelAxis, 1))
	channel := fn.Axis(x, o.ChannelAxis, 1)
	if groups < 1 || x.Dim(channel)%groups != 0 {
		panic(fn.Errorf(n.operands, "%d groups do not divide the %d channels", groups, x.Dim(channel)))
	}
	shape := n.x.Shape()
	n.setX(n.x.Reshape(slices.Concat(shape[:channel], []int{groups, shape[channel] / groups}, shape[channel+1:])...))
	for k, axis := range n.over {
		if axis > channel {
			n.over[k]++
		}
	}
	n.over = append(n.over, channel+1)
	n.shape, n.channel = shape, channel
	return n.standardized(argument.ValueOr(o.Eps, 1e-5))
}

// WeightStandardizationOptions are the options of WeightStandardization.
type WeightStandardizationOptions struct {
	// ChannelAxis is the axis of the output channels; nil means 0, as in weights of convolutions. Use 1 for weights of
	// Affine.
	ChannelAxis ops.Axes
	// Eps is added to the variance; nil means 1e-5.
	Eps *float64
}

// WeightStandardizationOption is a [WeightStandardizationOptions], or the axis of the channels alone.
type WeightStandardizationOption interface{ ops.Option }

// Option marks the struct as an option.
func (WeightStandardizationOptions) Option() {}

func weightStandardizationOver(axes ops.Axes, o WeightStandardizationOptions) WeightStandardizationOptions {
	o.ChannelAxis = axes
	return o
}

// WeightStandardization normalises the weights of each output channel.
//
// Source: S. Qiao et al., Micro-batch training with batch-channel normalization and weight standardization, 2019.
// NNabla: weight_standardization.
func WeightStandardization(w *nd.Array, opts ...WeightStandardizationOption) *nd.Array {
	const fn nd.Func = "normalize.WeightStandardization"
	return alone(weightStandardization(fn, w, options.Of(fn, opts, weightStandardizationOver)))
}

// WeightStandardizationWithStat is WeightStandardization that also returns the mean and the biased variance of each
// channel, in which the other axes have length 1.
func WeightStandardizationWithStat(w *nd.Array, opts ...WeightStandardizationOption) (y, mean, variance *nd.Array) {
	const fn nd.Func = "normalize.WeightStandardizationWithStat"
	return weightStandardization(fn, w, options.Of(fn, opts, weightStandardizationOver))
}

func weightStandardization(fn nd.Func, w *nd.Array, o WeightStandardizationOptions) (y, mean, variance *nd.Array) {
	n := newNormalization(fn, w, nil, nil)
	defer n.release()
	n.keep(nil, fn.Axis(w, o.ChannelAxis, 0))
	return n.standardized(argument.ValueOr(o.Eps, 1e-5))
}

func batchOr(axes ops.Axes) []int {
	if axes == nil {
		return []int{0}
	}
	return axes
}

// alone returns y, and releases the statistics.
func alone(y, mean, variance *nd.Array) *nd.Array {
	mean.Release()
	variance.Release()
	return y
}
