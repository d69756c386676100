package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/quantize"
)

func quantizations() []entry {
	return []entry{
		{typ: "BinarySigmoid", name: "binary_sigmoid", make: unary(ops.BinarySigmoid)},
		{typ: "BinaryTanh", name: "binary_tanh", make: unary(ops.BinaryTanh)},
		{typ: "BinaryConnectAffine", name: "binary_connect_affine", make: func(a *arguments) operation {
			return binaryConnect(a, product(a))
		}},
		{typ: "BinaryConnectConvolution", name: "binary_connect_convolution", make: func(a *arguments) operation {
			return binaryConnect(a, windowed(a))
		}},
		{typ: "BinaryWeightAffine", name: "binary_weight_affine", make: func(a *arguments) operation {
			return binaryWeight(a, ops.Over(0), product(a))
		}},
		{typ: "BinaryWeightConvolution", name: "binary_weight_convolution", make: func(a *arguments) operation {
			return binaryWeight(a, nil, windowed(a))
		}},
		{typ: "INQAffine", name: "inq_affine", make: func(a *arguments) operation { return incremental(a, product(a)) }},
		{typ: "INQConvolution", name: "inq_convolution", make: func(a *arguments) operation { return incremental(a, windowed(a)) }},
		{typ: "FixedPointQuantize", name: "fixed_point_quantize", make: func(a *arguments) operation {
			o := quantize.FixedPointOptions{Sign: new(a.bool("sign")), N: a.int("n"), Delta: a.float("delta"), STEFineGrained: new(a.bool("ste_fine_grained"))}
			return one(func(x *nd.Array) *nd.Array { return quantize.FixedPoint(x, o) })
		}},
		{typ: "Pow2Quantize", name: "pow2_quantize", make: func(a *arguments) operation {
			o := quantize.Pow2Options{Sign: new(a.bool("sign")), WithZero: new(a.bool("with_zero")), N: a.int("n"), M: new(a.int("m")),
				STEFineGrained: new(a.bool("ste_fine_grained"))}
			return one(func(x *nd.Array) *nd.Array { return quantize.Pow2(x, o) })
		}},
		{typ: "MinMaxQuantize", name: "min_max_quantize", make: func(a *arguments) operation {
			o := quantize.MinMaxOptions{XMinMax: a.bool("x_min_max"), EMA: a.bool("ema"), Decay: new(a.float("decay")),
				STEFineGrained: new(a.bool("ste_fine_grained")), Eps: new(a.float("eps"))}
			return taking(5, 5, func(c *call) *nd.Array {
				low, high := c.in[1], c.in[2]
				if !c.scope.Training() {
					low, high = low.Copy(), high.Copy()
					defer low.Release()
					defer high.Release()
				}
				return quantize.MinMax(c.in[0], low, high, c.in[3], c.in[4], o)
			})
		}},
		{typ: "Prune", name: "prune", make: func(a *arguments) operation {
			o := quantize.PruneOptions{Rate: new(a.float("rate"))}
			return one(func(x *nd.Array) *nd.Array { return quantize.Prune(x, o) })
		}},
	}
}

// layer computes a layer of x with weights w.
type layer func(x, w, bias *nd.Array) *nd.Array

func product(a *arguments) layer {
	base := a.int("base_axis")
	return func(x, w, bias *nd.Array) *nd.Array {
		return ops.Affine(x, w, ops.AffineOptions{Bias: bias, BaseAxis: &base})
	}
}

func windowed(a *arguments) layer {
	o := convolution(a)
	return func(x, w, bias *nd.Array) *nd.Array { return conv.Convolution(x, w, bias, o) }
}

// binaryConnect makes a layer with the signs of its weights, which it stores in training.
func binaryConnect(a *arguments, l layer) operation {
	o := quantize.BinaryConnectOptions{QuantizeZeroTo: new(a.float("quantize_zero_to"))}
	return taking(3, 4, func(c *call) *nd.Array {
		signs := quantize.BinaryConnect(c.in[1], o)
		defer signs.Release()
		c.store(2, signs)
		return l(c.in[0], signs, c.in[3])
	})
}

// binaryWeight makes a layer with the signs of its weights, scaled along axes. It stores signs and scales in training.
func binaryWeight(a *arguments, axes ops.Axes, l layer) operation {
	zero := a.float("quantize_zero_to")
	return taking(4, 5, func(c *call) *nd.Array {
		w, scale := quantize.BinaryWeight(c.in[1], quantize.BinaryWeightOptions{QuantizeZeroTo: &zero, Axes: axes})
		defer w.Release()
		defer scale.Release()
		if c.scope.Training() {
			signs, alpha := quantize.BinaryConnect(c.in[1].Detach(), quantize.BinaryConnectOptions{QuantizeZeroTo: &zero}), scale.Ravel()
			defer signs.Release()
			defer alpha.Release()
			c.store(2, signs)
			c.store(3, alpha)
		}
		return l(c.in[0], w, c.in[4])
	})
}

// incremental makes a layer whose weights are quantised step by step. A network has no count of the steps: each call is the
// first, as in NNabla after a network was read. So a network is not trained further here.
func incremental(a *arguments, l layer) operation {
	seed := a.int("seed")
	o := quantize.INQOptions{NumBits: a.int("num_bits"), Iterations: a.ints("inq_iterations"),
		SelectionAlgorithm: quantize.INQSelection(a.text("selection_algorithm", "largest_abs", "random"))}
	return taking(3, 4, func(c *call) *nd.Array {
		if c.scope.Training() {
			panic(nd.Func("INQ").Errorf(nil, "a network has no count of the steps: train it with quant.INQAffine or quant.INQConvolution"))
		}
		o := o
		o.Rand = nd.NewRand(uint64(max(seed, 0)))
		q := quantize.NewINQ(o)
		defer q.Release()
		w, fixed := q.Step(c.in[1], c.in[2])
		defer w.Release()
		defer fixed.Release()
		return l(c.in[0], w, c.in[3])
	})
}
