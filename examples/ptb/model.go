package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
)

const dropped = 0.5

// rnn predicts the next word from the words before it, with two LSTM layers.
type rnn struct{ words, units int }

// memory is the layers' state after the text read so far.
type memory [2]nn.State

// initial initialises all parameters.
var initial = initializer.Uniform(-0.1, 0.1)

// Apply returns the scores (length·columns, words) of the word that follows each word of x (length, columns).
func (m rnn) Apply(s *nn.Scope, x *nd.Array, remembered *memory) *nd.Array {
	h := nn.Dropout(s, link.EmbedID{InSize: m.words, OutSize: m.units, InitialW: initial}.Apply(s.Sub("embed"), x), dropped)
	lstm := link.LSTM{OutSize: m.units, UpwardInit: initial, LateralInit: initial, BiasInit: initial, ForgetBiasInit: initial}
	var seen []*nd.Array
	for i := range x.Dim(0) {
		h1 := lstm.Apply(s.Sub("l1"), h.Index(nd.At(i)), &remembered[0])
		h2 := lstm.Apply(s.Sub("l2"), nn.Dropout(s, h1, dropped), &remembered[1])
		seen = append(seen, nn.Dropout(s, h2, dropped))
	}
	return link.Linear{OutSize: m.words, InitialW: initial, InitialBias: initial}.Apply(s.Sub("l3"), ops.Concatenate(seen))
}

// loss returns the loss per word, the mean over a piece. Its exponential is the perplexity.
func (m rnn) loss(s *nn.Scope, p piece, remembered *memory) *nd.Array {
	return ops.Mean(loss.SoftmaxCrossEntropy(m.Apply(s, p.words, remembered), p.next.Reshape(-1)))
}

// mean returns the loss per word over all pieces of a reader, read once with an empty memory.
func (m rnn) mean(params *nn.Scope, text *columns) (float64, error) {
	var remembered memory
	defer remembered.reset()
	arena := nd.NewArena()
	defer arena.Release()
	sum, words := 0.0, 0
	text.Reset()
	for {
		p, err := text.Next()
		if err != nil {
			if words == 0 {
				return 0, err
			}
			return sum / float64(words), nil
		}
		words += p.words.Size()
		sum += m.loss(params, piece{arena.Own(p.words), arena.Own(p.next)}, &remembered).Float() * float64(p.words.Size())
		remembered.carry(arena)
		arena.Release()
	}
}

// carry keeps the memory when the other results of a piece are released, and stops gradients there.
func (m *memory) carry(owner interface{ Keep(x *nd.Array) *nd.Array }) {
	for i := range m {
		m[i].Carry(owner)
	}
}

func (m *memory) reset() {
	for i := range m {
		m[i].Reset()
	}
}
