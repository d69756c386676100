package ops

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/traced"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// AttentionOptions are the options of Attention.
type AttentionOptions struct {
	// Scale multiplies the products of queries and keys; nil means 1/√D.
	Scale *float64
	// Mask has the scores' shape (…, T, S), or broadcasts to it. If Mask holds bools, a query sees the keys at which it
	// is true. Otherwise Mask is added to the scores: -Inf hides a key from a query.
	Mask *nd.Array
	// Causal lets query i see only the keys up to index i, as a lower triangle in Mask would; hidden scores are not
	// computed.
	Causal bool
	// Dropout is the probability that a weight becomes 0; the other weights are divided by 1 - Dropout.
	Dropout float64
	// Rand is the random stream of Dropout.
	Rand *nd.Rand
	// Grouped lets every head of the keys and values serve several neighbouring heads of the queries. Heads are the
	// axis before the last two; the number of query heads is a multiple of the number of key heads.
	Grouped bool
}

// Attention returns softmax(scale·q·kᵀ + mask)·v: the values, weighted by how well their keys match each query. The
// axes before the last two broadcast. Attention does not allocate the array of all weights unless a gradient or Dropout
// needs it.
//
// A key that a query does not see has the weight 0, and neither the result of that query nor the query's gradient reads
// it: NaN and Inf in hidden keys and values do not matter. A query that sees no key gives 0, and its gradients are 0.
//
// Shapes: query (…, T, D), key (…, S, D), value (…, S, E); the result (…, T, E).
//
// Source: A. Vaswani et al., Attention Is All You Need, 2017; with Grouped, J. Ainslie et al., GQA, 2023.
// PyTorch: nn.functional.scaled_dot_product_attention.
func Attention(query, key, value *nd.Array, opts ...AttentionOptions) *nd.Array {
	const fn nd.Func = "ops.Attention"
	o := options.Read(fn, opts)
	in := []*nd.Array{query, key, value}
	if o.Mask != nil {
		in = append(in, o.Mask)
	}
	fn.Check(in...)
	for _, x := range in[:3] {
		if x.Rank() < 2 {
			panic(fn.Errorf(in, "want queries, keys and values of at least two axes"))
		}
	}
	if query.Dim(-1) != key.Dim(-1) || key.Dim(-2) != value.Dim(-2) {
		panic(fn.Errorf(in, "want keys as long as the queries, and as many values as keys"))
	}
	if !(o.Dropout >= 0 && o.Dropout <= 1) || o.Dropout > 0 && o.Rand == nil {
		panic(fn.Errorf(in, "dropout with probability %v: want one from 0 to 1, and a Rand to draw from", o.Dropout))
	}
	if o.Grouped {
		return groupedAttention(fn, in, o)
	}
	if o.Mask != nil && o.Mask.DType().IsBool() {
		return maskedAttention(fn, in, o)
	}
	batch := query.Shape()[:query.Rank()-2]
	for _, x := range in[1:3] {
		var err error
		if batch, err = broadcast.Shapes(batch, x.Shape()[:x.Rank()-2]); err != nil {
			panic(fn.Errorf(in, "%v", err))
		}
	}
	op := attentionOp{fn: fn, scale: 1 / math.Sqrt(float64(query.Dim(-1))), causal: o.Causal, masked: o.Mask != nil}
	if o.Scale != nil {
		op.scale = *o.Scale
	}
	given := slices.Clone(in)
	for k, x := range in {
		own := x.Shape()[max(0, x.Rank()-2):]
		if k == 3 {
			own = []int{query.Dim(-2), key.Dim(-2)}
			if _, err := broadcast.Into(nil, slices.Concat(batch, own), x.Shape()); err != nil || x.Rank() > len(batch)+2 {
				panic(fn.Errorf(in, "want a mask that broadcasts to the scores' shape %s", broadcast.FormatShape(slices.Concat(batch, own))))
			}
		}
		if shape := slices.Concat(batch, own); !broadcast.Equal(shape, x.Shape()) {
			in[k] = x.BroadcastTo(shape...)
		}
	}
	if o.Dropout > 0 {
		y, weights := op.dropped(in, o.Dropout, o.Rand)
		weights.Release()
		release.AllUnless(in, given)
		return y
	}
	y, weights := op.run(in, ufunc.Recorded(in...))
	weights.Release()
	release.AllUnless(in, given)
	return y
}

// maskedAttention is Attention with a mask of bools. It adds -Inf to the scores of the keys that a query does not see.
func maskedAttention(fn nd.Func, in []*nd.Array, o AttentionOptions) *nd.Array {
	query, key, value, mask := in[0], in[1], in[2], in[3]
	made := fn.Temporaries(&query, &key, &value, &mask)
	defer made.Release()
	if o.Causal {
		square := []int{query.Dim(-2), key.Dim(-2)}
		if full, err := broadcast.Shapes(mask.Shape(), square); err != nil || !broadcast.Equal(full[len(full)-2:], square) {
			panic(fn.Errorf(in, "want a mask that broadcasts to the scores' shape (…, %d, %d)", square[0], square[1]))
		}
		mask, o.Causal = Tril(mask.BroadcastTo(append(mask.Shape()[:max(0, mask.Rank()-2):max(0, mask.Rank()-2)], square...)...), 0), false
	}
	o.Mask = Where(mask, 0, math.Inf(-1)).AsType(ufunc.FloatOf(query.DType()))
	return made.Keep(Attention(query, key, value, o))
}

// groupedAttention is Attention in which each head of the keys and values serves several heads of the queries.
func groupedAttention(fn nd.Func, in []*nd.Array, o AttentionOptions) *nd.Array {
	for _, x := range in[:3] {
		if x.Rank() < 3 {
			panic(fn.Errorf(in, "want queries, keys and values of at least three axes, the third last that of the heads"))
		}
	}
	query, key, value := in[0], in[1], in[2]
	heads, groups := query.Dim(-3), key.Dim(-3)
	if groups != value.Dim(-3) || groups == 0 || heads%groups != 0 {
		panic(fn.Errorf(in, "want equally many heads of keys and values, and a multiple of them for the queries"))
	}
	made := fn.Temporaries(&query, &key, &value, &o.Mask)
	defer made.Release()
	splitHeads := func(x *nd.Array, shape ...int) *nd.Array {
		return x.Reshape(slices.Concat(x.Shape()[:x.Rank()-3], shape, x.Shape()[x.Rank()-2:])...)
	}
	if o.Mask != nil && o.Mask.Rank() > 2 {
		switch o.Mask.Dim(-3) {
		case heads:
			o.Mask = splitHeads(o.Mask, groups, heads/groups)
		case 1:
			o.Mask = splitHeads(o.Mask, 1, 1)
		default:
			panic(fn.Errorf(in, "want a mask for %d heads", heads))
		}
	}
	o.Grouped = false
	y := Attention(splitHeads(query, groups, heads/groups), splitHeads(key, groups, 1), splitHeads(value, groups, 1), o)
	return made.Keep(y.Reshape(slices.Concat(y.Shape()[:y.Rank()-4], []int{heads}, y.Shape()[y.Rank()-2:])...))
}

// attentionOp is fused in the way of softmaxOp. Its inputs are queries, keys, values and optionally a mask, all with
// the same axes before the last two. Its outputs are the result and the weights, which are nil unless they are needed.
type attentionOp struct {
	fn             nd.Func
	scale          float64
	causal, masked bool
}

// run returns the result, and the weights if they are wanted. One kernel does this for float32 and float64.
func (op attentionOp) run(in []*nd.Array, wanted bool) (y, weights *nd.Array) {
	t := in[0].DType()
	for _, x := range in {
		if x.DType() != t || t != dtype.Float32 && t != dtype.Float64 {
			out := op.Composed(in)
			return out[0], out[1]
		}
	}
	q, v := in[0].Shape(), in[2].Shape()
	batch, last := len(q)-2, len(q)-1
	loop := append(q[:last:last], v[batch], q[last], v[last]) // (batch..., m, n, d, e)
	y = op.fn.NewLike(t, append(q[:last:last], v[last]), in...)
	if wanted {
		weights = op.fn.NewLike(t, append(q[:last:last], v[batch]), in...)
	}
	l := op.fn.Launch(y.Device(), loop)
	l.Scale, l.Causal = op.scale, op.causal
	along := func(x *nd.Array, row, column int) []int {
		var room [nd.MaxRank]int
		strides := room[:len(loop)]
		own := x.Layout().Strides
		copy(strides, own[:batch])
		strides[batch+row], strides[batch+column] = own[batch], own[last]
		return strides
	}
	l.WriteStrides(y, along(y, 0, 3))
	if wanted {
		l.WriteStrides(weights, along(weights, 0, 1))
	} else {
		l.Skip()
	}
	l.ReadStrides(in[0], along(in[0], 0, 2))
	l.ReadStrides(in[1], along(in[1], 1, 2))
	l.ReadStrides(in[2], along(in[2], 1, 3))
	if len(in) > 3 {
		l.ReadStrides(in[3], along(in[3], 0, 1))
	}
	l.Run(device.Device.Attention)
	if wanted {
		op.fn.Record(op, in, y, weights)
	}
	return y, weights
}

func (op attentionOp) Claims() nd.Claims {
	if op.hides() {
		return nd.Claims{In: 0b1111, Out: 0b11}
	}
	return nd.Claims{In: 0b1111, Out: 0b10}
}

// hides reports whether keys may be hidden.
func (op attentionOp) hides() bool { return op.causal || op.masked }

func (op attentionOp) Composed(in []*nd.Array) []*nd.Array {
	return op.composed(in, func(weights *nd.Array) *nd.Array { return weights })
}

// dropped returns the result and the weights after dropout.
func (op attentionOp) dropped(in []*nd.Array, p float64, r *nd.Rand) (y, weights *nd.Array) {
	out := op.composed(in, func(weights *nd.Array) *nd.Array { return Dropout(weights, p, r) })
	return out[0], out[1]
}

// composed computes result and weights by differentiable functions; change is applied to the weights.
func (op attentionOp) composed(in []*nd.Array, change func(weights *nd.Array) *nd.Array) []*nd.Array {
	query, key, value, mask := in[0], in[1], in[2], (*nd.Array)(nil)
	if len(in) > 3 {
		mask = in[3]
	}
	made := op.fn.Temporaries(&query, &key, &value, &mask)
	defer made.Release()
	var hidden *nd.Array // nil if products may read all keys
	if op.hides() && !(allFinite(key) && allFinite(value)) {
		hidden = op.hidden(made, query, key, mask)
	}
	scores := productOfSeen(Multiply(query, op.scale), key.SwapAxes(-1, -2), hidden)
	if mask != nil {
		scores = Add(scores, mask)
	}
	if op.causal {
		scores = Where(op.seen(made, query, key), scores, math.Inf(-1))
	}
	var none *nd.Array // the queries that see no key; nil if there are none
	if op.hides() && scores.Size() > 0 {
		none = Equal(Max(scores.Detach(), Over(-1).KeepDims()), math.Inf(-1))
		if !nd.Value[bool](Any(none)) {
			none = nil
		}
	}
	if none != nil {
		scores = Where(none, 0, scores)
	}
	weights := Softmax(scores)
	if none != nil {
		weights = Where(none, 0, weights)
	}
	weights = change(weights)
	if hidden != nil {
		weights = Where(hidden, 0, weights)
	}
	return []*nd.Array{made.Keep(sumOfSeen(weights, value, hidden)), made.Keep(weights)}
}

// seen returns bools: the lower triangle of the keys that queries see.
func (op attentionOp) seen(made *nd.Temporaries, query, key *nd.Array) *nd.Array {
	return made.Own(nd.Tri(query.Dim(-2), key.Dim(-2), 0, nd.ArrayOptions{DType: dtype.Bool, Device: query.Device()}))
}

// hidden returns bools, which broadcast to the scores: the keys that queries do not see.
func (op attentionOp) hidden(made *nd.Temporaries, query, key, mask *nd.Array) *nd.Array {
	if mask == nil {
		return LogicalNot(op.seen(made, query, key))
	}
	hidden := Equal(mask.Detach(), math.Inf(-1))
	if op.causal {
		hidden = LogicalOr(hidden, LogicalNot(op.seen(made, query, key)))
	}
	return hidden
}

// The gradients at hidden keys are 0 whatever the keys are, which MatMul does not know: 0·NaN is NaN.
var (
	seenProduct = ufunc.Definition{Fn: "ops.Attention", In: "bool hidden, T a, T b", Body: "hidden ? T(0) : a * b"}
	finitePart  = ufunc.Definition{Fn: "ops.Attention", Body: "isfinite(x) ? x : T(0)"}
	// nanIfOdd is g, and NaN for a result that is not finite.
	nanIfOdd = ufunc.Definition{Fn: "ops.Attention", In: "T g, T r", Body: "isfinite(r) ? g : T(nan)"}
)

// productOfSeen returns the products of queries (…, T, D) and keys (…, D, S), 0 where they are hidden. With hidden, for
// keys that are not finite, it is slow.
func productOfSeen(query, key, hidden *nd.Array) *nd.Array {
	if hidden == nil || query.Dim(-1) == 0 {
		return MatMul(query, key)
	}
	var sum *nd.Array
	for d := range query.Dim(-1) {
		term := seenProduct.Compute(nil, hidden, query.Index(nd.Ellipsis(), nd.Span(d, d+1)), key.Index(nd.Ellipsis(), nd.Span(d, d+1), nd.All()))
		if sum != nil {
			term = Add(sum, term)
		}
		sum = term
	}
	return sum
}

// sumOfSeen returns the sums of the values (…, S, E) with weights (…, T, S), without hidden ones; see productOfSeen.
func sumOfSeen(weights, value, hidden *nd.Array) *nd.Array {
	if hidden == nil || value.Dim(-1) == 0 {
		return MatMul(weights, value)
	}
	columns := make([]*nd.Array, value.Dim(-1))
	for e := range columns {
		column := value.Index(nd.Ellipsis(), nd.At(e)).ExpandDims(-2)
		columns[e] = Sum(seenProduct.Compute(nil, hidden, weights, column), Over(-1))
	}
	return Stack(columns, Over(-1))
}

func (op attentionOp) Traced() any { return traced.Attention{Scale: op.scale, Causal: op.causal} }

func (op attentionOp) VJP(c *nd.Call) {
	weights, gy, gw := c.Out(1), c.Gy(0), c.Gy(1)
	key, value := c.In(1), c.In(2)
	if gy != nil && c.Needs(2) {
		c.SetGx(2, MatMul(weights.SwapAxes(-1, -2), gy))
	}
	if op.hides() { // numbers of hidden keys must not be read, those of other keys have made the result NaN
		key, value = finitePart.Apply1(key), finitePart.Apply1(value)
		defer func() { release.Operands(nil, key, value) }()
		if gy != nil {
			gy = nanIfOdd.Compute(nil, gy, c.Out(0))
			defer gy.Release()
		}
	}
	var own *nd.Array // gw, if it was computed here
	if gy != nil {
		own = MatMul(gy, value.SwapAxes(-1, -2))
		if gw != nil {
			Add(own, gw, Into(own))
		}
		gw = own
	}
	scores := softmaxOp{fn: op.fn, axis: weights.Rank() - 1}.gradient(weights, gw)
	if own != nil {
		own.Release()
	}
	scaled := func(x *nd.Array) *nd.Array { return Multiply(x, op.scale, Into(x)) }
	if c.Needs(0) {
		c.SetGx(0, scaled(MatMul(scores, key)))
	}
	if c.Needs(1) {
		c.SetGx(1, scaled(MatMul(scores.SwapAxes(-1, -2), c.In(0))))
	}
	if c.Inputs() > 3 && c.Needs(3) {
		c.SetGx(3, scores)
	} else {
		scores.Release()
	}
}
