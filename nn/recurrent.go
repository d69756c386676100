package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// RecurrentOptions are the options of [RNN], [LSTM] and [GRU].
type RecurrentOptions struct {
	// Layers is the number of stacked layers; 0 means 1.
	Layers int
	// Bidirectional adds a second cell to every layer, which reads from the end to the beginning.
	Bidirectional bool
	// Dropout is the probability with which, in training, each output of a layer is 0 for the next layer.
	Dropout float64
	// WithBias controls whether there are biases; nil means yes.
	WithBias *bool
	// Nonlinearity is the function of the units of RNN: sequence.Tanh (the default) or sequence.ReLU.
	Nonlinearity sequence.Nonlinearity
	// W0Init makes the initial weights of the first layer, WInit those of the layers above it. Nil means uniform
	// numbers within Glorot's limits, separately for the part of the inputs and the part of the state.
	W0Init, WInit initializer.Initializer
	// BInit makes the initial biases; nil means zeros.
	BInit initializer.Initializer
}

// RNN reads a sequence by simple recurrent layers with size units: h' = tanh(W·[x, h] + b). It updates the state, and
// returns the outputs of the last layer at every time. With a nil state it reads a whole sequence, starting from zeros.
// Its parameters are "rnn/weight_l0", "rnn/weight" and "rnn/bias"; see sequence.RNN.
//
// Shapes, with L layers in D directions: x (T, B, I); H (L, D, B, size); weight_l0 (D, size, I + size), weight (L-1, D,
// size, D·size + size), bias (L, D, size); the result (T, B, D·size).
// PyTorch: nn.RNN. NNabla: parametric_functions.rnn.
func RNN(scope *Scope, x *nd.Array, st *State, size int, opts ...RecurrentOptions) *nd.Array {
	const fn nd.Func = "nn.RNN"
	l := recurrentOf(fn, scope, "rnn", x, st, size, nil, nil, options.Read(fn, opts))
	made := l.temporaries(fn)
	defer made.Release()
	y, h := sequence.RNN(layer.InDType(l.x, l.first), l.initialState(fn, made, l.h), l.first, sequence.RNNOptions{
		Weight: l.upper, Bias: l.bias, NumLayers: l.layers, Nonlinearity: l.o.Nonlinearity, Dropout: l.dropout,
		Bidirectional: l.o.Bidirectional, Training: &l.training, Rand: l.rng})
	l.storeState(made, h, nil)
	return made.Keep(y)
}

// LSTM reads a sequence by layers of long short-term memories with size units. With i, f, g and o the gates W·[x, h] +
// b, in this order, c' = σ(f)·c + σ(i)·tanh(g) and h' = σ(o)·tanh(c'). It updates the state, and returns the outputs of
// the last layer at every time. With a nil state it reads a whole sequence, starting from zeros. Its parameters are
// "lstm/weight_l0", "lstm/weight" and "lstm/bias"; see sequence.LSTM. NNabla's lstm is this function in its later
// versions.
//
// Shapes, with L layers in D directions: x (T, B, I); H and C (L, D, B, size); weight_l0 (D, 4, size, I + size), weight
// (L-1, D, 4, size, D·size + size), bias (L, D, 4, size); the result (T, B, D·size).
// PyTorch: nn.LSTM. NNabla: parametric_functions.lstm (in later versions).
func LSTM(scope *Scope, x *nd.Array, st *State, size int, opts ...RecurrentOptions) *nd.Array {
	const fn nd.Func = "nn.LSTM"
	l := recurrentOf(fn, scope, "lstm", x, st, size, []int{4}, []int{4}, options.Read(fn, opts))
	made := l.temporaries(fn)
	defer made.Release()
	y, h, c := sequence.LSTM(layer.InDType(l.x, l.first), l.initialState(fn, made, l.h), l.initialState(fn, made, l.c), l.first, l.options())
	l.storeState(made, h, c)
	return made.Keep(y)
}

// GRU reads a sequence by layers of gated recurrent units with size units. With the gates r = σ(W·[x, h] + b) and z
// likewise, n = tanh(W·x + b + r·(U·h + b')) and h' = (1-z)·n + z·h. It updates the state, and returns the outputs of
// the last layer at every time. With a nil state it reads a whole sequence, starting from zeros. Its parameters are
// "gru/weight_l0", "gru/weight" and "gru/bias"; see sequence.GRU.
//
// Shapes, with L layers in D directions: x (T, B, I); H (L, D, B, size); weight_l0 (D, 3, size, I + size), weight (L-1,
// D, 3, size, D·size + size), bias (L, D, 4, size); the result (T, B, D·size).
// PyTorch: nn.GRU. NNabla: parametric_functions.gru.
func GRU(scope *Scope, x *nd.Array, st *State, size int, opts ...RecurrentOptions) *nd.Array {
	const fn nd.Func = "nn.GRU"
	l := recurrentOf(fn, scope, "gru", x, st, size, []int{3}, []int{4}, options.Read(fn, opts))
	made := l.temporaries(fn)
	defer made.Release()
	y, h := sequence.GRU(layer.InDType(l.x, l.first), l.initialState(fn, made, l.h), l.first, l.options())
	l.storeState(made, h, nil)
	return made.Keep(y)
}

// recurrent is a call of recurrent layers.
type recurrent struct {
	o                  RecurrentOptions
	scope              *Scope
	st                 *State    // nil if the caller passes none
	x, h, c            *nd.Array // h and c are nil for zeros
	shape              []int     // of the state
	first, upper, bias *nd.Array // weights of the first layer, weights of the other layers, and biases; nil if absent
	layers             int
	dropout            float64
	training           bool
	rng                *nd.Rand
}

// recurrentOf checks a call and creates the parameters in the sub-scope of the given name. gates and biases are the
// gate axes of weights and biases.
func recurrentOf(fn nd.Func, scope *Scope, name string, x *nd.Array, st *State, size int,
	gates, biases []int, o RecurrentOptions) *recurrent {
	scope.wantReal(fn, x)
	l := &recurrent{o: o, scope: scope.Sub(name), st: st, x: x, layers: max(o.Layers, 1), training: scope.Training()}
	if x.Rank() != 3 || x.Dim(0) < 1 || x.Dim(2) < 1 || size < 1 || o.Layers < 0 || !(o.Dropout >= 0 && o.Dropout <= 1) {
		panic(fn.Errorf([]*nd.Array{x}, "%d units, %d layers, dropout %v: want x of shape (times, batch, inputs), at least one time, "+
			"input, unit and layer, and a probability", size, l.layers, o.Dropout))
	}
	if o.Nonlinearity != "" && (gates != nil || o.Nonlinearity != sequence.Tanh && o.Nonlinearity != sequence.ReLU) {
		panic(fn.Errorf([]*nd.Array{x}, "nonlinearity %q: want tanh or relu, of RNN", o.Nonlinearity))
	}
	directions := 1
	if o.Bidirectional {
		directions = 2
	}
	l.shape = []int{l.layers, directions, x.Dim(1), size}
	if st != nil {
		st.Check(fn, x, l.shape)
		l.h, l.c = st.H, st.C
	}
	if l.layers > 1 { // a single layer has no next layer to drop outputs for
		l.dropout = o.Dropout
	}
	if l.training && l.dropout > 0 {
		l.rng = scope.Rand()
	}

	weights := func(name string, initial initializer.Initializer, inputs int, axes ...int) *nd.Array {
		if initial == nil {
			initial = glorotParts(inputs, size)
		}
		return l.scope.Parameter(name, append(append(axes, gates...), size, inputs+size), initial, true)
	}
	l.first = weights("weight_l0", o.W0Init, x.Dim(2), directions)
	if l.layers > 1 {
		l.upper = weights("weight", o.WInit, directions*size, l.layers-1, directions)
	}
	if layer.IsOn(o.WithBias) {
		l.bias = l.scope.Parameter("bias", append(append([]int{l.layers, directions}, biases...), size), o.BInit, true)
	}
	return l
}

// temporaries owns the intermediate results.
func (l *recurrent) temporaries(fn nd.Func) *nd.Temporaries {
	return fn.Temporaries(&l.x, &l.h, &l.c, &l.first, &l.upper, &l.bias)
}

// initialState returns the state before the sequence, in the parameters' dtype.
func (l *recurrent) initialState(fn nd.Func, made *nd.Temporaries, x *nd.Array) *nd.Array {
	return layer.OrZeros(fn, made, x, l.first, l.shape...)
}

// storeState stores the state after the sequence if the caller passed one; c is nil in layers without a memory.
func (l *recurrent) storeState(made *nd.Temporaries, h, c *nd.Array) {
	if l.st == nil {
		return
	}
	if l.st.H = made.Keep(h); c != nil {
		l.st.C = made.Keep(c)
	}
}

func (l *recurrent) options() sequence.LayerOptions {
	return sequence.LayerOptions{Weight: l.upper, Bias: l.bias, NumLayers: l.layers, Dropout: l.dropout,
		Bidirectional: l.o.Bidirectional, Training: &l.training, Rand: l.rng}
}

// glorotParts draws weights for inputs and state side by side, each part within its own limits.
func glorotParts(inputs, size int) initializer.Initializer {
	return func(rng *nd.Rand, shape []int, like nd.ArrayOptions) *nd.Array {
		part := func(n int) *nd.Array {
			of := append([]int{}, shape...)
			of[len(of)-1] = n
			return initializer.UniformGlorot(n, size)(rng, of, like)
		}
		return ops.Concatenate([]*nd.Array{part(inputs), part(size)}, ops.Over(-1))
	}
}
