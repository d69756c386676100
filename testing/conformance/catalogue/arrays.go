package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// arrayRows is the chapter of creating, joining and rearranging arrays, for names that NumPy has and the documents
// lack. Functions among the arguments are given by name.
var arrayRows = []Row{
	{Signature: "numpy.append(arr, values, axis=None)", Func: ops.Append},
	{Signature: "numpy.concatenate(arrays, axis=0, out=None, dtype=None, casting='same_kind')", Func: func(xs []*nd.Array, axis *int, out *nd.Array, t dtype.DType, casting dtype.Casting) *nd.Array {
		if axis == nil {
			return ops.Concatenate(xs, ops.JoinOptions{Flat: true, Out: out, DType: t, Casting: casting})
		}
		return ops.Concatenate(xs, ops.JoinOptions{Axis: ops.Over(*axis), Out: out, DType: t, Casting: casting})
	}},
	{Signature: "numpy.cumulative_sum(x, axis=None, dtype=None, include_initial=False)", Func: ops.CumSum},
	{Signature: "numpy.cumulative_prod(x, axis=None, dtype=None, include_initial=False)", Func: ops.CumProd},
	{Signature: "numpy.insert(arr, obj, values, axis=None)", Func: insert},
	{Signature: "numpy.delete(arr, obj, axis=None)", Func: func(x *nd.Array, obj any, axis *int) *nd.Array {
		return ops.Delete(x, deletionIndex(x, obj), over(axis)...)
	}},
	{Signature: "numpy.resize(a, new_shape)", Func: ops.Resize},
	{Signature: "numpy.block(arrays)", Func: ops.Block},
	{Signature: "numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None)", Func: (*nd.Array).SlidingWindows},
	{Signature: "numpy.apply_along_axis(func1d, axis, arr)", Func: func(name string, axis int, x *nd.Array) *nd.Array {
		return ops.ApplyAlongAxis(x, ops.Over(axis), function(name))
	}},
	{Signature: "numpy.apply_over_axes(func, a, axes)", Func: func(name string, x *nd.Array, axes ops.Axes) *nd.Array {
		requireOneOf("apply_over_axes", "func", name, "sum", "cumsum")
		return ops.ApplyOverAxes(x, axes, func(x *nd.Array, axis ops.Axes) *nd.Array {
			if name == "sum" {
				return ops.Sum(x, axis)
			}
			return ops.CumSum(x, axis)
		})
	}},
	{Signature: "numpy.piecewise(x, condlist, funclist)", Func: func(x *nd.Array, conditions []*nd.Array, names []string) *nd.Array {
		return ops.Piecewise(x, conditions, converted(names, function))
	}, Fixed: []string{"condlist"}},
	{Signature: "numpy.fromfunction(function, shape, dtype=float)", Func: func(name string, shape []int, t dtype.DType) *nd.Array {
		f := function(name)
		if len(shape) == 0 {
			panic(nd.Func("fromfunction").Errorf(nil, "want at least one axis"))
		}
		return nd.FromFunction(shape, func(at []*nd.Array) *nd.Array {
			if len(at) == 1 {
				return f(at[0])
			}
			return f(ops.Subtract(at[0], ops.AddN(at[1:]...)))
		}, t)
	}, NoGrad: true},
	{Signature: "numpy.tril_indices_from(arr, k=0)", Func: ops.TrilIndicesFrom, NoGrad: true},
	{Signature: "numpy.triu_indices_from(arr, k=0)", Func: ops.TriuIndicesFrom, NoGrad: true},
	{Signature: "numpy.mask_indices(n, mask_func, k=0)", Func: func(n int, name string, k int) (row, column *nd.Array) {
		requireOneOf("mask_indices", "mask_func", name, "triu", "tril")
		if name == "triu" {
			return ops.MaskIndices(n, ops.Triu, k)
		}
		return ops.MaskIndices(n, ops.Tril, k)
	}, NoGrad: true},
	{Signature: "numpy.vander(x, N=None, increasing=False)", Func: ops.Vander},
	{Signature: "numpy.unwrap(p, discont=None, axis=-1, period=6.283185307179586)", Func: func(p *nd.Array, discont *float64, axis int, period *nd.Array) *nd.Array {
		return ops.Unwrap(p, ops.UnwrapOptions{Axis: ops.Over(axis), Period: period, Discont: discont})
	}, Fixed: []string{"period"}},
	{Signature: "numpy.linspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)", Func: func(start, stop *nd.Array, n int, endpoint bool, t dtype.DType, axis int) *nd.Array {
		return ops.Linspace(start, stop, n, ops.SpaceOptions{Endpoint: &endpoint, DType: t, Axis: ops.Over(axis)})
	}},
	{Signature: "numpy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)", Func: func(start, stop *nd.Array, n int, endpoint bool, base *nd.Array, t dtype.DType, axis int) *nd.Array {
		return ops.Logspace(start, stop, n, base, ops.SpaceOptions{Endpoint: &endpoint, DType: t, Axis: ops.Over(axis)})
	}},
	{Signature: "numpy.geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)", Func: func(start, stop *nd.Array, n int, endpoint bool, t dtype.DType, axis int) *nd.Array {
		return ops.Geomspace(start, stop, n, ops.SpaceOptions{Endpoint: &endpoint, DType: t, Axis: ops.Over(axis)})
	}, Domain: map[string]Interval{"": {From: 0.5, To: 6}}},
	{Signature: "numpy.sort_complex(a)", Func: ops.SortComplex},
	{Signature: "numpy.real_if_close(a, tol=100)", Func: ops.RealIfClose},
	{Signature: "numpy.iscomplex(x)", Func: ops.IsComplex, NoGrad: true},
	{Signature: "numpy.isreal(x)", Func: ops.IsReal, NoGrad: true},
	{Signature: "numpy.isposinf(x, out=None)", Func: ops.IsPosInf, NoGrad: true},
	{Signature: "numpy.isneginf(x, out=None)", Func: ops.IsNegInf, NoGrad: true},
	{Signature: "numpy.bitwise_count(x, /, out=None, where=True, dtype=None)", Func: ops.BitwiseCount, NoGrad: true},
}

// over returns an optional axis.
func over(axis *int) []ops.Axes {
	if axis == nil {
		return nil
	}
	return []ops.Axes{ops.Over(*axis)}
}

// insert takes one index or several.
func insert(x *nd.Array, obj any, values *nd.Array, axis *int) *nd.Array {
	switch obj := obj.(type) {
	case []any:
		return ops.Insert(x, integers(obj), values, over(axis)...)
	case *nd.Array:
		return ops.Insert(x, nd.ToSlice[int](obj.AsType(dtype.Int64)), values, over(axis)...)
	}
	return ops.Insert(x, integer(obj), values, over(axis)...)
}

// deletionIndex returns the elements to delete as an index.
func deletionIndex(x *nd.Array, obj any) nd.Index {
	switch obj := obj.(type) {
	case *nd.Array:
		return nd.Pick(obj)
	case []any:
		return nd.Pick(nd.FromSliceOn(x.Device(), integers(obj)))
	case Slice:
		ix, _ := sliceIndex(obj)
		return ix
	}
	return nd.At(integer(obj))
}

// function returns the function of one array with a name.
func function(name string) func(*nd.Array) *nd.Array {
	f, ok := map[string]func(*nd.Array) *nd.Array{
		"negative": func(x *nd.Array) *nd.Array { return ops.Negative(x) },
		"square":   func(x *nd.Array) *nd.Array { return ops.Square(x) },
		"sum":      func(x *nd.Array) *nd.Array { return ops.Sum(x) },
		"cumsum":   func(x *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(0)) },
		"diag":     func(x *nd.Array) *nd.Array { return ops.Diag(x, 0) },
	}[name]
	if !ok {
		panic(nd.Func("catalogue.function").Errorf(nil, "no function %s", name))
	}
	return f
}
