package sequence

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// RecurrentMode is the kind of the layers of Recurrent.
type RecurrentMode string

const (
	RecurrentTanh RecurrentMode = "rnn_tanh" // RNN with Tanh
	RecurrentReLU RecurrentMode = "rnn_relu" // RNN with ReLU
	RecurrentLSTM RecurrentMode = "lstm"     // LSTM
	RecurrentGRU  RecurrentMode = "gru"      // GRU
)

// RecurrentOptions are the options of Recurrent.
type RecurrentOptions struct {
	// SequenceLength holds the lengths (B) of the sequences; nil means that all are as long as the input. Beyond its
	// length a sequence outputs 0, and keeps its state.
	SequenceLength *nd.Array
	// StateCell is the first memory of an LSTM, (L·D, B, H). An LSTM requires it.
	StateCell *nd.Array
	// NumLayers is the number L of layers; 0 means 1.
	NumLayers int
	// Bidirectional runs a second cell from the end of each sequence to its beginning in every layer: D is 2 instead of
	// 1.
	Bidirectional bool
	// P is the probability with which each output of a layer becomes 0 for the next layer, in training.
	P float64
	// Training enables P; nil means true.
	Training *bool
	// Rand is the stream for P.
	Rand *nd.Rand
	// ProjectionSize is the width to which the output of an LSTM is projected. 0 means no projection: the output has
	// the width of the state.
	ProjectionSize int
	// LSTMStateClipMin and LSTMStateClipMax are bounds of an LSTM's memory at every time step; give both or none.
	LSTMStateClipMin, LSTMStateClipMax *float64
	// LSTMStateClipNaN replaces NaNs in the memory by the lower bound.
	LSTMStateClipNaN bool
}

// Recurrent returns the outputs of recurrent layers at every time step, their last states and, for an LSTM, their last
// memories (otherwise nil). mode chooses between RNN, LSTM and GRU, whose formulas it follows;
// every gate has a bias for the input and one for the state. parameters holds, one after the other, the weights of
// every layer and direction: of the input (G·H, I), of the state (G·H, P), and with a projection its weights (P, H);
// then all biases, in the same order: of the input (G·H), of the state (G·H). Gates are in the order i, f, g, o, and r,
// z, n.
//
// Shapes: x (T, B, I), state (L·D, B, P), where P is the projection's width, or H without projection; the results (T,
// B, D·P), (L·D, B, P) and (L·D, B, H).
// MXNet: rnn.
func Recurrent(x, parameters, state *nd.Array, mode RecurrentMode, stateSize int, opts ...RecurrentOptions) (y, hn, cn *nd.Array) {
	const fn nd.Func = "sequence.Recurrent"
	r := recurrent{fn: fn, units: stateSize, o: options.Read(fn, opts)}
	return r.run(x, parameters, state, mode)
}

// recurrent is one call of Recurrent.
type recurrent struct {
	fn           nd.Func
	o            RecurrentOptions
	gates        int
	units, width int // the widths of the inner state and of the output
}

func (r *recurrent) run(x, parameters, h *nd.Array, mode RecurrentMode) (y, hn, cn *nd.Array) {
	o := &r.o
	r.fn.Check(x, parameters, h)
	checkArrays(r.fn, x, o.StateCell, o.SequenceLength)
	in := []*nd.Array{x, parameters, h, o.StateCell}
	made := r.fn.Temporaries(&x, &parameters, &h, &o.StateCell, &o.SequenceLength)
	defer made.Release()
	o.NumLayers = max(o.NumLayers, 1)
	directions := 1
	if o.Bidirectional {
		directions = 2
	}
	s := stack{directions: directions, step: r.stepOf(mode, in)}
	if o.LSTMStateClipMin == nil {
		s.whole = wholeOf(r.gates)
	}
	r.width = r.units
	if o.ProjectionSize > 0 {
		r.width = o.ProjectionSize
	}
	if (mode == RecurrentLSTM) != (o.StateCell != nil) {
		panic(r.fn.Errorf(in, "mode %s: an LSTM needs a StateCell, other modes do not take one", mode))
	}
	if x.Rank() != 3 || x.Dim(0) == 0 || r.units <= 0 {
		panic(r.fn.Errorf(in, "want an input of shape (T, B, I) with at least one time step, and units"))
	}
	batch, cells := x.Dim(1), o.NumLayers*directions
	if !broadcast.Equal(h.Shape(), []int{cells, batch, r.width}) ||
		o.StateCell != nil && !broadcast.Equal(o.StateCell.Shape(), []int{cells, batch, r.units}) {
		panic(r.fn.Errorf(in, "want a state of shape (%d, %d, %d), and an LSTM's memory (%[1]d, %[2]d, %[4]d)", cells, batch, r.width, r.units))
	}
	s.cells = r.cells(parameters, x.Dim(2), directions, in)
	s.sizes = slices.Repeat([]int{batch}, x.Dim(0))
	s.between = dropoutBetween(r.fn, o.P, o.Training, o.Rand, in)
	if o.SequenceLength != nil {
		if !broadcast.Equal(o.SequenceLength.Shape(), []int{batch}) {
			panic(r.fn.Errorf([]*nd.Array{x, o.SequenceLength}, "want a length for each of %d sequences", batch))
		}
		for t := range s.sizes {
			s.alive = append(s.alive, ops.Greater(o.SequenceLength.ExpandDims(1), t))
		}
	}
	first := make([]state, cells)
	for k := range first {
		first[k].h = h.Index(nd.At(k))
		if o.StateCell != nil {
			first[k].c = o.StateCell.Index(nd.At(k))
		}
	}
	y, last := s.run(x.Reshape(-1, x.Dim(2)), first)
	hn, cn = stacked(last, cells, batch, r.width)
	return made.Keep(y.Reshape(x.Dim(0), batch, directions*r.width)), made.Keep(hn), made.Keep(cn)
}

// stepOf reads the mode, and the options that only an LSTM supports.
func (r *recurrent) stepOf(mode RecurrentMode, in []*nd.Array) step {
	o := &r.o
	if (o.LSTMStateClipMin != nil) != (o.LSTMStateClipMax != nil) {
		panic(r.fn.Errorf(in, "want both bounds of the memory, or none"))
	}
	if mode != RecurrentLSTM && (o.ProjectionSize > 0 || o.LSTMStateClipMin != nil) {
		panic(r.fn.Errorf(in, "mode %s: only an LSTM takes a projection and bounds", mode))
	}
	r.gates = 1
	switch mode {
	case RecurrentTanh:
		return elman(ops.Tanh)
	case RecurrentReLU:
		return elman(ops.ReLU)
	case RecurrentGRU:
		r.gates = 3
		return gru
	case RecurrentLSTM:
		r.gates = 4
		if o.LSTMStateClipMin == nil {
			return lstm(nil)
		}
		low, high := nd.Scalar(*o.LSTMStateClipMin), nd.Scalar(*o.LSTMStateClipMax)
		return lstm(func(c *nd.Array) *nd.Array {
			if o.LSTMStateClipNaN {
				above := ops.FMax(c, low)
				defer above.Release()
				return ops.FMin(above, high)
			}
			return ops.Clip(c, low, high)
		})
	}
	panic(r.fn.Errorf(in, "mode %q: want rnn_tanh, rnn_relu, lstm or gru", mode))
}

// cells cuts the parameters into the weights and biases of the cells.
func (r *recurrent) cells(parameters *nd.Array, features, directions int, in []*nd.Array) []cell {
	rows := r.gates * r.units
	cells := make([]cell, r.o.NumLayers*directions)
	widthOf := func(k int) int {
		if k < directions {
			return features
		}
		return directions * r.width
	}
	size := 0
	for k := range cells {
		size += rows * (widthOf(k) + r.width + 2)
		if r.o.ProjectionSize > 0 {
			size += r.width * r.units
		}
	}
	if !broadcast.Equal(parameters.Shape(), []int{size}) {
		panic(r.fn.Errorf(in, "want %d parameters in one axis", size))
	}
	offset := 0
	next := func(shape ...int) *nd.Array {
		from := offset
		offset += broadcast.Size(shape)
		return parameters.Index(nd.Span(from, offset)).Reshape(shape...)
	}
	for k := range cells {
		cells[k].fromInput = next(rows, widthOf(k))
		cells[k].fromState = next(rows, r.width)
		if r.o.ProjectionSize > 0 {
			cells[k].project = next(r.width, r.units)
		}
	}
	for k := range cells {
		ofInput, ofState := next(rows), next(rows)
		if r.gates == 3 {
			cells[k].candidate = ofState.Index(nd.From(2 * r.units))
			zeros := nd.ZerosLike(cells[k].candidate.Detach())
			ofState = ops.Concatenate([]*nd.Array{ofState.Index(nd.Until(2 * r.units)), zeros})
			zeros.Release()
		}
		cells[k].bias = ops.Add(ofInput, ofState)
	}
	return cells
}
