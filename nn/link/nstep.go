package link

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/internal/layer"
)

// NStepLSTM reads sequences of different lengths at once by long short-term memories, in stacked layers; see
// sequence.NStepLSTM for the formula. Layer i has the parameters i/w0 to i/w7 and i/b0 to i/b7: w0 to w3 (OutSize,
// inputs) are for the inputs, w4 to w7 (OutSize, OutSize) for the state, and the biases have OutSize elements. Initial
// weights are initializer.LeCunNormal(1), initial biases zeros.
// Chainer: links.NStepLSTM.
type NStepLSTM struct {
	NLayers int
	InSize  int // elements per input; 0: from the first sequence
	OutSize int // the number of units
	// Dropout is the probability with which, in training, each output of a layer is 0 for the next layer.
	Dropout float64
}

// Apply returns the last states and memories, with the shape of hx and cx, and the outputs of the last layer for each
// sequence, in the order of xs. The sequences may have any order. In training with dropout Apply draws from
// [nn.Scope.Rand].
//
// Shapes: xs[b] (T_b, inputs) with at least one time each; hx and cx (NLayers, B, OutSize), nil for zeros; ys[b] (T_b,
// OutSize).
func (l NStepLSTM) Apply(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: l, fn: "NStepLSTM.Apply", gates: 4}.apply(s, hx, cx, xs)
}

// NStepBiLSTM is [NStepLSTM] with a second cell in every layer, which reads each sequence from its end to its
// beginning. The parameters of layer i in direction d are below 2·i + d. The states are (2·NLayers, B, OutSize), and
// the outputs, with both directions side by side, (T_b, 2·OutSize).
// Chainer: links.NStepBiLSTM.
type NStepBiLSTM NStepLSTM

// Apply is [NStepLSTM.Apply] in both directions.
func (l NStepBiLSTM) Apply(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepBiLSTM.Apply", gates: 4, bidirectional: true}.apply(s, hx, cx, xs)
}

// NStepGRU is like [NStepLSTM], with gated recurrent units, see sequence.NStepGRU: w0 to w2 are for the inputs, w3 to
// w5 for the state.
// Chainer: links.NStepGRU.
type NStepGRU NStepLSTM

// Apply returns the last states and the outputs like [NStepLSTM.Apply].
func (l NStepGRU) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepGRU.Apply", gates: 3}.applyH(s, hx, xs)
}

// NStepBiGRU is [NStepGRU] in both directions, like [NStepBiLSTM].
// Chainer: links.NStepBiGRU (in later versions).
type NStepBiGRU NStepLSTM

// Apply is [NStepGRU.Apply] in both directions.
func (l NStepBiGRU) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepBiGRU.Apply", gates: 3, bidirectional: true}.applyH(s, hx, xs)
}

// NStepRNNTanh is like [NStepLSTM], with h' = tanh(w0·x + w1·h + b0 + b1).
// Chainer: links.NStepRNNTanh.
type NStepRNNTanh NStepLSTM

// Apply returns the last states and the outputs like [NStepLSTM.Apply].
func (l NStepRNNTanh) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepRNNTanh.Apply", gates: 1, activation: sequence.Tanh}.applyH(s, hx, xs)
}

// NStepBiRNNTanh is [NStepRNNTanh] in both directions, like [NStepBiLSTM].
// Chainer: links.NStepBiRNNTanh.
type NStepBiRNNTanh NStepLSTM

// Apply is [NStepRNNTanh.Apply] in both directions.
func (l NStepBiRNNTanh) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepBiRNNTanh.Apply", gates: 1, activation: sequence.Tanh, bidirectional: true}.applyH(s, hx, xs)
}

// NStepRNNReLU is like [NStepLSTM], with h' = max(0, w0·x + w1·h + b0 + b1).
// Chainer: links.NStepRNNReLU.
type NStepRNNReLU NStepLSTM

// Apply returns the last states and the outputs like [NStepLSTM.Apply].
func (l NStepRNNReLU) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepRNNReLU.Apply", gates: 1, activation: sequence.ReLU}.applyH(s, hx, xs)
}

// NStepBiRNNReLU is [NStepRNNReLU] in both directions, like [NStepBiLSTM].
// Chainer: links.NStepBiRNNReLU.
type NStepBiRNNReLU NStepLSTM

// Apply is [NStepRNNReLU.Apply] in both directions.
func (l NStepBiRNNReLU) Apply(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	return nStep{NStepLSTM: NStepLSTM(l), fn: "NStepBiRNNReLU.Apply", gates: 1, activation: sequence.ReLU, bidirectional: true}.applyH(s, hx, xs)
}

// nStep is a call of one of these links.
type nStep struct {
	NStepLSTM
	fn            nd.Func
	gates         int // 4 of an LSTM, 3 of a GRU, 1 of a simple layer
	activation    sequence.Nonlinearity
	bidirectional bool // in both directions
}

func (n nStep) directions() int {
	if n.bidirectional {
		return 2
	}
	return 1
}

// applyH is apply for links without a memory.
func (n nStep) applyH(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array) {
	hy, _, ys = n.apply(s, hx, nil, xs)
	return hy, ys
}

func (n nStep) apply(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) (hy, cy *nd.Array, ys []*nd.Array) {
	defer s.Span(strings.TrimSuffix(string(n.fn), ".Apply"), append([]*nd.Array{hx, cx}, xs...)...)()
	in := n.check(s, hx, cx, xs)
	training := s.Training() && n.Dropout > 0 && n.NLayers > 1
	var rng *nd.Rand
	if training {
		rng = s.Rand()
	}
	ws, bs := n.parameters(s, in)
	xs = slices.Clone(xs)
	made := n.fn.Temporaries(n.arrays(&hx, &cx, xs, ws, bs)...)
	defer made.Release()

	w, shape := ws[0][0], []int{n.directions() * n.NLayers, len(xs), n.OutSize}
	order := n.longestFirst(xs)
	sorted := make([]*nd.Array, len(xs))
	for rank, b := range order {
		sorted[rank] = layer.InDType(xs[b], w)
	}
	xs = sequence.Transpose(sorted)
	hx = reordered(layer.OrZeros(n.fn, made, hx, w, shape...), order)
	o := sequence.NStepOptions{Bidirectional: n.bidirectional, Dropout: n.Dropout, Train: &training, Rand: rng}
	switch n.gates {
	case 4:
		cx = reordered(layer.OrZeros(n.fn, made, cx, w, shape...), order)
		hy, cy, ys = sequence.NStepLSTM(hx, cx, ws, bs, xs, o)
	case 3:
		hy, ys = sequence.NStepGRU(hx, ws, bs, xs, o)
	default:
		hy, ys = sequence.NStepRNN(hx, ws, bs, xs, sequence.NStepRNNOptions{Activation: n.activation,
			Bidirectional: n.bidirectional, Dropout: n.Dropout, Train: &training, Rand: rng})
	}

	back := make([]int, len(order))
	for rank, b := range order {
		back[b] = rank
	}
	hy = made.Keep(reordered(hy, back))
	if cy != nil {
		cy = made.Keep(reordered(cy, back))
	}
	sorted = sequence.Transpose(ys)
	ys = make([]*nd.Array, len(order))
	for rank, b := range order {
		ys[b] = made.Keep(sorted[rank])
	}
	return hy, cy, ys
}

// check refuses arguments that do not fit, and returns the number of inputs.
func (n nStep) check(s *nn.Scope, hx, cx *nd.Array, xs []*nd.Array) int {
	layer.WantReal(n.fn, s.DType(), xs...)
	if n.NLayers < 1 || n.OutSize < 1 || n.InSize < 0 || !(n.Dropout >= 0 && n.Dropout <= 1) || len(xs) == 0 {
		panic(n.fn.Errorf(xs, "%d layers of %d units, dropout %v, %d sequences: want at least one of each, and a probability",
			n.NLayers, n.OutSize, n.Dropout, len(xs)))
	}
	in := n.InSize
	for b, x := range xs {
		if in == 0 && x.Rank() == 2 {
			in = x.Dim(1)
		}
		if x.Rank() != 2 || x.Dim(0) == 0 || x.Dim(1) != in || in == 0 {
			panic(n.fn.Errorf([]*nd.Array{x}, "sequence %d: want shape (times, %d), with at least one time and one input", b, in))
		}
	}
	n.fn.CheckAllocatable(s.DType(), n.directions(), n.NLayers, n.OutSize, max(len(xs), broadcast.Product(2*n.gates, n.OutSize))) // of the state, and of the weights
	(&nn.State{H: hx, C: cx}).Check(n.fn, xs[0], []int{n.directions() * n.NLayers, len(xs), n.OutSize})
	return in
}

// parameters returns the weights and the biases of each cell.
func (n nStep) parameters(s *nn.Scope, in int) (ws, bs [][]*nd.Array) {
	for cell := range n.directions() * n.NLayers {
		at := s.Sub(strconv.Itoa(cell))
		w, b := make([]*nd.Array, 2*n.gates), make([]*nd.Array, 2*n.gates)
		for k := range w {
			from := n.OutSize
			switch {
			case k >= n.gates:
			case cell < n.directions():
				from = in
			default:
				from = n.directions() * n.OutSize
			}
			w[k] = at.Parameter("w"+strconv.Itoa(k), []int{n.OutSize, from}, initializer.LeCunNormal(1), true)
			b[k] = at.Parameter("b"+strconv.Itoa(k), []int{n.OutSize}, nil, true)
		}
		ws, bs = append(ws, w), append(bs, b)
	}
	return ws, bs
}

// arrays returns pointers to all arrays that a call reads.
func (n nStep) arrays(hx, cx **nd.Array, xs []*nd.Array, ws, bs [][]*nd.Array) []**nd.Array {
	all := []**nd.Array{hx, cx}
	for _, list := range slices.Concat([][]*nd.Array{xs}, ws, bs) {
		for k := range list {
			all = append(all, &list[k])
		}
	}
	return all
}

// longestFirst returns the order of the sequences by decreasing length.
func (n nStep) longestFirst(xs []*nd.Array) []int {
	order := make([]int, len(xs))
	for b := range order {
		order[b] = b
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[b].Dim(0), xs[a].Dim(0)) })
	return order
}

// reordered returns a state (cells, B, units) with its sequences in the given order.
func reordered(x *nd.Array, order []int) *nd.Array {
	if slices.IsSorted(order) {
		return x
	}
	at := nd.FromSliceOn(x.Device(), order)
	defer at.Release()
	return ops.Take(x, at, ops.Over(1))
}
