package catalogue

import (
	"math"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
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
		for x.Rank() < ndmin {
			x = x.ExpandDims(0)
		}
		return x
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
	{Signature: "cupy.c_(items)", Func: func(items any) *nd.Array { return pieces(items, true) }},
	{Signature: "cupy.r_(items)", Func: func(items any) *nd.Array { return pieces(items, false) }},
	{Signature: "cupy.ix_(*args)", Func: openMesh},
	{Signature: "cupy.testing.shaped_arange(shape, xp=None, dtype=float32)", Ignores: []string{"xp"}, Func: func(shape []int, t dtype.DType) *nd.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		x := nd.ArangeInt(1, n+1, 1)
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
	{Signature: "mxnet.npx.arange_like(data, start=0, step=1, repeat=1, ctx='', axis=None)", Func: arangeLike, Ignores: []string{"ctx"}, NoGrad: true},
}

// ordered adds CuPy's argument order to a function: "F" means column-major order.
func ordered(f func(shape []int, o nd.ArrayOptions) *nd.Array) func(shape []int, t dtype.DType, order string) *nd.Array {
	return func(shape []int, t dtype.DType, order string) *nd.Array {
		requireOneOf("zeros", "order", order, "C", "F")
		if order != "F" {
			return f(shape, nd.ArrayOptions{DType: t})
		}
		turned := slices.Clone(shape)
		slices.Reverse(turned)
		return f(turned, nd.ArrayOptions{DType: t}).T()
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
	whole := true
	for _, v := range []any{start, stop, step} {
		_, isFloat := v.(float64)
		whole = whole && !isFloat
	}
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

func openMesh(xs []*nd.Array) []*nd.Array {
	ys := make([]*nd.Array, len(xs))
	for k, x := range xs {
		if x.Rank() != 1 {
			panic(nd.Func("ix_").Errorf(xs, "want 1-d arrays"))
		}
		if x.DType().IsBool() {
			x = ops.FlatNonzero(x)
		}
		shape := slices.Repeat([]int{1}, len(xs))
		shape[k] = x.Size()
		ys[k] = x.Reshape(shape...)
	}
	return ys
}

// pieces joins arrays, numbers and ranges, as rows or as columns.
func pieces(items any, columns bool) *nd.Array {
	list, ok := items.([]any)
	if xs, isArrays := items.([]*nd.Array); isArrays {
		for _, x := range xs {
			list = append(list, x)
		}
		ok = true
	}
	if !ok {
		list = []any{items}
	}
	parts := make([]*nd.Array, len(list))
	for k, item := range list {
		if s, isSlice := item.(Slice); isSlice {
			parts[k] = rangeOf(s)
		} else {
			parts[k] = piece(item)
		}
		if columns && parts[k].Rank() < 2 {
			parts[k] = parts[k].Reshape(-1, 1)
		}
	}
	for _, item := range list {
		if x, ok := item.(*nd.Array); ok {
			for k := range parts {
				if _, given := list[k].(*nd.Array); !given {
					parts[k] = parts[k].To(x.Device())
				}
			}
		}
	}
	axis := 0
	if columns {
		axis = -1
	}
	return ops.Concatenate(parts, ops.JoinOptions{Axis: ops.Over(axis), DType: weakType(list, parts)})
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

func arangeLike(x *nd.Array, start, step float64, repeat int, axis *int) *nd.Array {
	n := x.Size()
	if axis != nil {
		n = x.Dim(*axis)
	}
	if repeat < 1 {
		panic(nd.Func("arange_like").Errorf([]*nd.Array{x}, "repeat %d: want a positive number", repeat))
	}
	count := (n + repeat - 1) / repeat
	on := nd.ArrayOptions{DType: x.DType(), Device: x.Device()}
	steps := ops.Add(ops.Multiply(nd.ArangeInt(0, count, 1, on), step), start)
	y := ops.Repeat(steps, repeat).Index(nd.Until(n))
	if axis == nil {
		y = y.Reshape(x.Shape()...)
	}
	return y
}

// stacked makes one array of items, as NumPy does for lists.
func stacked(items []*nd.Array) *nd.Array { return ops.Stack(items) }

// piece converts an item of r_ or c_: a number becomes an array of one element.
func piece(v any) *nd.Array {
	x := arrayOf(v, dtype.Unspecified)
	return ops.AtLeast1D(x)
}

// weakType returns the dtype that arrays and weak numbers promote to.
func weakType(list []any, parts []*nd.Array) dtype.DType {
	operands := make([]dtype.Operand, len(parts))
	for k, x := range parts {
		if w, ok := weakOf(list[k]); ok {
			x = w
		}
		operands[k] = x.Operand()
	}
	return dtype.ResultType(operands...)
}
