package main

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// numpyTopics are the tables of phrases for NumPy.
var numpyTopics = []topic{
	{"Creating arrays", []phrase{
		{"np.array([1.0, 2.0])", func() any { return nd.FromSlice([]float64{1, 2}) }, "copies; the dtype is that of the slice. `[]int` gives int64"},
		{"np.array([[1, 2], [3, 4]])", func() any { return nd.FromRows([][]int{{1, 2}, {3, 4}}) }, "or a flat slice and a shape: `nd.FromSlice([]int{1, 2, 3, 4}, 2, 2)`"},
		{"np.frombuffer(data)", func() any { return nd.Wrap([]float64{1, 2}) }, "no copy: array and slice share the memory"},
		{"np.zeros((2, 3), np.float32)", func() any { return nd.Zeros([]int{2, 3}, dtype.Float32) }, "float64 without the option"},
		{"np.arange(10)", func() any { return nd.ArangeInt(0, 10, 1) }, "integers; all three arguments are required"},
		{"np.arange(0, 1, 0.1)", func() any { return nd.Arange(0, 1, 0.1) }, "floats"},
		{"np.full((2, 2), 7)", func() any { return nd.Full([]int{2, 2}, 7) }, "the dtype of the value, or the DType option"},
		{"np.empty_like(x)", func() any { return nd.EmptyLike(x) }, ""},
	}},
	{"Attributes", []phrase{
		{"x.shape, x.ndim, x.size", func() any { return []any{x.Shape(), x.Rank(), x.Size()} }, "methods; Shape returns a copy"},
		{"x.shape[-1]", func() any { return x.Dim(-1) }, ""},
		{"x.dtype, x.nbytes", func() any { return []any{x.DType(), x.Bytes()} }, ""},
		{"x.strides", func() any { return x.Strides() }, "counted in elements, not bytes"},
		{"x.T", func() any { return x.T() }, "a view"},
		{"x.flags.c_contiguous", func() any { return x.IsContiguous() }, ""},
		{"x.base is y, np.shares_memory(x, y)", func() any { return x.SharesMemory(y) }, "whether both use the same memory block"},
		{"x.item(), float(x)", func() any { return y.Float(0) }, "`nd.Value[T]` for other types; without an index the array must have one element"},
		{"x.tolist()", func() any { return nd.ToSlice[float64](x) }, "flat, row-major; `nd.ToNested[[][]float64](x)` is nested"},
		{"x[:] as a buffer", func() any { return nd.Data[float64](x) }, "the memory itself, of a contiguous array"},
	}},
	{"Indexing", []phrase{
		{"x[1]", func() any { return x.Index(nd.At(1)) }, "a view"},
		{"x[1:3]", func() any { return x.Index(nd.Span(1, 3)) }, "a view"},
		{"x[1:], x[:2]", func() any { return []any{x.Index(nd.From(1)), x.Index(nd.Until(2))} }, ""},
		{"x[-1]", func() any { return x.Index(nd.At(-1)) }, ""},
		{"x[::-1]", func() any { return x.Index(nd.All().By(-1)) }, "or `x.Flip(0)`"},
		{"x[0:3:2]", func() any { return x.Index(nd.Span(0, 3).By(2)) }, ""},
		{"x[:, 1]", func() any { return x.Index(nd.All(), nd.At(1)) }, ""},
		{"x[..., 0]", func() any { return x.Index(nd.Ellipsis(), nd.At(0)) }, ""},
		{"x[None], x[np.newaxis]", func() any { return x.Index(nd.NewAxis()) }, "or `x.ExpandDims(0)`"},
		{"x[:, None, :]", func() any { return x.Index(nd.All(), nd.NewAxis(), nd.All()) }, ""},
		{"x[1, 2]", func() any { return x.Index(nd.At(1), nd.At(2)) }, "a 0-d array; `x.Float(1, 2)` is the number"},
		{"x[[0, 2]]", func() any { return x.Index(nd.Pick([]int{0, 2})) }, "a copy"},
		{"x[[0, 2], [1, 3]]", func() any {
			return x.Index(nd.Pick([]int{0, 2}), nd.Pick([]int{1, 3}))
		}, "index arrays broadcast together"},
		{"x[mask]", func() any { return x.Index(nd.Pick(mask)) }, "a copy; waits for the device, because the length depends on the values"},
		{"np.nonzero(x)", func() any { return ops.Nonzero(x) }, ""},
	}},
	{"Assignment", []phrase{
		{"x[1] = v", func() any { x.Assign(v, nd.At(1)); return nil }, "converted and broadcast"},
		{"x[1] = 5", func() any { x.Assign(nd.Scalar(5), nd.At(1)); return nil }, ""},
		{"x[:] = y", func() any { x.Assign(y); return nil }, ""},
		{"x[mask] = 0", func() any { x.Assign(nd.Scalar(0), nd.Pick(mask)); return nil }, ""},
		{"x.fill(5)", func() any { nd.Fill(x, 5); return nil }, ""},
		{"x = x.copy(); x[1] = v", func() any { return x.With(v, nd.At(1)) }, "a changed copy; differentiable with respect to x and v, on every tape"},
		{"np.subtract.outer(x, y)", func() any { return ops.UfuncOf(ops.Subtract).Outer(x, y) }, "of every function of two arrays, your own too; `Reduce`, `Accumulate` likewise"},
		{"np.add.reduceat(x, [0, 2])", func() any { return ops.UfuncOf(ops.Add).ReduceAt(x, []int{0, 2}) }, ""},
		{"np.add.at(x, i, v)", func() any { return ops.AddAt(x, v, nd.Pick([]int{0, 0})) }, "returns a new array"},
	}},
	{"Arithmetic", []phrase{
		{"x + y", func() any { return ops.Add(x, y) }, "every operator is a function: see below"},
		{"x + 1", func() any { return ops.Add(x, 1) }, "or `ops.Add(x, 1)`"},
		{"1 / x", func() any { return ops.Divide(1, x) }, "or `ops.Divide(1, x)`"},
		{"x += y", func() any { return ops.Add(x, y, ops.Into(x)) }, "same_kind casting, as in NumPy"},
		{"np.add(x, y, out=x, where=mask)", func() any { return ops.Add(x, y, ops.UfuncOptions{Out: x, Where: mask}) }, "without Out, elements that Where leaves out are 0, not uninitialised"},
		{"np.add(x, y, dtype=np.float32)", func() any {
			return ops.Add(x, y, ops.UfuncOptions{DType: dtype.Float32})
		}, ""},
		{"a @ b", func() any { return ops.MatMul(a, b) }, ""},
		{"x ** 2", func() any { return ops.Square(x) }, "or `ops.Power(x, 2)`"},
		{"x > 3", func() any { return ops.Greater(x, 3) }, "a bool array"},
		{"(x > 3) & mask", func() any { return ops.LogicalAnd(ops.Greater(x, 3), mask) }, ""},
		{"if (x == x).all():", func() any { return nd.Value[bool](ops.All(ops.Equal(x, x))) }, "an array cannot be used as a condition directly"},
		{"np.where(x > 3, x, 0)", func() any { return ops.Where(ops.Greater(x, 3), x, 0) }, ""},
		{"np.pi, np.inf, np.nan", func() any { return []float64{math.Pi, math.Inf(1), math.NaN()} }, ""},
	}},
	{"Axes", []phrase{
		{"x.sum()", func() any { return ops.Sum(x) }, ""},
		{"x.sum(axis=0)", func() any { return ops.Sum(x, ops.Over(0)) }, "with more options: `ops.ReduceOptions{Axes: ops.Over(0), DType: dtype.Float32}`"},
		{"x.sum(axis=1, keepdims=True)", func() any {
			return ops.Sum(x, ops.Over(1).KeepDims())
		}, ""},
		{"x.argmax(axis=1)", func() any { return ops.ArgMax(x, ops.Over(1)) }, ""},
		{"np.concatenate([a, b], axis=1)", func() any { return ops.Concatenate([]*nd.Array{a, b}, ops.Over(1)) }, ""},
		{"np.sort(x, axis=0)", func() any { return ops.Sort(x, ops.Over(0)) }, "stable; `x.sort()` in place is `x.Assign(ops.Sort(x))`"},
		{"x.std(ddof=1)", func() any { return ops.Std(x, ops.VarOptions{DDof: 1}) }, ""},
	}},
	{"Shapes", []phrase{
		{"x.reshape(2, -1)", func() any { return x.Reshape(2, -1) }, "a view if the strides allow it"},
		{`x.reshape(-1, order="F")`, func() any { return x.ReshapeFortran(-1) }, ""},
		{"x.transpose(1, 0)", func() any { return x.Transpose(1, 0) }, ""},
		{"np.broadcast_to(y, (3, 4))", func() any { return y.BroadcastTo(3, 4) }, "read-only: writing to it panics"},
		{"x.squeeze(), np.expand_dims(y, 0)", func() any { return []any{x.Squeeze(), y.ExpandDims(0)} }, ""},
		{"x.copy()", func() any { return x.Copy() }, ""},
		{"np.asfortranarray(x)", func() any { return x.CopyFortran() }, "always a copy"},
	}},
	{"Element types", []phrase{
		{"x.astype(np.float32)", func() any { return x.AsType(dtype.Float32) }, "x itself if it already has the dtype: there is no copy=True"},
		{"x.view(np.uint64)", func() any { return x.View(dtype.Uint64) }, ""},
		{"np.result_type(x, u8)", func() any { return dtype.Promote(x.DType(), u8.DType()) }, ""},
		{"np.finfo(np.float32).eps", func() any { return dtype.Info(dtype.Float32).Eps }, ""},
	}},
	{"Random numbers", []phrase{
		{"rng = np.random.default_rng(7)", func() any { return nd.NewRand(7) }, "Philox; the numbers differ from NumPy's for the same seed"},
		{"rng.normal(0, 1, (2, 3))", func() any { return random.Normal(nd.NewRand(7), 0, 1, []int{2, 3}) }, "the random stream is an argument; there is no global stream"},
		{"rng.integers(0, 6, 10)", func() any { return random.Integers(nd.NewRand(7), 0, 6, []int{10}) }, ""},
		{"rng.spawn(1)[0]", func() any { return nd.NewRand(7).Split() }, "for example for another goroutine"},
	}},
	{"Files", []phrase{
		{`np.save("x.npy", x)`, func() any { return nd.SaveNpy(path+"x.npy", x) }, "atomic: the file is written completely or not at all"},
		{`np.load("x.npy")`, func() any {
			x, err := nd.LoadNpy(path + "x.npy")
			return []any{x, err}
		}, "object arrays are refused"},
		{`np.savez("all.npz", a=a, b=b)`, func() any {
			return nd.SaveNpz(path+"all.npz", []nd.Named{{Name: "a", Array: a}, {Name: "b", Array: b}}, false)
		}, "`true` compresses"},
		{`np.load("all.npz")`, func() any {
			all, err := nd.LoadNpz(path + "all.npz")
			return []any{all, err}
		}, "`all.Get(\"a\")`, `all.Names()`; a list in file order. `nd.OpenNpz` reads one array at a time"},
		{`np.load("x.npy", mmap_mode="r")[2:5]`, func() any {
			rows, err := nd.OpenNpyRows(path + "x.npy")
			return []any{rows, err}
		}, "`rows.Rows(2, 5)` reads some rows"},
		{`np.savetxt("x.txt", x)`, func() any { return nd.SaveText(path+"x.txt", x) }, ""},
		{`np.loadtxt("x.txt")`, func() any {
			x, err := nd.LoadText(path + "x.txt")
			return []any{x, err}
		}, ""},
	}},
	{"Printing", []phrase{
		{"print(x)", func() any { return fmt.Sprintln(x) }, "the same text"},
		{"repr(x)", func() any { return fmt.Sprintf("%#v", x) }, ""},
		{"np.printoptions(precision=3)", func() any { return fmt.Sprintf("%.3v", x) }, "an option of one call; there is no global state"},
		{"np.array2string(x, threshold=5)", func() any { return x.Array2String(nd.PrintOptions{Threshold: new(5)}) }, ""},
	}},
	{"Errors and devices", []phrase{
		{"try: … except ValueError:", func() any { return nd.Catch(func() { ops.Add(x, nd.Zeros([]int{5})) }) }, "misuse panics with `*nd.Error`; Catch returns it"},
		{"cupy.asarray(x), cupy.asnumpy(x)", func() any { return x.To(dev) }, "`device.Get(name)` finds the device"},
	}},
}
