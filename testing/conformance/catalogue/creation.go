package catalogue

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// creationRows is the chapter of new arrays.
var creationRows = []Row{
	{Signature: "cupy.zeros(shape, dtype=float, order='C')", Func: ordered(func(shape []int, o nd.ArrayOptions) *nd.Array { return nd.Zeros(shape, o) })},
	{Signature: "cupy.ones(shape, dtype=float)", Func: nd.Ones},
	{Signature: "cupy.empty(shape, dtype=float, order='C')", Func: ordered(func(shape []int, o nd.ArrayOptions) *nd.Array { return nd.Empty(shape, o) })},
	{Signature: "cupy.zeros_like(a, dtype=None)", Func: nd.ZerosLike},
	{Signature: "cupy.ones_like(a, dtype=None)", Func: nd.OnesLike},
	{Signature: "cupy.empty_like(a, dtype=None)", Func: nd.EmptyLike},
	{Signature: "cupy.full(shape, fill_value, dtype=None)", Func: full},
	{Signature: "cupy.full_like(a, fill_value, dtype=None)", Func: func(a *nd.Array, value *nd.Array, t dtype.DType) *nd.Array {
		y := nd.EmptyLike(a, t)
		y.Assign(value)
		return y
	}},
	{Signature: "cupy.eye(N, M=None, k=0, dtype=float)", Func: func(n int, m *int, k int, t dtype.DType) *nd.Array {
		if m == nil {
			m = &n
		}
		return nd.Eye(n, *m, k, t)
	}},
	{Signature: "cupy.identity(n, dtype=float)", Func: nd.Identity},
	{Signature: "numpy.tri(N, M=None, k=0, dtype=float)", Func: func(n int, m *int, k int, t dtype.DType) *nd.Array {
		if m == nil {
			m = &n
		}
		return nd.Tri(n, *m, k, t)
	}},
	{Signature: "cupy.arange(start, stop=None, step=1, dtype=None)", Func: arange},
	{Signature: "cupy.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None)", Func: linspace},
	{Signature: "cupy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None)", Func: func(start, stop float64, n int, endpoint bool, base float64, t dtype.DType) *nd.Array {
		return nd.Logspace(start, stop, n, base, nd.SpaceOptions{Endpoint: &endpoint, DType: t})
	}},
	{Signature: "cupy.meshgrid(*xi, indexing='xy', copy=True, sparse=False)", Func: nd.Meshgrid, Ignores: []string{"copy"}},
	{Signature: "cupy.array(obj, dtype=None, copy=True, ndmin=0)", Func: func(obj any, t dtype.DType, _ bool, ndmin int) *nd.Array {
		x := asArray(obj, t).Copy()
		if ndmin > nd.MaxRank {
			panic(nd.Func("array").Errorf([]*nd.Array{x}, "ndmin %d: want at most %d", ndmin, nd.MaxRank))
		}
		return x.Reshape(append(broadcast.Ones(max(ndmin, x.Rank())-x.Rank()), x.Shape()...)...)
	}},
	{Signature: "cupy.asarray(a, dtype=None)", Func: asArray},
	{Signature: "cupy.asanyarray(a, dtype=None)", Func: asArray},
	{Signature: "cupy.ascontiguousarray(a, dtype=None)", Func: func(a any, t dtype.DType) *nd.Array {
		return ops.AtLeast1D(asArray(a, t).Contiguous())
	}},
	{Signature: "cupy.asfortranarray(a, dtype=None)", Func: func(a any, t dtype.DType) *nd.Array {
		x := ops.AtLeast1D(asArray(a, t))
		if _, given := a.(*nd.Array); given && x.IsFortran() && !t.Valid() {
			return x
		}
		return x.CopyFortran()
	}},
	{Signature: "numpy.indices(dimensions, dtype=int, sparse=False)", Func: nd.Indices, NoGrad: true, Note: "a list of views"},
	{Signature: "numpy.mgrid(items)", Func: func(items any) *nd.Array {
		views := gridOf(items, false)
		if len(views) == 1 {
			return views[0].Copy()
		}
		return ops.Stack(views)
	}, NoGrad: true, Note: "Meshgrid of ranges; Stack joins its views"},
	{Signature: "numpy.ogrid(items)", Func: func(items any) []*nd.Array { return gridOf(items, true) }, NoGrad: true, Note: "Meshgrid of ranges"},
	{Signature: "cupy.c_(items)", Func: func(items any) *nd.Array { return pieces(items, true) }},
	{Signature: "cupy.r_(items)", Func: func(items any) *nd.Array { return pieces(items, false) }},
	{Signature: "cupy.ix_(*args)", Func: nd.Ix},
	{Signature: "cupy.testing.shaped_arange(shape, xp=None, dtype=float32)", Ignores: []string{"xp"}, Func: func(shape []int, t dtype.DType) *nd.Array {
		x := nd.ArangeInt(1, broadcast.Size(shape)+1, 1)
		if t.IsBool() {
			x = ops.Remainder(x, 2)
		}
		return x.AsType(t).Reshape(shape...)
	}},

	{Signature: "nnabla.functions.arange(start, stop, step=1)", Func: func(start, stop, step float64) *nd.Array {
		return nd.Arange(start, stop, step, dtype.Float32)
	}, NoGrad: true},
	{Signature: "nnabla.functions.constant(val=0, shape=[])", Func: func(value float64, shape []int) *nd.Array {
		return nd.Full(shape, value, dtype.Float32)
	}, NoGrad: true},
}

// ordered adds CuPy's argument order to a function: "F" means column-major order.
func ordered(f func(shape []int, o nd.ArrayOptions) *nd.Array) func(shape []int, t dtype.DType, order string) *nd.Array {
	return func(shape []int, t dtype.DType, order string) *nd.Array {
		requireOneOf("zeros", "order", order, "C", "F")
		if order != "F" {
			return f(shape, nd.ArrayOptions{DType: t})
		}
		return f(shape, nd.ArrayOptions{DType: t}).CopyFortran()
	}
}

// full takes a number, or an array with one value.
func full(shape []int, value *nd.Array, t dtype.DType) *nd.Array {
	if !t.Valid() {
		t = value.DType()
	}
	y := nd.Empty(shape, nd.ArrayOptions{DType: t, Device: value.Device()})
	y.Assign(value)
	return y
}

// arange calls Arange or ArangeInt, depending on its arguments.
func arange(start any, stop any, step any, t dtype.DType) *nd.Array {
	if stop == nil {
		start, stop = 0, start
	}
	whole := !slices.ContainsFunc([]any{start, stop, step}, func(v any) bool {
		_, isFloat := v.(float64)
		return isFloat
	})
	o := nd.ArrayOptions{DType: t}
	if t.IsBool() && whole {
		n := integer(stop) - integer(start)
		if n > 2 {
			panic(nd.Func("arange").Errorf(nil, "a bool range can have at most two elements"))
		}
	}
	if whole {
		return nd.ArangeInt(integer(start), integer(stop), integer(step), o)
	}
	return nd.Arange(number(start), number(stop), number(step), o)
}

func linspace(start, stop float64, n int, endpoint, step bool, t dtype.DType) []*nd.Array {
	o := nd.SpaceOptions{Endpoint: &endpoint, DType: t}
	y := []*nd.Array{nd.Linspace(start, stop, n, o)}
	if step {
		y = append(y, nd.Full(nil, nd.SpaceStep(start, stop, n, o)))
	}
	return y
}

// asArray makes an array from a number, nested lists or an array.
func asArray(obj any, t dtype.DType) *nd.Array {
	x := arrayOf(obj, t)
	if t.Valid() && x.DType() != t {
		return x.AsType(t)
	}
	return x
}

// pieces joins arrays, numbers and ranges, as rows or as columns.
func pieces(items any, columns bool) *nd.Array {
	list, ok := items.([]any)
	if xs, isArrays := items.([]*nd.Array); isArrays {
		list, ok = converted(xs, func(x *nd.Array) any { return x }), true
	}
	if !ok {
		list = []any{items}
	}
	array := slices.IndexFunc(list, isArray)
	parts := converted(list, func(item any) *nd.Array {
		x := piece(item)
		if array >= 0 && !isArray(item) {
			x = x.To(list[array].(*nd.Array).Device())
		}
		if columns && x.Rank() < 2 {
			return x.Reshape(-1, 1)
		}
		return x
	})
	axis := 0
	if columns {
		axis = -1
	}
	t := dtype.ResultType(converted(list, promoted)...)
	return ops.Concatenate(parts, ops.JoinOptions{Axis: ops.Over(axis), DType: t})
}

// gridOf makes the grid of one range or several, in the dtype that the ranges promote to.
func gridOf(items any, sparse bool) []*nd.Array {
	list, ok := items.([]any)
	if !ok {
		list = []any{items}
	}
	vectors := converted(list, piece)
	operands := converted(vectors, func(x *nd.Array) dtype.Operand { return x.Operand() })
	t := dtype.ResultType(operands...)
	vectors = converted(vectors, func(x *nd.Array) *nd.Array { return x.AsType(t) })
	return nd.Meshgrid(vectors, nd.MeshgridOptions{Indexing: nd.IndexingIJ, Sparse: sparse})
}

func isArray(v any) bool {
	_, is := v.(*nd.Array)
	return is
}

func rangeOf(s Slice) *nd.Array {
	start := s.Start
	if start == nil {
		start = 0
	}
	if n, ok := s.Step.(complex128); ok {
		return nd.Linspace(number(start), number(s.Stop), int(math.Abs(imag(n))))
	}
	step := s.Step
	if step == nil {
		step = 1
	}
	return arange(start, s.Stop, step, dtype.Unspecified)
}

// piece converts an item of r_ or c_: a range, or a number, which becomes an array of one element.
func piece(v any) *nd.Array {
	if s, ok := v.(Slice); ok {
		return rangeOf(s)
	}
	return ops.AtLeast1D(arrayOf(v, dtype.Unspecified))
}
