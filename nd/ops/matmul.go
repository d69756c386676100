package ops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// MatMul returns the matrix product: the last two axes of both operands are matrices, the axes before broadcast. A vector
// as a is a row, as b a column, and its axis is left out of the result. numpy.matmul, nnabla batch_matmul, chainer matmul.
//
// Shapes: (…, m, k) and (…, k, n) give (…, m, n).
func MatMul(a, b *nd.Array) *nd.Array {
	const fn = "ops.MatMul"
	nd.Check(fn, a, b)
	if a.Rank() == 0 || b.Rank() == 0 {
		panic(nd.Errorf(fn, []*nd.Array{a, b}, "want operands of at least one axis"))
	}
	left, right := a, b
	if a.Rank() == 1 {
		left = a.ExpandDims(0)
	}
	if b.Rank() == 1 {
		right = b.ExpandDims(1)
	}
	if left.Dim(-1) != right.Dim(-2) {
		panic(nd.Errorf(fn, []*nd.Array{a, b}, "the last axis of a has length %d, that of b before the last %d: want the same",
			left.Dim(-1), right.Dim(-2)))
	}
	y := matMul(fn, left, right)
	switch {
	case a.Rank() == 1 && b.Rank() == 1:
		return instead(y, y.Reshape())
	case a.Rank() == 1:
		return instead(y, y.Squeeze(-2))
	case b.Rank() == 1:
		return instead(y, y.Squeeze(-1))
	}
	return y
}

// matMul is MatMul for operands of at least two axes that fit.
func matMul(fn string, a, b *nd.Array) *nd.Array {
	sa, sb := a.Shape(), b.Shape()
	m, k, n := sa[len(sa)-2], sa[len(sa)-1], sb[len(sb)-1]
	batch, err := broadcast.Shapes(sa[:len(sa)-2], sb[:len(sb)-2])
	if err != nil {
		panic(nd.Errorf(fn, []*nd.Array{a, b}, "%v", err))
	}
	y := nd.NewLike(fn, commonType([]*nd.Array{a, b}), append(batch[:len(batch):len(batch)], m, n), a, b)
	l := nd.NewLaunch(fn, y.Device(), append(batch[:len(batch):len(batch)], m, n, k))
	l.WriteStrides(y, matrixStrides(y, batch, 0, 1, -1))
	l.ReadStrides(a, matrixStrides(a, batch, 0, -1, 1))
	l.ReadStrides(b, matrixStrides(b, batch, -1, 1, 0))
	l.Run(device.Device.MatMul)
	nd.Record2(matMulOp{fn}, a, b, y)
	return y
}

// matrixStrides gives x's strides along the loop (batch..., m, n, k): each of m, n and k is row 0 or column 1 of the
// matrices, or -1 for neither.
func matrixStrides(x *nd.Array, batch []int, m, n, k int) []int {
	shape, strides := x.Shape(), x.Strides()
	outer := len(shape) - 2
	all, err := broadcast.BroadcastStrides(nil, shape[:outer], strides[:outer], batch)
	if err != nil {
		panic(err) // the batch shape is the operands' broadcast shape
	}
	for _, which := range []int{m, n, k} {
		step := 0
		if which >= 0 {
			step = strides[outer+which]
		}
		all = append(all, step)
	}
	return all
}

type matMulOp struct{ fn string }

func (op matMulOp) Name() string { return op.fn }

func (op matMulOp) VJP(c *nd.Call) {
	if c.Needs(0) {
		c.SetGx(0, nd.SumTo(matMul(op.fn, c.Gy(0), adjoint(c.In(1))), c.Shape(0)))
	}
	if c.Needs(1) {
		c.SetGx(1, nd.SumTo(matMul(op.fn, adjoint(c.In(0)), c.Gy(0)), c.Shape(1)))
	}
}

// adjoint is the conjugate transpose of matrices.
func adjoint(x *nd.Array) *nd.Array { return Conj(x.SwapAxes(-1, -2)) }
