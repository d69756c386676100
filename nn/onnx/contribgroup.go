package onnx

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// groupedQueries are the attributes of GroupQueryAttention.
type groupedQueries struct {
	attending
	rotary, interleaved bool
	sink                bool // each softmax has one more number in its denominator
}

func groupQueryAttention(n *node) run {
	g := groupedQueries{attending: attending{queryHeads: n.int("num_heads", 0), keyHeads: n.int("kv_num_heads", 0), scale: n.float("scale", 0),
		cap: n.float("softcap", 0), causal: n.int("causal", 1) != 0, left: n.int("local_window_size", -1)},
		rotary: n.flag("do_rotary"), interleaved: n.flag("rotary_interleaved"), sink: n.int("smooth_softmax", -1) > 0}
	if g.queryHeads < 1 || g.keyHeads < 1 || g.queryHeads%g.keyHeads != 0 {
		n.refuse("%d heads of queries, and %d of keys", g.queryHeads, g.keyHeads)
	}
	if n.flag("qk_output") || n.wanted(3) {
		n.refuse("output 3, of scores, is not computed")
	}
	if n.flag("sliding_window_cache") || n.int("kv_cache_bit_width", 0) != 0 || n.text("k_quant_type", "NONE") != "NONE" || n.text("v_quant_type", "NONE") != "NONE" {
		n.refuse("caches of one window or of small integers")
	}
	for _, name := range []string{"qk_norm_epsilon", "q_norm_epsilon", "k_norm_epsilon"} {
		n.float(name, 0) // of inputs that are refused
	}
	for i := 12; i < len(n.Input); i++ {
		if n.given(i) {
			n.refuse("input %d", i)
		}
	}
	return g.run
}

// keyLengths are the numbers of keys and values of a call, the same for all examples or different ones.
type keyLengths struct {
	total   int   // of the longest example
	earlier []int // before the first query, by example
	valid   []int // with those of the call, by example
}

func (g groupedQueries) run(c *call) []model.Value {
	q, k, v := g.inputs(c)
	steps, batch := q.Dim(2), q.Dim(0)
	l := keyLengths{total: c.int(6), earlier: make([]int, batch), valid: c.ints(5)}
	if len(l.valid) != batch || l.total < steps {
		c.refuse("%d lengths of %d examples, and %d keys for %d queries", len(l.valid), batch, l.total, steps)
	}
	for i := range l.valid {
		l.valid[i]++
		if l.valid[i] < 0 || l.valid[i] > l.total {
			c.refuse("%d keys of at most %d", l.valid[i], l.total)
		}
		if l.total > steps {
			l.earlier[i] = max(l.valid[i]-steps, 0)
		}
	}
	if g.rotary {
		at := c.optional(9)
		if at == nil {
			first := nd.FromSlice(l.earlier).Reshape(batch, 1)
			at = ops.Add(first, nd.ArangeInt(0, steps, 1)).To(q.Device())
		}
		q, k = rotatedAt(q, at, c.x(7), c.x(8), g.interleaved), rotatedAt(k, at, c.x(7), c.x(8), g.interleaved)
	}
	presentKey, presentValue := l.appended(c, k, 3), l.appended(c, v, 4)
	keys, values := presentKey.Index(nd.All(), nd.All(), nd.Until(l.total)), presentValue.Index(nd.All(), nd.All(), nd.Until(l.total))
	bias, causal := g.hidden(q, l), false
	if g.causal && bias == nil && steps > 1 {
		causal = true
	}
	if b := c.optional(10); b != nil {
		bias = added(bias, b)
	}
	if sinks := c.optional(11); sinks != nil || g.sink {
		keys, values, bias, causal = withSink(q, keys, values, bias, sinks, causal)
	}
	y, _ := g.attend(q, keys, values, bias, causal)
	return some(joined(y), presentKey, presentValue)
}

// inputs returns the heads of queries, keys and values, which may lie side by side in the first input.
func (g groupedQueries) inputs(c *call) (q, k, v *nd.Array) {
	x := c.x(0)
	if c.given(1) && c.given(2) {
		return heads(c, x, g.queryHeads), heads(c, c.x(1), g.keyHeads), heads(c, c.x(2), g.keyHeads)
	}
	all := g.queryHeads + 2*g.keyHeads
	if x.Rank() != 3 || x.Dim(2)%all != 0 {
		c.refuse("%d heads", all)
	}
	parts := ops.SplitAt(heads(c, x, all), []int{g.queryHeads, g.queryHeads + g.keyHeads}, ops.Over(1))
	return parts[0], parts[1], parts[2]
}

// appended writes the keys or values of the call behind the earlier ones of each example. The result is as long as the cache
// that is given, or longer if it must be; what lies behind an example's own is 0.
func (l keyLengths) appended(c *call, x *nd.Array, past int) *nd.Array {
	cache := c.optional(past)
	rows := l.total
	if cache != nil {
		rows = max(rows, cache.Dim(2))
	}
	whole := func(x, cache *nd.Array, earlier int) *nd.Array {
		if earlier > 0 && (cache == nil || cache.Dim(2) < earlier) {
			c.refuse("%d earlier keys, and a cache that does not have them", earlier)
		}
		var parts []*nd.Array
		if earlier > 0 {
			parts = append(parts, cache.Index(nd.All(), nd.All(), nd.Until(earlier)))
		}
		parts = append(parts, x)
		if rest := rows - earlier - x.Dim(2); rest > 0 {
			parts = append(parts, nd.Zeros([]int{x.Dim(0), x.Dim(1), rest, x.Dim(3)}, x.DType(), x.Device()))
		}
		return ops.Concatenate(parts, ops.Over(2)).Index(nd.All(), nd.All(), nd.Until(rows))
	}
	if len(l.earlier) > 0 && slices.Min(l.earlier) == slices.Max(l.earlier) {
		return whole(x, cache, l.earlier[0])
	}
	var all []*nd.Array
	for i, earlier := range l.earlier {
		own := cache
		if own != nil {
			own = own.Index(nd.Span(i, i+1))
		}
		all = append(all, whole(x.Index(nd.Span(i, i+1)), own, earlier))
	}
	return ops.Concatenate(all, ops.Over(0))
}

// hidden returns -Inf where a query does not see a key, (B, 1, T, S), or nil if each query sees all keys, or all up to its
// own index.
func (g groupedQueries) hidden(q *nd.Array, l keyLengths) *nd.Array {
	steps, batch := q.Dim(2), q.Dim(0)
	plain := g.left <= 0
	for i := range batch {
		plain = plain && (l.earlier[i] == 0 && steps == l.total && (g.causal || l.valid[i] == l.total) || steps == 1 && l.valid[i] == l.total)
	}
	if plain {
		return nil
	}
	row := nd.ArangeInt(0, l.total, 1)
	seen := ops.Less(row, nd.FromSlice(l.valid).Reshape(batch, 1, 1, 1))
	if g.causal {
		location := ops.Add(nd.FromSlice(l.earlier).Reshape(batch, 1, 1, 1), nd.ArangeInt(0, steps, 1).Reshape(steps, 1))
		seen = ops.LessEqual(row, location)
		if g.left > 0 {
			seen = ops.LogicalAnd(seen, ops.Greater(row, ops.Subtract(location, nd.Scalar(g.left))))
		}
	}
	return whereSeen(seen, math.Inf(-1), q.DType()).To(q.Device())
}

// withSink adds a key and a value of zeros that every query sees: its score is that of its head's sink, 0 without sinks.
func withSink(q, k, v, bias, sinks *nd.Array, causal bool) (keys, values, sum *nd.Array, stillCausal bool) {
	one := func(x *nd.Array) *nd.Array {
		zeros := nd.Zeros([]int{x.Dim(0), x.Dim(1), 1, x.Dim(3)}, x.DType(), x.Device())
		return ops.Concatenate([]*nd.Array{x, zeros}, ops.Over(2))
	}
	t := q.DType()
	if causal {
		bias = added(bias, whereSeen(upTo(0, q, k), math.Inf(-1), t))
	}
	scores := added(nd.Zeros([]int{1, 1, 1, k.Dim(2)}, t, q.Device()), bias)
	last := nd.Zeros([]int{1, 1, 1, 1}, t, q.Device())
	if sinks != nil {
		last = sinks.AsType(t).Reshape(1, -1, 1, 1)
	}
	shape := scores.Shape()
	shape[1], shape[3] = max(shape[1], last.Dim(1)), 1
	whole := append(slices.Clone(shape[:3]), scores.Dim(3))
	sum = ops.Concatenate([]*nd.Array{scores.BroadcastTo(whole...), last.BroadcastTo(shape...)}, ops.Over(3))
	return one(k), one(v), sum, false
}
