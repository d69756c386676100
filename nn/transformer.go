package nn

import (
	"fmt"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// TransformerOptions are the options of [Transformer].
type TransformerOptions struct {
	// NumHeads is the number of heads of every attention; 0 means 8.
	NumHeads int
	// NumEncoderLayers and NumDecoderLayers are the numbers of layers; nil means 6.
	NumEncoderLayers, NumDecoderLayers *int
	// DimFeedforward is the width of the networks after the attentions; 0 means 2048.
	DimFeedforward int
	// Dropout is the probability with which, in training, elements of intermediate results are set to 0; nil means 0.1.
	Dropout *float64
	// Activation is applied after the first layer of the networks; nil means ops.ReLU.
	Activation func(x *nd.Array) *nd.Array
	// BatchFirst puts the axis of the batch before the axis of the steps.
	BatchFirst bool
	// Causal makes each step of tgt see only the steps of tgt up to itself.
	Causal bool
	// SrcAdditiveMask (S, S), TgtAdditiveMask (T, T) and MemoryAdditiveMask (T, S) are added to the scores of the
	// attentions.
	SrcAdditiveMask, TgtAdditiveMask, MemoryAdditiveMask *nd.Array
	// SrcKeyPaddingMask (B, S), TgtKeyPaddingMask (B, T) and MemoryKeyPaddingMask (B, S) are true, or 1, for the steps
	// to ignore.
	SrcKeyPaddingMask, TgtKeyPaddingMask, MemoryKeyPaddingMask *nd.Array
	// AddAttnBias adds one more key and value to each attention, which are parameters.
	AddAttnBias bool
}

// Transformer encodes src and decodes tgt with the result. The encoder is a stack of [TransformerEncode] layers on src,
// the decoder a stack of [TransformerDecode] layers on tgt. Every decoder layer has the result of the last encoder
// layer as its memory. The layers' parameters are below "transformer/encoder00", "transformer/encoder01" and so on of
// the scope, and below "transformer/decoder00" and so on. Without decoder layers the result is tgt. PyTorch's
// Transformer normalises the two results once more.
//
// Shapes: src (S, B, E), tgt (T, B, E) and the result, with BatchFirst (B, S, E) and (B, T, E).
//
// Source: A. Vaswani et al., Attention Is All You Need, 2017.
// PyTorch: nn.Transformer. NNabla: parametric_functions.transformer.
func Transformer(scope *Scope, src, tgt *nd.Array, opts ...TransformerOptions) *nd.Array {
	const fn nd.Func = "nn.Transformer"
	o := options.Read(fn, opts)
	heads, encoders, decoders := o.counts(fn, src, tgt)
	encode, decode := o.encode(), o.decode()
	e := encode.layer(fn, scope, src, heads) // refuses arguments before parameters exist
	d := decode.layer(fn, scope, tgt, src, heads)
	s := scope.Sub("transformer")
	var first *nd.Array
	if encoders > 0 {
		e.scope = s.Sub("encoder00/transformer_encode")
		first = e.first("src_self_attn", src)
	} else if decoders > 0 {
		d.scope = s.Sub("decoder00/transformer_decode")
		first = d.first("tgt_self_attn", tgt)
	}
	made := fn.Temporaries(&src, &tgt, &first)
	defer made.Release()
	memory, y := src, tgt
	for k := range encoders {
		memory = TransformerEncode(s.Sub(fmt.Sprintf("encoder%02d", k)), memory, heads, encode)
	}
	for k := range decoders {
		y = TransformerDecode(s.Sub(fmt.Sprintf("decoder%02d", k)), y, memory, heads, decode)
	}
	return made.Keep(y)
}

func (o *TransformerOptions) counts(fn nd.Func, src, tgt *nd.Array) (heads, encoders, decoders int) {
	heads, encoders, decoders = o.NumHeads, 6, 6
	if heads == 0 {
		heads = 8
	}
	if o.NumEncoderLayers != nil {
		encoders = *o.NumEncoderLayers
	}
	if o.NumDecoderLayers != nil {
		decoders = *o.NumDecoderLayers
	}
	if fn.Check(src, tgt); min(encoders, decoders) < 0 {
		panic(fn.Errorf([]*nd.Array{src, tgt}, "%d layers of the encoder and %d of the decoder: want at least 0 of each", encoders, decoders))
	}
	return heads, encoders, decoders
}

func (o *TransformerOptions) encode() TransformerEncodeOptions {
	return TransformerEncodeOptions{DimFeedforward: o.DimFeedforward, Dropout: o.Dropout, Activation: o.Activation,
		BatchFirst: o.BatchFirst, SrcAdditiveMask: o.SrcAdditiveMask, SrcKeyPaddingMask: o.SrcKeyPaddingMask, AddAttnBias: o.AddAttnBias}
}

func (o *TransformerOptions) decode() TransformerDecodeOptions {
	return TransformerDecodeOptions{DimFeedforward: o.DimFeedforward, Dropout: o.Dropout, Activation: o.Activation,
		BatchFirst: o.BatchFirst, Causal: o.Causal, TgtAdditiveMask: o.TgtAdditiveMask, MemoryAdditiveMask: o.MemoryAdditiveMask,
		TgtKeyPaddingMask: o.TgtKeyPaddingMask, MemoryKeyPaddingMask: o.MemoryKeyPaddingMask, AddAttnBias: o.AddAttnBias}
}
