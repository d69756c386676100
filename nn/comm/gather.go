package comm

import (
	"context"

	"github.com/ndgrad/ndgrad/nd"
)

// Gather returns x of every rank, stacked along a new first axis: y[i] is x of rank i. All ranks call it, with arrays of
// the same shape and dtype. The gradient with respect to x is the sum over the ranks of their gradients of y[Rank()], in
// the order of the ranks: it is that of the sum of all ranks' losses. So all ranks also compute gradients, in the same
// order. What the engine or another rank causes is a panic with an *nd.Error, whose cause is the error of AllGather.
func Gather(ctx context.Context, c *Communicator, x *nd.Array) *nd.Array {
	const fn nd.Func = "comm.Gather"
	fn.Check(x)
	if x.IsScalar() {
		panic(fn.Errorf(nil, "a Scalar has no memory to send: want nd.Full"))
	}
	y := fn.NewLike(x.DType(), append([]int{c.Size()}, x.Shape()...), x)
	rows := rowsOf(y)
	err := c.AllGather(ctx, x, rows)
	for _, row := range rows {
		row.Release()
	}
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	fn.Record(gatherOp{ctx, c}, []*nd.Array{x}, y)
	return y
}

// scatter is the transpose of Gather: it returns the sum over ranks of x[Rank()].
func scatter(ctx context.Context, c *Communicator, x *nd.Array) *nd.Array {
	const fn nd.Func = "comm.Gather"
	y := fn.NewLike(x.DType(), x.Shape()[1:], x)
	rows := rowsOf(x)
	err := c.ReduceScatter(ctx, rows, y)
	for _, row := range rows {
		row.Release()
	}
	if err != nil {
		panic(fn.Errorf([]*nd.Array{x}, "%v", err))
	}
	fn.Record(scatterOp{ctx, c}, []*nd.Array{x}, y)
	return y
}

// rowsOf returns unrecorded views of the parts along the first axis.
func rowsOf(x *nd.Array) []*nd.Array {
	plain := x.Detach()
	defer plain.Release()
	rows := make([]*nd.Array, x.Dim(0))
	for i := range rows {
		rows[i] = plain.Index(nd.At(i))
	}
	return rows
}

type gatherOp struct {
	ctx context.Context
	c   *Communicator
}

func (gatherOp) Claims() nd.Claims { return nd.Claims{} }

func (op gatherOp) VJP(c *nd.Call) { c.SetGx(0, scatter(op.ctx, op.c, c.Gy(0))) }

type scatterOp struct {
	ctx context.Context
	c   *Communicator
}

func (scatterOp) Claims() nd.Claims { return nd.Claims{} }

func (op scatterOp) VJP(c *nd.Call) { c.SetGx(0, Gather(op.ctx, op.c, c.Gy(0))) }
