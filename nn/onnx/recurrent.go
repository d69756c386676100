package onnx

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sequence"
	"github.com/ndgrad/ndgrad/nn/model"
)

// recurrents are the recurrent layers.
func recurrents() map[string]operator {
	return map[string]operator{"RNN": recurrentOf(1, "Tanh"), "GRU": recurrentOf(3, "Sigmoid", "Tanh"), "LSTM": recurrentOf(4, "Sigmoid", "Tanh", "Tanh")}
}

// recurrent are the attributes of a recurrent layer.
type recurrent struct {
	typ         string
	gates       int
	size        int
	directions  int
	backward    bool // the only direction is from the end
	batchFirst  bool
	clip        float64
	linear      bool // the reset gate of a GRU comes after the product
	coupled     bool // the input gate of an LSTM is 1 - the forget gate
	activations [][]activation
	cell        *ops.Kernel // of an LSTM in its usual form
}

// activation is a function of the units.
type activation func(x *nd.Array) *nd.Array

// recurrentOf is a layer whose cell has so many rows of gates, and these activations.
func recurrentOf(gates int, defaults ...string) operator {
	return func(n *node) run {
		r := recurrent{typ: n.OpType, gates: gates, size: n.int("hidden_size", 0), directions: 1, batchFirst: n.flag("layout"), clip: n.float("clip", 0)}
		switch n.text("direction", "forward", "forward", "reverse", "bidirectional") {
		case "reverse":
			r.backward = true
		case "bidirectional":
			r.directions = 2
		}
		switch r.typ {
		case "GRU":
			r.linear = n.flag("linear_before_reset")
		case "LSTM":
			r.coupled = n.flag("input_forget")
		}
		if n.opset < 7 {
			n.int("output_sequence", 0)
		}
		names := n.texts("activations")
		if names == nil {
			names = slices.Repeat(defaults, r.directions)
		}
		if len(names) != len(defaults)*r.directions {
			n.refuse("%d activations", len(names))
			return nil
		}
		alphas, betas := n.floats("activation_alpha"), n.floats("activation_beta")
		all := make([]activation, len(names))
		for i, name := range names {
			all[i], alphas, betas = n.activation(name, alphas, betas)
		}
		if r.typ == "LSTM" && !r.coupled && r.clip == 0 && n.texts("activations") == nil {
			r.cell = ops.MustKernel("T i, T o, T f, T g, T c", "T h, T m", "m = sigmoid(f) * c + sigmoid(i) * tanh(g); h = sigmoid(o) * tanh(m)",
				ops.KernelOptions{Name: "onnx.LSTM"})
		}
		for d := range r.directions {
			r.activations = append(r.activations, all[d*len(defaults):(d+1)*len(defaults)])
		}
		return r.run
	}
}

// activation returns the function of a name. It takes its parameters from the front of the lists.
func (n *node) activation(name string, alphas, betas []float32) (f activation, restAlphas, restBetas []float32) {
	take := func(list *[]float32, def float64) float64 {
		if len(*list) == 0 {
			return def
		}
		v := (*list)[0]
		*list = (*list)[1:]
		return float64(v)
	}
	switch strings.ToLower(name) {
	case "relu":
		f = func(x *nd.Array) *nd.Array { return ops.ReLU(x) }
	case "tanh":
		f = func(x *nd.Array) *nd.Array { return ops.Tanh(x) }
	case "sigmoid":
		f = func(x *nd.Array) *nd.Array { return ops.Sigmoid(x) }
	case "softsign":
		f = func(x *nd.Array) *nd.Array { return ops.Softsign(x) }
	case "softplus":
		f = func(x *nd.Array) *nd.Array { return ops.Softplus(x) }
	case "affine":
		a, b := take(&alphas, 1), take(&betas, 0)
		f = func(x *nd.Array) *nd.Array { return ops.Add(ops.Multiply(x, a), b) }
	case "leakyrelu":
		a := take(&alphas, 0.01)
		f = func(x *nd.Array) *nd.Array { return ops.Where(ops.Less(x, 0), ops.Multiply(x, a), x) }
	case "thresholdedrelu":
		a := take(&alphas, 1)
		f = func(x *nd.Array) *nd.Array { return ops.Where(ops.Greater(x, a), x, nd.Scalar(0)).AsType(x.DType()) }
	case "scaledtanh":
		a, b := take(&alphas, 1), take(&betas, 1)
		f = func(x *nd.Array) *nd.Array { return ops.Multiply(ops.Tanh(ops.Multiply(x, b)), a) }
	case "hardsigmoid":
		a, b := take(&alphas, 0.2), take(&betas, 0.5)
		f = func(x *nd.Array) *nd.Array { return ops.Clip(ops.Add(ops.Multiply(x, a), b), 0, 1) }
	case "elu":
		a := take(&alphas, 1)
		f = func(x *nd.Array) *nd.Array { return ops.ELU(x, ops.ELUOptions{Alpha: &a}) }
	default:
		n.refuse("activation %q", name)
	}
	return f, alphas, betas
}

// run computes all time steps in the directions of the layer.
func (r recurrent) run(c *call) []model.Value {
	x := c.x(0)
	if r.batchFirst {
		x = x.SwapAxes(0, 1)
	}
	weights, recurrent := c.x(1), c.x(2)
	if x.Rank() != 3 || weights.Rank() != 3 || recurrent.Rank() != 3 || weights.Dim(0) != r.directions {
		c.refuse("want an input (T, B, I) and weights (%d, %d·H, I)", r.directions, r.gates)
	}
	size := recurrent.Dim(2)
	if r.size != 0 && r.size != size {
		c.refuse("hidden_size is %d, and the weights have %d", r.size, size)
	}
	var lengths *nd.Array
	if c.given(4) {
		lengths = c.x(4).AsType(dtype.Int64)
	}
	var ys, hs, cs []*nd.Array
	for d := range r.directions {
		s := steps{recurrent: r, w: weights.Index(nd.At(d)), r: recurrent.Index(nd.At(d)), f: r.activations[d], lengths: lengths}
		if b := c.optional(3); b != nil {
			s.inputBias, s.stateBias = b.Index(nd.At(d), nd.Until(r.gates*size)), b.Index(nd.At(d), nd.From(r.gates*size))
		}
		s.h = c.state(5, d, r.batchFirst, x, size)
		if r.typ == "LSTM" {
			s.c = c.state(6, d, r.batchFirst, x, size)
			if p := c.optional(7); p != nil {
				s.cell = nil
				s.peepholes = ops.Unstack(p.Index(nd.At(d)).Reshape(3, size))
			}
		}
		input := x
		backward := r.backward || d == 1
		if backward {
			input = reversed(input, lengths)
		}
		y := s.all(input)
		if backward {
			y = reversed(y, lengths)
		}
		ys, hs = append(ys, y), append(hs, s.h)
		if s.c != nil {
			cs = append(cs, s.c)
		}
	}
	y, h := stacked(ys, 1), stacked(hs, 0) // (T, D, B, H) and (D, B, H)
	if r.batchFirst {
		y, h = y.Transpose(2, 0, 1, 3), h.SwapAxes(0, 1)
	}
	if cs == nil {
		return some(y, h)
	}
	last := stacked(cs, 0)
	if r.batchFirst {
		last = last.SwapAxes(0, 1)
	}
	return some(y, h, last)
}

// state returns the initial state of a direction, zeros if it is not given.
func (c *call) state(i, d int, batchFirst bool, x *nd.Array, size int) *nd.Array {
	h := c.optional(i)
	switch {
	case h == nil:
		return nd.Zeros([]int{x.Dim(1), size}, x.DType(), x.Device())
	case batchFirst:
		return h.Index(nd.All(), nd.At(d))
	}
	return h.Index(nd.At(d))
}

// reversed reverses the time steps, those of each example within its length.
func reversed(x, lengths *nd.Array) *nd.Array {
	if lengths == nil {
		return x.Flip(0)
	}
	return sequence.Reverse(x, lengths, ops.Over(0))
}

// steps is a direction of a layer while it runs.
type steps struct {
	recurrent
	w, r                 *nd.Array
	inputBias, stateBias *nd.Array
	f                    []activation
	peepholes            []*nd.Array // of the input, output and forget gates
	h, c                 *nd.Array   // the state and the memory
	lengths              *nd.Array
}

// all runs all time steps, and returns their states. Beyond an example's length the outputs are 0, and its state stays.
func (s *steps) all(x *nd.Array) *nd.Array {
	input := ops.MatMul(x, s.w.T())
	if s.inputBias != nil {
		if s.typ != "GRU" { // whose reset gate comes between the biases
			s.inputBias, s.stateBias = ops.Add(s.inputBias, s.stateBias), nil
		}
		input = ops.Add(input, s.inputBias)
	}
	rows := make([]*nd.Array, x.Dim(0))
	turned := s.r.T()
	for t := range rows {
		h, c := s.step(input.Index(nd.At(t)), turned)
		if s.lengths == nil {
			rows[t], s.h, s.c = h, h, c
			continue
		}
		running := ops.Greater(s.lengths, nd.Scalar(t)).ExpandDims(1)
		rows[t] = ops.Where(running, h, nd.ZerosLike(h))
		s.h = ops.Where(running, h, s.h)
		if c != nil {
			s.c = ops.Where(running, c, s.c)
		}
	}
	if len(rows) == 0 {
		return nd.Zeros([]int{0, x.Dim(1), s.h.Dim(1)}, x.DType(), x.Device())
	}
	return stacked(rows, 0)
}

// stacked joins arrays along a new axis; a single one is a view.
func stacked(xs []*nd.Array, axis int) *nd.Array {
	if len(xs) == 1 {
		return xs[0].ExpandDims(axis)
	}
	return ops.Stack(xs, ops.Over(axis))
}

// limited clips what goes into an activation.
func (s *steps) limited(x *nd.Array) *nd.Array {
	if s.clip == 0 {
		return x
	}
	return ops.Clip(x, -s.clip, s.clip)
}

// step computes the next state, and the next memory of an LSTM.
func (s *steps) step(input, turned *nd.Array) (h, c *nd.Array) {
	switch s.typ {
	case "GRU":
		return s.gru(input, turned), nil
	case "LSTM":
		return s.lstm(input, turned)
	}
	return s.f[0](s.limited(s.plus(ops.Add(input, ops.MatMul(s.h, turned)), 0, 1))), nil
}

// plus adds the biases of the state of some gates.
func (s *steps) plus(x *nd.Array, from, to int) *nd.Array {
	if s.stateBias == nil {
		return x
	}
	size := s.h.Dim(1)
	return ops.Add(x, s.stateBias.Index(nd.Span(from*size, to*size)))
}

// gate returns the columns of a gate.
func (s *steps) gate(x *nd.Array, k int) *nd.Array {
	size := s.h.Dim(1)
	return x.Index(nd.All(), nd.Span(k*size, (k+1)*size))
}

// gru has the gates z, r and h in this order.
func (s *steps) gru(input, turned *nd.Array) *nd.Array {
	size := s.h.Dim(1)
	gates := s.plus(ops.Add(input.Index(nd.All(), nd.Until(2*size)), ops.MatMul(s.h, turned.Index(nd.All(), nd.Until(2*size)))), 0, 2)
	gates = s.f[0](s.limited(gates))
	z, r := s.gate(gates, 0), s.gate(gates, 1)
	last := turned.Index(nd.All(), nd.From(2*size))
	var inner *nd.Array
	if s.linear {
		inner = ops.Multiply(r, s.plus(ops.MatMul(s.h, last), 2, 3))
	} else {
		inner = s.plus(ops.MatMul(ops.Multiply(r, s.h), last), 2, 3)
	}
	candidate := s.f[1](s.limited(ops.Add(s.gate(input, 2), inner)))
	return ops.Add(ops.Multiply(ops.Subtract(1, z), candidate), ops.Multiply(z, s.h))
}

// lstm has the gates i, o, f and c in this order.
func (s *steps) lstm(input, turned *nd.Array) (h, c *nd.Array) {
	gates := s.plus(ops.Add(input, ops.MatMul(s.h, turned)), 0, 4)
	if s.cell != nil {
		out := s.cell.CallMany(s.gate(gates, 0), s.gate(gates, 1), s.gate(gates, 2), s.gate(gates, 3), s.c)
		return out[0], out[1]
	}
	peep := func(x *nd.Array, k int, memory *nd.Array) *nd.Array {
		if s.peepholes == nil {
			return x
		}
		return ops.Add(x, ops.Multiply(s.peepholes[k], memory))
	}
	i := s.f[0](s.limited(peep(s.gate(gates, 0), 0, s.c)))
	f := s.f[0](s.limited(peep(s.gate(gates, 2), 2, s.c)))
	if s.coupled {
		f = ops.Subtract(1, i)
	}
	candidate := s.f[1](s.limited(s.gate(gates, 3)))
	c = ops.Add(ops.Multiply(f, s.c), ops.Multiply(i, candidate))
	o := s.f[0](s.limited(peep(s.gate(gates, 1), 1, c)))
	return ops.Multiply(o, s.f[2](c)), c
}
