package optim

import (
	"context"
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// MeanOver is [Mean] over the goroutines of all ranks of a communicator, in the order of the ranks and of the arguments,
// for a loop without package train, whose Distributed sends gradients while the backward pass continues. All ranks call it
// with the same number of gradients, of the same parameters. n ranks with m gradients get the bits of Mean with n·m.
func MeanOver(ctx context.Context, c *comm.Communicator, gs ...*Gradients) (*Gradients, error) {
	const fn nd.Func = "optim.MeanOver"
	mean := valueless(fn, gs)
	if c.Size() == 1 {
		return Mean(gs...), nil
	}
	parameters := map[dtype.DType][]int{}
	for k, e := range mean.list {
		t := dtype.ComputeType(e.param.Value().DType())
		parameters[t] = append(parameters[t], k)
	}
	for t := dtype.DType(0); t < dtype.Count; t++ { // in the same order on all ranks
		if some := parameters[t]; some != nil {
			if err := mean.sumOver(ctx, fn, c, t, some, gs); err != nil {
				return nil, err
			}
		}
	}
	mean.Scale(1 / float64(c.Size()*len(gs)))
	return mean, nil
}

// sumOver computes the sums of the gradients of some parameters, whose programs compute in dtype t. Each argument is a
// row: a number for each parameter, 1 if it has a gradient and else -0, and then the gradients, or -0, which changes no sum.
func (g *Gradients) sumOver(ctx context.Context, fn nd.Func, c *comm.Communicator, t dtype.DType, some []int, gs []*Gradients) error {
	size := len(some)
	for _, k := range some {
		size += g.list[k].param.Value().Size()
	}
	rows := make([]*nd.Array, len(gs))
	for i, from := range gs {
		rows[i] = fn.NewFilled(t, []int{size}, math.Copysign(0, -1), g.list[some[0]].param.Value())
		if i > 0 {
			defer rows[i].Release()
		}
		marks := make([]float64, len(some))
		at := len(some)
		for j, k := range some {
			e := from.list[k]
			n := e.param.Value().Size()
			marks[j] = math.Copysign(0, -1)
			if e.value != nil {
				marks[j] = 1
				put(fn, rows[i], at, e, t)
			}
			at += n
		}
		given := nd.FromSlice(marks)
		rows[i].AssignFrom(given, nd.Until(len(some)))
		given.Release()
	}
	if err := c.AllReduceParts(ctx, rows); err != nil {
		return err
	}
	at := len(some)
	marks := nd.ToSlice[complex128](rows[0])[:len(some)]
	for j, k := range some {
		e := g.list[k]
		n := e.param.Value().Size()
		if real(marks[j]) > 0 {
			flat := rows[0].Index(nd.Span(at, at+n))
			e.value = flat.Reshape(e.param.Value().Shape()...)
			flat.Release()
		}
		at += n
	}
	return nil
}

// put copies a gradient, after its steps, to a row.
func put(fn nd.Func, row *nd.Array, at int, e *gradient, t dtype.DType) {
	value := e.value
	if len(e.steps) > 0 {
		value = e.applied(fn, t)
		defer value.Release()
	}
	flat := row.Index(nd.Span(at, at+value.Size()))
	shaped := flat.Reshape(value.Shape()...)
	shaped.Assign(value)
	shaped.Release()
	flat.Release()
}
