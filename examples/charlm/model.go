package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

const (
	units   = 128
	layers  = 2
	dropped = 0.1
)

// model returns the scores (length, columns, letters) of the characters that follow each of x (length, columns). st is what it remembers of
// those before x; it moves on.
type model func(s *nn.Scope, x *nd.Array, letters int, st *nn.State) *nd.Array

var models = map[string]model{"lstm": lstm, "transformer": transformer}

// each are the options of a layer that sees every character by itself.
var each = nn.AffineOptions{BaseAxis: new(2)}

// lstm reads one character after the other, and remembers.
func lstm(s *nn.Scope, x *nd.Array, letters int, st *nn.State) *nd.Array {
	h := nn.Embed(s, x, letters, units)
	h = nn.LSTM(s, h, st, units, nn.RecurrentOptions{Layers: layers, Dropout: dropped})
	return nn.Affine(s.Sub("out"), nn.Dropout(s, h, dropped), letters, each)
}
