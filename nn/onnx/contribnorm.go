package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn/model"
)

// simplifiedLayerNormalization is RMSNormalization, which may also give what x was multiplied by.
func simplifiedLayerNormalization(n *node) run {
	axis, eps := n.int("axis", -1), n.float("epsilon", 1e-5)
	n.int("stash_type", 1)
	inverse := n.wanted(1)
	return func(c *call) []model.Value {
		x := c.x(0)
		_, from := trailing(c, x, axis)
		y := normalize.RMSNormalization(x, c.x(1), normalize.RMSNormalizationOptions{Axes: from, Eps: &eps})
		if !inverse {
			return one(y)
		}
		return some(y, inverseRoot(x, from, eps))
	}
}

// inverseRoot returns 1/√(mean(x²) + eps), in float32.
func inverseRoot(x *nd.Array, axes []int, eps float64) *nd.Array {
	squares := ops.Mean(ops.Square(x.AsType(dtype.Float32)), ops.ReduceOptions{Axes: axes, KeepDims: true})
	return ops.Rsqrt(ops.Add(squares, nd.Scalar(eps)))
}

// sumOf adds up those of the given inputs that are there.
func (c *call) sumOf(inputs ...int) *nd.Array {
	y := c.x(inputs[0])
	for _, i := range inputs[1:] {
		if x := c.optional(i); x != nil {
			y = ops.Add(y, x)
		}
	}
	return y
}

// skipLayerNormalization normalises x + skip + bias along the last axis. Its last output is that sum.
func skipLayerNormalization(n *node) run {
	eps := n.float("epsilon", 1e-12)
	statistics := n.wanted(1) || n.wanted(2)
	return func(c *call) []model.Value {
		sum := c.sumOf(0, 1, 4)
		y, mean, inverse := layerNormalized(c, sum, 2, 3, eps, statistics)
		return []model.Value{y, orNil(mean), orNil(inverse), sum}
	}
}

// layerNormalized is layer normalisation along the last axis, with the inputs of the given indexes as factors and bias.
func layerNormalized(c *call, x *nd.Array, gamma, beta int, eps float64, statistics bool) (y, mean, inverse *nd.Array) {
	before, _ := trailing(c, x, -1)
	o := normalize.LayerNormalizationOptions{BatchAxis: before, Eps: &eps}
	if !statistics {
		return normalize.LayerNormalization(x, c.optional(beta), c.x(gamma), o), nil, nil
	}
	y, mean, variance := normalize.LayerNormalizationWithStat(x, c.optional(beta), c.x(gamma), o)
	return y, mean.AsType(dtype.Float32), ops.Rsqrt(ops.Add(variance.AsType(dtype.Float32), nd.Scalar(eps)))
}

func skipSimplifiedLayerNormalization(n *node) run {
	eps := n.float("epsilon", 1e-12)
	inverse := n.wanted(2)
	if n.wanted(1) {
		n.refuse("output 1, the mean, has no meaning")
	}
	return func(c *call) []model.Value {
		sum := c.sumOf(0, 1, 3)
		last := ops.Over(-1)
		y := normalize.RMSNormalization(sum, c.x(2), normalize.RMSNormalizationOptions{Axes: last, Eps: &eps})
		out := []model.Value{y, nil, nil, sum}
		if inverse {
			out[2] = inverseRoot(sum, last, eps)
		}
		return out
	}
}

// embedLayerNormalization normalises the sum of the embeddings of words, positions and segments.
func embedLayerNormalization(n *node) run {
	eps := n.float("epsilon", 1e-12)
	n.int("mask_index_type", 0)
	return func(c *call) []model.Value {
		words := c.x(0)
		if words.Rank() != 2 {
			c.refuse("want words (B, T)")
		}
		sum := ops.Take(c.x(2), words, ops.Over(0))
		if at := c.optional(8); at != nil {
			sum = ops.Add(sum, ops.Take(c.x(3), at, ops.Over(0)))
		} else if table := c.x(3); words.Dim(1) > table.Dim(0) {
			c.refuse("%d words, and %d positions", words.Dim(1), table.Dim(0))
		} else {
			sum = ops.Add(sum, table.Index(nd.Until(words.Dim(1))))
		}
		if segments := c.optional(1); segments != nil {
			sum = ops.Add(sum, ops.Take(c.x(4), segments, ops.Over(0)))
		}
		y, _, _ := layerNormalized(c, sum, 5, 6, eps, false)
		lengths := nd.Zeros([]int{words.Dim(0)}, dtype.Int32, words.Device())
		if mask := c.optional(7); mask != nil {
			lengths = ops.Sum(ops.Equal(mask, nd.Scalar(1)).AsType(dtype.Int32), ops.Over(1)).AsType(dtype.Int32)
		}
		return some(y, lengths, sum)
	}
}
