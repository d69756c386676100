package sequence

import (
	"slices"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// cell holds the weights of one layer in one direction, independent of their original layout. The rows of its G gates
// follow each other: i, f, g, o for an LSTM; r, z, n for a GRU.
type cell struct {
	fromInput *nd.Array // (G·H, features)
	fromState *nd.Array // (G·H, state)
	bias      *nd.Array // (G·H), or nil
	candidate *nd.Array // for a GRU: the bias (H) that the reset gate multiplies too, or nil
	project   *nd.Array // for an LSTM: the projection (P, H) of its output, or nil
}

// forSteps returns w with fromState and project in the layout in which the steps multiply by them: transposed once, in
// memory too. So no step has to reorder them, and the gradients of all steps accumulate in the order of computation.
func (w cell) forSteps() cell {
	w.fromState = w.fromState.T().Contiguous()
	if w.project != nil {
		w.project = w.project.T().Contiguous()
	}
	return w
}

// state is passed on by a cell from one time step to the next, with one row per sequence. c is nil except for an LSTM.
type state struct{ h, c *nd.Array }

func (s state) rows(from, to int) state {
	s.h = rows(s.h, from, to)
	if s.c != nil {
		s.c = rows(s.c, from, to)
	}
	return s
}

// above stacks the rows of s on those of t.
func (s state) above(t state) state {
	s.h = ops.Concatenate([]*nd.Array{s.h, t.h})
	if s.c != nil {
		s.c = ops.Concatenate([]*nd.Array{s.c, t.c})
	}
	return s
}

// orElse takes the rows of s at which alive, a column, is true, and the other rows of old.
func (s state) orElse(alive *nd.Array, old state) state {
	s.h = ops.Where(alive, s.h, old.h)
	if s.c != nil {
		s.c = ops.Where(alive, s.c, old.c)
	}
	return s
}

// rows returns x[from:to].
func rows(x *nd.Array, from, to int) *nd.Array {
	if from == 0 && to == x.Dim(0) {
		return x
	}
	return x.Index(nd.Span(from, to))
}

// step computes the next state. input is the product of the input and its weights, and w is a result of forSteps.
type step func(w cell, input *nd.Array, s state) state

// stack is a network of recurrent layers on a packed batch: the rows of all sequences that are alive at the first time
// step, then those at the second, and so on. Sequences are ordered by their lengths, the longest first.
type stack struct {
	step       step
	cells      []cell // the directions of a layer follow each other
	directions int
	sizes      []int       // the number of sequences alive at each time step
	alive      []*nd.Array // if all sizes are equal: which sequences are alive at each time step, as columns; nil means all
	whole      nd.Func     // sequence.LSTM if the step is lstm(nil), sequence.GRU if it is gru; else empty

	between func(x *nd.Array) *nd.Array // transforms the input of every layer but the first; nil means no change
}

// run returns the outputs of the last layer, packed, and the last state of every cell.
func (s *stack) run(x *nd.Array, first []state) (y *nd.Array, last []state) {
	last = make([]state, len(first))
	for k := 0; k < len(s.cells); k += s.directions {
		if k > 0 && s.between != nil {
			x = s.between(x)
		}
		ys := make([]*nd.Array, s.directions)
		for d := range ys {
			ys[d], last[k+d] = s.layer(s.cells[k+d], x, first[k+d], d == 1)
		}
		x = ys[0]
		if s.directions == 2 {
			x = ops.Concatenate(ys, ops.Over(1))
		}
	}
	return x, last
}

// layer runs one cell over the time steps, backward from each sequence's end if reverse is set.
func (s *stack) layer(w cell, x *nd.Array, first state, reverse bool) (y *nd.Array, last state) {
	inputs := ops.Affine(x, w.fromInput.T(), ops.AffineOptions{Bias: w.bias})
	if s.whole != "" && s.alive == nil && w.project == nil && s.sizes[len(s.sizes)-1] == s.sizes[0] {
		if y, last, ok := s.wholeLayer(w, inputs, first, reverse); ok {
			inputs.Release()
			return y, last
		}
	}
	w = w.forSteps()
	ys := make([]*nd.Array, len(s.sizes))
	advance := func(t, offset int, now state) state {
		next := s.step(w, rows(inputs, offset, offset+s.sizes[t]), now)
		ys[t] = next.h
		if s.alive != nil {
			next = next.orElse(s.alive[t], now)
			ys[t] = ops.Where(s.alive[t], next.h, 0)
		}
		return next
	}
	if reverse {
		last = s.backward(first, x.Dim(0), advance)
	} else {
		last = s.forward(first, advance)
	}
	inputs.Release()
	return ops.Concatenate(ys), last
}

// wholeLayer computes a layer as one operation; ok is false if there is none for these arguments.
func (s *stack) wholeLayer(w cell, inputs *nd.Array, first state, reverse bool) (y *nd.Array, last state, ok bool) {
	op := wholeLayer{fn: s.whole, times: len(s.sizes), batch: s.sizes[0], units: first.h.Dim(1), gates: 4, reverse: reverse}
	in := []*nd.Array{inputs, w.fromState, first.h}
	if s.whole == lstmName {
		if in = append(in, first.c); !op.suits(in) {
			return nil, state{}, false
		}
		y, last = lstmLayer{op}.run(in)
		return y, last, true
	}
	op.gates = 3
	if w.candidate != nil {
		in = append(in, w.candidate)
	}
	if !op.suits(in) {
		return nil, state{}, false
	}
	y, last = gruLayer{op}.run(in)
	return y, last, true
}

// forward sets the states of sequences aside when they end.
func (s *stack) forward(now state, advance func(t, offset int, now state) state) state {
	var ended []state
	offset := 0
	for t, n := range s.sizes {
		if alive := now.h.Dim(0); n < alive {
			ended = append(ended, now.rows(n, alive))
			now = now.rows(0, n)
		}
		now = advance(t, offset, now)
		offset += n
	}
	for _, e := range slices.Backward(ended) {
		now = now.above(e)
	}
	return now
}

// backward runs backward from the end at row offset. It adds the first state of each sequence at the sequence's end.
func (s *stack) backward(first state, offset int, advance func(t, offset int, now state) state) state {
	now := first.rows(0, s.sizes[len(s.sizes)-1])
	for t, n := range slices.Backward(s.sizes) {
		if begun := now.h.Dim(0); n > begun {
			now = now.above(first.rows(begun, n))
		}
		offset -= n
		now = advance(t, offset, now)
	}
	return now
}

// column returns gate k of g, whose columns hold the given number of gates.
func column(g *nd.Array, k, gates int) *nd.Array {
	n := g.Dim(1) / gates
	return g.Index(nd.All(), nd.Span(k*n, (k+1)*n))
}

// elman is a step of a simple recurrent network.
func elman(activation func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array) step {
	return func(w cell, input *nd.Array, s state) state {
		product := ops.MatMul(s.h, w.fromState)
		sum := ops.Add(input, product)
		h := activation(sum)
		product.Release()
		sum.Release()
		return state{h: h}
	}
}

// gates computes the next memory and output of an LSTM from its memory and its gates.
var gates = sync.OnceValue(func() *ops.Kernel {
	return ops.MustKernel("T input, T forget, T new, T output, T c", "T next, T h",
		"next = sigmoid(forget)*c + sigmoid(input)*tanh(new); h = sigmoid(output)*tanh(next)", ops.KernelOptions{Name: "sequence.LSTM"})
})

// lstm returns the step of an LSTM; clip transforms its memory, or is nil.
func lstm(clip func(c *nd.Array) *nd.Array) step {
	return func(w cell, input *nd.Array, s state) state {
		product := ops.MatMul(s.h, w.fromState)
		g := ops.Add(input, product)
		product.Release() // the tape keeps what it needs
		columns := []*nd.Array{column(g, 0, 4), column(g, 1, 4), column(g, 2, 4), column(g, 3, 4), s.c}
		made := gates().CallMany(columns...)
		c, h := made[0], made[1]
		if clip != nil {
			c = clip(made[0])
			open, size := ops.Sigmoid(columns[3]), ops.Tanh(c)
			h = ops.Multiply(open, size)
			for _, x := range append(made, open, size) {
				x.Release()
			}
		}
		for _, x := range append(columns[:4], g) {
			x.Release()
		}
		if w.project != nil {
			h = ops.MatMul(h, w.project)
		}
		return state{h, c}
	}
}

// gru is a step of a GRU whose reset gate multiplies the product of the state and its weights.
func gru(w cell, input *nd.Array, s state) state {
	made := nd.Func("sequence.GRU").Temporaries(&input, &s.h)
	defer made.Release()
	g := ops.MatMul(s.h, w.fromState)
	r := ops.Sigmoid(ops.Add(column(input, 0, 3), column(g, 0, 3)))
	z := ops.Sigmoid(ops.Add(column(input, 1, 3), column(g, 1, 3)))
	inner := column(g, 2, 3)
	if w.candidate != nil {
		inner = ops.Add(inner, w.candidate)
	}
	n := ops.Tanh(ops.Add(column(input, 2, 3), ops.Multiply(r, inner)))
	return state{h: made.Keep(ops.Add(n, ops.Multiply(z, ops.Subtract(s.h, n))))}
}

// activationOf returns the nonlinearity of a simple recurrent network by its name; the empty name is tanh.
func activationOf(fn nd.Func, name Nonlinearity, in []*nd.Array) func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array {
	switch name {
	case "", Tanh:
		return ops.Tanh
	case ReLU:
		return ops.ReLU
	}
	panic(fn.Errorf(in, "nonlinearity %q: want tanh or relu", name))
}

// dropoutBetween returns the dropout between layers, or nil without dropout.
func dropoutBetween(fn nd.Func, p float64, training *bool, rng *nd.Rand, in []*nd.Array) func(x *nd.Array) *nd.Array {
	if !(p >= 0 && p <= 1) {
		panic(fn.Errorf(in, "dropout %v: want a probability from 0 to 1", p))
	}
	if p == 0 || training != nil && !*training {
		return nil
	}
	if rng == nil {
		panic(fn.Errorf(in, "dropout %v in training needs random numbers: want a Rand", p))
	}
	return func(x *nd.Array) *nd.Array { return ops.Dropout(x, p, rng) }
}
