package nn

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// State is the state of a recurrent layer between calls. It belongs to a sequence, not to the parameters: two sequences
// that are read with the same parameters need two States. The zero value is the state before a sequence: zeros.
type State struct {
	H *nd.Array // the output; nil for zeros
	C *nd.Array // the memory of an LSTM; nil for zeros, and nil in other layers

	carried [2]*nd.Array // the arrays that Carry kept; they are released when replaced
}

// Reset sets the state back to the start of a sequence.
func (st *State) Reset() {
	st.release()
	st.H, st.C = nil, nil
}

// Carry ends a segment for truncated backpropagation through time: it detaches the state from the tape's record, and
// the state then outlives the tape's Reset, or the arena's Release. owner is the tape or arena under which the state
// was computed.
func (st *State) Carry(owner interface{ Keep(x *nd.Array) *nd.Array }) {
	carry := func(x *nd.Array) *nd.Array {
		if x == nil {
			return nil
		}
		return owner.Keep(x.Detach())
	}
	h, c := carry(st.H), carry(st.C)
	st.release()
	st.H, st.C, st.carried = h, c, [2]*nd.Array{h, c}
}

// release releases the arrays that an earlier Carry kept.
func (st *State) release() {
	for _, x := range st.carried {
		x.Release()
	}
	st.carried = [2]*nd.Array{}
}

// Check refuses, in a layer's name, a nil state, and a state that is not real or does not have the shape that the layer
// needs for the inputs x. It is for authors of recurrent layers.
func (st *State) Check(fn nd.Func, x *nd.Array, shape []int) {
	if st == nil {
		panic(fn.Errorf([]*nd.Array{x}, "no state: give it a *State, such as new(nn.State)"))
	}
	for _, y := range []*nd.Array{st.H, st.C} {
		if y == nil {
			continue
		}
		if fn.Check(x, y); y.DType().IsComplex() || !broadcast.Equal(y.Shape(), shape) {
			panic(fn.Errorf([]*nd.Array{x, y}, "a state of shape %s: want a state of shape %s, of real numbers",
				broadcast.FormatShape(y.Shape()), broadcast.FormatShape(shape)))
		}
	}
}

// Archive saves or restores the state.
func (st *State) Archive(a *archive.Archive) {
	a.NewArray("h", &st.H)
	a.NewArray("c", &st.C)
}
