package nn

import (
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// LSTMCellOptions are the options of [LSTMCell].
type LSTMCellOptions struct {
	// WInit makes the initial weights; nil means initializer.UniformGlorot(inputs + size, 4·size).
	WInit initializer.Initializer
	// BInit makes the initial bias; nil means zeros.
	BInit initializer.Initializer
}

// LSTMCell computes one step of a long short-term memory with size units, with the parameters "lstm/affine/W" and
// "lstm/affine/b" of the scope. It updates the state, and returns the output, which is the state's H. With i, o, f and
// g the four columns of [x, h]·W + b, in this order,
//
//	c' = σ(f)·c + σ(i)·tanh(g),   h' = σ(o)·tanh(c')
//
// (Hochreiter and Schmidhuber 1997; Gers et al. 2000.) [LSTM] reads a whole sequence, faster. LSTMCell is lstm_cell in
// later versions of NNabla.
//
// Shapes: x (B, D); H and C (B, size), nil for zeros; W (D + size, 4, size), b (4, size); the result (B, size).
// PyTorch: nn.LSTMCell. NNabla: parametric_functions.lstm, parametric_functions.LSTMCell.
func LSTMCell(scope *Scope, x *nd.Array, st *State, size int, opts ...LSTMCellOptions) *nd.Array {
	const fn nd.Func = "nn.LSTMCell"
	o := options.Read(fn, opts)
	scope.wantReal(fn, x)
	if x.Rank() != 2 || size < 0 {
		panic(fn.Errorf([]*nd.Array{x}, "%d units: want inputs of shape (B, inputs)", size))
	}
	shape := []int{x.Dim(0), size}
	st.Check(fn, x, shape)
	inputs := x.Dim(1) + size
	if o.WInit == nil {
		o.WInit = initializer.UniformGlorot(inputs, 4*size)
	}
	s := scope.Sub("lstm/affine")
	w := s.Parameter("W", []int{inputs, 4, size}, o.WInit, true)
	b := s.Parameter("b", []int{4, size}, o.BInit, true)
	h, c := st.H, st.C
	made := fn.Temporaries(&x, &h, &c, &w, &b)
	defer made.Release()
	h, c = layer.OrZeros(fn, made, h, w, shape...), layer.OrZeros(fn, made, c, w, shape...)
	joined := ops.Concatenate([]*nd.Array{layer.InDType(x, w), h}, ops.Over(1))
	c, h = sequence.LSTMBlocks(c, ops.Affine(joined, w, ops.AffineOptions{Bias: b}), "iofg")
	st.C, st.H = made.Keep(c), made.Keep(h)
	return st.H
}
