package nn

import (
	"sync"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// LSTMCellOptions are the options of [LSTMCell].
type LSTMCellOptions struct {
	// WInit makes the initial weights; nil means UniformGlorot(inputs + size, 4·size).
	WInit Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit Initializer
}

// LSTMCell makes one step of a long short-term memory of some size, with the parameters "lstm/affine/W" and "lstm/affine/b" of the scope: it
// moves the state on, and returns the output, which is the state's H. With i, o, f and g the four columns [x, h]·W + b, in this order,
//
//	c' = σ(f)·c + σ(i)·tanh(g),   h' = σ(o)·tanh(c')
//
// (Hochreiter and Schmidhuber 1997; Gers et al. 2000.) [LSTM] reads a whole sequence, faster. nnabla.parametric_functions.lstm and
// LSTMCell (lstm_cell in later versions), torch.nn.LSTMCell.
//
// Shapes: x (B, D); H and C (B, size), nil for zeros; W (D + size, 4, size), b (4, size); the result (B, size).
func LSTMCell(scope *Scope, x *nd.Array, st *State, size int, opts ...LSTMCellOptions) *nd.Array {
	const fn nd.Func = "nn.LSTMCell"
	o := options.Read(fn, opts)
	fn.Check(x)
	if x.Rank() != 2 || size < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "%d units: want x of shape (batch, inputs), and at least one unit", size))
	}
	st.check(fn, x, []int{x.Dim(0), size})
	s := scope.Sub("lstm")
	h, c := st.H, st.C
	if h == nil {
		h = zeros(fn, s, x, x.Dim(0), size)
	}
	if c == nil {
		c = zeros(fn, s, x, x.Dim(0), size)
	}
	made := fn.Temporaries(&x, &h, &c)
	defer made.Release()
	joined := ops.Concatenate([]*nd.Array{inDType(x, h), h}, ops.Over(1))
	gates := affine(fn, s.Sub("affine"), joined, 4*size, AffineOptions{OutShape: []int{4, size}, WInit: o.WInit, BInit: o.BInit}, nil)
	next := lstmGates().CallMany(append(ops.Unstack(gates, ops.Over(1)), c)...)
	st.C, st.H = made.Keep(next[0]), made.Keep(next[1])
	return st.H
}

// lstmGates computes the memory and the output of a step from the gates i, o, f and g and the memory before.
var lstmGates = sync.OnceValue(func() *ops.Kernel {
	return ops.MustKernel("T i, T o, T f, T g, T c", "T next, T h", "next = sigmoid(f)*c + sigmoid(i)*tanh(g); h = sigmoid(o)*tanh(next)",
		ops.KernelOptions{Name: "nn.LSTMCell"})
})

// check refuses a state of other shapes than a layer's.
func (st *State) check(fn nd.Func, x *nd.Array, shape []int) {
	if st == nil {
		panic(fn.Errorf([]*nd.Array{x}, "no state: give it a *State, such as new(nn.State)"))
	}
	for _, y := range []*nd.Array{st.H, st.C} {
		if y == nil {
			continue
		}
		if fn.Check(x, y); !broadcast.Equal(y.Shape(), shape) {
			panic(fn.Errorf([]*nd.Array{x, y}, "the state has shape %s, want %s", broadcast.FormatShape(y.Shape()), broadcast.FormatShape(shape)))
		}
	}
}

// zeros are the state before a sequence, in the dtype of the scope's parameters, owned as x is.
func zeros(fn nd.Func, s *Scope, x *nd.Array, shape ...int) *nd.Array {
	y := fn.NewLike(dtypeOf(s), shape, x)
	nd.Fill(y, 0)
	return y
}

// dtypeOf is the dtype of the first parameter below s, or of a new one.
func dtypeOf(s *Scope) dtype.DType {
	for _, p := range s.All() {
		return p.value.DType()
	}
	return s.DType()
}
