package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// attentions are the operators of transformers.
func attentions() map[string]operator {
	return map[string]operator{"Attention": attention, "RotaryEmbedding": rotaryEmbedding, "SwiGLU": swiGLU,
		"LinearAttention": linearAttention, "CausalConvWithState": causalConvWithState}
}

// attending are the attributes of Attention.
type attending struct {
	queryHeads, keyHeads int
	scale, cap           float64
	causal               bool
	left, right          int // of the window; -1 is no bound
	precision            ElementType
	output               int // what output 3 holds
	scores               bool
}

func attention(n *node) run {
	a := attending{queryHeads: n.int("q_num_heads", 0), keyHeads: n.int("kv_num_heads", 0), scale: n.float("scale", 0), cap: n.float("softcap", 0),
		causal: n.flag("is_causal"), left: n.int("left_window_size", -1), right: n.int("right_window_size", -1),
		precision: n.elementType("softmax_precision", 0), output: n.int("qk_matmul_output_mode", 0), scores: n.wanted(3)}
	return a.run
}

// heads splits the last axis of (B, T, H·D) into heads: (B, H, T, D).
func heads(c *call, x *nd.Array, count int) *nd.Array {
	if x.Rank() == 4 {
		return x
	}
	if x.Rank() != 3 || count < 1 || x.Dim(2)%count != 0 {
		c.refuse("%d heads", count)
	}
	return x.Reshape(x.Dim(0), x.Dim(1), count, x.Dim(2)/count).Transpose(0, 2, 1, 3)
}

// joined is the inverse of heads.
func joined(x *nd.Array) *nd.Array {
	return x.Transpose(0, 2, 1, 3).Reshape(x.Dim(0), x.Dim(2), x.Dim(1)*x.Dim(3))
}

func (a attending) run(c *call) []model.Value {
	isFlat := c.x(0).Rank() == 3
	q, k, v := heads(c, c.x(0), a.queryHeads), heads(c, c.x(1), a.keyHeads), heads(c, c.x(2), a.keyHeads)
	past := 0
	if c.given(4) && c.given(5) {
		past = c.x(4).Dim(2)
		k = ops.Concatenate([]*nd.Array{c.x(4), k}, ops.Over(2))
		v = ops.Concatenate([]*nd.Array{c.x(5), v}, ops.Over(2))
	}
	presentKey, presentValue := k, v
	if k.Dim(1) == 0 || q.Dim(1)%k.Dim(1) != 0 {
		c.refuse("%d heads of queries, and %d of keys", q.Dim(1), k.Dim(1))
	}
	y, scores := a.attend(q, k, v, a.bias(c, q, k, past), false)
	if isFlat {
		y = joined(y)
	}
	return []model.Value{y, presentKey, presentValue, orNil(scores)}
}

// attend returns the attention of heads (B, H, T, D), and the scores that output 3 holds. A head of keys may serve several of
// queries. With causal, query i sees the keys up to i.
func (a attending) attend(q, k, v, bias *nd.Array, causal bool) (y, scores *nd.Array) {
	scale := a.scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(q.Dim(3)))
	}
	group := q.Dim(1) / max(k.Dim(1), 1)
	if wide := q.DType() == dtype.Float32 || q.DType() == dtype.Float64; wide && a.cap == 0 && !a.scores {
		return ops.Attention(q, k, v, ops.AttentionOptions{Scale: &scale, Mask: bias, Causal: causal, Grouped: group > 1}), nil
	}
	if group > 1 {
		k, v = ops.Repeat(k, group, ops.Over(1)), ops.Repeat(v, group, ops.Over(1))
	}
	if causal {
		bias = added(bias, whereSeen(upTo(0, q, k), math.Inf(-1), q.DType()))
	}
	return a.steps(q, k, v, bias, math.Sqrt(scale))
}

// upTo reports for each query and key whether the key's index is at most that of the query plus an offset.
func upTo(offset int, q, k *nd.Array) *nd.Array {
	queries, keys := q.Dim(2), k.Dim(2)
	return ops.LessEqual(nd.ArangeInt(0, keys, 1), nd.ArangeInt(offset, offset+queries, 1).Reshape(queries, 1)).To(q.Device())
}

// whereSeen is 0 where seen is true, and otherwise the given number.
func whereSeen(seen *nd.Array, hidden float64, t dtype.DType) *nd.Array {
	return ops.Where(seen, nd.Scalar(0.0), nd.Scalar(hidden)).AsType(t)
}

// added is a + b, where nil is nothing.
func added(a, b *nd.Array) *nd.Array {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return ops.Add(a, b)
}

// orNil returns an array as a value, or no value.
func orNil(x *nd.Array) model.Value {
	if x == nil {
		return nil
	}
	return x
}

// bias returns what is added to the scores: the mask, and -Inf where a query does not see a key. Nil adds nothing.
func (a attending) bias(c *call, q, k *nd.Array, past int) *nd.Array {
	t, queries, keys := q.DType(), q.Dim(2), k.Dim(2)
	mask := c.optional(3)
	if mask != nil && mask.DType() == dtype.Bool {
		mask = whereSeen(mask, math.Inf(-1), t)
	}
	if mask != nil && mask.Dim(-1) < keys {
		widths := make([][2]int, mask.Rank())
		widths[mask.Rank()-1][1] = keys - mask.Dim(-1)
		mask = ops.Pad(mask, widths, ops.PadOptions{Value: nd.Scalar(math.Inf(-1))})
	}
	var valid *nd.Array // the number of keys of each example
	if c.given(6) {
		valid = c.x(6).AsType(dtype.Int64).Reshape(-1, 1, 1, 1)
	}
	column := nd.ArangeInt(0, queries, 1).Reshape(queries, 1).To(q.Device())
	row := nd.ArangeInt(0, keys, 1).To(q.Device())
	var seen *nd.Array
	require := func(allowed *nd.Array) {
		if seen == nil {
			seen = allowed
		} else {
			seen = ops.LogicalAnd(seen, allowed)
		}
	}
	location := ops.Add(column, nd.Scalar(past)) // of the queries among the keys
	if valid != nil {
		require(ops.Less(row, valid))
		if past == 0 {
			location = ops.Add(column, ops.Subtract(valid, nd.Scalar(queries)))
		}
	}
	if a.causal {
		require(ops.LessEqual(row, location))
	}
	if a.left >= 0 {
		require(ops.GreaterEqual(row, ops.Subtract(location, nd.Scalar(a.left))))
	}
	if a.right >= 0 {
		require(ops.LessEqual(row, ops.Add(location, nd.Scalar(a.right))))
	}
	if seen == nil {
		return mask
	}
	return added(mask, whereSeen(seen, math.Inf(-1), t))
}

// steps computes attention step by step, each result in the dtype of the queries, and the scores that output 3 holds.
func (a attending) steps(q, k, v, bias *nd.Array, root float64) (y, scores *nd.Array) {
	t := q.DType()
	products := ops.MatMul(ops.Multiply(q, nd.Scalar(root)), ops.Multiply(k.SwapAxes(2, 3), nd.Scalar(root)))
	scores = products
	if a.cap != 0 {
		products = ops.Multiply(ops.Tanh(ops.Divide(products, nd.Scalar(a.cap))), nd.Scalar(a.cap))
		scores = products
	}
	if bias != nil {
		products = ops.Add(products, bias)
	}
	if a.output == 2 {
		scores = products
	}
	if a.precision != 0 {
		products = products.AsType(a.precision.DType())
	}
	weights := stepwiseSoftmax(products, ops.Over(-1))
	if bias != nil {
		none := ops.Equal(ops.Max(bias, ops.ReduceOptions{Axes: ops.Over(-1), KeepDims: true}), nd.Scalar(math.Inf(-1)))
		weights = ops.Where(none, nd.Scalar(0), weights).AsType(weights.DType())
	}
	if a.output == 3 {
		scores = weights.AsType(t)
	}
	return ops.MatMul(weights.AsType(t), v), scores
}

// rotaryEmbedding rotates pairs of numbers by angles that depend on the positions.
func rotaryEmbedding(n *node) run {
	interleaved, dims, count := n.flag("interleaved"), n.int("rotary_embedding_dim", 0), n.int("num_heads", 0)
	return func(c *call) []model.Value {
		x, isFlat := c.x(0), c.x(0).Rank() == 3
		x = heads(c, x, count) // (B, H, T, D)
		width := dims
		if width == 0 {
			width = x.Dim(3)
		}
		if width < 2 || width%2 != 0 || width > x.Dim(3) {
			c.refuse("%d numbers of %d are rotated", width, x.Dim(3))
		}
		cos, sin := c.x(1), c.x(2)
		if at := c.optional(3); at != nil {
			cos, sin = ops.Take(cos, at, ops.Over(0)), ops.Take(sin, at, ops.Over(0))
		}
		if cos.Rank() == 3 {
			cos, sin = cos.ExpandDims(1), sin.ExpandDims(1)
		}
		y := rotated(x, cos, sin, width, interleaved)
		if isFlat {
			y = joined(y)
		}
		return one(y)
	}
}

// rotated rotates the first width numbers of the last axis in pairs: neighbours if interleaved, otherwise numbers of the two
// halves. The rest stays as it is.
func rotated(x, cos, sin *nd.Array, width int, interleaved bool) *nd.Array {
	rest := x.Index(nd.Ellipsis(), nd.From(width))
	a, b := x.Index(nd.Ellipsis(), nd.Until(width/2)), x.Index(nd.Ellipsis(), nd.Span(width/2, width))
	if interleaved {
		a, b = x.Index(nd.Ellipsis(), nd.Span(0, width).By(2)), x.Index(nd.Ellipsis(), nd.Span(1, width).By(2))
	}
	re := ops.Subtract(ops.Multiply(cos, a), ops.Multiply(sin, b))
	im := ops.Add(ops.Multiply(sin, a), ops.Multiply(cos, b))
	if !interleaved {
		return ops.Concatenate([]*nd.Array{re, im, rest}, ops.Over(-1))
	}
	shape := x.Shape()
	shape[len(shape)-1] = width
	return ops.Concatenate([]*nd.Array{ops.Stack([]*nd.Array{re, im}, ops.Over(-1)).Reshape(shape...), rest}, ops.Over(-1))
}

func swiGLU(n *node) run {
	alpha := nd.Scalar(n.float("alpha", 1))
	return func(c *call) []model.Value {
		gate, x := c.x(0), c.x(1)
		return one(ops.Multiply(ops.Multiply(gate, ops.Sigmoid(ops.Multiply(gate, alpha))), x))
	}
}
