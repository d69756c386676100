package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/model"
)

// normalizations are the operators that scale an array by its statistics, and dropout.
func normalizations() map[string]operator {
	return map[string]operator{
		"BatchNormalization": batchNormalization,
		"InstanceNormalization": func(n *node) run {
			eps := n.float("epsilon", 1e-5)
			n.ints("consumed_inputs")
			return func(c *call) []model.Value {
				x := c.x(0)
				return one(normalize.InstanceNormalization(x, perChannel(c.x(2), x.Rank()), perChannel(c.x(1), x.Rank()),
					normalize.InstanceNormalizationOptions{Eps: &eps}))
			}
		},
		"LayerNormalization": layerNormalization,
		"GroupNormalization": groupNormalization,
		"RMSNormalization":   rmsNormalization,
		"LpNormalization": func(n *node) run {
			axis, p := n.int("axis", -1), float64(n.int("p", 2))
			return func(c *call) []model.Value {
				x := c.x(0)
				length := ops.Norm(x, ops.NormOptions{P: &p, Axes: ops.Over(axis), KeepDims: true})
				return one(ops.Where(ops.Equal(length, nd.Scalar(0)), nd.ZerosLike(x), ops.Divide(x, length)))
			}
		},
		"LRN": func(n *node) run {
			size, alpha, beta, bias := n.int("size", 1), n.float("alpha", 1e-4), n.float("beta", 0.75), n.float("bias", 1)
			if size < 1 {
				n.refuse("attribute size is %d", size)
			}
			return func(c *call) []model.Value { return one(responseNormalization(c.x(0), size, alpha, beta, bias)) }
		},
		"MeanVarianceNormalization": func(n *node) run {
			axes := n.ints("axes")
			if axes == nil {
				axes = []int{0, 2, 3}
			}
			return func(c *call) []model.Value {
				x, over := c.x(0), ops.ReduceOptions{Axes: axes, KeepDims: true}
				centred := ops.Subtract(x, ops.Mean(x, over))
				deviation := ops.Sqrt(ops.Mean(ops.Square(centred), over))
				return one(ops.Divide(centred, ops.Add(deviation, nd.Scalar(1e-9))))
			}
		},
		"Dropout": dropout,
	}
}

// perChannel makes a vector with a number for each channel broadcast along axis 1.
func perChannel(p *nd.Array, rank int) *nd.Array {
	along := broadcast.Ones(rank)
	if rank > 1 {
		along[1] = p.Size()
		return p.Reshape(along...)
	}
	return p
}

// batchNormalization uses the statistics of the batch if the node or the call trains, and then also gives the new running
// statistics.
func batchNormalization(n *node) run {
	eps, momentum := n.float("epsilon", 1e-5), n.float("momentum", 0.9)
	training := n.flag("training_mode")
	if n.opset < 9 && n.int("spatial", 1) == 0 {
		n.refuse("attribute spatial is 0")
	}
	if n.opset < 7 {
		training = n.int("is_test", 0) == 0
		n.ints("consumed_inputs")
	}
	return func(c *call) []model.Value {
		x := c.x(0)
		t := x.DType()
		gamma, beta, mean, variance := perChannel(c.x(1), x.Rank()), perChannel(c.x(2), x.Rank()), perChannel(c.x(3), x.Rank()), perChannel(c.x(4), x.Rank())
		if !training && n.graph.batchStatistics && c.scope.Training() {
			return one(normalize.BatchNormalization(x, beta, gamma, mean.Detach(), variance.Detach(),
				normalize.BatchNormalizationOptions{Eps: &eps, DecayRate: &momentum}).AsType(t))
		}
		if !training {
			fixed := false
			o := normalize.BatchNormalizationOptions{Eps: &eps, BatchStat: &fixed}
			return one(normalize.BatchNormalization(x, beta, gamma, mean, variance, o).AsType(t))
		}
		y, batchMean, batchVariance := normalize.BatchNormalizationWithStat(x, beta, gamma, nil, nil, normalize.BatchNormalizationOptions{Eps: &eps})
		running := func(old, current *nd.Array) *nd.Array {
			return ops.Add(ops.Multiply(old, nd.Scalar(momentum)), ops.Multiply(current, nd.Scalar(1-momentum))).Reshape(-1)
		}
		return some(y.AsType(t), running(mean, batchMean).AsType(mean.DType()), running(variance, batchVariance).AsType(variance.DType()))
	}
}

// trailing returns the axes from one on, and those before it.
func trailing(c *call, x *nd.Array, axis int) (before, from []int) {
	at := c.fn.Axis(x, []int{axis}, 0)
	before = []int{}
	for i := range x.Rank() {
		if i < at {
			before = append(before, i)
		} else {
			from = append(from, i)
		}
	}
	return before, from
}

func layerNormalization(n *node) run {
	axis, eps := n.int("axis", -1), n.float("epsilon", 1e-5)
	n.int("stash_type", 1)
	statistics := n.wanted(1) || n.wanted(2)
	return func(c *call) []model.Value {
		x, gamma, beta := c.x(0), c.x(1), c.optional(2)
		before, _ := trailing(c, x, axis)
		o := normalize.LayerNormalizationOptions{BatchAxis: before, Eps: &eps}
		if !statistics {
			return one(normalize.LayerNormalization(x, beta, gamma, o))
		}
		y, mean, variance := normalize.LayerNormalizationWithStat(x, beta, gamma, o)
		inverse := ops.Rsqrt(ops.Add(variance.AsType(dtype.Float32), nd.Scalar(eps)))
		return some(y, mean.AsType(dtype.Float32), inverse)
	}
}

// groupNormalization has a scale and a bias for each group before opset 21, and for each channel since then.
func groupNormalization(n *node) run {
	groups, eps := n.int("num_groups", 0), n.float("epsilon", 1e-5)
	n.int("stash_type", 1)
	return func(c *call) []model.Value {
		x, gamma, beta := c.x(0), c.x(1), c.x(2)
		if groups < 1 || x.Rank() < 2 || x.Dim(1)%groups != 0 {
			c.refuse("%d groups", groups)
		}
		if n.opset < 21 {
			gamma, beta = ops.Repeat(gamma, x.Dim(1)/groups), ops.Repeat(beta, x.Dim(1)/groups)
		}
		return one(normalize.GroupNormalization(x, perChannel(beta, x.Rank()), perChannel(gamma, x.Rank()), groups,
			normalize.GroupNormalizationOptions{Eps: &eps}))
	}
}

func rmsNormalization(n *node) run {
	axis, eps := n.int("axis", -1), n.float("epsilon", 1e-5)
	n.int("stash_type", 1)
	return func(c *call) []model.Value {
		x := c.x(0)
		_, from := trailing(c, x, axis)
		return one(normalize.RMSNormalization(x, c.x(1), normalize.RMSNormalizationOptions{Axes: from, Eps: &eps}))
	}
}

// responseNormalization divides by the squares of the neighbouring channels; of an even size, one more of them lies behind.
func responseNormalization(x *nd.Array, size int, alpha, beta, bias float64) *nd.Array {
	widths := make([][2]int, x.Rank())
	widths[1] = [2]int{(size - 1) / 2, size / 2}
	squares := ops.Pad(ops.Square(x), widths)
	sums := ops.Sum(squares.SlidingWindows([]int{size}, 1), ops.Over(-1))
	return ops.Divide(x, ops.Power(ops.Add(ops.Multiply(sums, nd.Scalar(alpha/float64(size))), nd.Scalar(bias)), nd.Scalar(beta)))
}

// dropout draws only if its input says that it trains, or before opset 12 if the call trains.
func dropout(n *node) run {
	fixed := 0.5
	if n.opset < 12 {
		fixed = n.float("ratio", 0.5)
	}
	if n.opset < 7 {
		n.int("is_test", 0)
		n.ints("consumed_inputs")
	}
	n.int("seed", 0)
	masked, boolean := n.wanted(1), n.opset >= 10
	return func(c *call) []model.Value {
		x, ratio := c.x(0), fixed
		if c.given(1) {
			ratio = c.float(1)
		}
		training := n.opset < 12 && c.scope.Training()
		if c.given(2) {
			training = c.float(2) != 0
		}
		mask := nd.Full(x.Shape(), true, x.Device())
		y := x
		if training && ratio > 0 {
			mask = ops.GreaterEqual(random.Uniform(c.scope.Rand(), 0, 1, x.Shape(), x.Device()), nd.Scalar(ratio))
			y = ops.Multiply(ops.Multiply(x, mask.AsType(x.DType())), nd.Scalar(1/(1-ratio)))
		}
		if !masked {
			return one(y)
		}
		if !boolean {
			mask = mask.AsType(x.DType())
		}
		return some(y, mask)
	}
}
