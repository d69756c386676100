package main

// remark says of a documented name what the catalogue does not: how it is called where that cannot be read off (empty
// where it can), and what differs. A name without parentheses, such as ops.Split or Array.Reshape, stands for the call of
// that function.
type remark struct{ call, text string }

var remarks = map[string]remark{
	"np.array":               {"nd.FromSlice", "of a Go slice, copied; `x.Copy()` of an array"},
	"np.asarray":             {"nd.Wrap", "of a Go slice, not copied"},
	"np.asanyarray":          {"nd.Wrap", "of a Go slice, not copied"},
	"np.arange":              {"nd.ArangeInt, nd.Arange", "of integers, of floats"},
	"np.empty":               {"nd.Empty", "Fortran order: `.T()` of the reversed shape"},
	"np.zeros":               {"nd.Zeros", "Fortran order: `.T()` of the reversed shape"},
	"np.full":                {"nd.Full", "the value is a Go number"},
	"np.full_like":           {"nd.FullLike", "the value is a Go number"},
	"np.linspace":            {"nd.Linspace", "retstep: `nd.SpaceStep`"},
	"np.meshgrid":            {"nd.Meshgrid", "views, never copies"},
	"np.ascontiguousarray":   {"Array.Contiguous", "an array without axes stays so"},
	"np.asfortranarray":      {"Array.CopyFortran", "always a copy"},
	"np.copyto":              {"dst.Assign(src)", "a mask: `dst.Assign(ops.Where(mask, src, dst))`"},
	"np.fill_diagonal":       {"x.Diagonal(0, 0, 1).Assign(value)", "no wrap"},
	"np.diagonal":            {"", "a view that can be written to; no defaults for the axes"},
	"np.ix_":                 {"nd.Pick(i.ExpandDims(1)), nd.Pick(j)", "as items of an index"},
	"np.r_":                  {"ops.Concatenate", "ranges are arrays made by `nd.Arange`"},
	"np.c_":                  {"ops.ColumnStack", ""},
	"np.take":                {"ops.Take", "no out"},
	"np.broadcast":           {"", "the arrays broadcast together; `broadcast.Shapes` gives the shape alone"},
	"np.split":               {"ops.Split", "positions: `ops.SplitAt`"},
	"np.array_split":         {"ops.ArraySplit", "positions: `ops.SplitAt`"},
	"np.hsplit":              {"ops.Split", "with Axis 1 (0 of one axis); positions: `ops.SplitAt`"},
	"np.vsplit":              {"ops.Split", "positions: `ops.SplitAt`"},
	"np.dsplit":              {"ops.Split", "with Axis 2; positions: `ops.SplitAt`"},
	"np.repeat":              {"ops.Repeat", "a count for each element: `ops.RepeatEach`"},
	"np.where":               {"ops.Where", "with the condition alone: `ops.Nonzero`"},
	"np.clip":                {"", "the bounds are arrays or `nd.Scalar`s; nil is none"},
	"np.matmul":              {"", "no out"},
	"np.linalg.svd":          {"linalg.SVD", "singular values alone: `linalg.SVDVals`"},
	"np.linalg.qr":           {"linalg.QR", "mode \"r\": `linalg.QRTriangle`; \"raw\": `linalg.QRReflectors`"},
	"np.allclose":            {"", "returns a Go bool"},
	"np.argsort":             {"ops.ArgSort", "always stable; no axis=None: `Ravel` first"},
	"np.sort":                {"ops.Sort", "always stable; no axis=None: `Ravel` first"},
	"np.random.seed":         {"nd.NewRand", "a stream to pass on; nothing global"},
	"np.finfo":               {"dtype.Info", ""},
	"np.iinfo":               {"dtype.Info", ""},
	"np.dtype":               {"dtype.Parse", "byte order is not part of a dtype"},
	"np.result_type":         {"dtype.ResultType", "`x.Operand()` of each array"},
	"np.can_cast":            {"dtype.CanCast", ""},
	"np.squeeze":             {"Array.Squeeze", ""},
	"np.transpose":           {"Array.Transpose", ""},
	"np.moveaxis":            {"Array.MoveAxis", ""},
	"np.roll":                {"ops.Roll", "one axis a call"},
	"x.astype()":             {"Array.AsType", "x itself where it has the dtype; floats saturate as integers"},
	"x.copy()":               {"Array.Copy", "Fortran order: `x.CopyFortran()`"},
	"x.fill()":               {"nd.Fill", "the value is a Go number; `x.Assign(v)` for an array"},
	"x.flags":                {"Array.IsContiguous, Array.IsFortran", ""},
	"x.get()":                {"nd.ToSlice[T](x)", "a Go slice; `x.To(cpu)` for an array"},
	"x.set()":                {"x.Assign(value)", ""},
	"x.itemsize":             {"x.DType().Size()", ""},
	"x.strides":              {"Array.Strides", "in elements, not bytes"},
	"x.tofile()":             {"nd.WriteNpy", "there is no file without a header; `nd.Data` gives the elements"},
	"x.tolist()":             {"nd.ToSlice[T](x)", "flat"},
	"x.reduced_view()":       {"x.Reshape(-1)", ""},
	"x.scatter_add()":        {"ops.AddAt", "returns a new array"},
	"cupy.scatter_add":       {"ops.AddAt", "returns a new array"},
	"cupy.asnumpy":           {"nd.ToSlice[T](x)", "a Go slice; `x.To(cpu)` for an array"},
	"cupy.ElementwiseKernel": {"ops.MustKernel", "CuPy's declarations; runs on every device, and has a gradient"},
	"cupy.ReductionKernel":   {"ops.NewReductionKernel", "runs on every device"},
}

// notNumPy names rows under NumPy's name that no user of NumPy looks for: how the recorded cases say something.
var notNumPy = map[string]bool{
	"numpy.view_chain": true, "numpy.scalar_str": true, "cupy.testing.shaped_arange": true, "cupy.ufunc": true,
	"cupy.random.RandomState.interval": true,
}

// cupyOnly are functions that NumPy does not have.
var cupyOnly = map[string]bool{
	"cupy.asnumpy": true, "cupy.scatter_add": true, "cupy.ElementwiseKernel": true, "cupy.ReductionKernel": true,
}

// operators are Python's, in the order of the table; an in-place one writes to its first operand.
var operators = []struct{ method, symbol string }{
	{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"truediv", "/"}, {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"},
	{"and", "&"}, {"or", "|"}, {"xor", "^"}, {"lshift", "<<"}, {"rshift", ">>"},
	{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="},
}

const introduction = `# For users of NumPy

<!-- Generated by testing/conformance/numpymd; do not edit. -->

What NumPy and CuPy call how, and what it is here. [arrays.md](arrays.md) is a tour; [functions.md](functions.md) has the names
of the other systems. Functions that compute are in package ` + "`nd/ops`" + ` (with ` + "`linalg`, `fft` and `random`" + ` below it), arrays and what
rearranges them in ` + "`nd`" + `. In the tables of functions, *options* are the fields of the struct that a call may end with:
` + "`ops.Sum(x, ops.ReduceOptions{Axes: []int{0}})`" + `.
`

// differences is the honest list.
const differences = `
## What differs from NumPy

- **No operators, no implicit numbers.** Go has no operator overloading, and ` + "`ops.Add(x, 1)`" + ` does not compile: ` + "`nd.Scalar(1)`" + `, or
  ` + "`ops.AddScalar(x, 1)`" + `. A Scalar is weak, as Python's numbers are in NumPy 2: int8 plus ` + "`Scalar(2)`" + ` is int8, and what does not
  fit (` + "`uint8 + Scalar(300)`" + `) is refused. Promotion of arrays is NumPy 2's table; bfloat16 is one more 16-bit float.
- **Arithmetic is not a method.** Methods of an array are views, conversions and metadata: ` + "`ops.Sum(x)`" + `, not ` + "`x.Sum()`" + `.
- **A reduction gives an array** without axes, never a number of another kind; ` + "`nd.Value[float64](y)`" + ` is the Go number.
- **Floats become integers by saturation**, on every platform: -1.0 as uint8 is 0, 1e10 as int32 is 2147483647, a not-a-number 0.
  NumPy leaves this to the processor. (CuPy's case, where the document differs from NumPy, is followed.)
- **Strides and offsets count elements**, not bytes. Arrays are native-endian and aligned; there are no structured, object, string
  or datetime dtypes, no long double, and no memory maps (` + "`nd.OpenNpyRows`" + ` reads rows of a file that is larger than memory).
- **AsType and Contiguous return the array itself** where nothing needs to change.
- **Broadcast views cannot be written to, diagonals can.** ` + "`np.diagonal`" + ` is read-only.
- **Where without Out gives 0** in the places that are left, not what the memory held.
- **Out of range indices are refused**, on every device. CuPy wraps them around.
- **Sorting is always stable**, and puts not-a-numbers last in both directions.
- **There are no warnings.** Dividing by zero gives what IEEE 754 says; integers divided by zero give 0; there is no errstate.
- **No global state**: no print options, no seed, no current device, no error handling to set. Random streams are arguments; their
  numbers are not NumPy's for the same seed, but are the same on every device.
- **Misuse panics** with ` + "`*nd.Error`" + `, before anything is written; ` + "`nd.Catch`" + ` makes an error of it. Files return errors.
- **Memory**: the garbage collector frees arrays. ` + "`Release`" + ` and arenas give it back sooner; a released array must not be used.
- **What NumPy does not have**: gradients of any order (` + "`nd/grad`" + `), devices, bfloat16, kernels of your own that are fused and
  differentiable.
- **What this library does not have**: masked arrays, matrices as a class, polynomials, ` + "`np.vectorize`" + ` and ` + "`np.apply_along_axis`" + ` (use
  kernels), functions of text, subclassing, and what is not in the tables above.
`
