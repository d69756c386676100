package link

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// LSTM is one step of a long short-term memory. With the gates a, i, f and o of each unit in x·Uᵀ + b + h·Lᵀ,
//
//	c' = tanh(a)·σ(i) + c·σ(f),   h' = tanh(c')·σ(o)
//
// Its parameters are upward/W (4·OutSize, InSize), upward/b (4·OutSize) and lateral/W (4·OutSize, OutSize), whose rows
// are the gates a, i, f and o of the first unit, then those of the second, and so on. [nn.LSTMCell] has the layout of
// other systems.
// Chainer: links.LSTM.
type LSTM struct {
	InSize  int // elements per example, whose axes are flattened; 0: from the first input
	OutSize int // the number of units
	// LateralInit and UpwardInit make the initial weights, in four blocks (OutSize, …) of rows; nil means
	// initializer.LeCunNormal(1).
	LateralInit, UpwardInit initializer.Initializer
	// BiasInit makes the initial biases (OutSize) of a, i and o, ForgetBiasInit those of f; nil means zeros.
	BiasInit, ForgetBiasInit initializer.Initializer
}

// Apply updates the state, and returns the output of x (B, …), shape (B, OutSize). The state may have more rows than x:
// the additional rows belong to sequences that have ended, and do not change. So put the longest sequences first. A nil
// C or H means zeros. Chainer's set_state is &nn.State{C: c, H: h}, its reset_state is [nn.State.Reset].
// Chainer: links.LSTM.__call__.
func (l LSTM) Apply(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array {
	const fn nd.Func = "LSTM.Apply"
	defer s.Span("LSTM", x)()
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	rows := x.Dim(0)
	if st != nil {
		for _, y := range []*nd.Array{st.H, st.C} {
			if y != nil && y.Rank() > 0 {
				rows = max(rows, y.Dim(0))
			}
		}
	}
	st.Check(fn, x, []int{rows, l.OutSize})
	up, across := l.parameters(s, in)
	h, c := st.H, st.C
	made := temporaries(fn, []**nd.Array{&x, &h, &c}, &up, &across)
	defer made.Release()
	gates := up.Of(x)
	if h != nil {
		gates = ops.Add(gates, across.Of(firstRows(h, x.Dim(0))))
	}
	c, y := sequence.LSTMGates(layer.OrZeros(fn, made, c, up.W, rows, l.OutSize), gates)
	next := y
	if rows > x.Dim(0) {
		h = layer.OrZeros(fn, made, h, up.W, rows, l.OutSize)
		next = ops.Concatenate([]*nd.Array{y, h.Index(nd.From(x.Dim(0)))})
	}
	st.C, st.H = made.Keep(c), made.Keep(next)
	return made.Keep(y)
}

// parameters returns the products for examples of the given size.
func (l LSTM) parameters(s *nn.Scope, in int) (up, across layer.Product) {
	up = productOf(s, "upward", in, 4*l.OutSize, inBlocks(4, l.UpwardInit), perUnit(l.BiasInit, l.ForgetBiasInit))
	return up, lateralOf(s, "lateral", l.OutSize, 4*l.OutSize, inBlocks(4, l.LateralInit))
}

// StatelessLSTM is an [LSTM] whose caller keeps the memory and the output.
// Chainer: links.StatelessLSTM.
type StatelessLSTM LSTM

// Apply returns the memory and the output after x (B, …), both (B, OutSize), from the previous ones, c and h, of the
// same shape; nil means zeros.
// Chainer: links.StatelessLSTM.__call__.
func (l StatelessLSTM) Apply(s *nn.Scope, c, h, x *nd.Array) (cNext, hNext *nd.Array) {
	const fn nd.Func = "StatelessLSTM.Apply"
	defer s.Span("StatelessLSTM", c, h, x)()
	in := inputs(fn, s, x, l.InSize, l.OutSize)
	shape := []int{x.Dim(0), l.OutSize}
	(&nn.State{H: h, C: c}).Check(fn, x, shape)
	up, across := LSTM(l).parameters(s, in)
	made := temporaries(fn, []**nd.Array{&c, &h, &x}, &up, &across)
	defer made.Release()
	gates := up.Of(x)
	if h != nil {
		gates = ops.Add(gates, across.Of(h))
	}
	c, h = sequence.LSTMGates(layer.OrZeros(fn, made, c, up.W, shape...), gates)
	return made.Keep(c), made.Keep(h)
}
