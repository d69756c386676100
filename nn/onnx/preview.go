package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// previews are the operators of the domains ai.onnx.preview and ai.onnx.preview.training.
func previews() map[string]operator {
	return map[string]operator{
		"ai.onnx.preview.FlexAttention":     flexAttention,
		"ai.onnx.preview.training.Adagrad":  updating(3, adagrad),
		"ai.onnx.preview.training.Adam":     updating(4, adam),
		"ai.onnx.preview.training.Momentum": updating(3, momentum),
	}
}

// flexAttention is attention whose scores and weights pass through graphs inside the node.
func flexAttention(n *node) run {
	scale, precision := n.float("scale", 0), n.elementType("softmax_precision", 0)
	var scores, weights *body
	if n.has("score_mod") {
		scores = n.body("score_mod", 1, 1)
	}
	if n.has("prob_mod") {
		weights = n.body("prob_mod", 1, 1)
	}
	return func(c *call) []model.Value {
		q, k, v := c.x(0), c.x(1), c.x(2)
		t := q.DType()
		wide := dtype.Float32
		if t == dtype.Float64 {
			wide = t
		}
		if precision != 0 {
			wide = precision.DType()
		}
		if k.Dim(1) == 0 || q.Dim(1)%k.Dim(1) != 0 {
			c.refuse("%d heads of queries, and %d of keys", q.Dim(1), k.Dim(1))
		}
		if group := q.Dim(1) / k.Dim(1); group > 1 {
			k, v = ops.Repeat(k, group, ops.Over(1)), ops.Repeat(v, group, ops.Over(1))
		}
		factor := scale
		if factor == 0 {
			factor = 1 / math.Sqrt(float64(q.Dim(3)))
		}
		y := ops.Multiply(ops.MatMul(q.AsType(wide), k.SwapAxes(2, 3).AsType(wide)), factor)
		if scores != nil {
			y = c.changed(scores, y)
		}
		y = ops.Softmax(y, ops.Over(-1))
		if weights != nil {
			y = c.changed(weights, y)
		}
		return one(ops.MatMul(y, v.AsType(wide)).AsType(t))
	}
}

// changed returns the array that a graph makes of another one.
func (c *call) changed(b *body, x *nd.Array) *nd.Array {
	out := b.run(c, x)
	y, ok := out[0].(*nd.Array)
	if !ok {
		c.refuse("the graph gives a %s", describe(out[0]))
	}
	return y
}

// update makes the function that updates one tensor: x, its gradient and its states become x and its states. The numbers are
// the learning rate and the count of updates.
type update func(n *node) func(rate, count float64, x []*nd.Array) []*nd.Array

// updating is an optimizer whose inputs are the rate, the count, and then tensors, gradients and states in this order: so many
// lists of equal lengths.
func updating(lists int, of update) operator {
	return func(n *node) run {
		f := of(n)
		return func(c *call) []model.Value {
			rate, count, xs := c.float(0), c.float(1), c.xs(2)
			tensors := len(xs) / lists
			if tensors*lists != len(xs) {
				c.refuse("%d inputs for tensors with %d each", len(xs), lists)
			}
			out := make([]model.Value, len(xs)-tensors)
			for i := range tensors {
				var own []*nd.Array
				for k := range lists {
					own = append(own, xs[k*tensors+i])
				}
				for k, y := range f(rate, count, own) {
					out[k*tensors+i] = y
				}
			}
			return out
		}
	}
}

// regularized adds the gradient of the squared norm, times half a coefficient.
func regularized(x, g *nd.Array, coefficient float64) *nd.Array {
	return ops.Add(ops.Multiply(x, coefficient), g)
}

func adagrad(n *node) func(rate, count float64, x []*nd.Array) []*nd.Array {
	norm, decay, eps := n.float("norm_coefficient", 0), n.float("decay_factor", 0), n.float("epsilon", 1e-6)
	return func(rate, count float64, x []*nd.Array) []*nd.Array {
		g := regularized(x[0], x[1], norm)
		squares := ops.Add(x[2], ops.Square(g))
		step := ops.Divide(ops.Multiply(g, rate/(1+count*decay)), ops.Add(ops.Sqrt(squares), eps))
		return []*nd.Array{ops.Subtract(x[0], step), squares}
	}
}

func adam(n *node) func(rate, count float64, x []*nd.Array) []*nd.Array {
	alpha, beta, eps := n.float("alpha", 0.9), n.float("beta", 0.999), n.float("epsilon", 1e-6)
	norm, after := n.float("norm_coefficient", 0), n.float("norm_coefficient_post", 0)
	return func(rate, count float64, x []*nd.Array) []*nd.Array {
		g := regularized(x[0], x[1], norm)
		means := ops.Add(ops.Multiply(x[2], alpha), ops.Multiply(g, 1-alpha))
		squares := ops.Add(ops.Multiply(x[3], beta), ops.Multiply(ops.Square(g), 1-beta))
		if count > 0 {
			rate *= math.Sqrt(1-math.Pow(beta, count)) / (1 - math.Pow(alpha, count))
		}
		step := ops.Divide(ops.Multiply(means, rate), ops.Add(ops.Sqrt(squares), eps))
		return []*nd.Array{ops.Multiply(ops.Subtract(x[0], step), 1-after), means, squares}
	}
}

func momentum(n *node) func(rate, count float64, x []*nd.Array) []*nd.Array {
	alpha, beta, norm := n.float("alpha", 0), n.float("beta", 0), n.float("norm_coefficient", 0)
	nesterov := n.text("mode", "standard", "standard", "nesterov") == "nesterov"
	return func(rate, count float64, x []*nd.Array) []*nd.Array {
		g, share := regularized(x[0], x[1], norm), beta
		if count <= 0 {
			share = 1
		}
		v := ops.Add(ops.Multiply(x[2], alpha), ops.Multiply(g, share))
		step := v
		if nesterov {
			step = ops.Add(g, ops.Multiply(v, alpha))
		}
		return []*nd.Array{ops.Subtract(x[0], ops.Multiply(step, rate)), v}
	}
}
