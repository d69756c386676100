package catalogue

import (
	"context"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/comm"
)

var (
	statistics       = []string{"mean", "variance"}
	movingStatistics = []string{"moving_mean", "moving_var"}
)

// normalizationRows is the chapter of normalisation.
var normalizationRows = []Row{
	{Signature: "nnabla.functions.batch_normalization(x, beta, gamma, mean, variance, axes=[1], decay_rate=0.9, eps=1e-05, batch_stat=True, output_stat=False)",
		Func: batchNormalization, Writes: statistics},
	{Signature: "nnabla.functions.sync_batch_normalization(x, beta, gamma, mean, variance, comm=None, group='world', axes=[1], decay_rate=0.9, eps=1e-05, batch_stat=True, output_stat=False)",
		Func: syncBatchNormalization, Writes: statistics, Note: "without comm it runs in one process"},
	{Signature: "nnabla.functions.fused_batch_normalization(x, beta, gamma, mean, variance, z=None, axes=[1], decay_rate=0.9, eps=1e-05, batch_stat=True, nonlinearity='relu', output_stat=False)",
		Func: fusedBatchNormalization, Writes: statistics},
	{Signature: "nnabla.functions.layer_normalization(x, beta, gamma, batch_axis=0, eps=1e-05, output_stat=False)",
		Func: func(x, beta, gamma *nd.Array, batch []int, eps float64, stat bool) []*nd.Array {
			return withStat(stat)(normalize.LayerNormalizationWithStat(x, beta, gamma, normalize.LayerNormalizationOptions{BatchAxis: batch, Eps: &eps}))
		}},
	{Signature: "nnabla.functions.instance_normalization(x, beta, gamma, channel_axis=1, batch_axis=0, eps=1e-05, output_stat=False)",
		Func: func(x, beta, gamma *nd.Array, channel int, batch []int, eps float64, stat bool) []*nd.Array {
			o := normalize.InstanceNormalizationOptions{ChannelAxis: ops.Over(channel), BatchAxis: batch, Eps: &eps}
			return withStat(stat)(normalize.InstanceNormalizationWithStat(x, beta, gamma, o))
		}},
	{Signature: "nnabla.functions.group_normalization(x, beta, gamma, num_groups, channel_axis=1, batch_axis=0, eps=1e-05, output_stat=False)",
		Func: func(x, beta, gamma *nd.Array, groups, channel int, batch []int, eps float64, stat bool) []*nd.Array {
			o := normalize.GroupNormalizationOptions{ChannelAxis: ops.Over(channel), BatchAxis: batch, Eps: &eps}
			return withStat(stat)(normalize.GroupNormalizationWithStat(x, beta, gamma, groups, o))
		}},
	{Signature: "nnabla.functions.weight_standardization(w, channel_axis=0, eps=1e-05, output_stat=False)",
		Func: func(w *nd.Array, channel int, eps float64, stat bool) []*nd.Array {
			return withStat(stat)(normalize.WeightStandardizationWithStat(w, normalize.WeightStandardizationOptions{ChannelAxis: ops.Over(channel), Eps: &eps}))
		}},
	{Signature: "nnabla.functions.mean_subtraction(x, mean, t, base_axis=1, update_running_mean=True)", Func: normalize.MeanSubtraction,
		Writes:      []string{"mean", "t"}, // with updates, the gradient of a sample counts only its own part of the mean
		CheckedWith: map[string]any{"update_running_mean": false}},
	{Signature: "nnabla.functions.clip_by_norm(x, clip_norm, axis=None)", Func: normalize.ClipByNorm},
	{Signature: "nnabla.functions.clip_grad_by_norm(x, clip_norm=None, axes=None)", Func: func(x *nd.Array, limit *float64, over ...ops.Axes) *nd.Array {
		if limit == nil {
			limit = new(1.0)
		}
		return normalize.ClipGradByNorm(x, *limit, over...)
	}, StraightThrough: true, Note: "the gradient is scaled to that norm"},
	{Signature: "nnabla.functions.weight_normalization(w, g, dim=0, eps=1e-12)", Func: normalize.WeightNormalization, Renames: map[string]string{"dim": "axis"}},
	{Signature: "nnabla.functions.norm_normalization(x, p=None, axes=None, eps=1e-12)", Func: normalize.NormNormalization, Ignores: []string{"eps"},
		Note: "the document's eps is the option Eps; the reference always uses 1e-12"},
	{Signature: "nnabla.functions.spectral_norm(w, u, dim=0, itr=1, eps=1e-12, test=False, output_u=False)",
		Func: func(w, u *nd.Array, dim, itr int, eps float64, test, withU bool) []*nd.Array {
			u = u.Detach()
			before := u.Copy()
			y := normalize.SpectralNorm(w, u, normalize.SpectralNormOptions{Axis: ops.Over(dim), Itr: itr, Eps: &eps, Test: test})
			if withU {
				return []*nd.Array{y, before}
			}
			return []*nd.Array{y}
		}, Writes: []string{"u"}, CheckedWith: map[string]any{"itr": 300, "eps": nil, "test": false}, FirstOrder: "the singular vectors"},

	{Signature: "chainer.functions.batch_normalization(x, gamma, beta, eps=2e-05, running_mean=None, running_var=None, decay=0.9, use_cudnn=True)",
		Func: func(x, gamma, beta *nd.Array, eps float64, mean, variance *nd.Array, decay float64) *nd.Array {
			o := normalize.BatchNormalizationOptions{Axes: channelsAfterBatch(gamma), DecayRate: &decay, Eps: &eps}
			in := alongAxis(x, 1, gamma, beta, updated(mean), updated(variance))
			return normalize.BatchNormalization(x, in[1], in[0], in[2], in[3], o)
		}, Writes: []string{"running_mean", "running_var"}, Ignores: useCuDNN, Note: laterNormalization},
	{Signature: "chainer.functions.fixed_batch_normalization(x, gamma, beta, mean, var, eps=2e-05, use_cudnn=True)",
		Func: func(x, gamma, beta, mean, variance *nd.Array, eps float64) *nd.Array {
			o := normalize.BatchNormalizationOptions{Axes: channelsAfterBatch(gamma), Eps: &eps, BatchStat: new(false)}
			in := alongAxis(x, 1, gamma, beta, mean, variance)
			return normalize.BatchNormalization(x, in[1], in[0], in[2], in[3], o)
		}, Ignores: useCuDNN, Note: laterNormalization},
	{Signature: "chainer.functions.local_response_normalization(x, n=5, k=2, alpha=0.0001, beta=0.75)", Func: normalize.LocalResponseNormalization},
	{Signature: "chainer.functions.normalize(x, eps=1e-05, axis=1)", Func: normalize.Normalize},

	{Signature: "mxnet.npx.batch_norm(data, gamma, beta, moving_mean, moving_var, eps=0.001, momentum=0.9, fix_gamma=True, use_global_stats=False, " +
		"output_mean_var=False, axis=1, cudnn_off=False, min_calib_range=None, max_calib_range=None, is_train=False)",
		Func: func(x, gamma, beta, mean, variance *nd.Array, eps, momentum float64, fixGamma, global, stat bool, axis int, train bool) []*nd.Array {
			ys, variance := mxnetBatchNorm(x, gamma, beta, mean, variance, eps, momentum, fixGamma, global || !train, axis)
			if stat {
				defer variance.Release()
				ys = append(ys, ops.Reciprocal(ops.Sqrt(ops.Add(variance, eps))))
				return ys
			}
			ys[1].Release()
			variance.Release()
			return ys[:1]
		}, Writes: movingStatistics, Ignores: []string{"cudnn_off", "min_calib_range", "max_calib_range"}},
	{Signature: "mxnet.npx.sync_batch_norm(data, gamma, beta, moving_mean, moving_var, eps=0.001, momentum=0.9, fix_gamma=True, use_global_stats=False, " +
		"output_mean_var=False, ndev=1, key=None, is_train=False)",
		Func: func(x, gamma, beta, mean, variance *nd.Array, eps, momentum float64, fixGamma, global, stat, train bool) []*nd.Array {
			ys, variance := mxnetBatchNorm(x, gamma, beta, mean, variance, eps, momentum, fixGamma, global || !train, 1)
			if stat {
				return append(ys, variance)
			}
			ys[1].Release()
			variance.Release()
			return ys[:1]
		}, Writes: movingStatistics, Ignores: []string{"ndev", "key"}, Note: "runs in one process"},
	{Signature: "mxnet.npx.layer_norm(data, gamma, beta, axis=-1, eps=1e-05, output_mean_var=False)",
		Func: func(x, gamma, beta *nd.Array, axis int, eps float64, stat bool) []*nd.Array {
			axis = axisOf(x, axis)
			batch := slices.DeleteFunc(broadcast.AllAxes(x.Rank()), func(k int) bool { return k == axis })
			in := alongAxis(x, axis, gamma, beta)
			return withDeviation(stat, eps)(normalize.LayerNormalizationWithStat(x, in[1], in[0], normalize.LayerNormalizationOptions{BatchAxis: batch, Eps: &eps}))
		}},
	{Signature: "mxnet.npx.group_norm(data, gamma, beta, num_groups=1, eps=1e-05, output_mean_var=False)",
		Func: func(x, gamma, beta *nd.Array, groups int, eps float64, stat bool) []*nd.Array {
			in := alongAxis(x, 1, gamma, beta)
			y, mean, variance := normalize.GroupNormalizationWithStat(x, in[1], in[0], groups, normalize.GroupNormalizationOptions{Eps: &eps})
			defer mean.Release()
			defer variance.Release()
			return withDeviation(stat, eps)(y, mean.Reshape(x.Dim(0), groups), variance.Reshape(x.Dim(0), groups))
		}},
	{Signature: "mxnet.npx.instance_norm(data, gamma, beta, eps=0.001)", Func: func(x, gamma, beta *nd.Array, eps float64) *nd.Array {
		in := alongAxis(x, 1, gamma, beta)
		return normalize.InstanceNormalization(x, in[1], in[0], normalize.InstanceNormalizationOptions{Eps: &eps})
	}},
}

// withStat omits the statistics unless stat is set.
func withStat(stat bool) func(y, mean, variance *nd.Array) []*nd.Array {
	return func(y, mean, variance *nd.Array) []*nd.Array {
		if !stat {
			mean.Release()
			variance.Release()
			return []*nd.Array{y}
		}
		return []*nd.Array{y, mean, variance}
	}
}

// withDeviation returns the standard deviation instead of the variance, and blocks its gradient, as MXNet does.
func withDeviation(stat bool, eps float64) func(y, mean, variance *nd.Array) []*nd.Array {
	return func(y, mean, variance *nd.Array) []*nd.Array {
		defer mean.Release()
		defer variance.Release()
		v := variance.Detach()
		defer v.Release()
		return withStat(stat)(y, mean.Detach(), ops.Sqrt(ops.Add(v, eps)))
	}
}

func batchNormalization(x, beta, gamma, mean, variance *nd.Array, axes []int, decay, eps float64, batchStat, stat bool) []*nd.Array {
	return syncBatchNormalization(x, beta, gamma, mean, variance, nil, comm.World, axes, decay, eps, batchStat, stat)
}

func syncBatchNormalization(x, beta, gamma, mean, variance *nd.Array, c *comm.Communicator, group string, axes []int, decay, eps float64, batchStat, stat bool) []*nd.Array {
	o := normalize.BatchNormalizationOptions{Axes: axes, DecayRate: &decay, Eps: &eps, BatchStat: &batchStat}
	if c != nil {
		c = c.Group(group)
	}
	if c == nil && group != comm.World {
		panic(nd.Func("sync_batch_normalization").Errorf([]*nd.Array{x}, "this rank is in no group %q", group))
	}
	if c != nil {
		o.Gather = func(statistics *nd.Array) *nd.Array { return comm.Gather(context.Background(), c, statistics) }
	}
	if batchStat {
		mean, variance = updated(mean), updated(variance)
	}
	if stat {
		return withStat(true)(normalize.BatchNormalizationWithStat(x, beta, gamma, mean, variance, o))
	}
	return []*nd.Array{normalize.BatchNormalization(x, beta, gamma, mean, variance, o)}
}

func fusedBatchNormalization(x, beta, gamma, mean, variance, z *nd.Array, axes []int, decay, eps float64, batchStat bool, nonlinearity string, stat bool) []*nd.Array {
	if nonlinearity != "relu" {
		panic(nd.Func("fused_batch_normalization").Errorf([]*nd.Array{x}, "nonlinearity %q: want relu", nonlinearity))
	}
	o := normalize.BatchNormalizationOptions{Axes: axes, DecayRate: &decay, Eps: &eps, BatchStat: &batchStat}
	if batchStat {
		mean, variance = updated(mean), updated(variance)
	}
	if stat {
		return withStat(true)(normalize.FusedBatchNormalizationWithStat(x, beta, gamma, mean, variance, z, o))
	}
	return []*nd.Array{normalize.FusedBatchNormalization(x, beta, gamma, mean, variance, z, o)}
}

// updated returns a running statistic that the function may write to, or nil: a recorded array is not a running
// statistic.
func updated(x *nd.Array) *nd.Array {
	if x == nil {
		return nil
	}
	return x.Detach()
}

// laterNormalization is the note for an argument that came with later versions of Chainer.
const laterNormalization = "Axes are the axes of gamma; Chainer 7's axis lists all others"

// channelsAfterBatch returns Chainer's channel axes, which follow the batch axis.
func channelsAfterBatch(gamma *nd.Array) []int {
	return broadcast.AllAxes(1 + gamma.Rank())[1:]
}

// alongAxis gives parameters, whose first axis is that axis of x, as many axes as x has. They are views.
func alongAxis(x *nd.Array, axis int, parameters ...*nd.Array) []*nd.Array {
	return converted(parameters, func(p *nd.Array) *nd.Array {
		if p == nil {
			return nil
		}
		return ops.AlignLike(p, x, ops.Over(axis))
	})
}

func axisOf(x *nd.Array, axis int) int {
	if axis < 0 {
		axis += x.Rank()
	}
	return axis
}

// mxnetBatchNorm returns the result, the mean and the variance. No gradient flows through the statistics.
func mxnetBatchNorm(x, gamma, beta, mean, variance *nd.Array, eps, momentum float64, fixGamma, global bool, axis int) ([]*nd.Array, *nd.Array) {
	axis = axisOf(x, axis)
	if fixGamma { // gamma counts as ones, with zero gradients
		gamma = ops.Where(nd.FromSlice([]bool{false}).To(x.Device()), gamma, 1)
	}
	mean, variance = updated(mean), updated(variance)
	in := alongAxis(x, axis, gamma, beta, mean, variance)
	o := normalize.BatchNormalizationOptions{Axes: ops.Over(axis), DecayRate: &momentum, Eps: &eps, BiasedVariance: true}
	if global {
		o.BatchStat = new(false)
		return []*nd.Array{normalize.BatchNormalization(x, in[1], in[0], in[2], in[3], o), mean}, variance
	}
	y, batchMean, batchVariance := normalize.BatchNormalizationWithStat(x, in[1], in[0], in[2], in[3], o)
	defer batchMean.Release()
	defer batchVariance.Release()
	m, v := batchMean.Detach(), batchVariance.Detach()
	defer m.Release()
	defer v.Release()
	k := x.Dim(axis)
	return []*nd.Array{y, m.Reshape(k)}, v.Reshape(k)
}
