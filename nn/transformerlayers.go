package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// TransformerEncodeOptions are the options of [TransformerEncode].
type TransformerEncodeOptions struct {
	// DimFeedforward is the width of the network after the attention; 0 means 2048.
	DimFeedforward int
	// Dropout is the probability with which, in training, elements of intermediate results are set to 0; nil means 0.1.
	Dropout *float64
	// Activation is applied after the first layer of the network; nil means ops.ReLU.
	Activation func(x *nd.Array) *nd.Array
	// BatchFirst puts the axis of the batch before the axis of the steps.
	BatchFirst bool
	// Causal makes each step see only the steps up to itself.
	Causal bool
	// SrcAdditiveMask (S, S) and SrcKeyPaddingMask (B, S) are those of [MultiHeadAttentionOptions].
	SrcAdditiveMask, SrcKeyPaddingMask *nd.Array
	// AddAttnBias adds one more key and value to the attention, which are parameters.
	AddAttnBias bool
}

// TransformerEncode is a layer of an encoder. It computes h = norm(src + attention(src, src, src)) and returns norm(h +
// f(h)) with the network f(h) = W2·activation(W1·h + b1) + b2 of each step. In training, dropout applies to the
// attention, to the result of the activation and to f(h), with numbers from [Scope.Rand].
//
// Its parameters are below "transformer_encode" of the scope: those of [MultiHeadAttention] below "src_self_attn", of
// [LayerNormalization] below "enc_layer_norm1" and "enc_layer_norm2", and of [Affine] below "enc_affine1" and
// "enc_affine2".
//
// Shapes: src (S, B, E) and the result, with BatchFirst (B, S, E); numHeads divides E.
//
// Source: A. Vaswani et al., Attention Is All You Need, 2017.
// PyTorch: nn.TransformerEncoderLayer. NNabla: parametric_functions.transformer_encode.
func TransformerEncode(scope *Scope, src *nd.Array, numHeads int, opts ...TransformerEncodeOptions) *nd.Array {
	const fn nd.Func = "nn.TransformerEncode"
	o := options.Read(fn, opts)
	l := o.layer(fn, scope.Sub("transformer_encode"), src, numHeads)
	first := l.first("src_self_attn", src)
	made := fn.Temporaries(&src, &first)
	defer made.Release()
	h := l.normalized("enc_layer_norm1", src, l.attention("src_self_attn", src, src, o.attention(numHeads)))
	return made.Keep(l.normalized("enc_layer_norm2", h, l.network("enc_affine1", "enc_affine2", h)))
}

func (o *TransformerEncodeOptions) attention(numHeads int) MultiHeadAttentionOptions {
	return MultiHeadAttentionOptions{NumHeads: numHeads, BatchFirst: o.BatchFirst, Causal: o.Causal, AddAttnBias: o.AddAttnBias,
		AdditiveMask: o.SrcAdditiveMask, KeyPaddingMask: o.SrcKeyPaddingMask}
}

// layer checks the arguments; s is the scope for the parameters.
func (o *TransformerEncodeOptions) layer(fn nd.Func, s *Scope, src *nd.Array, numHeads int) *transformerLayer {
	l := newTransformerLayer(fn, s, src, numHeads, o.DimFeedforward, o.Dropout, o.Activation)
	attention := o.attention(numHeads)
	attention.check(fn, s, src, src, src)
	return l
}

// TransformerDecodeOptions are the options of [TransformerDecode].
type TransformerDecodeOptions struct {
	// DimFeedforward is the width of the network after the attentions; 0 means 2048.
	DimFeedforward int
	// Dropout is the probability with which, in training, elements of intermediate results are set to 0; nil means 0.1.
	Dropout *float64
	// Activation is applied after the first layer of the network; nil means ops.ReLU.
	Activation func(x *nd.Array) *nd.Array
	// BatchFirst puts the axis of the batch before the axis of the steps.
	BatchFirst bool
	// Causal makes each step of tgt see only the steps of tgt up to itself; each step sees all of the memory.
	Causal bool
	// TgtAdditiveMask (T, T), MemoryAdditiveMask (T, S), TgtKeyPaddingMask (B, T) and MemoryKeyPaddingMask (B, S) are
	// the masks of [MultiHeadAttentionOptions], with tgt and the memory as keys.
	TgtAdditiveMask, MemoryAdditiveMask, TgtKeyPaddingMask, MemoryKeyPaddingMask *nd.Array
	// AddAttnBias adds one more key and value to each attention, which are parameters.
	AddAttnBias bool
}

// TransformerDecode is a layer of a decoder. It computes h = norm(tgt + attention(tgt, tgt, tgt)) and m = norm(h +
// attention(h, memory, memory)), and returns norm(m + f(m)), with dropout and a network f as in [TransformerEncode].
// memory is the result of the encoder.
//
// Its parameters are below "transformer_decode" of the scope: those of [MultiHeadAttention] below "tgt_self_attn" and
// "tgt_memory_attn", of [LayerNormalization] below "dec_layer_norm1" to "dec_layer_norm3", and of [Affine] below
// "dec_affine1" and "dec_affine2".
//
// Shapes: tgt (T, B, E) and the result, memory (S, B, E), with BatchFirst (B, T, E) and (B, S, E); numHeads divides E.
// PyTorch: nn.TransformerDecoderLayer. NNabla: parametric_functions.transformer_decode.
func TransformerDecode(scope *Scope, tgt, memory *nd.Array, numHeads int, opts ...TransformerDecodeOptions) *nd.Array {
	const fn nd.Func = "nn.TransformerDecode"
	o := options.Read(fn, opts)
	l := o.layer(fn, scope.Sub("transformer_decode"), tgt, memory, numHeads)
	first := l.first("tgt_self_attn", tgt)
	made := fn.Temporaries(&tgt, &memory, &first)
	defer made.Release()
	h := l.normalized("dec_layer_norm1", tgt, l.attention("tgt_self_attn", tgt, tgt, o.selfAttention(numHeads)))
	h = l.normalized("dec_layer_norm2", h, l.attention("tgt_memory_attn", h, memory, o.memoryAttention(numHeads)))
	return made.Keep(l.normalized("dec_layer_norm3", h, l.network("dec_affine1", "dec_affine2", h)))
}

func (o *TransformerDecodeOptions) selfAttention(numHeads int) MultiHeadAttentionOptions {
	return MultiHeadAttentionOptions{NumHeads: numHeads, BatchFirst: o.BatchFirst, Causal: o.Causal, AddAttnBias: o.AddAttnBias,
		AdditiveMask: o.TgtAdditiveMask, KeyPaddingMask: o.TgtKeyPaddingMask}
}

func (o *TransformerDecodeOptions) memoryAttention(numHeads int) MultiHeadAttentionOptions {
	return MultiHeadAttentionOptions{NumHeads: numHeads, BatchFirst: o.BatchFirst, AddAttnBias: o.AddAttnBias,
		AdditiveMask: o.MemoryAdditiveMask, KeyPaddingMask: o.MemoryKeyPaddingMask}
}

// layer checks the arguments; s is the scope for the parameters.
func (o *TransformerDecodeOptions) layer(fn nd.Func, s *Scope, tgt, memory *nd.Array, numHeads int) *transformerLayer {
	l := newTransformerLayer(fn, s, tgt, numHeads, o.DimFeedforward, o.Dropout, o.Activation)
	self, other := o.selfAttention(numHeads), o.memoryAttention(numHeads)
	self.check(fn, s, tgt, tgt, tgt)
	other.check(fn, s, tgt, memory, memory)
	if tgt.Dim(2) != memory.Dim(2) {
		panic(fn.Errorf([]*nd.Array{tgt, memory}, "want a target and a memory of as many features"))
	}
	return l
}

// transformerLayer is the common part of encoder and decoder layers.
type transformerLayer struct {
	scope      *Scope
	width      int // of the network
	dropout    float64
	activation func(x *nd.Array) *nd.Array
}

func newTransformerLayer(fn nd.Func, s *Scope, x *nd.Array, numHeads, width int, dropout *float64,
	activation func(x *nd.Array) *nd.Array) *transformerLayer {
	l := &transformerLayer{scope: s, width: width, dropout: 0.1, activation: activation}
	fn.Check(x)
	if width == 0 {
		l.width = 2048
	}
	if dropout != nil {
		l.dropout = *dropout
	}
	if activation == nil {
		l.activation = func(x *nd.Array) *nd.Array { return ops.ReLU(x) }
	}
	if numHeads < 1 || l.width < 0 || !(l.dropout >= 0 && l.dropout <= 1) {
		panic(fn.Errorf([]*nd.Array{x}, "%d heads, a network of width %d, dropout with probability %v: want at least one head, "+
			"a width, and a probability from 0 to 1", numHeads, l.width, l.dropout))
	}
	if l.dropout > 0 && s.Training() {
		s.Rand() // refuses before parameters exist
	}
	return l
}

// first returns the first parameter of a layer that begins with the attention of that name to x. The tape that watches
// this parameter owns what the layer computes.
func (l *transformerLayer) first(name string, x *nd.Array) *nd.Array {
	e := x.Dim(2)
	return l.scope.Sub(name).Sub("multi_head_attention").Parameter("q_weight", []int{e, e}, initializer.UniformGlorot(e, e), true)
}

func (l *transformerLayer) attention(name string, query, key *nd.Array, o MultiHeadAttentionOptions) *nd.Array {
	return l.dropped(MultiHeadAttention(l.scope.Sub(name), query, key, key, o))
}

func (l *transformerLayer) network(first, second string, x *nd.Array) *nd.Array {
	steps := AffineOptions{BaseAxis: new(2)}
	h := l.dropped(l.activation(Affine(l.scope.Sub(first), x, l.width, steps)))
	return l.dropped(Affine(l.scope.Sub(second), h, x.Dim(2), steps))
}

// normalized returns the layer normalisation of x + more, in the dtype of the parameters.
func (l *transformerLayer) normalized(name string, x, more *nd.Array) *nd.Array {
	if l.scope.mixes() {
		return LayerNormalization(l.scope.Sub(name), ops.Add(x.AsType(l.scope.DType()), more), ops.Over(0, 1))
	}
	return LayerNormalization(l.scope.Sub(name), ops.Add(layer.InDType(x, more), more), ops.Over(0, 1))
}

func (l *transformerLayer) dropped(x *nd.Array) *nd.Array {
	if l.dropout == 0 {
		return x
	}
	return Dropout(l.scope, x, l.dropout)
}
