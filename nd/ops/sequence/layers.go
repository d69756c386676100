package sequence

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// LayerOptions are the options of LSTM and GRU.
type LayerOptions struct {
	// Weight holds the weights of the layers above the first, (L-1, D, G, H, D·H+H); it is required if there are such
	// layers.
	Weight *nd.Array
	// Bias is (L, D, G, H), for a GRU (L, D, 4, H); nil adds nothing.
	Bias *nd.Array
	// NumLayers is the number L of layers; 0 means 1.
	NumLayers int
	// Dropout is the probability with which each output of a layer becomes 0 for the next layer, in training.
	Dropout float64
	// Bidirectional runs a second cell from the end to the beginning in every layer: D is 2 instead of 1.
	Bidirectional bool
	// Training enables Dropout; nil means true.
	Training *bool
	// Rand is the stream for Dropout.
	Rand *nd.Rand
}

// Nonlinearity is the function of the units of a simple recurrent network.
type Nonlinearity string

const (
	Tanh Nonlinearity = "tanh" // ops.Tanh
	ReLU Nonlinearity = "relu" // ops.ReLU
)

// RNNOptions are the options of RNN; its weights and bias have no axis of gates.
type RNNOptions struct {
	// Weight holds the weights of the layers above the first, (L-1, D, H, D·H+H); it is required if there are such
	// layers.
	Weight *nd.Array
	// Bias is (L, D, H); nil adds nothing.
	Bias *nd.Array
	// NumLayers is the number L of layers; 0 means 1.
	NumLayers int
	// Nonlinearity is the function of the units; the default is Tanh.
	Nonlinearity Nonlinearity
	// Dropout is the probability with which each output of a layer becomes 0 for the next layer, in training.
	Dropout float64
	// Bidirectional runs a second cell from the end to the beginning in every layer: D is 2 instead of 1.
	Bidirectional bool
	// Training enables Dropout; nil means true.
	Training *bool
	// Rand is the stream for Dropout.
	Rand *nd.Rand
}

// RNN returns the outputs of simple recurrent layers at every time step, and their last states: h' = tanh(W·[x, h] +
// b). The outputs of both directions are concatenated.
//
// Shapes: x (T, B, I), h (L, D, B, H), weight (D, H, I+H); the results (T, B, D·H) and (L, D, B, H).
//
// Source: J. Elman, Finding Structure in Time, 1990.
// PyTorch: rnn_tanh. NNabla: rnn.
func RNN(x, h, weight *nd.Array, opts ...RNNOptions) (y, hn *nd.Array) {
	const fn nd.Func = "sequence.RNN"
	o := options.Read(fn, opts)
	checkArrays(fn, x, h, weight, o.Weight, o.Bias)
	in := []*nd.Array{x, h, weight, o.Weight, o.Bias}
	made := fn.Temporaries(&weight, &o.Weight, &o.Bias)
	defer made.Release()
	l := layers{fn: fn, gates: 1, slots: 1, step: elman(activationOf(fn, o.Nonlinearity, in)), options: LayerOptions{
		Weight: oneGate(o.Weight, 4, 2), Bias: oneGate(o.Bias, 3, 2), NumLayers: o.NumLayers, Dropout: o.Dropout,
		Bidirectional: o.Bidirectional, Training: o.Training, Rand: o.Rand}}
	weight = oneGate(weight, 3, 1)
	y, hn, _ = l.run(x, h, nil, weight)
	return made.Keep(y), made.Keep(hn)
}

// oneGate adds an axis for the only gate to weights or biases of the right rank.
func oneGate(w *nd.Array, rank, axis int) *nd.Array {
	if w == nil || w.Rank() != rank {
		return w // nil, or checked and rejected later
	}
	return w.ExpandDims(axis)
}

// LSTM returns the outputs of long short-term memory layers at every time step, and their last states and memories.
// With i, f, g, o the four rows of gates W·[x, h] + b, in this order, c' = σ(f)·c + σ(i)·tanh(g) and h' =
// σ(o)·tanh(c'). The outputs of both directions are concatenated.
//
// Shapes: x (T, B, I), h and c (L, D, B, H), weight (D, 4, H, I+H); the results (T, B, D·H), (L, D, B, H) twice.
//
// Source: S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, 1997; F. Gers et al., Learning to Forget, 2000.
// PyTorch: lstm. NNabla: lstm.
func LSTM(x, h, c, weight *nd.Array, opts ...LayerOptions) (y, hn, cn *nd.Array) {
	l := layers{fn: "sequence.LSTM", gates: 4, slots: 4, step: lstm(nil)}
	l.options = options.Read(l.fn, opts)
	checkArrays(l.fn, c)
	return l.run(x, h, c, weight)
}

// GRU returns the outputs of layers of gated recurrent units at every time step, and their last states. With the rows
// of weights and bias in this order, r = σ(W_r·[x, h] + b_r), z = σ(W_z·[x, h] + b_z), n = tanh(W_n·x + b_n + r·(U_n·h
// + b_u)) and h' = (1-z)·n + z·h. The last of the four biases, b_u, is the one within the product. The outputs of both
// directions are concatenated.
//
// Shapes: x (T, B, I), h (L, D, B, H), weight (D, 3, H, I+H); the results (T, B, D·H) and (L, D, B, H).
//
// Source: K. Cho et al., Learning Phrase Representations using RNN Encoder-Decoder, 2014, with the reset gate after the
// product.
// PyTorch: gru. NNabla: gru.
func GRU(x, h, weight *nd.Array, opts ...LayerOptions) (y, hn *nd.Array) {
	l := layers{fn: "sequence.GRU", gates: 3, slots: 4, step: gru}
	l.options = options.Read(l.fn, opts)
	y, hn, _ = l.run(x, h, nil, weight)
	return y, hn
}

// checkArrays is nd.Func.Check of the given arrays; the first is required.
func checkArrays(fn nd.Func, required *nd.Array, optional ...*nd.Array) {
	fn.Check(append([]*nd.Array{required}, slices.DeleteFunc(optional, func(x *nd.Array) bool { return x == nil })...)...)
}

// checkNumbers panics if the inputs are all bools, or complex numbers.
func checkNumbers(fn nd.Func, in ...*nd.Array) {
	var operands []dtype.Operand
	for _, x := range in {
		if x != nil {
			operands = append(operands, x.Operand())
		}
	}
	if t := dtype.ResultType(operands...); t.IsBool() || t.IsComplex() {
		panic(fn.Errorf(in, "it has no meaning for dtype %s", t))
	}
}

// layers is one call of a function whose weights have an axis of gates and act on [x, h].
type layers struct {
	fn           nd.Func
	gates, slots int // the numbers of gates of the weights and of the bias
	step         step
	options      LayerOptions
}

func (l *layers) run(x, h, c, weight *nd.Array) (y, hn, cn *nd.Array) {
	o := &l.options
	l.fn.Check(x, h, weight)
	checkArrays(l.fn, x, h, weight, c, o.Weight, o.Bias)
	in := []*nd.Array{x, h, c, weight, o.Weight, o.Bias}
	if l.gates == 4 {
		checkNumbers(l.fn, in...)
	}
	made := l.fn.Temporaries(&x, &h, &c, &weight, &o.Weight, &o.Bias)
	defer made.Release()
	o.NumLayers = max(o.NumLayers, 1)
	if x.Rank() != 3 || h.Rank() != 4 {
		panic(l.fn.Errorf(in, "want an input of shape (T, B, I) and a state of shape (L, D, B, H)"))
	}
	if x.Dim(0) == 0 {
		panic(l.fn.Errorf(in, "want at least one time step"))
	}
	directions := 1
	if o.Bidirectional {
		directions = 2
	}
	batch, features, units := x.Dim(1), x.Dim(2), h.Dim(3)
	want := func(what string, a *nd.Array, shape ...int) {
		if a != nil && !broadcast.Equal(a.Shape(), shape) {
			panic(l.fn.Errorf(in, "%s has shape %s, want %s", what, broadcast.FormatShape(a.Shape()), broadcast.FormatShape(shape)))
		}
	}
	want("the state", h, o.NumLayers, directions, batch, units)
	want("the memory", c, o.NumLayers, directions, batch, units)
	want("the weight of the first layer (with an axis of gates)", weight, directions, l.gates, units, features+units)
	want("the weight of the other layers (with an axis of gates)", o.Weight, o.NumLayers-1, directions, l.gates, units, (directions+1)*units)
	want("the bias (with an axis of gates)", o.Bias, o.NumLayers, directions, l.slots, units)
	if (o.Weight != nil) != (o.NumLayers > 1) {
		panic(l.fn.Errorf(in, "%d layers: a second weight needs layers above the first", o.NumLayers))
	}

	s := stack{step: l.step, whole: wholeOf(l.gates), directions: directions, sizes: slices.Repeat([]int{batch}, x.Dim(0)),
		between: dropoutBetween(l.fn, o.Dropout, o.Training, o.Rand, in)}
	var first []state
	for k := range o.NumLayers * directions {
		layer, d := k/directions, k%directions
		w := weight
		if layer > 0 {
			w = o.Weight.Index(nd.At(layer - 1))
		}
		s.cells = append(s.cells, l.cell(w.Index(nd.At(d)), layer, d))
		now := state{h: h.Index(nd.At(layer), nd.At(d))}
		if c != nil {
			now.c = c.Index(nd.At(layer), nd.At(d))
		}
		first = append(first, now)
	}
	y, last := s.run(x.Reshape(-1, features), first)
	hn, cn = stacked(last, o.NumLayers, directions, batch, units)
	return made.Keep(y.Reshape(x.Dim(0), batch, directions*units)), made.Keep(hn), made.Keep(cn)
}

// cell splits the weights (G, H, I+H) of a cell, and its biases.
func (l *layers) cell(w *nd.Array, layer, direction int) cell {
	units := w.Dim(1)
	w = w.Reshape(-1, w.Dim(2))
	c := cell{
		fromInput: w.Index(nd.All(), nd.Until(w.Dim(1)-units)),
		fromState: w.Index(nd.All(), nd.From(w.Dim(1)-units)),
	}
	if l.options.Bias != nil {
		b := l.options.Bias.Index(nd.At(layer), nd.At(direction))
		c.bias = b.Index(nd.Until(l.gates)).Reshape(-1)
		if l.slots > l.gates {
			c.candidate = b.Index(nd.At(l.gates))
		}
	}
	return c
}

// stacked joins the states of all cells to arrays of a shape.
func stacked(last []state, shape ...int) (h, c *nd.Array) {
	hs, cs := make([]*nd.Array, len(last)), make([]*nd.Array, len(last))
	for k, s := range last {
		hs[k], cs[k] = s.h, s.c
	}
	h = ops.Stack(hs).Reshape(shape...)
	if cs[0] != nil {
		shape = slices.Clone(shape)
		shape[len(shape)-1] = cs[0].Dim(-1)
		c = ops.Stack(cs).Reshape(shape...)
	}
	return h, c
}
