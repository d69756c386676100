package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/model"
)

// randomness are the operators that draw numbers. They draw from the stream of the scope: nn.Scope.WithRand gives one. The
// seeds in a file have no meaning here.
func randomness() map[string]operator {
	return map[string]operator{
		"RandomNormal": drawn(normal, false), "RandomNormalLike": drawn(normal, true),
		"RandomUniform": drawn(uniform, false), "RandomUniformLike": drawn(uniform, true),
		"Bernoulli": bernoulli, "Multinomial": multinomial,
	}
}

// draw draws numbers in a shape.
type draw func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array

func normal(n *node) draw {
	mean, deviation := n.float("mean", 0), n.float("scale", 1)
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		return random.Normal(rng, mean, deviation, shape, like)
	}
}

func uniform(n *node) draw {
	low, high := n.float("low", 0), n.float("high", 1)
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		return random.Uniform(rng, low, high, shape, like)
	}
}

// drawn draws in the shape of an attribute, or in that of the input.
func drawn(make func(n *node) draw, like bool) operator {
	return func(n *node) run {
		f, t := make(n), n.elementType("dtype", 0)
		n.float("seed", 0)
		shape := n.ints("shape")
		return func(c *call) []model.Value {
			shape, dt, device := shape, dtype.Float32, c.scope.Device()
			if like {
				shape, device = c.shape(0), arrayIn(c.in[0]).Device()
				if own := c.x(0).DType(); own.IsFloat() {
					dt = own
				}
			}
			if t != 0 {
				dt = t.DType()
			}
			return one(f(c.scope.Rand(), shape, nd.ArrayOptions{DType: dt, Device: device}))
		}
	}
}

func bernoulli(n *node) run {
	t := n.elementType("dtype", 0)
	n.float("seed", 0)
	return func(c *call) []model.Value {
		p := c.x(0)
		dt := p.DType()
		if t != 0 {
			dt = t.DType()
		}
		draws := random.Uniform(c.scope.Rand(), 0, 1, p.Shape(), nd.ArrayOptions{Device: p.Device()})
		return one(ops.Less(draws, p).AsType(dt))
	}
}

// multinomial draws classes by their logarithms of probabilities: the largest sum with draws of Gumbel's distribution.
func multinomial(n *node) run {
	t, count := n.elementType("dtype", Int32), n.int("sample_size", 1)
	n.float("seed", 0)
	return func(c *call) []model.Value {
		logs := c.x(0)
		if logs.Rank() != 2 || count < 0 {
			c.refuse("%d samples of classes (B, C)", count)
		}
		shape := []int{logs.Dim(0), count, logs.Dim(1)}
		draws := random.Gumbel(c.scope.Rand(), 0, 1, shape, nd.ArrayOptions{DType: dtype.Float32, Device: logs.Device()})
		return one(ops.ArgMax(ops.Add(draws, logs.ExpandDims(1)), ops.Over(2)).AsType(t.DType()))
	}
}
