package ops

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// MultiHeadAttentionOptions are the options of MultiHeadAttention.
type MultiHeadAttentionOptions struct {
	// QBias (E), KBias (E), VBias (V) and OutBias are added to the four products; nil adds nothing.
	QBias, KBias, VBias, OutBias *nd.Array
	// AttnBiasK (E elements) and AttnBiasV (V elements) add one key and one value to every example; give both, or
	// neither.
	AttnBiasK, AttnBiasV *nd.Array
	// Dropout is the probability that an attention weight becomes 0.
	Dropout float64
	// Rand is the random stream of Dropout.
	Rand *nd.Rand
	// AdditiveMask (T, S) is added to the scores of all examples and heads.
	AdditiveMask *nd.Array
	// KeyPaddingMask (B, S) is 1 for the keys that an example ignores.
	KeyPaddingMask *nd.Array
}

// MultiHeadAttention returns softmax(q·kᵀ/√d)·v·outWeight and the attention weights of all heads. q, k and v are the
// products of query, key and value with their weights; each is cut into heads of d columns, and the heads attend
// independently. Hidden keys are treated as in Attention: a query whose keys are all hidden has the attention 0.
//
// Shapes: query (T, B, D_q), key and value (S, B, …), qWeight (D_q, E), kWeight (D_k, E), vWeight (D_v, V), outWeight
// (V, O); the results (T, B, O) and (B·heads, T, S).
//
// Source: A. Vaswani et al., Attention Is All You Need, 2017.
// NNabla: multi_head_attention.
func MultiHeadAttention(query, key, value *nd.Array, numHeads int, qWeight, kWeight, vWeight, outWeight *nd.Array, opts ...MultiHeadAttentionOptions) (y, weights *nd.Array) {
	const fn nd.Func = "ops.MultiHeadAttention"
	o := options.Read(fn, opts)
	in := checkAttention(fn, o, query, key, value, qWeight, kWeight, vWeight, outWeight)
	if numHeads < 1 || qWeight.Dim(1)%numHeads != 0 || vWeight.Dim(1)%numHeads != 0 || qWeight.Dim(1) != kWeight.Dim(1) {
		panic(fn.Errorf(in, "%d heads: want weights of queries and keys with equally many columns, a multiple of the heads", numHeads))
	}
	made := fn.Temporaries(&query, &key, &value, &qWeight, &kWeight, &vWeight, &outWeight,
		&o.QBias, &o.KBias, &o.VBias, &o.OutBias, &o.AttnBiasK, &o.AttnBiasV, &o.AdditiveMask, &o.KeyPaddingMask)
	defer made.Release()
	batch, heads, width := query.Dim(1), query.Dim(1)*numHeads, qWeight.Dim(1)/numHeads
	project := func(x, w, b *nd.Array) *nd.Array { return Affine(x, w, AffineOptions{Bias: b, BaseAxis: new(2)}) }
	q, scale := project(query, qWeight, o.QBias), 1/math.Sqrt(float64(width))
	k, v := project(key, kWeight, o.KBias), project(value, vWeight, o.VBias)
	mask, padding := o.AdditiveMask, o.KeyPaddingMask
	if o.AttnBiasK != nil {
		more := func(x, bias *nd.Array) *nd.Array {
			return Concatenate([]*nd.Array{x, bias.Reshape(1, 1, -1).BroadcastTo(1, batch, x.Dim(2))})
		}
		k, v = more(k, o.AttnBiasK), more(v, o.AttnBiasV)
		mask, padding = columnOfZeros(mask), columnOfZeros(padding)
	}
	split := func(x *nd.Array) *nd.Array { return x.Reshape(x.Dim(0), heads, x.Dim(2)/numHeads).SwapAxes(0, 1) }
	joined := func(y *nd.Array) *nd.Array {
		return project(y.SwapAxes(0, 1).Reshape(query.Dim(0), batch, vWeight.Dim(1)), outWeight, o.OutBias)
	}
	operands := []*nd.Array{split(q), split(k), split(v)}
	if padding != nil {
		unseen := Where(padding.AsType(dtype.Bool), math.Inf(-1), 0).AsType(q.DType()).Reshape(batch, 1, 1, k.Dim(0))
		if mask == nil {
			mask = unseen
		} else {
			mask = Add(mask, unseen)
		}
		for i, x := range operands {
			operands[i] = x.Reshape(batch, numHeads, x.Dim(1), x.Dim(2))
		}
	}
	if mask != nil {
		shape := operands[0].Shape()
		operands = append(operands, mask.BroadcastTo(append(shape[:len(shape)-1], k.Dim(0))...))
	}
	op := attentionOp{fn: fn, scale: scale, masked: mask != nil}
	if o.Dropout > 0 {
		y, weights = op.dropped(operands, o.Dropout, o.Rand)
	} else {
		y, weights = op.run(operands, true)
	}
	y, weights = y.Reshape(heads, y.Dim(-2), y.Dim(-1)), weights.Reshape(heads, query.Dim(0), k.Dim(0))
	return made.Keep(joined(y)), made.Keep(weights)
}

// checkAttention checks the shapes and returns all arrays that were given.
func checkAttention(fn nd.Func, o MultiHeadAttentionOptions, query, key, value, qWeight, kWeight, vWeight, outWeight *nd.Array) []*nd.Array {
	in := []*nd.Array{query, key, value, qWeight, kWeight, vWeight, outWeight}
	for _, x := range []*nd.Array{o.QBias, o.KBias, o.VBias, o.OutBias, o.AttnBiasK, o.AttnBiasV, o.AdditiveMask, o.KeyPaddingMask} {
		if x != nil {
			in = append(in, x)
		}
	}
	fn.Check(in...)
	for _, x := range in[:3] {
		if x.Rank() != 3 || x.Dim(1) != query.Dim(1) {
			panic(fn.Errorf(in, "want queries, keys and values of shape (steps, B, features)"))
		}
	}
	for k, w := range in[3:7] {
		if w.Rank() != 2 || k < 3 && w.Dim(0) != in[k].Dim(2) {
			panic(fn.Errorf(in, "want weights that are matrices, with a row for each feature"))
		}
	}
	if key.Dim(0) != value.Dim(0) || outWeight.Dim(0) != vWeight.Dim(1) || (o.AttnBiasK != nil) != (o.AttnBiasV != nil) {
		panic(fn.Errorf(in, "want as many keys as values, outWeight with a row for each column of vWeight, and both attention biases or none"))
	}
	if o.AttnBiasK != nil && (o.AttnBiasK.Size() != kWeight.Dim(1) || o.AttnBiasV.Size() != vWeight.Dim(1)) {
		panic(fn.Errorf(in, "want attention biases of as many elements as the weights have columns"))
	}
	if o.AdditiveMask != nil && !broadcast.Equal(o.AdditiveMask.Shape(), []int{query.Dim(0), key.Dim(0)}) ||
		o.KeyPaddingMask != nil && !broadcast.Equal(o.KeyPaddingMask.Shape(), []int{key.Dim(1), key.Dim(0)}) {
		panic(fn.Errorf(in, "want an additive mask (T, S) and a padding mask (B, S)"))
	}
	if o.Dropout > 0 && o.Rand == nil {
		panic(fn.Errorf(in, "dropout draws random numbers: want a Rand"))
	}
	return in
}

// columnOfZeros appends a column of zeros to a matrix; nil stays nil.
func columnOfZeros(x *nd.Array) *nd.Array {
	if x == nil {
		return nil
	}
	zeros := nd.Func("ops.MultiHeadAttention").NewFilled(x.DType(), []int{x.Dim(0), 1}, 0, x)
	return Concatenate([]*nd.Array{x, zeros}, Over(1))
}

// SelfAttentionScores returns the scores q·kᵀ/√D of self-attention. The last axis of qkv holds, for every head, its D
// columns of queries, then those of keys, then those of values.
//
// Shapes: qkv (S, B, heads·3·D); the result (B·heads, S, S).
// MXNet: interleaved_matmul_selfatt_qk.
func SelfAttentionScores(qkv *nd.Array, heads int) *nd.Array {
	const fn nd.Func = "ops.SelfAttentionScores"
	fn.Check(qkv)
	made := fn.Temporaries(&qkv)
	defer made.Release()
	part := interleaved(fn, qkv, heads)
	q, k := part(0), part(1)
	return made.Keep(MatMul(Multiply(q, 1/math.Sqrt(float64(q.Dim(2)))), k.SwapAxes(1, 2)))
}

// SelfAttentionValues returns the values in qkv, weighted by the attention. qkv is laid out as in SelfAttentionScores.
//
// Shapes: qkv (S, B, heads·3·D), attention (B·heads, S, S); the result (S, B, heads·D).
// MXNet: interleaved_matmul_selfatt_valatt.
func SelfAttentionValues(qkv, attention *nd.Array, heads int) *nd.Array {
	const fn nd.Func = "ops.SelfAttentionValues"
	fn.Check(qkv, attention)
	made := fn.Temporaries(&qkv, &attention)
	defer made.Release()
	v := interleaved(fn, qkv, heads)(2)
	if !broadcast.Equal(attention.Shape(), []int{v.Dim(0), v.Dim(1), v.Dim(1)}) {
		panic(fn.Errorf([]*nd.Array{qkv, attention}, "want attention of shape (%d, %d, %[2]d)", v.Dim(0), v.Dim(1)))
	}
	return made.Keep(MatMul(attention, v).MoveAxis([]int{1}, []int{0}).Reshape(qkv.Dim(0), qkv.Dim(1), heads*v.Dim(2)).Contiguous())
}

// interleaved returns a function that returns queries (0), keys (1) or values (2) as (B·heads, S, D).
func interleaved(fn nd.Func, qkv *nd.Array, heads int) func(k int) *nd.Array {
	fn.Check(qkv)
	if qkv.Rank() != 3 || heads < 1 || qkv.Dim(2)%(3*heads) != 0 || qkv.Dim(2) == 0 {
		panic(fn.Errorf([]*nd.Array{qkv}, "want shape (S, B, features) with features in multiples of 3·%d heads", heads))
	}
	steps, batch, width := qkv.Dim(0), qkv.Dim(1), qkv.Dim(2)/(3*heads)
	parts := qkv.Reshape(steps, batch*heads, 3, width)
	return func(k int) *nd.Array { return parts.Index(nd.All(), nd.All(), nd.At(k)).SwapAxes(0, 1) }
}
