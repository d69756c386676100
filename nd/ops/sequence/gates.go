package sequence

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// LSTMGates returns the memory and the output of an LSTM at the next time step. It takes the current memory c, and x,
// the result of the weights on the input and the previous output. Axis 1 of x holds the gates a, i, f and o of the
// first unit, then those of the second, and so on: c' = tanh(a)·σ(i) + c·σ(f), h = tanh(c')·σ(o). If x has fewer rows
// than c, the sequences of the other rows are finished: c' keeps their rows, and h does not have them.
//
// Shapes: c (B', N, …), x (B, 4N, …) with B ≤ B'; the results (B', N, …) and (B, N, …).
// Chainer: lstm.
func LSTMGates(c, x *nd.Array) (cNext, h *nd.Array) {
	const fn nd.Func = "sequence.LSTMGates"
	made := fn.Temporaries(&c, &x)
	defer made.Release()
	g := gatesOf(fn, c, x)
	now := rows(c, 0, x.Dim(0))
	if c.Rank() == 2 && c.DType().IsFloat() && x.DType().IsFloat() {
		cNext, h = LSTMBlocks(now, x.Reshape(x.Dim(0), c.Dim(1), 4).SwapAxes(1, 2), "gifo") // a is the candidate g
	} else {
		cNext = ops.Add(ops.Multiply(ops.Tanh(g[0]), ops.Sigmoid(g[1])), ops.Multiply(now, ops.Sigmoid(g[2])))
		h = ops.Multiply(ops.Tanh(cNext), ops.Sigmoid(g[3]))
	}
	if x.Dim(0) < c.Dim(0) {
		cNext = ops.Concatenate([]*nd.Array{cNext, rows(c, x.Dim(0), c.Dim(0))})
	}
	return made.Keep(cNext), made.Keep(h)
}

// SLSTMGates returns the memory and the output of a node of a binary tree. It takes the memories of the node's children
// and the results of the weights on each, with gates as in LSTMGates: c = Σ (tanh(a)·σ(i) + c·σ(f)) over both children,
// h = tanh(c)·σ(o₁+o₂). The documentation of Chainer's slstm adds up a and i before their functions.
//
// Shapes: c1 and c2 (B, N, …), x1 and x2 (B, 4N, …); the results (B, N, …).
//
// Source: X. Zhu et al., Long Short-Term Memory Over Tree Structures, 2015.
// Chainer: slstm.
func SLSTMGates(c1, c2, x1, x2 *nd.Array) (c, h *nd.Array) {
	const fn nd.Func = "sequence.SLSTMGates"
	fn.Check(c1, c2, x1, x2)
	if !broadcast.Equal(c1.Shape(), c2.Shape()) || !broadcast.Equal(x1.Shape(), x2.Shape()) || c1.Rank() == 0 || x1.Rank() == 0 || x1.Dim(0) != c1.Dim(0) {
		panic(fn.Errorf([]*nd.Array{c1, c2, x1, x2}, "want two memories of one shape, and gates of one shape"))
	}
	made := fn.Temporaries(&c1, &c2, &x1, &x2)
	defer made.Release()
	g1, g2 := gatesOf(fn, c1, x1), gatesOf(fn, c2, x2)
	branch := func(c *nd.Array, g [4]*nd.Array) *nd.Array {
		return ops.Add(ops.Multiply(ops.Tanh(g[0]), ops.Sigmoid(g[1])), ops.Multiply(c, ops.Sigmoid(g[2])))
	}
	c = ops.Add(branch(c1, g1), branch(c2, g2))
	h = ops.Multiply(ops.Tanh(c), ops.Sigmoid(ops.Add(g1[3], g2[3])))
	return made.Keep(c), made.Keep(h)
}

// gatesOf returns views of the four gates of x.
func gatesOf(fn nd.Func, c, x *nd.Array) [4]*nd.Array {
	fn.Check(c, x)
	in := []*nd.Array{c, x}
	if c.Rank() < 2 || x.Rank() != c.Rank() || x.Dim(0) > c.Dim(0) || x.Dim(1) != 4*c.Dim(1) ||
		!broadcast.Equal(x.Shape()[2:], c.Shape()[2:]) {
		panic(fn.Errorf(in, "want a memory of shape (B, N, …) and four gates per unit of shape (B, 4N, …), for no more rows"))
	}
	shape := x.Shape()
	split := x.Reshape(append([]int{shape[0], c.Dim(1), 4}, shape[2:]...)...)
	var gates [4]*nd.Array
	for k := range gates {
		gates[k] = split.Index(nd.All(), nd.All(), nd.At(k))
	}
	return gates
}
