package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// runningRows is the chapter of array functions that torch has, but neither NumPy nor the documents.
var runningRows = []Row{
	{Signature: "torch.cummax(input, dim)", Func: func(x *nd.Array, dim int) []*nd.Array { return both(ops.CumMax(x, ops.Over(dim))) }},
	{Signature: "torch.cummin(input, dim)", Func: func(x *nd.Array, dim int) []*nd.Array { return both(ops.CumMin(x, ops.Over(dim))) }},
	{Signature: "torch.logcumsumexp(input, dim)", Func: func(x *nd.Array, dim int) *nd.Array { return ops.LogCumSumExp(x, ops.Over(dim)) }},
	{Signature: "torch.mode(input, dim=-1)", Func: func(x *nd.Array, dim int) *nd.Array {
		values, indices := ops.Mode(x, ops.Over(dim))
		indices.Release()
		return values
	}},
	{Signature: "torch.scatter_reduce(input, dim, index, src, reduce, include_self=True)", Func: scatterReduce},
	{Signature: "torch.index_reduce(input, dim, index, source, reduce, include_self=True)", Func: scatterReduce},
	{Signature: "torch.cumulative_trapezoid(y, x=None, *, dx=None, dim=-1)", Func: ops.CumulativeTrapezoid, Renames: map[string]string{"dim": "Axis"}},
	{Signature: "torch.diagonal_scatter(input, src, offset=0, dim1=0, dim2=1)", Func: ops.WithDiagonal},
}

func both(a, b *nd.Array) []*nd.Array { return []*nd.Array{a, b} }

// scatterReduce uses torch's names of the extremes.
func scatterReduce(x *nd.Array, dim int, index, src *nd.Array, reduce string, own bool) *nd.Array {
	requireOneOf("scatter_reduce", "reduce", reduce, "sum", "prod", "mean", "amax", "amin")
	if reduce[0] == 'a' {
		reduce = reduce[1:]
	}
	return ops.ReduceAlongAxis(x, index, src, ops.Over(dim), ops.ReduceKind(reduce), ops.ReduceAlongOptions{ExcludeSelf: !own})
}
