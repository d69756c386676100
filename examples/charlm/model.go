package main

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

const (
	units   = 128
	layers  = 2
	dropped = 0.1
)

// model returns the scores (length, columns, letters) of the character that follows each character of x (length,
// columns). st is the model's memory of the characters before x; model updates it.
type model func(s *nn.Scope, x *nd.Array, letters int, st *nn.State) *nd.Array

var models = map[string]model{"lstm": lstm, "transformer": transformer}

// perCharacter are the options of a layer that acts on every character by itself.
var perCharacter = nn.AffineOptions{BaseAxis: new(2)}

// lstm reads one character after the other, and has a memory.
func lstm(s *nn.Scope, x *nd.Array, letters int, st *nn.State) *nd.Array {
	h := nn.Embed(s, x, letters, units)
	h = nn.LSTM(s, h, st, units, nn.RecurrentOptions{Layers: layers, Dropout: dropped})
	return nn.Affine(s.Sub("out"), nn.Dropout(s, h, dropped), letters, perCharacter)
}

const (
	heads = 4
	wide  = 4 * units // units of the layers in between
)

// transformer sees only the characters of x, all at once; it has no state.
func transformer(s *nn.Scope, x *nd.Array, letters int, _ *nn.State) *nd.Array {
	positions := nd.ArangeInt(0, x.Dim(0), 1, nd.ArrayOptions{Device: x.Device()})
	defer positions.Release()
	h := ops.Add(nn.Embed(s, x, letters, units), nn.Embed(s.Sub("position"), positions, span, units).ExpandDims(1))
	for l := range layers {
		h = block(s.Sub(fmt.Sprint("layer", l)), nn.Dropout(s, h, dropped))
	}
	return nn.Affine(s.Sub("out"), norm(s.Sub("out"), h), letters, perCharacter)
}

// block lets every character attend to those before it, and then applies two layers to each by itself.
func block(s *nn.Scope, h *nd.Array) *nd.Array {
	x := norm(s.Sub("look"), h)
	h = ops.Add(h, nn.MultiHeadAttention(s.Sub("look"), x, x, x, nn.MultiHeadAttentionOptions{NumHeads: heads, Causal: true}))
	x = ops.GELU(nn.Affine(s.Sub("think1"), norm(s.Sub("think"), h), wide, perCharacter))
	return ops.Add(h, nn.Dropout(s, nn.Affine(s.Sub("think2"), x, units, perCharacter), dropped))
}

// norm normalises each character by itself.
func norm(s *nn.Scope, h *nd.Array) *nd.Array {
	return nn.LayerNormalization(s, h, ops.Over(0, 1))
}
