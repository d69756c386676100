package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// takeRows is the chapter of taking and finding elements, and of sorting.
var takeRows = []Row{
	{Signature: "cupy.take(a, indices, axis=None, out=None)", Func: takeInto},
	{Signature: "cupy.ndarray.take(self, indices, axis=None, out=None)", Func: takeInto},
	{Signature: "numpy.take_along_axis(arr, indices, axis)", Func: ops.TakeAlongAxis},
	{Signature: "cupy.nonzero(a)", Func: ops.Nonzero, NoGrad: true},
	{Signature: "cupy.ndarray.nonzero(self)", Func: ops.Nonzero, NoGrad: true},
	{Signature: "cupy.flatnonzero(a)", Func: ops.FlatNonzero, NoGrad: true},
	{Signature: "cupy.bincount(x, weights=None, minlength=None)", Func: ops.Bincount, NoGrad: true},
	{Signature: "numpy.sort(a, axis=-1)", Func: flatWithoutAxis(ops.Sort)},
	{Signature: "numpy.argsort(a, axis=-1, kind=None)", Func: flatWithoutAxis(ops.ArgSort), Ignores: []string{"kind"}, NoGrad: true},
	{Signature: "numpy.lexsort(keys)", Func: ops.LexSort, NoGrad: true},
	{Signature: "numpy.searchsorted(a, v, side='left', sorter=None)", Func: func(a, v *nd.Array, side string, sorter *nd.Array) *nd.Array {
		requireOneOf("searchsorted", "side", side, "left", "right")
		return ops.SearchSorted(a, v, ops.SearchOptions{Right: side == "right", Sorter: sorter})
	}, NoGrad: true},

	{Signature: "nnabla.functions.sort(x, axis=-1, reverse=False, with_index=False, only_index=False)", Func: func(x *nd.Array, axis int, reverse, with, only bool) []*nd.Array {
		sorted, positions := ops.SortWithIndex(x, ops.SortOptions{Axis: ops.Over(axis), Descending: reverse})
		return chosen(sorted, positions, with, only)
	}},
	{Signature: "nnabla.functions.searchsorted(sorted_sequence, values, right=None)", Func: ops.SearchSorted, NoGrad: true},
	{Signature: "chainer.functions.permutate(x, indices, axis=0, inv=False)", Func: func(x, at *nd.Array, axis int, inv bool) *nd.Array {
		if inv {
			at = ops.ArgSort(at)
		}
		return ops.Take(x, at, ops.Over(axis))
	}},
	{Signature: "chainer.functions.select_item(x, t)", Func: func(x, t *nd.Array) *nd.Array {
		return ops.TakeAlongAxis(x, t.ExpandDims(1), ops.Over(1)).Squeeze(1)
	}},
	{Signature: "mxnet.npx.nonzero(a)", Func: func(x *nd.Array) *nd.Array { return ops.ArgWhere(ops.AtLeast1D(x)) }, NoGrad: true},
	{Signature: "mxnet.npx.topk(data, axis=-1, k=1, ret_typ='indices', is_ascend=False, dtype=float32)", Func: topK},
	{Signature: "mxnet.npx.pick(data, index, axis=-1, keepdims=False, mode='clip')", Func: pick},
}

func takeInto(x *nd.Array, indices any, axis ops.Axes, out *nd.Array) *nd.Array {
	at, ok := indices.(*nd.Array)
	if !ok {
		at = arrayOf(indices, dtype.Unspecified).To(x.Device())
	}
	y := ops.Take(x, at, axis)
	if out == nil {
		return y
	}
	out.Assign(y)
	return out
}

// flatWithoutAxis sorts the flattened array if NumPy's axis is None.
func flatWithoutAxis(f func(*nd.Array, ...ops.SortOption) *nd.Array) func(x *nd.Array, axis ops.Axes) *nd.Array {
	return func(x *nd.Array, axis ops.Axes) *nd.Array {
		if axis == nil {
			x = x.Ravel()
		}
		return f(x, axis)
	}
}

// topK returns the results that ret_typ selects; k below 1 means all.
func topK(x *nd.Array, axis *int, k int, returned string, ascending bool, t dtype.DType) []*nd.Array {
	requireOneOf("topk", "ret_typ", returned, "value", "indices", "mask", "both")
	shape := x.Shape()
	if axis == nil {
		x, axis = x.Ravel(), new(0)
	}
	if k < 1 {
		k = x.Dim(*axis)
	}
	k = min(k, x.Dim(*axis))
	o := ops.TopKOptions{Axis: ops.Over(*axis), Smallest: ascending}
	if returned == "mask" {
		return []*nd.Array{ops.TopKMask(x, k, o).AsType(x.DType()).Reshape(shape...)}
	}
	values, at := ops.TopK(x, k, o)
	switch returned {
	case "value":
		return []*nd.Array{values}
	case "both":
		return []*nd.Array{values, at.AsType(t)}
	}
	return []*nd.Array{at.AsType(t)}
}

// pick takes indices with one axis fewer, also floats.
func pick(x, index *nd.Array, axis *int, keepDims bool, mode string) *nd.Array {
	at := index.AsType(dtype.Int64)
	if axis == nil {
		return ops.Take(x, at, ops.TakeOptions{Mode: ops.IndexMode(mode)})
	}
	requireOneOf("pick", "mode", mode, "clip", "wrap")
	if at.Rank() < x.Rank() {
		at = at.ExpandDims(*axis)
	}
	y := ops.TakeAlongAxis(x, at, ops.Over(*axis), ops.TakeAlongOptions{Mode: ops.IndexMode(mode)})
	if keepDims || x.Rank() == 1 {
		return y
	}
	return y.Squeeze(*axis)
}
