package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
)

// State is what a recurrent cell hands on to its next call: the memory C and the output H, of which each row belongs to a sequence. It is
// no part of a scope: sequences that share the parameters have a state each. The zero value is the state before a sequence, all
// zeros.
type State struct {
	C, H    *nd.Array
	carried []*nd.Array // what Carry has kept: released when it is replaced
}

// Reset forgets the state, as before a sequence.
func (st *State) Reset() {
	st.release()
	st.C, st.H = nil, nil
}

// Carry ends a piece of a sequence through which gradients flow: it cuts the state off the record, and takes it out of its owner, a tape or
// an arena, so that it outlives the owner's Reset or Release. What it carried before is released.
func (st *State) Carry(owner interface {
	Keep(x *nd.Array) *nd.Array
}) {
	var kept []*nd.Array
	for _, x := range []**nd.Array{&st.C, &st.H} {
		if *x != nil {
			*x = owner.Keep((*x).Detach())
			kept = append(kept, *x)
		}
	}
	st.release()
	st.carried = kept
}

func (st *State) release() {
	for _, x := range st.carried {
		x.Release()
	}
	st.carried = nil
}

// LSTMCellOptions are the options of [LSTMCell].
type LSTMCellOptions struct {
	// WInit makes the initial weights; nil means UniformGlorot(inputs + size, 4·size).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
}

// LSTMCell takes a long short-term memory of size units one time further: it replaces the state, and returns its output, state.H. With the
// parameters "lstm/affine/W" and "lstm/affine/b" of the scope, which it creates on first use, and the gates i, o, f and g, in this order,
// of [x, H]·W + b,
//
//	C' = σ(f)·C + σ(i)·tanh(g), H' = σ(o)·tanh(C').
//
// nnabla.parametric_functions.lstm (lstm_cell since), nnabla.parametric_functions.LSTMCell; torch.nn.LSTMCell has its gates in another
// order. It computes in the parameters' dtype, as [Affine] does. [LSTM] is for whole sequences.
//
// Shapes: x (B, inputs), C and H (B, size), W (inputs+size, 4, size), b (4, size); the result (B, size).
//
// Source: S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, 1997.
func LSTMCell(scope *Scope, x *nd.Array, state *State, size int, opts ...LSTMCellOptions) *nd.Array {
	const fn nd.Func = "nn.LSTMCell"
	o := options.Read(fn, opts)
	fn.Check(x)
	in := []*nd.Array{x, state.C, state.H}
	if x.Rank() != 2 || size < 0 || x.DType().IsComplex() || scope.DType().IsComplex() {
		panic(fn.Errorf(in, "%d units: want real inputs of shape (B, inputs)", size))
	}
	for _, s := range in[1:] {
		if s != nil && !broadcast.Equal(s.Shape(), []int{x.Dim(0), size}) {
			panic(fn.Errorf(in, "want a state of shape (%d, %d)", x.Dim(0), size))
		}
	}
	inputs := x.Dim(1) + size
	if o.WInit == nil {
		o.WInit = UniformGlorot(inputs, 4*size)
	}
	s := scope.Sub("lstm/affine")
	w := s.Parameter("W", []int{inputs, 4, size}, o.WInit, true)
	b := s.Parameter("b", []int{4, size}, o.BInit, true)

	c, h := state.C, state.H
	made := fn.Temporaries(&x, &c, &h, &w, &b)
	defer made.Release()
	first := func(s *nd.Array) *nd.Array {
		if s == nil {
			return made.Own(fn.NewFilled(w.DType(), []int{x.Dim(0), size}, 0, w))
		}
		return inDType(s, w)
	}
	both := ops.Concatenate([]*nd.Array{inDType(x, w), first(h)}, ops.Over(1))
	c, h = sequence.LSTMBlocks(first(c), ops.Affine(both, w, ops.AffineOptions{Bias: b}), "iofg")
	state.C, state.H = made.Keep(c), made.Keep(h)
	return state.H
}
