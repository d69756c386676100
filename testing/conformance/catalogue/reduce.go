package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// reduceRows is the chapter of reductions, cumulative functions, and indices of extremes.
var reduceRows = []Row{
	{Signature: "cupy.sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.Sum},
	{Signature: "cupy.prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.Prod},
	{Signature: "cupy.mean(a, axis=None, dtype=None, out=None, keepdims=False, where=True)", Func: ops.Mean},
	{Signature: "cupy.var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None, where=True)", Func: ops.Var},
	{Signature: "cupy.std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None, where=True)", Func: ops.Std},
	{Signature: "cupy.amax(a, axis=None, out=None, keepdims=False, dtype=None, initial=None, where=True)", Func: ops.Max},
	{Signature: "cupy.amin(a, axis=None, out=None, keepdims=False, dtype=None, initial=None, where=True)", Func: ops.Min},
	{Signature: "cupy.nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanMax},
	{Signature: "cupy.nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanMin},
	{Signature: "cupy.argmax(a, axis=None, dtype=None, out=None, keepdims=False)", Func: ops.ArgMax, NoGrad: true},
	{Signature: "cupy.argmin(a, axis=None, dtype=None, out=None, keepdims=False)", Func: ops.ArgMin, NoGrad: true},
	{Signature: "cupy.count_nonzero(a, axis=None)", Func: ops.CountNonzero, NoGrad: true},
	{Signature: "cupy.ndarray.sum(self, axis=None, dtype=None, out=None, keepdims=False)", Func: ops.Sum},
	{Signature: "cupy.ndarray.prod(self, axis=None, dtype=None, out=None, keepdims=None)", Func: ops.Prod, Domain: map[string]Interval{"self": {-2.5, 2.5}}},
	{Signature: "cupy.ndarray.mean(self, axis=None, dtype=None, out=None, keepdims=False)", Func: ops.Mean},
	{Signature: "cupy.ndarray.var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None)", Func: ops.Var},
	{Signature: "cupy.ndarray.std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None)", Func: ops.Std},
	{Signature: "cupy.ndarray.max(self, axis=None, out=None, dtype=None, keepdims=False)", Func: ops.Max},
	{Signature: "cupy.ndarray.min(self, axis=None, out=None, dtype=None, keepdims=False)", Func: ops.Min},
	{Signature: "cupy.ndarray.argmax(self, axis=None, out=None, dtype=None, keepdims=False)", Func: ops.ArgMax, NoGrad: true},
	{Signature: "cupy.ndarray.argmin(self, axis=None, out=None, dtype=None, keepdims=False)", Func: ops.ArgMin, NoGrad: true},

	{Signature: "numpy.all(a, axis=None, out=None, keepdims=False, where=True)", Func: ops.All, NoGrad: true},
	{Signature: "numpy.any(a, axis=None, out=None, keepdims=False, where=True)", Func: ops.Any, NoGrad: true},
	{Signature: "numpy.nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanMax},
	{Signature: "numpy.nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=True)", Func: ops.NanMin},
	{Signature: "numpy.ptp(a, axis=None, out=None, keepdims=False)", Func: ops.PTP},
	{Signature: "numpy.average(a, axis=None, weights=None, returned=False, keepdims=False)", Func: func(a *nd.Array, axis ops.Axes, weights *nd.Array, returned, keep bool) []*nd.Array {
		o := ops.AverageOptions{Axis: axis, Weights: weights, KeepDims: keep}
		if !returned {
			return []*nd.Array{ops.Average(a, o)}
		}
		average, weight := ops.AverageAndWeight(a, o)
		return []*nd.Array{average, weight}
	}},
	{Signature: "numpy.cumsum(a, axis=None, dtype=None)", Func: ops.CumSum},
	{Signature: "numpy.cumprod(a, axis=None, dtype=None)", Func: ops.CumProd},

	{Signature: "nnabla.functions.sum(x, axis=None, keepdims=False)", Func: ops.Sum},
	{Signature: "nnabla.functions.mean(x, axis=None, keepdims=False)", Func: ops.Mean},
	{Signature: "nnabla.functions.prod(x, axis=None, keepdims=False)", Func: ops.Prod},
	{Signature: "nnabla.functions.max(x, axis=None, keepdims=False, with_index=False, only_index=False)", Func: withIndex(ops.MaxWithIndex)},
	{Signature: "nnabla.functions.min(x, axis=None, keepdims=False, with_index=False, only_index=False)", Func: withIndex(ops.MinWithIndex)},
	{Signature: "nnabla.functions.reduce_sum(x)", Func: ops.Sum},
	{Signature: "nnabla.functions.reduce_mean(x)", Func: ops.Mean},
	{Signature: "nnabla.functions.cumsum(x, axis=None, exclusive=False, reverse=False)", Func: alongFirst(ops.CumSum)},
	{Signature: "nnabla.functions.cumprod(x, axis=None, exclusive=False, reverse=False)", Func: alongFirst(ops.CumProd)},

	{Signature: "chainer.functions.sum(x, axis=None, keepdims=False)", Func: ops.Sum},
	{Signature: "chainer.functions.mean(x, axis=None, weights=None, keepdims=False)", Func: ops.Average},
	{Signature: "chainer.functions.average(x, axis=None, weights=None, keepdims=False)", Func: ops.Average},
	{Signature: "chainer.functions.max(x, axis=None, keepdims=False)", Func: tiedToAll(ops.Max), Note: tiesNote},
	{Signature: "chainer.functions.min(x, axis=None, keepdims=False)", Func: tiedToAll(ops.Min), Note: tiesNote},
	{Signature: "chainer.functions.argmax(x, axis=None)", Func: ops.ArgMax, NoGrad: true},
	{Signature: "chainer.functions.argmin(x, axis=None)", Func: ops.ArgMin, NoGrad: true},
	{Signature: "chainer.functions.logsumexp(x, axis=None)", Func: ops.LogSumExp},
	{Signature: "chainer.functions.batch_l2_norm_squared(x)", Func: func(x *nd.Array) *nd.Array {
		return ops.Sum(ops.Square(x.Reshape(x.Dim(0), -1)), ops.Over(1))
	}},
}

// tiesNote is the note of Chainer's functions that choose the largest or smallest element.
const tiesNote = "at a tie, the gradient goes to all elements equal to the result"

// tiedToAll gives f the gradient of Chainer at ties.
func tiedToAll(f func(*nd.Array, ...ops.ReduceOption) *nd.Array) func(x *nd.Array, axis []int, keepDims bool) *nd.Array {
	return func(x *nd.Array, axis []int, keepDims bool) *nd.Array {
		return f(x, ops.ReduceOptions{Axes: axis, KeepDims: keepDims, Kink: ops.KinkAll})
	}
}

// withIndex adds NNabla's arguments that select what an extreme function returns.
func withIndex(f func(*nd.Array, ...ops.ExtremeOption) (values, positions *nd.Array)) func(x *nd.Array, axis []int, keepDims, with, only bool) []*nd.Array {
	return func(x *nd.Array, axis []int, keepDims, with, only bool) []*nd.Array {
		values, positions := f(x, ops.ExtremeOptions{Axes: axis, KeepDims: keepDims})
		return chosen(values, positions, with, only)
	}
}

func chosen(values, positions *nd.Array, with, only bool) []*nd.Array {
	switch {
	case only:
		return []*nd.Array{positions}
	case with:
		return []*nd.Array{values, positions}
	}
	return []*nd.Array{values}
}

// alongFirst changes the default axis of a cumulative function to NNabla's, the first.
func alongFirst(f func(*nd.Array, ...ops.ScanOption) *nd.Array) func(x *nd.Array, axis ops.Axes, exclusive, reverse bool) *nd.Array {
	return func(x *nd.Array, axis ops.Axes, exclusive, reverse bool) *nd.Array {
		if axis == nil {
			axis = ops.Over(0)
		}
		return f(x, ops.ScanOptions{Axis: axis, Exclusive: exclusive, Reverse: reverse})
	}
}
