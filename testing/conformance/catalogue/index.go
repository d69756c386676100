package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// indexRows is the chapter of reading and writing parts of arrays.
var indexRows = []Row{
	{Signature: "cupy.ndarray.__getitem__(self, index)", Func: (*nd.Array).Index},
	{Signature: "cupy.ndarray.__setitem__(self, index, value)", Func: func(self *nd.Array, ix []nd.Index, value *nd.Array) {
		self.Assign(value, ix...)
	}, Writes: []string{"self"}},
	{Signature: "cupy.ndarray.scatter_add(self, slices, value)", Func: addAt, Writes: []string{"self"}},
	{Signature: "cupy.scatter_add(a, slices, value)", Func: addAt, Writes: []string{"a"}},
	{Signature: "cupy.ndarray.fill(self, value)", Func: func(self, value *nd.Array) { self.Assign(value) }, Writes: []string{"self"}},
	{Signature: "cupy.ndarray.set(self, arr)", Func: func(self, arr *nd.Array) { self.AssignFrom(arr) }, Writes: []string{"self"}},
	{Signature: "cupy.copyto(dst, src, casting='same_kind', where=None)", Func: ops.CopyTo, Writes: []string{"dst"}},
	{Signature: "cupy.fill_diagonal(a, val, wrap=False)", Func: ops.FillDiagonal, Writes: []string{"a"}},
	{Signature: "chainer.functions.get_item(x, slices)", Func: (*nd.Array).Index},
	{Signature: "chainer.Variable.__getitem__(self, slices)", Func: (*nd.Array).Index},
	{Signature: "nnabla.functions.slice(x, start=None, stop=None, step=None)", Func: slicedLast},
	{Signature: "mxnet.npx.slice(data, begin, end, step=None)", Func: sliced},
	{Signature: "mxnet.npx.index_add(a, ind, val)", Func: func(a, at, v *nd.Array) *nd.Array {
		return ops.ScatterND(v, indexMatrix(at), nil, ops.ScatterOptions{Onto: a, Add: true})
	}},
	{Signature: "mxnet.npx.index_update(a, ind, val)", Func: func(a, at, v *nd.Array) *nd.Array {
		return ops.ScatterND(v, indexMatrix(at), nil, ops.ScatterOptions{Onto: a})
	}},
	{Signature: "mxnet.npx.gather_nd(data, indices)", Func: func(x, at *nd.Array) *nd.Array {
		return ops.GatherND(x, at.AsType(dtype.Int64)) // MXNet has float indices
	}},
	{Signature: "mxnet.npx.embedding(data, weight, input_dim=0, output_dim=0, dtype=float32, sparse_grad=False)", Func: func(at, w *nd.Array) *nd.Array {
		return ops.Take(w, at.AsType(dtype.Int64), ops.TakeOptions{Axis: ops.Over(0), Mode: ops.IndexClip})
	}, Ignores: []string{"input_dim", "output_dim", "dtype", "sparse_grad"}},
	{Signature: "nnabla.functions.gather(x, Indices, axis=None, batch_dims=None)", Func: func(x, at *nd.Array, axis, batch *int) *nd.Array {
		if axis == nil {
			axis = new(0)
		}
		if batch == nil {
			batch = new(0)
		}
		return ops.Gather(x, at, ops.Over(*axis), *batch)
	}},
	{Signature: "nnabla.functions.gather_nd(data, indices)", Func: ops.GatherND},
	{Signature: "nnabla.functions.scatter_nd(data, indices, shape=None, out=None, add=False)", Func: scatterND, Writes: []string{"out"}},
	{Signature: "nnabla.functions.scatter_add(x0, indices, x1, axis=None)", Func: func(x, at, v *nd.Array, axis *int) *nd.Array {
		if axis == nil {
			axis = new(0)
		}
		return ops.AddAlongAxis(x, at, v, ops.Over(*axis))
	}},
	{Signature: "nnabla.functions.bool_gather(input, mask)", Func: func(x, mask *nd.Array) *nd.Array { return x.Index(pickTrue(mask)) }},
	{Signature: "nnabla.functions.bool_scatter(input, mask, output=None)", Func: boolScatter, Writes: []string{"output"}, Fixed: []string{"mask"}},
	{Signature: "nnabla.functions.bool_fill(data, mask, value=0)", Func: func(x, mask *nd.Array, value float64) *nd.Array {
		return ops.Where(mask.AsType(dtype.Bool), value, x)
	}},
	{Signature: "nnabla.functions.one_hot(x, shape)", Func: ops.OneHot, NoGrad: true},
	{Signature: "nnabla.functions.embed(x0, w)", Func: func(at, w *nd.Array) *nd.Array {
		return ops.Embedding(at.AsType(dtype.Int64), w)
	}},
	{Signature: "chainer.functions.embed_id(x, W, ignore_label=None)", Func: func(at, w *nd.Array, ignore *int) *nd.Array {
		return ops.Embedding(at, w, ops.EmbeddingOptions{IgnoreLabel: ignore})
	}},
}

func addAt(x *nd.Array, ix []nd.Index, v *nd.Array) { x.Assign(ops.AddAt(x, v, ix...)) }

// sliced takes an optional start, stop and step for each leading axis.
func sliced(x *nd.Array, start, stop, step []*int) *nd.Array {
	return x.Index(ranges(start, stop, step)...)
}

// slicedLast is sliced for the last axes.
func slicedLast(x *nd.Array, start, stop, step []*int) *nd.Array {
	return x.Index(append([]nd.Index{nd.Ellipsis()}, ranges(start, stop, step)...)...)
}

func ranges(start, stop, step []*int) []nd.Index {
	ix := make([]nd.Index, max(len(start), len(stop), len(step)))
	at := func(list []*int, k int) *int {
		if k < len(list) {
			return list[k]
		}
		return nil
	}
	for k := range ix {
		from, to, by := at(start, k), at(stop, k), at(step, k)
		switch {
		case from != nil && to != nil:
			ix[k] = nd.Span(*from, *to)
		case from != nil:
			ix[k] = nd.From(*from)
		case to != nil:
			ix[k] = nd.Until(*to)
		}
		if by != nil {
			ix[k] = ix[k].By(*by)
		}
	}
	return ix
}

// indexMatrix returns a matrix of indices with one row per axis; a vector is the row of the first axis. MXNet has float
// indices.
func indexMatrix(at *nd.Array) *nd.Array {
	if at.Rank() < 2 {
		at = at.Reshape(1, -1)
	}
	return at.AsType(dtype.Int64)
}

// scatterND writes to a new zero array, or to out.
func scatterND(values, at *nd.Array, shape []int, out *nd.Array, add bool) *nd.Array {
	if (shape == nil) == (out == nil) {
		panic(nd.Func("scatter_nd").Errorf([]*nd.Array{values, at}, "want either a shape or out"))
	}
	y := ops.ScatterND(values, at.AsType(dtype.Int64), shape, ops.ScatterOptions{Add: add, Onto: out})
	if out == nil {
		return y
	}
	out.Assign(y)
	y.Release()
	return out
}

func pickTrue(mask *nd.Array) nd.Index { return nd.Pick(mask.AsType(dtype.Bool)) }

// boolScatter writes to a new zero array, or to output.
func boolScatter(x, mask, output *nd.Array) *nd.Array {
	if output == nil {
		requireRank("bool_scatter", x, 1)
		shape := append(mask.Shape(), x.Shape()[1:]...)
		zeros := nd.Zeros(shape, nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
		return zeros.With(x, pickTrue(mask))
	}
	output.Assign(x, pickTrue(mask))
	return output
}
