package conformance

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
	{Signature: "cupy.ndarray.set(self, arr)", Func: func(self, arr *nd.Array) { self.Assign(arr) }, Writes: []string{"self"}},
	{Signature: "cupy.copyto(dst, src, casting='same_kind', where=None)", Func: copyTo, Writes: []string{"dst"}},
	{Signature: "cupy.fill_diagonal(a, val, wrap=False)", Func: fillDiagonal, Writes: []string{"a"}},
	{Signature: "chainer.functions.get_item(x, slices)", Func: (*nd.Array).Index},
	{Signature: "chainer.Variable.__getitem__(self, slices)", Func: (*nd.Array).Index},
	{Signature: "nnabla.functions.slice(x, start=None, stop=None, step=None)", Func: slicedLast},
	{Signature: "mxnet.npx.slice(data, begin, end, step=None)", Func: sliced},
	{Signature: "mxnet.npx.index_add(a, ind, val)", Func: func(a, at, v *nd.Array) *nd.Array { return ops.AddAt(a, v, leading(at)...) }},
	{Signature: "mxnet.npx.index_update(a, ind, val)", Func: func(a, at, v *nd.Array) *nd.Array { return a.With(v, leading(at)...) }},
	{Signature: "mxnet.npx.gather_nd(data, indices)", Func: func(x, at *nd.Array) *nd.Array { return x.Index(leading(at)...) }},
	{Signature: "nnabla.functions.gather_nd(data, indices)", Func: func(x, at *nd.Array) *nd.Array { return x.Index(leading(at)...) }},
}

func addAt(x *nd.Array, ix []nd.Index, v *nd.Array) { x.Assign(ops.AddAt(x, v, ix...)) }

// copyTo refuses what the casting rule does, and writes where the mask is true.
func copyTo(dst, src *nd.Array, casting string, where *nd.Array) {
	rule := dtype.Casting(casting)
	from := src.DType()
	if src.IsScalar() && src.Fits(dst.DType()) {
		from = dtype.ResultType(dtype.Operand{DType: dtype.Bool}, src.Operand())
		if dtype.ResultType(dtype.Operand{DType: dst.DType()}, src.Operand()) == dst.DType() {
			from = dst.DType()
		}
	}
	if !dtype.CanCast(from, dst.DType(), rule) {
		panic(nd.Errorf("copyto", []*nd.Array{dst, src}, "cannot cast from %s to %s with casting rule %s", from, dst.DType(), casting))
	}
	if where == nil {
		dst.Assign(src)
		return
	}
	if src.IsScalar() {
		src = full(nil, src, dst.DType())
	}
	dst.Assign(ops.Where(where, src.AsType(dst.DType()), dst))
}

func fillDiagonal(a, value *nd.Array, wrap bool) {
	n := a.Dim(0)
	if a.Rank() < 2 {
		panic(nd.Errorf("fill_diagonal", []*nd.Array{a}, "want at least two axes"))
	}
	if a.Rank() == 2 {
		for from := 0; from < n; from += a.Dim(1) + 1 {
			rows := a.Index(nd.Span(from, min(n, from+a.Dim(1))))
			rows.Diagonal(0, 0, 1).Assign(value)
			if !wrap {
				return
			}
		}
		return
	}
	axes := 0
	for k := range a.Rank() {
		if a.Dim(k) != n {
			panic(nd.Errorf("fill_diagonal", []*nd.Array{a}, "want axes of equal length"))
		}
		axes++
	}
	at := nd.Pick(nd.ArangeInt(0, n, 1, nd.ArrayOptions{Device: a.Device()}))
	ix := make([]nd.Index, axes)
	for k := range ix {
		ix[k] = at
	}
	a.Assign(value, ix...)
}

// sliced takes a start, stop and step, any of them missing, for the leading axes.
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

// leading turns a matrix of positions, a row for each of the leading axes, to an index.
func leading(at *nd.Array) []nd.Index {
	if at.Rank() < 2 {
		return []nd.Index{nd.Pick(at.AsType(dtype.Int64))}
	}
	rows := ops.Unstack(at.AsType(dtype.Int64))
	ix := make([]nd.Index, len(rows))
	for k, row := range rows {
		ix[k] = nd.Pick(row)
	}
	return ix
}
