package sequence

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// NStepOptions are the options of NStepLSTM and NStepGRU.
type NStepOptions struct {
	// Bidirectional runs a second cell from the end of each sequence to its beginning in every layer: D is 2 instead of
	// 1.
	Bidirectional bool
	// Dropout is the probability with which each output of a layer becomes 0 for the next layer, in training.
	Dropout float64
	// Train enables Dropout; nil means true.
	Train *bool
	// Rand is the stream for Dropout.
	Rand *nd.Rand
}

// NStepRNNOptions are the options of NStepRNN.
type NStepRNNOptions struct {
	// Activation is the function of the units; the default is Tanh.
	Activation Nonlinearity
	// Bidirectional runs a second cell from the end of each sequence to its beginning in every layer: D is 2 instead of
	// 1.
	Bidirectional bool
	// Dropout is the probability with which each output of a layer becomes 0 for the next layer, in training.
	Dropout float64
	// Train enables Dropout; nil means true.
	Train *bool
	// Rand is the stream for Dropout.
	Rand *nd.Rand
}

// NStepRNN returns the last states of simple recurrent layers on sequences of different lengths, and their outputs at
// every time step: h' = tanh(w₀·x + w₁·h + b₀ + b₁). ws[D·i+d] and bs[D·i+d] hold the weights and biases of layer i in
// direction d, with D directions; the outputs of both directions are concatenated.
//
// Shapes: hx (L·D, B, N), w₀ (N, I), or (N, D·N) above the first layer, w₁ (N, N), b (N), xs[t] (B_t, I), the inputs at
// time step t of the unfinished sequences. The longest sequences come first, so that B_t does not grow. The results are
// (L·D, B, N) and (B_t, D·N).
// Chainer: n_step_rnn, n_step_birnn.
func NStepRNN(hx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, opts ...NStepRNNOptions) (hy *nd.Array, ys []*nd.Array) {
	const fn nd.Func = "sequence.NStepRNN"
	o := options.Read(fn, opts)
	n := nStepCall{fn: fn, gates: 1, step: elman(activationOf(fn, o.Activation, []*nd.Array{hx})),
		options: NStepOptions{o.Bidirectional, o.Dropout, o.Train, o.Rand}}
	hy, _, ys = n.run(hx, nil, ws, bs, xs)
	return hy, ys
}

// NStepLSTM returns the last states and memories of long short-term memory layers on sequences of different lengths,
// and their outputs at every time step: i = σ(w₀·x + w₄·h + b₀ + b₄), f likewise with 1 and 5, a = tanh(w₂·x + w₆·h +
// b₂ + b₆), o = σ(w₃·x + w₇·h + b₃ + b₇), c' = f·c + i·a, h' = o·tanh(c'). Shapes and lists are those of NStepRNN, with
// eight weights and biases; cx is like hx. Chainer's documentation swaps o and a.
// Chainer: n_step_lstm, n_step_bilstm.
func NStepLSTM(hx, cx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, opts ...NStepOptions) (hy, cy *nd.Array, ys []*nd.Array) {
	n := nStepCall{fn: "sequence.NStepLSTM", gates: 4, step: lstm(nil)}
	n.options = options.Read(n.fn, opts)
	n.fn.Check(cx)
	return n.run(hx, cx, ws, bs, xs)
}

// NStepGRU returns the last states of layers of gated recurrent units on sequences of different lengths, and their
// outputs at every time step: r = σ(w₀·x + w₃·h + b₀ + b₃), z likewise with 1 and 4, n = tanh(w₂·x + b₂ + r·(w₅·h +
// b₅)), h' = (1-z)·n + z·h. Shapes and lists are those of NStepRNN, with six weights and biases.
// Chainer: n_step_gru, n_step_bigru.
func NStepGRU(hx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array, opts ...NStepOptions) (hy *nd.Array, ys []*nd.Array) {
	n := nStepCall{fn: "sequence.NStepGRU", gates: 3, gru: true, step: gru}
	n.options = options.Read(n.fn, opts)
	hy, _, ys = n.run(hx, nil, ws, bs, xs)
	return hy, ys
}

// nStepCall is one call of a function whose weights are passed one by one.
type nStepCall struct {
	fn      nd.Func
	gates   int
	gru     bool // its last bias is not added to the input's
	step    step
	options NStepOptions
}

func (n *nStepCall) run(hx, cx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
	o := &n.options
	in := []*nd.Array{hx}
	if cx != nil {
		in = append(in, cx)
	}
	all := append(slices.Concat(in, xs), slices.Concat(slices.Concat(ws, bs)...)...)
	n.fn.Check(all...)
	if n.gates == 4 {
		checkNumbers(n.fn, all...)
	}
	directions := 1
	if o.Bidirectional {
		directions = 2
	}
	if hx.Rank() != 3 || hx.Dim(0) == 0 || hx.Dim(0)%directions != 0 || cx != nil && !broadcast.Equal(cx.Shape(), hx.Shape()) {
		panic(n.fn.Errorf(in, "want states of shape (L·D, B, N) with L layers of D = %d directions", directions))
	}
	if len(ws) != hx.Dim(0) || len(bs) != hx.Dim(0) {
		panic(n.fn.Errorf(in, "%d lists of weights and %d of biases: want one for each of the %d cells", len(ws), len(bs), hx.Dim(0)))
	}
	hx, cx, ws, bs, xs, made := n.temporaries(hx, cx, ws, bs, xs)
	defer made.Release()
	s := stack{step: n.step, whole: wholeOf(n.gates), directions: directions, sizes: n.sizes(hx, xs)}
	s.between = dropoutBetween(n.fn, o.Dropout, o.Train, o.Rand, in)
	var first []state
	width := xs[0].Dim(1)
	for k := range ws {
		if k == directions {
			width = directions * hx.Dim(2)
		}
		n.check(ws[k], bs[k], hx.Dim(2), width)
		s.cells = append(s.cells, n.cell(ws[k], bs[k]))
		now := state{h: hx.Index(nd.At(k))}
		if cx != nil {
			now.c = cx.Index(nd.At(k))
		}
		first = append(first, now)
	}
	y, last := s.run(ops.Concatenate(xs), first)
	hy, cy = stacked(last, hx.Shape()...)
	offset := 0
	for _, size := range s.sizes {
		ys = append(ys, made.Keep(rows(y, offset, offset+size)))
		offset += size
	}
	return made.Keep(hy), made.Keep(cy), ys
}

// temporaries makes temporary headers for the arguments of a call: arrays computed from them are released, unless they
// are kept.
func (n *nStepCall) temporaries(hx, cx *nd.Array, ws, bs [][]*nd.Array, xs []*nd.Array) (h, c *nd.Array, w, b [][]*nd.Array, x []*nd.Array, made *nd.Temporaries) {
	given := []**nd.Array{&hx, &cx}
	list := func(xs []*nd.Array) []*nd.Array {
		xs = slices.Clone(xs)
		for i := range xs {
			given = append(given, &xs[i])
		}
		return xs
	}
	w, b, x = slices.Clone(ws), slices.Clone(bs), list(xs)
	for k := range w {
		w[k] = list(w[k])
	}
	for k := range b {
		b[k] = list(b[k])
	}
	made = n.fn.Temporaries(given...)
	return hx, cx, w, b, x, made
}

// sizes returns the number of sequences at every time step.
func (n *nStepCall) sizes(hx *nd.Array, xs []*nd.Array) []int {
	if len(xs) == 0 {
		panic(n.fn.Errorf([]*nd.Array{hx}, "want at least one time step"))
	}
	sizes := make([]int, len(xs))
	for t, x := range xs {
		if x.Rank() != 2 || x.Dim(1) != xs[0].Dim(1) {
			panic(n.fn.Errorf([]*nd.Array{hx, x}, "want inputs of shape (B_t, I) at every time step"))
		}
		sizes[t] = x.Dim(0)
		if t == 0 && sizes[t] != hx.Dim(1) || t > 0 && sizes[t] > sizes[t-1] {
			panic(n.fn.Errorf([]*nd.Array{hx, x}, "%d sequences at time step %d: want those of the state, without the finished ones", sizes[t], t))
		}
	}
	return sizes
}

func (n *nStepCall) check(ws, bs []*nd.Array, units, width int) {
	if len(ws) != 2*n.gates || len(bs) != 2*n.gates {
		panic(n.fn.Errorf(nil, "%d weights and %d biases for a cell: want %d", len(ws), len(bs), 2*n.gates))
	}
	for k := range ws {
		want := []int{units, units}
		if k < n.gates {
			want[1] = width
		}
		if !broadcast.Equal(ws[k].Shape(), want) || !broadcast.Equal(bs[k].Shape(), want[:1]) {
			panic(n.fn.Errorf([]*nd.Array{ws[k], bs[k]}, "want weight %d of shape %s, and as many biases as its rows", k, broadcast.FormatShape(want)))
		}
	}
}

func (n *nStepCall) cell(ws, bs []*nd.Array) cell {
	c := cell{fromInput: ops.Concatenate(ws[:n.gates]), fromState: ops.Concatenate(ws[n.gates:])}
	sums := slices.Clone(bs[:n.gates])
	for k, b := range bs[n.gates:] {
		if n.gru && k == 2 {
			c.candidate = b
			continue
		}
		sums[k] = ops.Add(sums[k], b)
	}
	c.bias = ops.Concatenate(sums)
	return c
}
