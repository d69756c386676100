package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nn/model"
)

// linearAttention is a recurrence over a state of outer products of keys and values, computed in float32.
func linearAttention(n *node) run {
	queryHeads, keyHeads, scale := n.int("q_num_heads", 0), n.int("kv_num_heads", 0), n.float("scale", 0)
	rule := n.text("update_rule", "gated_delta", "linear", "gated", "delta", "gated_delta")
	n.int("chunk_size", 0) // how others compute the same
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	return func(c *call) []model.Value {
		t := c.x(0).DType()
		wide := func(x *nd.Array) *nd.Array { return x.AsType(dtype.Float32) }
		q, k, v := heads(c, wide(c.x(0)), queryHeads), heads(c, wide(c.x(1)), keyHeads), heads(c, wide(c.x(2)), keyHeads)
		batch, steps, keys, values := q.Dim(0), q.Dim(2), k.Dim(3), v.Dim(3)
		if keyHeads < 1 || queryHeads%keyHeads != 0 {
			c.refuse("%d heads of queries, and %d of keys", queryHeads, keyHeads)
		}
		factor := scale
		if factor == 0 {
			factor = 1 / math.Sqrt(float64(keys))
		}
		stateType := t
		state := nd.Zeros([]int{batch, keyHeads, keys, values}, dtype.Float32, q.Device())
		if past := c.optional(3); past != nil {
			stateType, state = past.DType(), wide(past)
		}
		var decay, beta *nd.Array
		if gated {
			decay = wide(c.x(4))
			if decay.Dim(2) == keyHeads {
				decay = decay.Transpose(0, 2, 1).ExpandDims(3)
			} else {
				decay = heads(c, decay, keyHeads)
			}
			decay = ops.Exp(decay)
		}
		if delta {
			beta = wide(c.x(5)).Transpose(0, 2, 1).ExpandDims(3)
		}
		at := func(x *nd.Array, i int) *nd.Array { return x.Index(nd.All(), nd.All(), nd.At(i)) }
		rows := make([]*nd.Array, steps)
		for i := range steps {
			key, value := at(k, i).ExpandDims(3), at(v, i).ExpandDims(2)
			if gated {
				state = ops.Multiply(state, at(decay, i).ExpandDims(3))
			}
			if delta {
				known := ops.MatMul(key.SwapAxes(2, 3), state)
				value = ops.Multiply(at(beta, i).ExpandDims(2), ops.Subtract(value, known))
			}
			state = ops.Add(state, ops.Multiply(key, value))
			read := state
			if queryHeads != keyHeads {
				read = ops.Repeat(state, queryHeads/keyHeads, ops.Over(1))
			}
			rows[i] = ops.MatMul(at(q, i).ExpandDims(2), read)
		}
		y := nd.Zeros([]int{batch, queryHeads, 0, values}, dtype.Float32, q.Device())
		if steps > 0 {
			y = ops.Multiply(ops.Concatenate(rows, ops.Over(2)), nd.Scalar(factor))
		}
		return some(joined(y).AsType(t), state.AsType(stateType))
	}
}

// causalConvWithState is a convolution by channel over the present and the past elements.
func causalConvWithState(n *node) run {
	activation := n.text("activation", "none", "none", "silu", "swish")
	return func(c *call) []model.Value {
		x, w, bias := c.x(0), c.x(1), c.optional(2)
		if x.Rank() != 3 || w.Rank() != 3 {
			c.refuse("want an input (B, C, T) and weights (C, 1, K)")
		}
		past := nd.Zeros([]int{x.Dim(0), x.Dim(1), w.Dim(2) - 1}, x.DType(), x.Device())
		if c.given(3) {
			past = c.x(3)
		}
		whole := ops.Concatenate([]*nd.Array{past, x}, ops.Over(2))
		y := conv.Convolution(whole, w, bias, conv.ConvolutionOptions{Group: x.Dim(1)})
		if activation != "none" {
			y = ops.Swish(y.AsType(dtype.Float32)).AsType(x.DType())
		}
		return some(y, whole.Index(nd.All(), nd.All(), nd.From(whole.Dim(2)-w.Dim(2)+1)))
	}
}
