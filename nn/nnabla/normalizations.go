package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

func normalizations() []entry {
	return []entry{
		{typ: "BatchNormalization", name: "batch_normalization", make: func(a *arguments) operation {
			return batch(a, 0, a.bool("no_bias"), a.bool("no_scale"), func(c *call, b *statistics) []*nd.Array {
				if b.batch {
					y, mean, variance := normalize.BatchNormalizationWithStat(b.x, b.beta, b.gamma, b.mean, b.variance, b.o)
					return []*nd.Array{y, mean, variance}
				}
				return []*nd.Array{normalize.BatchNormalization(b.x, b.beta, b.gamma, b.mean, b.variance, b.o)}
			})
		}},
		{typ: "SyncBatchNormalization", name: "sync_batch_normalization", make: func(a *arguments) operation {
			a.ignore("comm", "group") // one process
			return batch(a, 0, false, false, func(c *call, b *statistics) []*nd.Array {
				return []*nd.Array{normalize.BatchNormalization(b.x, b.beta, b.gamma, b.mean, b.variance, b.o)}
			})
		}},
		{typ: "FusedBatchNormalization", name: "fused_batch_normalization", make: func(a *arguments) operation {
			a.text("nonlinearity", "relu")
			return batch(a, 1, false, false, func(c *call, b *statistics) []*nd.Array {
				return []*nd.Array{normalize.FusedBatchNormalization(b.x, b.beta, b.gamma, b.mean, b.variance, c.in[5], b.o)}
			})
		}},
		{typ: "MeanSubtraction", name: "mean_subtraction", make: func(a *arguments) operation {
			base, update := a.int("base_axis"), a.bool("update_running_mean")
			return taking(3, 3, func(c *call) *nd.Array {
				mean, t := c.statistic(1), c.statistic(2)
				defer mean.Release()
				defer t.Release()
				return normalize.MeanSubtraction(c.in[0], mean, t, normalize.MeanSubtractionOptions{BaseAxis: &base, UpdateRunningMean: &update})
			})
		}},
		{typ: "NormNormalization", name: "norm_normalization", make: func(a *arguments) operation {
			a.ignore("eps") // NNabla takes 1e-12, whatever it is
			o := normalize.NormNormalizationOptions{P: new(a.float("p")), Axes: a.axes("axes")}
			return one(func(x *nd.Array) *nd.Array { return normalize.NormNormalization(x, o) })
		}},
		{name: "clip_by_value", why: "NNabla composes it of Minimum2 and Maximum2, or MinimumScalar and MaximumScalar"},
		{typ: "ClipGradByValue", name: "clip_grad_by_value", make: func(*arguments) operation {
			return taking(3, 3, func(c *call) *nd.Array { return ops.ClipGradByValue(c.in[0], c.in[1], c.in[2]) })
		}},
		{name: "clip_by_norm", why: "NNabla composes it of PowScalar, Sum and others"},
		{typ: "ClipGradByNorm", name: "clip_grad_by_norm", make: func(a *arguments) operation {
			limit, axes := a.float("clip_norm"), a.axes("axes")
			return one(func(x *nd.Array) *nd.Array { return normalize.ClipGradByNorm(x, limit, axes) })
		}},
		{typ: "LayerNormalization", name: "layer_normalization", make: func(a *arguments) operation {
			o := normalize.LayerNormalizationOptions{BatchAxis: a.axes("batch_axis"), Eps: new(a.float("eps"))}
			return scaled(a, func(x, beta, gamma *nd.Array) (y, mean, variance *nd.Array) {
				return normalize.LayerNormalizationWithStat(x, beta, gamma, o)
			})
		}},
		{typ: "TensorNormalization", name: "tensor_normalization", make: func(a *arguments) operation {
			o := normalize.LayerNormalizationOptions{BatchAxis: a.axes("axes"), Eps: new(a.float("eps"))}
			return scaled(a, func(x, beta, gamma *nd.Array) (y, mean, variance *nd.Array) {
				return normalize.LayerNormalizationWithStat(x, beta, gamma, o)
			})
		}},
		{typ: "InstanceNormalization", name: "instance_normalization", make: func(a *arguments) operation {
			o := normalize.InstanceNormalizationOptions{ChannelAxis: a.axis("channel_axis"), BatchAxis: a.axes("batch_axis"), Eps: new(a.float("eps"))}
			return scaled(a, func(x, beta, gamma *nd.Array) (y, mean, variance *nd.Array) {
				return normalize.InstanceNormalizationWithStat(x, beta, gamma, o)
			})
		}},
		{typ: "GroupNormalization", name: "group_normalization", make: func(a *arguments) operation {
			groups := a.int("num_groups")
			o := normalize.GroupNormalizationOptions{ChannelAxis: a.axis("channel_axis"), BatchAxis: a.axes("batch_axis"), Eps: new(a.float("eps"))}
			return scaled(a, func(x, beta, gamma *nd.Array) (y, mean, variance *nd.Array) {
				return normalize.GroupNormalizationWithStat(x, beta, gamma, groups, o)
			})
		}},
		{typ: "WeightStandardization", name: "weight_standardization", make: func(a *arguments) operation {
			o := normalize.WeightStandardizationOptions{ChannelAxis: a.axis("channel_axis"), Eps: new(a.float("eps"))}
			return operation{1, 1, func(c *call) []*nd.Array {
				y, mean, variance := normalize.WeightStandardizationWithStat(c.in[0], o)
				return []*nd.Array{y, mean, variance}
			}}
		}},
		{typ: "WeightNormalization", name: "weight_normalization", make: func(a *arguments) operation {
			o := normalize.WeightNormalizationOptions{Axis: a.axis("dim"), Eps: new(a.float("eps"))}
			return two(func(w, g *nd.Array) *nd.Array { return normalize.WeightNormalization(w, g, o) })
		}},
		{typ: "SpectralNorm", name: "spectral_norm", make: func(a *arguments) operation {
			o := normalize.SpectralNormOptions{Axis: a.axis("dim"), Itr: a.int("itr"), Eps: new(a.float("eps")), Test: a.bool("test")}
			with := a.bool("output_u")
			return operation{2, 2, func(c *call) []*nd.Array {
				out := make([]*nd.Array, 1, 2)
				if with {
					out = append(out, c.in[1].Copy())
				}
				u := c.statistic(1)
				defer u.Release()
				out[0] = normalize.SpectralNorm(c.in[0], u, o)
				return out
			}}
		}},
	}
}

// statistics are the inputs of a batch normalisation.
type statistics struct {
	x, beta, gamma, mean, variance *nd.Array // beta and gamma may be nil
	batch                          bool
	o                              normalize.BatchNormalizationOptions
}

// batch makes a batch normalisation with a number of further inputs. It normalises as its argument batch_stat says, and
// writes the running statistics only in training.
func batch(a *arguments, more int, noBias, noScale bool, f func(c *call, b *statistics) []*nd.Array) operation {
	b := statistics{batch: a.bool("batch_stat")}
	b.o = normalize.BatchNormalizationOptions{Axes: a.axes("axes"), DecayRate: new(a.float("decay_rate")), Eps: new(a.float("eps")), BatchStat: &b.batch}
	inputs := 5
	for _, without := range []bool{noBias, noScale} {
		if without {
			inputs--
		}
	}
	return operation{inputs, inputs + more, func(c *call) []*nd.Array {
		b, k := b, 1
		b.x = c.in[0]
		if !noBias {
			b.beta = c.in[k]
			k++
		}
		if !noScale {
			b.gamma = c.in[k]
			k++
		}
		switch {
		case !b.batch:
			b.mean, b.variance = c.in[k], c.in[k+1]
		case c.scope.Training():
			b.mean, b.variance = c.in[k].Detach(), c.in[k+1].Detach()
			defer b.mean.Release()
			defer b.variance.Release()
		}
		return f(c, &b)
	}}
}

// scaled makes a normalisation with optional beta and gamma, whose further results are the statistics.
func scaled(a *arguments, f func(x, beta, gamma *nd.Array) (y, mean, variance *nd.Array)) operation {
	noBias, noScale := a.bool("no_bias"), a.bool("no_scale")
	return operation{1, 3, func(c *call) []*nd.Array {
		beta, gamma := c.in[1], c.in[2]
		if noBias {
			beta, gamma = nil, beta
		}
		if noScale {
			gamma = nil
		}
		y, mean, variance := f(c.in[0], beta, gamma)
		return []*nd.Array{y, mean, variance}
	}}
}
