package onnx

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// contributed are the operators of onnxruntime's domain com.microsoft that exported transformers contain, and one of
// scikit-learn's exporter.
func contributed() map[string]operator {
	all := prefixed("com.microsoft.", map[string]operator{
		"Gelu":      plain(func(c *call) []model.Value { return one(ops.GELUErf(c.x(0))) }),
		"BiasGelu":  plain(func(c *call) []model.Value { return one(ops.GELUErf(ops.Add(c.x(0), c.x(1)))) }),
		"FastGelu":  plain(fastGelu),
		"QuickGelu": quickGelu,
		"BiasSplitGelu": plain(func(c *call) []model.Value {
			halves := ops.Split(ops.Add(c.x(0), c.x(1)), 2, ops.Over(-1))
			return one(ops.Multiply(halves[0], ops.GELUErf(halves[1])))
		}),
		"BiasAdd": plain(func(c *call) []model.Value { return one(ops.Add(ops.Add(c.x(0), c.x(1)), c.x(2))) }),

		"FusedMatMul":           fusedMatMul,
		"FusedGemm":             fusedGemm,
		"FusedConv":             fusedConv,
		"MatMulNBits":           matMulNBits,
		"DynamicQuantizeMatMul": plain(dynamicQuantizeMatMul),
		"MatMulIntegerToFloat":  plain(matMulIntegerToFloat),
		"QuantizeLinear":        quantizeLinear,
		"DequantizeLinear":      dequantizeLinear,

		"LayerNormalization":               layerNormalization,
		"SimplifiedLayerNormalization":     simplifiedLayerNormalization,
		"SkipLayerNormalization":           skipLayerNormalization,
		"SkipSimplifiedLayerNormalization": skipSimplifiedLayerNormalization,
		"EmbedLayerNormalization":          embedLayerNormalization,

		"Attention":           contributedAttention,
		"QAttention":          quantizedAttention,
		"MultiHeadAttention":  multiHeadAttention,
		"GroupQueryAttention": groupQueryAttention,
		"RotaryEmbedding":     contributedRotaryEmbedding,
		"Tokenizer":           tokenizer,
	})
	all["SimplifiedLayerNormalization"] = simplifiedLayerNormalization // onnxruntime writes it in ONNX's own domain
	return all
}

// fastGelu is GELU by tanh, of x plus a bias if there is one.
func fastGelu(c *call) []model.Value {
	x := c.x(0)
	if bias := c.optional(1); bias != nil {
		x = ops.Add(x, bias)
	}
	return one(ops.GELU(x))
}

// quickGelu is x·sigmoid(alpha·x).
func quickGelu(n *node) run {
	alpha := nd.Scalar(n.float("alpha", 1.702))
	return func(c *call) []model.Value {
		x := c.x(0)
		return one(ops.Multiply(x, ops.Sigmoid(ops.Multiply(x, alpha))))
	}
}

// fusedMatMul is alpha·a·b, where the matrices of a and b may be transposed. With transBatchA the rows of a are its first
// axis, before those of the batch; so with transBatchB and b.
func fusedMatMul(n *node) run {
	alpha := n.float("alpha", 1)
	turnA, turnB, batchA, batchB := n.flag("transA"), n.flag("transB"), n.flag("transBatchA"), n.flag("transBatchB")
	turned := func(x *nd.Array, batch, turn bool) *nd.Array {
		if batch && x.Rank() > 2 {
			x = x.MoveAxis([]int{0}, []int{-2})
		}
		if turn && x.Rank() > 1 {
			x = x.SwapAxes(-1, -2)
		}
		return x
	}
	return func(c *call) []model.Value {
		y := ops.MatMul(turned(c.x(0), batchA, turnA), turned(c.x(1), batchB, turnB))
		if alpha != 1 {
			y = scaled(y, alpha)
		}
		return one(y)
	}
}

// fusedGemm is Gemm and an activation.
func fusedGemm(n *node) run {
	var alphas, betas []float32
	if n.has("activation_alpha") {
		alphas = []float32{float32(n.float("activation_alpha", 0))}
	}
	if n.has("activation_beta") {
		betas = []float32{float32(n.float("activation_beta", 0))}
	}
	n.float("activation_gamma", 0) // no activation of matrices has a third number
	f := n.following(alphas, betas)
	product := gemm(n)
	return func(c *call) []model.Value { return one(f(product(c)[0].(*nd.Array))) }
}

// fusedConv is Conv, plus an array if there is one, and an activation.
func fusedConv(n *node) run {
	params := n.floats("activation_params")
	var alphas, betas []float32
	if len(params) > 0 {
		alphas, betas = params[:1], params[1:]
	}
	f := n.following(alphas, betas)
	w, group := n.windows(), n.int("group", 1)
	return func(c *call) []model.Value {
		y := w.convolve(c, group, c.x(0), c.x(1), c.optional(2))
		if z := c.optional(3); z != nil {
			y = ops.Add(y, z)
		}
		return one(f(y))
	}
}

// following returns the function that the attribute activation names, the identity if it is missing.
func (n *node) following(alphas, betas []float32) activation {
	switch name := n.text("activation", ""); name {
	case "":
		return func(x *nd.Array) *nd.Array { return x }
	case "Clip":
		if len(alphas) == 0 || len(betas) == 0 {
			n.refuse("activation Clip without bounds")
			return nil
		}
		low, high := nd.Scalar(float64(alphas[0])), nd.Scalar(float64(betas[0]))
		return func(x *nd.Array) *nd.Array { return ops.Clip(x, low, high) }
	case "HardSwish":
		return func(x *nd.Array) *nd.Array {
			return ops.Multiply(x, ops.Clip(ops.Add(ops.Multiply(x, nd.Scalar(1.0/6)), nd.Scalar(0.5)), 0, 1))
		}
	default:
		f, _, _ := n.activation(name, alphas, betas)
		return f
	}
}

// dynamicQuantizeMatMul multiplies floats, quantised by their smallest and largest element, with small integers.
func dynamicQuantizeMatMul(c *call) []model.Value {
	quantised := dynamicQuantizeLinear(c)
	a := ops.Subtract(quantised[0].(*nd.Array).AsType(dtype.Int32), quantised[2].(*nd.Array).AsType(dtype.Int32))
	y := ops.Multiply(ops.MatMul(a, c.centred(1, 3, -2)).AsType(dtype.Float32), ops.Multiply(quantised[1].(*nd.Array), c.x(2)))
	if bias := c.optional(4); bias != nil {
		y = ops.Add(y, bias)
	}
	return one(y)
}

// matMulIntegerToFloat multiplies matrices of small integers, and gives floats.
func matMulIntegerToFloat(c *call) []model.Value {
	product := ops.MatMul(c.centred(0, 4, -1), c.centred(1, 5, -2))
	y := ops.Multiply(product.AsType(c.x(2).DType()), ops.Multiply(c.each(c.x(2), -1), c.x(3)))
	if bias := c.optional(6); bias != nil {
		y = ops.Add(y, bias)
	}
	return one(y)
}
