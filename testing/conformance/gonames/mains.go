package gonames

import "strings"

// set returns the words of a text.
func set(text string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(text) {
		words[word] = true
	}
	return words
}

// auxiliary lists functions that adapters use internally; they are reported only if nothing else is found.
var auxiliary = set(`
	nd.Func nd.Scalar nd.Catch nd.At nd.NewRand nd.FromSliceOn dtype.Of dtype.Info broadcast.Equal broadcast.FormatShape
	Array.Float Array.Dim Array.Rank Array.Shape Array.Size Array.DType Array.Device Array.IsScalar Array.IsReleased
	Array.Detach Array.Release ops.Positive ops.Into ops.Over device.Get Function.Call Error.Error
	nd.ScalarInt Temporaries.Keep Temporaries.Own Temporaries.Release cudaops.Of Range.Max Range.DType`)

// glue lists functions that convert, rearrange or combine what the main function of an adapter computes. Those of
// package ops compute something, and precede the others.
var glue = set(`
	ops.Add ops.Subtract ops.Multiply ops.Divide ops.Sum ops.Mean ops.Sqrt ops.Square ops.Negative ops.Where ops.Take
	ops.Stack ops.Concatenate ops.Maximum ops.Minimum ops.Absolute ops.Reciprocal ops.Greater ops.GreaterEqual ops.Less ops.LessEqual
	ops.Equal ops.NotEqual ops.All ops.Any ops.Max ops.Min ops.Clip ops.TakeAlongAxis ops.AtLeast1D ops.LogicalAnd ops.LogicalOr ops.LogicalNot
	Array.Reshape Array.AsType Array.Copy Array.ExpandDims Array.Squeeze Array.Index Array.Contiguous Array.BroadcastTo Array.Ravel
	Array.Assign Array.T Array.Transpose Array.MoveAxis Array.SwapAxes Array.With Array.Node Array.Operand Array.Fits Array.Item Array.View
	Array.String Array.IsContiguous Array.To Index.By nd.Value ops.Remainder ops.RoundHalfAway ops.Unstack ops.AtLeast1D
	nd.Empty nd.Zeros nd.Ones nd.Full nd.EmptyLike nd.ZerosLike nd.OnesLike nd.FromSlice nd.ToSlice nd.Pick nd.Span nd.From nd.Until
	nd.All nd.Ellipsis nd.NewAxis nd.ArangeInt nd.Arange nd.Fill grad.NewTape`)

// common lists types that appear in most signatures and answer to no documented name.
var common = set(`
	nd.Array nd.Index nd.Named nd.NamedArrays nd.Rand nd.FloatFormat nd.Error ops.Axes quantize.Array grad.Tape device.Device
	dtype.DType`)

// mains gives the functions of rows for which the rules find the wrong ones, by the documented name.
var mains = map[string]string{
	"nnabla.Variable": "nd.Empty Tape.Watch",
	"nnabla.function.PythonFunction.backward_impl":            "Function.Backward",
	"nnabla.function.PythonFunction.forward_impl":             "Function.Forward",
	"nnabla.function.Function.grad_depends_output_data":       "Node.Claims",
	"nnabla.function.PythonFunction.grad_depends_input_data":  "Function.Claims",
	"nnabla.function.PythonFunction.grad_depends_output_data": "Function.Claims",

	"chainer.Function.add_hook":                "Tape.Hook grad.Hooks",
	"chainer.Link.addgrads":                    "optim.NewAccumulator Accumulator.Add Accumulator.Sum",
	"chainer.Optimizer.accumulate_grads":       "optim.NewAccumulator Accumulator.Add Accumulator.Sum",
	"chainer.Function.backward":                "Function.Backward",
	"chainer.Function.backward_cpu":            "Function.Backward",
	"chainer.Function.backward_gpu":            "Function.Backward",
	"chainer.Function.check_type_forward":      "Func.Expect",
	"chainer.GradientMethod.call_hooks":        "UpdaterOptions.Hook",
	"chainer.Optimizer.add_hook":               "UpdaterOptions.Hook",
	"chainer.Optimizer.call_hooks":             "UpdaterOptions.Hook",
	"chainer.ChainList":                        "link.Sequential",
	"chainer.ChainList.add_link":               "link.Sequential",
	"chainer.Variable.set_creator":             "Func.Record",
	"chainer.Variable.backward":                "Tape.Gradient optim.GradientsOf",
	"chainer.Variable.grad":                    "Tape.Gradient",
	"chainer.functions.permutate":              "ops.Take",
	"chainer.initializers.Constant":            "initializer.Constant initializer.Values",
	"chainer.initializer.Initializer.__call__": "initializer.Initializer",
	"chainer.links.Classifier":                 "link.Classifier",
	"chainer.cuda.get_device":                  "Array.Device device.Get",
	"chainer.cuda.get_device_from_array":       "Array.Device",
	"chainer.utils.type_check.TypeInfo":        "Array.Shape Array.DType",
	"chainer.dataset.DatasetMixin":             "data.Dataset",
	"chainer.dataset.DatasetMixin.__getitem__": "Dataset.At data.Select",
	"chainer.datasets.get_cifar10":             "data.LoadCIFAR10 data.Pixels",
	"chainer.datasets.get_cifar100":            "data.LoadCIFAR100 data.Pixels",
	"chainer.datasets.get_mnist":               "data.LoadMNIST data.Pixels",
	"chainer.dataset.Iterator":                 "data.Batches",
	"chainer.set_debug":                        "Tape.Debug",
	"chainer.training.Extension":               "train.Extension train.Func",
	"chainer.training.Updater":                 "train.Updater",

	"cupy.array":                 "nd.FromSlice nd.FromRows Array.Copy",
	"cupy.asarray":               "nd.Wrap Array.AsType",
	"cupy.asanyarray":            "nd.Wrap Array.AsType",
	"cupy.ascontiguousarray":     "Array.Contiguous Array.AsType",
	"cupy.asfortranarray":        "Array.CopyFortran",
	"cupy.full":                  "nd.Full",
	"cupy.full_like":             "nd.FullLike",
	"cupy.ndarray.flags":         "Array.IsContiguous Array.IsFortran",
	"cupy.ufunc":                 "ops.UfuncOf",
	"cupy.testing.shaped_arange": "nd.Arange Array.Reshape",

	"mxnet.npx.contrib_quantize_v2":    "quantize.Symmetric quantize.RangeOf Array.Range",
	"mxnet.npx.quantized_elemwise_mul": "quantize.Multiply quantize.Requantize Array.Dequantize",

	"cupy.take":         "ops.Take",
	"cupy.ndarray.take": "ops.Take",
	"nnabla.functions.sync_batch_normalization": "normalize.BatchNormalization normalize.BatchNormalizationWithStat",
	"numpy.pad":                  "ops.Pad",
	"numpy.linalg.eig":           "linalg.Eig",
	"numpy.linalg.eigvals":       "linalg.Eigvals",
	"numpy.mask_indices":         "ops.MaskIndices",
	"numpy.piecewise":            "ops.Piecewise",
	"numpy.result_type":          "dtype.ResultType",
	"mxnet.npx.sequence_last":    "sequence.Last",
	"mxnet.npx.sequence_reverse": "sequence.Reverse",
	"mxnet.npx.leaky_relu":       "ops.LeakyReLU",

	"chainer.iterators.SerialIterator":       "data.NewLoader data.NewSampler",
	"chainer.iterators.MultiprocessIterator": "data.NewPrefetcher data.NewSampler",

	"numpy.apply_along_axis": "ops.ApplyAlongAxis",
	"numpy.apply_over_axes":  "ops.ApplyOverAxes",
	"numpy.fromfunction":     "nd.FromFunction",
	"numpy.dtype":            "dtype.Parse DType.String",
	"numpy.finfo":            "dtype.Info",
	"numpy.iinfo":            "dtype.Info",
	"numpy.ufunc.accumulate": "Ufunc.Accumulate",
	"numpy.ufunc.outer":      "Ufunc.Outer",
	"numpy.ufunc.reduce":     "Ufunc.Reduce",
	"numpy.ufunc.reduceat":   "Ufunc.ReduceAt",
}

// PlainGo gives the rows that call no function of the library, by the documented name, and says what Go has for them.
var PlainGo = map[string]string{
	"cupy.cuda.Device.__eq__":                     "compares interfaces: `a == b`",
	"cupy.cuda.Device.__ne__":                     "compares interfaces: `a != b`",
	"cupy.cuda.nvtx.RangePop":                     "calls the function that `cudaops.Range` returns",
	"nnabla.function.Function.forward":            "is a call of the function, `f(x)`; `y.Assign(f(x))` writes to an output",
	"cupy.testing.for_dtypes":                     "ranges over a slice of dtypes",
	"cupy.ndarray.__delitem__":                    "is refused: the elements of an array cannot be deleted",
	"chainer.ChainList.__getitem__":               "indexes a slice: `layers[i]`",
	"chainer.ChainList.__len__":                   "is the length of a slice: `len(layers)`",
	"chainer.utils.type_check.TypeInfoTuple":      "is a slice of arrays",
	"chainer.utils.type_check.TypeInfoTuple.size": "is the length of a slice: `len(xs)`",
}
