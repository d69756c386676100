package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// masking are the attributes of attention in the domain com.microsoft. A hidden key gets a large negative number, so that a
// query without any other key still sees them all.
type masking struct {
	attending
	filter float64 // what is added to the score of a key that the mask hides
	sizes  []int   // the columns of queries, keys and values; nil if they are equal
}

func (n *node) masking() masking {
	return masking{attending: attending{queryHeads: n.int("num_heads", 0), scale: n.float("scale", 0), causal: n.flag("unidirectional")},
		filter: n.float("mask_filter_value", -10000)}
}

// contributedAttention projects its input to queries, keys and values.
func contributedAttention(n *node) run {
	m := n.masking()
	m.sizes = n.ints("qkv_hidden_sizes")
	if m.sizes != nil && len(m.sizes) != 3 {
		n.refuse("attribute qkv_hidden_sizes is %d", m.sizes)
	}
	n.selfAttentionOnly()
	return func(c *call) []model.Value {
		projected := ops.MatMul(c.x(0), c.x(1))
		if bias := c.optional(2); bias != nil {
			projected = ops.Add(projected, bias)
		}
		return m.projected(c, projected, 3, 4, 5)
	}
}

// selfAttentionOnly refuses attributes whose meaning is that of one device.
func (n *node) selfAttentionOnly() {
	n.int("rotary_embedding_dim", 0)
	for _, name := range []string{"do_rotary", "past_present_share_buffer"} {
		if n.flag(name) {
			n.refuse("attribute %s is not 0", name)
		}
	}
}

// quantizedAttention is contributedAttention of small integers.
func quantizedAttention(n *node) run {
	m := n.masking()
	n.selfAttentionOnly()
	return func(c *call) []model.Value {
		product := ops.MatMul(c.centred(0, 6, 0), c.centred(1, 7, 0)).AsType(c.x(3).DType())
		projected := ops.Add(ops.Multiply(product, ops.Multiply(c.x(3), c.x(4))), c.x(2))
		return m.projected(c, projected, 5, 8, -1)
	}
}

// projected is the attention of queries, keys and values that lie side by side. The other arguments are the indexes of
// inputs.
func (m masking) projected(c *call, x *nd.Array, mask, past, bias int) []model.Value {
	if x.Rank() != 3 || m.sizes == nil && x.Dim(2)%3 != 0 {
		c.refuse("want projections (B, T, 3·E)")
	}
	sizes := m.sizes
	if sizes == nil {
		sizes = []int{x.Dim(2) / 3, x.Dim(2) / 3, x.Dim(2) / 3}
	}
	if sizes[0]+sizes[1]+sizes[2] != x.Dim(2) {
		c.refuse("%d columns of queries, keys and values: want %d", sizes, x.Dim(2))
	}
	parts := ops.SplitAt(x, []int{sizes[0], sizes[0] + sizes[1]}, ops.Over(2))
	q, k, v := heads(c, parts[0], m.queryHeads), heads(c, parts[1], m.queryHeads), heads(c, parts[2], m.queryHeads)
	earlier := 0
	if c.given(past) {
		p := c.x(past)
		earlier = p.Dim(3)
		k = ops.Concatenate([]*nd.Array{p.Index(nd.At(0)), k}, ops.Over(2))
		v = ops.Concatenate([]*nd.Array{p.Index(nd.At(1)), v}, ops.Over(2))
	}
	y, _ := m.attended(c, q, k, v, earlier, mask, bias)
	out := []model.Value{y}
	if c.results > 1 {
		out = append(out, ops.Stack([]*nd.Array{k, v}))
	}
	return out
}

// attended computes the attention of heads, with the inputs of the given indexes as the mask and what is added to the scores.
// So many keys come before the first query.
func (m masking) attended(c *call, q, k, v *nd.Array, earlier, mask, bias int) (y, scores *nd.Array) {
	t := q.DType()
	var sum *nd.Array
	if c.given(mask) {
		sum = whereSeen(m.seen(c, c.x(mask), q, k, earlier), m.filter, t)
	}
	if bias >= 0 && c.given(bias) {
		sum = added(sum, c.x(bias))
	}
	causal := m.causal && sum == nil && earlier == 0
	if m.causal && !causal {
		lowest := -math.MaxFloat32
		if t == dtype.Float16 {
			lowest = -65504
		}
		sum = added(sum, whereSeen(upTo(earlier, q, k), lowest, t))
	}
	y, scores = m.attend(q, k, v, sum, causal)
	return joined(y), scores
}

// seen reports which keys the mask shows to which queries; the result broadcasts to (B, H, T, S). The mask is one of
//   - (B): how many keys an example has,
//   - (2·B): where the keys of each example end, and then where they begin,
//   - (B, S), (B, T, S): which keys are seen,
//   - (B, 1, M, M): the same, for the queries and keys up to a number M.
func (m masking) seen(c *call, mask, q, k *nd.Array, earlier int) *nd.Array {
	batch, queries, keys := q.Dim(0), q.Dim(2), k.Dim(2)
	row := nd.ArangeInt(0, keys, 1).To(q.Device())
	each := func(x *nd.Array) *nd.Array { return x.AsType(dtype.Int64).Reshape(-1, 1, 1, 1) }
	switch size := mask.Size(); {
	case mask.Rank() == 1 && size == batch:
		return ops.Less(row, each(mask))
	case mask.Rank() == 1 && size == 2*batch:
		ends, starts := mask.Index(nd.Until(batch)), mask.Index(nd.From(batch))
		return ops.LogicalAnd(ops.Less(row, each(ends)), ops.GreaterEqual(row, each(starts)))
	case mask.Rank() == 2 && mask.Dim(1) == keys:
		mask = mask.Reshape(-1, 1, 1, keys)
	case mask.Rank() == 3 && mask.Dim(1) == queries && mask.Dim(2) == keys:
		mask = mask.ExpandDims(1)
	case mask.Rank() == 4 && mask.Dim(2) >= earlier+queries && mask.Dim(3) >= keys:
		mask = mask.Index(nd.Ellipsis(), nd.Span(earlier, earlier+queries), nd.Until(keys))
	default:
		c.refuse("a mask of shape %d for %d queries and %d keys of %d examples", mask.Shape(), queries, keys, batch)
	}
	return ops.Greater(mask, nd.Scalar(0))
}

// multiHeadAttention takes queries, keys and values in one of several forms.
func multiHeadAttention(n *node) run {
	m := n.masking()
	m.scores, m.output = n.wanted(3), 3
	return func(c *call) []model.Value {
		for i := 8; i < len(c.in); i++ {
			if c.given(i) {
				c.refuse("input %d, of caches that are shared, is given", i)
			}
		}
		q, k, v := m.inputs(c)
		earlier := 0
		if c.given(6) && c.given(7) {
			earlier = c.x(6).Dim(2)
			k = ops.Concatenate([]*nd.Array{c.x(6), k}, ops.Over(2))
			v = ops.Concatenate([]*nd.Array{c.x(7), v}, ops.Over(2))
		}
		y, scores := m.attended(c, q, k, v, earlier, 4, 5)
		return []model.Value{y, k, v, orNil(scores)}
	}
}

// inputs returns the heads of queries, keys and values with their biases: (B, H, T, D). Queries may come as (B, T, E), or with
// keys and values as (B, T, H, 3, D); keys as (B, S, E), with values as (B, S, H, 2, D), or as (B, H, S, D) without bias.
func (m masking) inputs(c *call) (q, k, v *nd.Array) {
	split := func(x *nd.Array) (parts []*nd.Array) {
		for i := range x.Dim(3) {
			parts = append(parts, x.Index(nd.All(), nd.All(), nd.All(), nd.At(i)).Transpose(0, 2, 1, 3))
		}
		return parts
	}
	projected := true
	switch x := c.x(0); {
	case x.Rank() == 5 && x.Dim(3) == 3:
		all := split(x)
		q, k, v = all[0], all[1], all[2]
	case c.x(1).Rank() == 5 && c.x(1).Dim(3) == 2:
		both := split(c.x(1))
		q, k, v = heads(c, x, m.queryHeads), both[0], both[1]
	default:
		q, k, v = heads(c, x, m.queryHeads), heads(c, c.x(1), m.queryHeads), heads(c, c.x(2), m.queryHeads)
		projected = c.x(1).Rank() == 3
	}
	bias := c.optional(3)
	if bias == nil {
		return q, k, v
	}
	from := 0
	plus := func(x *nd.Array) *nd.Array {
		count, width := x.Dim(1), x.Dim(3)
		if from += count * width; from > bias.Size() {
			c.refuse("a bias of %d elements", bias.Size())
		}
		return ops.Add(x, bias.Index(nd.Span(from-count*width, from)).Reshape(count, 1, width))
	}
	q = plus(q)
	if projected {
		k, v = plus(k), plus(v)
	}
	return q, k, v
}

// contributedRotaryEmbedding has the positions before the tables, or the first position alone.
func contributedRotaryEmbedding(n *node) run {
	interleaved, dims, count := n.flag("interleaved"), n.int("rotary_embedding_dim", 0), n.int("num_heads", 0)
	if n.flag("is_packed_batching") || n.float("scale", 1) != 1 {
		n.refuse("attributes is_packed_batching and scale")
	}
	return func(c *call) []model.Value {
		x, at, cos, sin := c.x(0), c.x(1), c.x(2), c.x(3)
		if cos.Rank() != 2 || sin.Rank() != 2 {
			c.refuse("want tables with two axes")
		}
		width, isFlat := 2*cos.Dim(1), x.Rank() == 3
		if isFlat {
			number := count
			if dims == 0 || number == 0 {
				number = x.Dim(2) / max(width, 1)
			}
			x = heads(c, x, number)
		}
		if x.Rank() != 4 || width < 2 || width > x.Dim(3) {
			c.refuse("%d numbers of an array of rank %d are rotated", width, x.Rank())
		}
		if at.Size() == 1 {
			at = ops.Add(at.Reshape(1, 1), nd.ArangeInt(0, x.Dim(2), 1).To(x.Device()))
		}
		y := rotatedAt(x, at, cos, sin, interleaved)
		if isFlat {
			y = joined(y)
		}
		return one(y)
	}
}

// rotatedAt rotates heads (B, H, T, D) by the angles of positions (B, T).
func rotatedAt(x, at, cos, sin *nd.Array, interleaved bool) *nd.Array {
	angles := func(table *nd.Array) *nd.Array { return ops.Take(table, at, ops.Over(0)).ExpandDims(1) }
	return rotated(x, angles(cos), angles(sin), 2*cos.Dim(1), interleaved)
}
