package main

import (
	"slices"
	"strconv"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// numpyIdioms are names without a function of their own, each with the expression that replaces it. A test runs them.
var numpyIdioms = []phrase{
	// Arrays and their properties.
	{"numpy.fromiter", func() any { return nd.FromSlice(slices.Collect(slices.Values(numbers))) }, "works with any Go iterator"},
	{"numpy.fromfile numpy.fromstring", func() any { return nd.Wrap(numbers, 2, 2) }, "wraps a slice that was read with `encoding/binary` or `strconv`"},
	{"numpy.asarray_chkfinite", func() any { return nd.Value[bool](ops.All(ops.IsFinite(x))) }, "checks the array; it does not convert"},
	{"numpy.require", func() any { return x.Contiguous() }, "every array is aligned and in the machine's byte order"},
	{"numpy.matrix_transpose numpy.linalg.matrix_transpose numpy.ndarray.mT", func() any { return x.SwapAxes(-1, -2) }, "a view"},
	{"numpy.isscalar", func() any { return x.IsScalar() }, "true for an `nd.Scalar`; other numbers are Go values"},
	{"numpy.iscomplexobj numpy.isrealobj", func() any { return x.DType().IsComplex() }, ""},
	{"numpy.isdtype numpy.issubdtype numpy.generic numpy.number numpy.integer numpy.signedinteger numpy.unsignedinteger numpy.inexact numpy.floating numpy.complexfloating", func() any {
		return []any{x.DType().IsInteger(), x.DType().IsFloat()}
	}, "and IsBool, IsSigned, IsUnsigned, IsComplex, IsInexact"},
	{"numpy.common_type", func() any { return dtype.FloatType(dtype.Promote(x.DType(), u8.DType())) }, ""},
	{"numpy.ndarray.base", func() any { return x.SharesMemory(y) }, "a view does not record its base array"},
	{"numpy.ndarray.data numpy.ndarray.tobytes", func() any { return nd.Data[float64](x) }, "the memory itself; the array must be contiguous. `encoding/binary` converts it to bytes"},
	{"numpy.ndarray.flat numpy.flatiter numpy.nditer numpy.ndenumerate numpy.iterable", func() any {
		return slices.All(nd.ToSlice[float64](x))
	}, "for range loops; kernels compute faster"},
	{"numpy.ndindex numpy.nested_iters", func() any { return broadcast.Next(make([]int, 2), x.Shape()) }, "advances to the next index; false after the last one"},
	{"numpy.ndarray.dump numpy.ndarray.dumps", func() any { return nd.SaveNpy(path+"x.npy", x) }, "pickle is not supported"},
	{"numpy.ndarray.getfield numpy.ndarray.setfield", func() any { return x.View(dtype.Uint32).Index(nd.All(), nd.All().By(2)) }, "parts of elements"},

	// Indices.
	{"numpy.diag_indices_from", func() any { return ops.DiagIndices(a.Dim(0), a.Rank()) }, ""},

	// Functions and numbers.
	{"numpy.vectorize numpy.frompyfunc", func() any { return ops.MustKernel("T x, T y", "T z", "z = sqrt(x*x + y*y)").Call(x, y) }, "fused, broadcast and differentiable"},
	{"numpy.base_repr numpy.binary_repr", func() any { return strconv.FormatInt(42, 2) }, ""},
	{"numpy.get_printoptions numpy.set_printoptions numpy.printoptions", func() any { return x.Array2String(nd.PrintOptions{Threshold: new(5)}) }, "an option of one call; there is no global state"},
	{"numpy.linalg.LinAlgError", func() any { return nd.Catch(func() { linalg.Inv(a) }) }, "an `*nd.Error`"},

	// Random numbers.
	{"numpy.random.Generator.spawn", func() any { return rng.Split() }, "one stream per call"},
	{"numpy.random.Generator.permuted", func() any {
		return ops.TakeAlongAxis(x, ops.ArgSort(random.Uniform(rng, 0, 1, x.Shape())), ops.Over(1))
	}, "permutes each row separately"},
}
