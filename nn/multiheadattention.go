package nn

import (
	"math"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// MultiHeadAttentionOptions are the options of [MultiHeadAttention].
type MultiHeadAttentionOptions struct {
	// NumHeads is the number of heads, which attend independently; 0 means 12. It divides E and V.
	NumHeads int
	// BatchFirst puts the axis of the batch before the axis of the steps, in the operands and the result. It is faster,
	// because the data that the heads of an example read is then contiguous.
	BatchFirst bool
	// Causal makes step i of the query see only steps 0 to i of the key.
	Causal bool
	// AdditiveMask (T, S) is added to the scores of all examples and heads; -Inf hides a step of the key from a step of
	// the query.
	AdditiveMask *nd.Array
	// KeyPaddingMask (B, S) is true, or 1, for the steps of an example's key to ignore.
	KeyPaddingMask *nd.Array
	// Dropout is the probability with which each weight of the attention is set to 0 in training.
	Dropout float64
	// KEmbedDim is E, VEmbedDim is V and OutDim is O. 0 means: for E the features of the query, for V those of the
	// value, for O the number V.
	KEmbedDim, VEmbedDim, OutDim int
	// WithBias controls whether the four products have biases; nil means yes.
	WithBias *bool
	// AddAttnBias adds one more key and value, which are parameters, and which every step sees.
	AddAttnBias bool
	// ParamInit holds initializers for the parameters, by their names. The default is initializer.UniformGlorot of rows
	// and columns for weights, zeros for biases, and initializer.UniformGlorot(E, 1) and initializer.UniformGlorot(V,
	// 1) for attn_bias_k and attn_bias_v.
	ParamInit map[string]initializer.Initializer
}

// MultiHeadAttention returns softmax(q·kᵀ/√d)·v·out_weight + out_bias, where q, k and v are query·q_weight + q_bias and
// so on, each split into heads of d columns, which attend independently. Its parameters are below
// "multi_head_attention" of the scope, which it creates on first use. If every step of a key is masked, the
// attention is 0 (see ops.Attention), and the result is out_bias.
//
// The first axis holds the steps, the second the batch, as in NNabla; the option BatchFirst exchanges the two.
// ops.Attention computes the attention, without an array of all its weights unless a gradient or Dropout needs them.
// With Causal it does not compute the hidden part. The layer computes in the parameters' dtype, like [Affine].
//
// Shapes: query (T, B, D_q), key (S, B, D_k), value (S, B, D_v); the result (T, B, O). q_weight (D_q, E), k_weight
// (D_k, E), v_weight (D_v, V), out_weight (V, O), q_bias and k_bias (E), v_bias (V), out_bias (O), attn_bias_k (1, 1,
// E), attn_bias_v (1, 1, V).
//
// Source: A. Vaswani et al., Attention Is All You Need, 2017.
// PyTorch: nn.MultiheadAttention. NNabla: parametric_functions.multi_head_attention.
func MultiHeadAttention(scope *Scope, query, key, value *nd.Array, opts ...MultiHeadAttentionOptions) *nd.Array {
	const fn nd.Func = "nn.MultiHeadAttention"
	a := newAttention(fn, scope, query, key, value, options.Read(fn, opts))
	a.setOwner()
	defer a.made.Release()
	a.convert()
	project := func(x, w, b *nd.Array) *nd.Array {
		return ops.Affine(x, w, ops.AffineOptions{Bias: b, BaseAxis: new(2)})
	}
	q := a.heads(project(a.query, a.weights[0], a.o.QBias), nil)
	k := a.heads(project(a.key, a.weights[1], a.o.KBias), a.o.AttnBiasK)
	v := a.heads(project(a.value, a.weights[2], a.o.VBias), a.o.AttnBiasV)
	causal := a.causal && a.o.AttnBiasK == nil // the added key comes last, and all steps see it
	y := ops.Attention(q, k, v, ops.AttentionOptions{Mask: a.mask(!causal), Causal: causal, Dropout: a.o.Dropout, Rand: a.o.Rand})
	order := []int{2, 0, 1, 3}
	if a.batchFirst {
		order = []int{0, 2, 1, 3}
	}
	y = y.Transpose(order...)
	y = y.Reshape(y.Dim(0), y.Dim(1), y.Dim(2)*y.Dim(3))
	return a.made.Keep(project(y, a.weights[3], a.o.OutBias))
}

// MultiHeadAttentionWithWeights returns the result of MultiHeadAttention, and the weights of all heads, (B·heads, T,
// S), or with AddAttnBias (B·heads, T, S+1). It also computes the weights that Causal hides. With Dropout the weights
// are those after dropout.
func MultiHeadAttentionWithWeights(scope *Scope, query, key, value *nd.Array,
	opts ...MultiHeadAttentionOptions) (y, weights *nd.Array) {
	const fn nd.Func = "nn.MultiHeadAttentionWithWeights"
	a := newAttention(fn, scope, query, key, value, options.Read(fn, opts))
	a.setOwner()
	defer a.made.Release()
	a.convert()
	query, key, value = a.stepsFirst(a.query), a.stepsFirst(a.key), a.stepsFirst(a.value)
	if a.causal {
		a.o.AdditiveMask = a.withCausal(a.o.AdditiveMask, key.Dim(0))
	}
	y, weights = ops.MultiHeadAttention(query, key, value, a.numHeads, a.weights[0], a.weights[1], a.weights[2], a.weights[3], a.o)
	return a.made.Keep(a.stepsFirst(y)), a.made.Keep(weights)
}

// attention holds the operands and parameters of an attention.
type attention struct {
	fn                 nd.Func
	query, key, value  *nd.Array
	weights            [4]*nd.Array // of query, key, value and result
	o                  ops.MultiHeadAttentionOptions
	numHeads           int
	batchFirst, causal bool
	made               *nd.Temporaries
}

func newAttention(fn nd.Func, scope *Scope, query, key, value *nd.Array, o MultiHeadAttentionOptions) *attention {
	o.check(fn, scope, query, key, value)
	e, v, out := o.dims(query, value)
	a := &attention{fn: fn, query: query, key: key, value: value, numHeads: o.numHeads(), batchFirst: o.BatchFirst, causal: o.Causal}
	a.o.AdditiveMask, a.o.KeyPaddingMask = o.AdditiveMask, o.KeyPaddingMask
	if o.Dropout > 0 && scope.Training() {
		a.o.Dropout, a.o.Rand = o.Dropout, scope.Rand()
	}
	s, initial := scope.Sub("multi_head_attention"), paramInit(o.ParamInit)
	matrix := func(name string, rows, columns int) *nd.Array {
		return s.Parameter(name, []int{rows, columns}, initial.of(name, initializer.UniformGlorot(rows, columns)), true)
	}
	a.weights = [4]*nd.Array{matrix("q_weight", query.Dim(2), e), matrix("k_weight", key.Dim(2), e),
		matrix("v_weight", value.Dim(2), v), matrix("out_weight", v, out)}
	if layer.IsOn(o.WithBias) {
		bias := func(name string, n int) *nd.Array { return s.Parameter(name, []int{n}, initial[name], true) }
		a.o.QBias, a.o.KBias, a.o.VBias, a.o.OutBias = bias("q_bias", e), bias("k_bias", e), bias("v_bias", v), bias("out_bias", out)
	}
	if o.AddAttnBias {
		more := func(name string, n int) *nd.Array {
			return s.Parameter(name, []int{1, 1, n}, initial.of(name, initializer.UniformGlorot(n, 1)), true)
		}
		a.o.AttnBiasK, a.o.AttnBiasV = more("attn_bias_k", e), more("attn_bias_v", v)
	}
	return a
}

func (o *MultiHeadAttentionOptions) numHeads() int {
	if o.NumHeads == 0 {
		return 12
	}
	return o.NumHeads
}

// dims returns E, V and O.
func (o *MultiHeadAttentionOptions) dims(query, value *nd.Array) (e, v, out int) {
	if e = o.KEmbedDim; e == 0 {
		e = query.Dim(2)
	}
	if v = o.VEmbedDim; v == 0 {
		v = value.Dim(2)
	}
	if out = o.OutDim; out == 0 {
		out = v
	}
	return e, v, out
}

// check refuses arguments that do not fit each other, before parameters are created.
func (o *MultiHeadAttentionOptions) check(fn nd.Func, s *Scope, query, key, value *nd.Array) {
	in := []*nd.Array{query, key, value}
	for _, mask := range []*nd.Array{o.AdditiveMask, o.KeyPaddingMask} {
		if mask != nil {
			in = append(in, mask)
		}
	}
	fn.Check(in...)
	s.wantReal(fn, in[:3]...)
	batch, steps := 1, 0
	if o.BatchFirst {
		batch, steps = 0, 1
	}
	for _, x := range in[:3] {
		if x.Rank() != 3 || x.Dim(batch) != query.Dim(batch) {
			panic(fn.Errorf(in, "want a query, key and value of three axes, with the batch along axis %d", batch))
		}
	}
	if key.Dim(steps) != value.Dim(steps) {
		panic(fn.Errorf(in, "want as many steps of the value as of the key"))
	}
	heads := o.numHeads()
	if e, v, out := o.dims(query, value); heads < 1 || min(e, v, out) < 0 || e%heads != 0 || v%heads != 0 {
		panic(fn.Errorf(in, "%d heads of %d and %d features: want heads that divide them, and %d outputs", heads, e, v, out))
	}
	if m := o.AdditiveMask; m != nil {
		if !broadcast.Equal(m.Shape(), []int{query.Dim(steps), key.Dim(steps)}) || m.DType().IsBool() || m.DType().IsComplex() {
			panic(fn.Errorf(in, "want an additive mask of real numbers of shape (%d, %d)", query.Dim(steps), key.Dim(steps)))
		}
	}
	if m := o.KeyPaddingMask; m != nil && !broadcast.Equal(m.Shape(), []int{key.Dim(batch), key.Dim(steps)}) {
		panic(fn.Errorf(in, "want a padding mask of shape (%d, %d)", key.Dim(batch), key.Dim(steps)))
	}
	if !(o.Dropout >= 0 && o.Dropout <= 1) {
		panic(fn.Errorf(in, "dropout with probability %v: want one from 0 to 1", o.Dropout))
	}
	paramInit(o.ParamInit).check(fn, query, "q_weight", "k_weight", "v_weight", "out_weight",
		"q_bias", "k_bias", "v_bias", "out_bias", "attn_bias_k", "attn_bias_v")
}

// setOwner makes a.made own what is computed from here on, so that it is released with a.made.
func (a *attention) setOwner() {
	a.made = a.fn.Temporaries(&a.query, &a.key, &a.value, &a.weights[0], &a.weights[1], &a.weights[2], &a.weights[3],
		&a.o.QBias, &a.o.KBias, &a.o.VBias, &a.o.OutBias, &a.o.AttnBiasK, &a.o.AttnBiasV, &a.o.AdditiveMask, &a.o.KeyPaddingMask)
}

// convert converts the operands to the dtype of the parameters.
func (a *attention) convert() {
	w := a.weights[0]
	a.query, a.key, a.value = layer.InDType(a.query, w), layer.InDType(a.key, w), layer.InDType(a.value, w)
	if a.o.AdditiveMask != nil {
		a.o.AdditiveMask = layer.InDType(a.o.AdditiveMask, w)
	}
}

// stepsFirst exchanges the axes of batch and steps if the batch is first.
func (a *attention) stepsFirst(x *nd.Array) *nd.Array {
	if a.batchFirst {
		return x.SwapAxes(0, 1)
	}
	return x
}

// heads splits x into (B, heads, steps, columns), and appends the step more unless it is nil.
func (a *attention) heads(x, more *nd.Array) *nd.Array {
	x = a.stepsFirst(x)
	if more != nil {
		x = ops.Concatenate([]*nd.Array{x, more.BroadcastTo(1, x.Dim(1), x.Dim(2))})
	}
	return x.Reshape(x.Dim(0), x.Dim(1), a.numHeads, x.Dim(2)/a.numHeads).Transpose(1, 2, 0, 3)
}

// mask returns the array that is added to the scores (B, heads, T, S), or broadcasts to them; nil if nothing is added.
// If causal, it includes the causal mask.
func (a *attention) mask(causal bool) *nd.Array {
	mask, padding := a.o.AdditiveMask, a.o.KeyPaddingMask
	if causal && a.causal {
		mask = a.withCausal(mask, a.stepsFirst(a.key).Dim(0))
	}
	if mask != nil {
		mask = a.withBiasColumn(mask)
	}
	if padding == nil {
		return mask
	}
	ignored := ops.Where(padding.AsType(dtype.Bool), math.Inf(-1), 0).AsType(a.weights[0].DType())
	ignored = a.withBiasColumn(ignored)
	ignored = ignored.Reshape(ignored.Dim(0), 1, 1, ignored.Dim(1))
	if mask == nil {
		return ignored
	}
	return ops.Add(mask, ignored)
}

// withCausal adds -Inf to a mask (T, S), which may be nil, for the steps of the key after the step of the query.
func (a *attention) withCausal(mask *nd.Array, steps int) *nd.Array {
	seen := a.made.Own(nd.Tri(a.stepsFirst(a.query).Dim(0), steps, 0, nd.ArrayOptions{DType: dtype.Bool, Device: a.query.Device()}))
	unseen := ops.Where(seen, 0, math.Inf(-1)).AsType(a.weights[0].DType())
	if mask == nil {
		return unseen
	}
	return ops.Add(mask, unseen)
}

// withBiasColumn makes the key of AddAttnBias visible: it appends a column of zeros to a mask.
func (a *attention) withBiasColumn(mask *nd.Array) *nd.Array {
	if a.o.AttnBiasK == nil {
		return mask
	}
	zeros := a.made.Own(nd.Zeros([]int{mask.Dim(0), 1}, nd.ArrayOptions{DType: mask.DType(), Device: mask.Device()}))
	return ops.Concatenate([]*nd.Array{mask, zeros}, ops.Over(1))
}
