package catalogue

// LeftOut is a documented name that has no meaning in this library.
type LeftOut struct {
	Name    string
	Reason  Reason
	Instead string // what to use here, or what the name is about
}

// absent is a documented name that is left out, and what to use instead.
type absent struct{ name, instead string }

// Reason says why a documented name is left out.
type Reason string

// The reasons.
const (
	CUDAOnly   Reason = "CUDA-only"   // specific to CUDA: handles, streams, profiling
	PythonOnly Reason = "Python-only" // specific to Python: pickling, decorators, duck typing

	StaticGraph    Reason = "static graphs only: here a function runs when it is called"
	Downloads      Reason = "downloads: here files are read from folders given as arguments, and the user downloads them"
	CurrentContext Reason = "current context only: here a function runs on the device of its arguments"
	OneUpdate      Reason = "state kept between updates: here gradients and their hooks belong to one update"

	Volatility    Reason = "volatile arrays only: here a tape records exactly what is computed from watched arrays"
	CurrentObject Reason = "current object of a thread: here it is an argument or a field of the tape"
	GlobalSwitch  Reason = "global switch: here checks always run, and each backward pass returns new gradients"
	NamedParts    Reason = "parts of an object by name: here the caller keeps them in variables"
	LateShape     Reason = "parameters without a shape: here a parameter is created when its shape is known"
)

// LeftOutNames returns the documented names that have no meaning here.
func LeftOutNames() []LeftOut {
	var all []LeftOut
	for _, names := range []struct {
		reason Reason
		names  []absent
	}{
		{CUDAOnly, cudaOnly},
		{PythonOnly, pythonOnly},
		{StaticGraph, staticGraph},
		{CurrentContext, currentContext},
		{PythonOnly, iteratorsOfPython},
		{Downloads, downloads},
		{Volatility, volatility},
		{CurrentObject, currentObject},
		{GlobalSwitch, globalSwitch},
		{LateShape, lateShape},
		{NamedParts, namedParts},
		{OneUpdate, oneUpdate},
	} {
		for _, a := range names.names {
			all = append(all, LeftOut{a.name, names.reason, a.instead})
		}
	}
	return all
}

var cudaOnly = []absent{
	{"cupy.cuda.Device.cusolver_handle", "cuSOLVER is not used"},
	{"cupy.cuda.curand.CURAND_RNG", "cuRAND is not used; a stream of random numbers is an nd.Rand"},
	{"cupy.cuda.Device.use", "every array has its own device"},
	{"cupy.cuda.set_allocator", "each device has one pool with a limit, Device.MemoryPool"},
	{"cupy.cuda.profiler.initialize", "drivers no longer have it; Device.StartProfiler and Device.StopProfiler remain"},
	{"cupy.cuda.profiler.cudaCSV", "drivers no longer have it"},
	{"cupy.ndarray.cstruct", "a struct of CuPy's own kernels; RawKernel takes arrays"},
	{"cupy.testing.attr.gpu", "a mark for a test runner; a Go test calls device.Get and skips"},
	{"cupy.testing.attr.multi_gpu", "a mark for a test runner; a Go test calls device.Get and skips"},
	{"cupy.testing.gpu", "a mark for a test runner; a Go test calls device.Get and skips"},
	{"chainer.cuda.cudnn_enabled", "specific to cuDNN, which is not used"},
	{"chainer.cuda.get_max_workspace_size", "specific to cuDNN, which is not used"},
	{"chainer.cuda.set_max_workspace_size", "specific to cuDNN, which is not used"},
	{"chainer.testing.attr.cudnn", "specific to cuDNN, which is not used"},
	{"chainer.testing.attr.gpu", "a mark for a test runner; a Go test calls device.Get and skips"},
	{"chainer.testing.attr.multi_gpu", "a mark for a test runner; a Go test calls device.Get and skips"},
}

var pythonOnly = []absent{
	{"chainer.cuda.clear_memo", "keep the value in a variable, or use sync.OnceValue"},
	{"chainer.cuda.get_array_module", "the same functions take arrays of every device"},
	{"chainer.cuda.memoize", "keep the value in a variable, or use sync.OnceValue"},
	{"cupy.clear_memo", "keep the value in a variable, or use sync.OnceValue"},
	{"cupy.get_array_module", "the same functions take arrays of every device"},
	{"cupy.memoize", "keep the value in a variable, or use sync.OnceValue"},
	{"cupy.ndarray.__reduce__", "pickling; nd.SaveNpy writes an array"},
	{"cupy.ndarray.base", "keeps an object alive; Array.SharesMemory tells about views"},
	{"cupy.ndarray.ctypes", "nd.Data returns the memory as a slice"},
	{"cupy.ndarray.dump", "pickling; nd.SaveNpy writes an array"},
	{"cupy.ndarray.dumps", "pickling; nd.WriteNpy writes an array to an io.Writer"},
	{"cupy.random.get_random_state", "global state; here every stream is an argument"},
	{"cupy.ufunc.__call__", "call the function, such as ops.Add"},
	{"cupy.ufunc.types", "dtype.ResultType gives the dtype of a result"},
	{"chainer.disable_experimental_warning", "the library prints no warnings"},
	{"chainer.testing.attr.slow", "a mark for a test runner; Go tests use testing.Short"},
	{"chainer.utils.experimental", "the library prints no warnings"},
	{"chainer.utils.type_check.Expr", "expressions with overloaded operators, for the message; Func.Expect takes the message"},
	{"chainer.utils.type_check.Expr.eval", "Func.Expect takes the condition"},
	{"chainer.utils.type_check.Variable", "Func.Expect takes the condition"},
	{"nnabla.initializer.BaseInitializer", "any function of the type initializer.Initializer is one"},
	{"nnabla.function.PythonFunction.__init__", "a grad.Function is a struct literal"},
	{"nnabla.parametric_functions", "a module: package nn"},
	{"nnabla.parametric_functions.parametric_function_api", "a decorator; a Go function takes its scope and calls Sub"},
}

var staticGraph = []absent{
	{"nnabla.function.Function.inplace_data", "which buffers a graph shares; Array.SharesMemory tells about views"},
	{"nnabla.function.Function.inplace_data_with", "Array.SharesMemory tells about views"},
	{"nnabla.function.Function.need_setup_recompute", "a Checkpoint draws from its own stream"},
	{"nnabla.function.Function.set_active_input_mask", "disables inputs in later runs; here the call omits them"},
	{"nnabla.function.Function.setup", "finds the shapes before the first run"},
	{"nnabla.function.Function.setup_recompute", "grad.Checkpoint computes again in the backward pass"},
	{"nnabla.function.Function.tags", "marks for traversals of a graph"},
	{"nnabla.function.PythonFunction.min_outputs", "outputs are allocated before forward_impl; grad.Function.Forward returns its own"},
	{"nnabla.function.PythonFunction.setup_impl", "checks and shapes are part of grad.Function.Forward"},
	{"nnabla.set_auto_forward", "functions always run immediately"},
}

var currentContext = []absent{
	{"nnabla.function.PythonFunction.ctx", "arrays know their device"},
	{"nnabla.function_bases.function_api", "a decorator that passes the current context"},
}

// iteratorsOfPython: a loop over batches calls Next until io.EOF.
var iteratorsOfPython = []absent{
	{"chainer.dataset.Iterator.__iter__", "a loop over batches calls Next until io.EOF"},
	{"chainer.dataset.Iterator.next", "a loop over batches calls Next until io.EOF"},
}

// downloads, and the global folder for downloaded files.
var downloads = []absent{
	{"chainer.dataset.cached_download", ""},
	{"chainer.dataset.get_dataset_root", ""},
	{"chainer.dataset.set_dataset_root", ""},
}

var oneUpdate = []absent{
	{"chainer.Optimizer.new_epoch", "no rule depends on the epoch"},
	{"chainer.Optimizer.remove_hook", "a hook is a call: omit it"},
}

// volatility lists Chainer's flags that enable or disable recording for an array or a block of code.
var volatility = []absent{
	{"chainer.AUTO", ""},
	{"chainer.Flag", ""},
	{"chainer.OFF", ""},
	{"chainer.ON", ""},
	{"chainer.Variable.volatile", "Array.Detach ends the record of an array"},
	{"chainer.flag.aggregate_flags", ""},
	{"chainer.force_backprop_mode", "Tape.Watch starts the record of an array"},
}

var currentObject = []absent{
	{"chainer.Reporter.__enter__", "a report.Reporter is an argument of the loss"},
	{"chainer.Reporter.__exit__", "a report.Reporter is an argument of the loss"},
	{"chainer.get_current_reporter", "a report.Reporter is an argument of the loss"},
	{"chainer.thread_local.function_hooks", "Tape.Hook"},
}

var globalSwitch = []absent{
	{"chainer.Function.type_check_enable", ""},
	{"chainer.GradientMethod.use_cleargrads", ""},
}

var lateShape = []absent{
	{"chainer.Link.add_uninitialized_param", ""},
	{"chainer.Link.has_uninitialized_params", ""},
}

var namedParts = []absent{
	{"chainer.training.StandardUpdater.get_iterator", ""},
	{"chainer.training.Updater.connect_trainer", "passes link names to the reporter; a Reporter is an argument of the loss"},
	{"chainer.training.Updater.get_all_optimizers", ""},
	{"chainer.training.Updater.get_optimizer", ""},
	{"chainer.training.extensions.Evaluator.get_all_iterators", ""},
	{"chainer.training.extensions.Evaluator.get_all_targets", ""},
	{"chainer.training.extensions.Evaluator.get_iterator", ""},
	{"chainer.training.extensions.Evaluator.get_target", ""},
}
