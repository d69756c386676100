package catalogue

// LeftOut is a documented name that has no meaning in this library.
type LeftOut struct {
	Name   string
	Reason Reason
}

// Reason says why a documented name is left out.
type Reason string

// The reasons.
const (
	CUDAOnly   Reason = "CUDA-only"   // it is CUDA's own: handles, streams, profiling
	PythonOnly Reason = "Python-only" // it serves Python's own ways: pickling, decorators, duck typing

	StaticGraph    Reason = "static graphs only: here a function runs when it is called"
	Downloads      Reason = "downloads: here files are read from folders, which are arguments, and fetching them is left to the user"
	CurrentContext Reason = "current context only: here a function runs on the device of its arguments"
	OneUpdate      Reason = "kept between updates only: here gradients, and what is done to them, are values of one update"

	Volatility    Reason = "volatile arrays only: here what is computed from watched arrays is recorded, and nothing else"
	CurrentObject Reason = "a current object of the thread: here it is an argument, or a field of the tape"
	GlobalSwitch  Reason = "a switch for the whole program: here the checks are always made, and gradients are made anew"
	NamedParts    Reason = "parts that an object keeps by names: here the caller has them in variables"
	LateShape     Reason = "parameters without a shape: here one is made when its shape is known"
)

// LeftOutNames returns the documented names that have no meaning here.
func LeftOutNames() []LeftOut {
	var all []LeftOut
	for _, names := range []struct {
		reason Reason
		names  []string
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
		for _, name := range names.names {
			all = append(all, LeftOut{name, names.reason})
		}
	}
	return all
}

var cudaOnly = []string{
	"cupy.cuda.Device.__ge__", // devices have names, and no numbers that could be compared
	"cupy.cuda.Device.__gt__",
	"cupy.cuda.Device.__int__",
	"cupy.cuda.Device.__le__",
	"cupy.cuda.Device.__long__",
	"cupy.cuda.Device.__lt__",
	"cupy.cuda.Device.compute_capability",
	"cupy.cuda.Device.cublas_handle",
	"cupy.cuda.Device.cusolver_handle",
	"cupy.cuda.Device.use", // the current device of the whole program; here every array has its own
	"cupy.cuda.Event",
	"cupy.cuda.Event.done",
	"cupy.cuda.Event.record",
	"cupy.cuda.Event.synchronize",
	"cupy.cuda.Memory.__int__", // addresses are not shown
	"cupy.cuda.Memory.__long__",
	"cupy.cuda.MemoryPointer.__add__",
	"cupy.cuda.MemoryPointer.__iadd__",
	"cupy.cuda.MemoryPointer.__int__",
	"cupy.cuda.MemoryPointer.__isub__",
	"cupy.cuda.MemoryPointer.__long__",
	"cupy.cuda.MemoryPointer.__radd__",
	"cupy.cuda.MemoryPointer.__rsub__",
	"cupy.cuda.MemoryPointer.__sub__",
	"cupy.cuda.MemoryPointer.copy_from_async",
	"cupy.cuda.MemoryPointer.copy_from_device_async",
	"cupy.cuda.MemoryPointer.copy_from_host_async",
	"cupy.cuda.MemoryPointer.copy_to_host_async",
	"cupy.cuda.MemoryPointer.memset_async",
	"cupy.cuda.MemoryPool", // CUDA's pool, as the allocator below
	"cupy.cuda.MemoryPool.free_all_blocks",
	"cupy.cuda.MemoryPool.free_all_free",
	"cupy.cuda.MemoryPool.malloc",
	"cupy.cuda.MemoryPool.n_free_blocks",
	"cupy.cuda.Stream",
	"cupy.cuda.Stream.add_callback",
	"cupy.cuda.Stream.done",
	"cupy.cuda.Stream.record",
	"cupy.cuda.Stream.synchronize",
	"cupy.cuda.Stream.wait_event",
	"cupy.cuda.curand.CURAND_RNG",
	"cupy.cuda.get_elapsed_time",
	"cupy.cuda.nvtx.Mark",
	"cupy.cuda.nvtx.MarkC",
	"cupy.cuda.nvtx.RangePop",
	"cupy.cuda.nvtx.RangePush",
	"cupy.cuda.nvtx.RangePushC",
	"cupy.cuda.profile",
	"cupy.cuda.profiler.cudaCSV",
	"cupy.cuda.profiler.initialize",
	"cupy.cuda.profiler.start",
	"cupy.cuda.profiler.stop",
	"cupy.cuda.runtime.Stream",
	"cupy.cuda.set_allocator",
	"cupy.ndarray.cstruct",
	"cupy.nvtx.range",
	"cupy.prof.TimeRangeDecorator",
	"cupy.prof.time_range",
	"cupy.testing.attr.gpu",
	"cupy.testing.attr.multi_gpu",
	"cupy.testing.gpu",
	"chainer.testing.attr.cudnn",
	"chainer.testing.attr.gpu",
	"chainer.testing.attr.multi_gpu",
}

var pythonOnly = []string{
	"cupy.clear_memo",
	"cupy.get_array_module",
	"cupy.memoize",
	"cupy.ndarray.__reduce__",
	"cupy.ndarray.base", // it keeps an object alive; Array.SharesMemory tells about views
	"cupy.ndarray.ctypes",
	"cupy.ndarray.dump",
	"cupy.ndarray.dumps",
	"cupy.random.get_random_state", // a state for the whole program; here every stream is an argument
	"cupy.ufunc.__call__",
	"cupy.ufunc.types",
	"chainer.disable_experimental_warning",
	"chainer.testing.attr.slow", // a mark for a test runner; testing.Short tells a Go test
	"chainer.utils.experimental",
	"chainer.utils.type_check.Expr", // expressions by overloaded operators, for the message; Func.Expect is given the message
	"chainer.utils.type_check.Expr.eval",
	"chainer.utils.type_check.Variable",
	"nnabla.initializer.BaseInitializer",                  // any function of the type nn.Initializer is one
	"nnabla.function.PythonFunction.__init__",             // a grad.Function is a literal of a struct
	"nnabla.parametric_functions",                         // a module: package nn
	"nnabla.parametric_functions.parametric_function_api", // a decorator; a Go function takes its scope, and enters it by Sub
}

var staticGraph = []string{
	"nnabla.function.Function.inplace_data", // which buffers a graph shares; Array.SharesMemory tells about views
	"nnabla.function.Function.inplace_data_with",
	"nnabla.function.Function.need_setup_recompute",  // a Checkpoint draws from a stream that it makes itself
	"nnabla.function.Function.set_active_input_mask", // leaves inputs out of later runs; here they are left out of the call
	"nnabla.function.Function.setup",                 // finds the shapes before the first run
	"nnabla.function.Function.setup_recompute",
	"nnabla.function.Function.tags",              // marks for those who go through a graph
	"nnabla.function.PythonFunction.min_outputs", // outputs are made before forward_impl; grad.Function.Forward returns its own
	"nnabla.function.PythonFunction.setup_impl",  // checks and shapes are part of grad.Function.Forward
	"nnabla.set_auto_forward",                    // functions always run at once
}

var currentContext = []string{
	"nnabla.function.PythonFunction.ctx",
	"nnabla.function_bases.function_api", // a decorator that passes the current context
}

// iteratorsOfPython: a loop over batches calls Next until io.EOF.
var iteratorsOfPython = []string{
	"chainer.dataset.Iterator.__iter__",
	"chainer.dataset.Iterator.next",
}

// downloads, and the folder of the whole program where their files lie.
var downloads = []string{
	"chainer.dataset.cached_download",
	"chainer.dataset.get_dataset_root",
	"chainer.dataset.set_dataset_root",
}

var oneUpdate = []string{
	"chainer.Optimizer.new_epoch",   // no rule asks for a number of epochs
	"chainer.Optimizer.remove_hook", // a hook is called, or not
}

// volatility: Chainer's flags that say for an array, or for a block of code, whether what is computed from it is recorded.
var volatility = []string{
	"chainer.AUTO",
	"chainer.Flag",
	"chainer.OFF",
	"chainer.ON",
	"chainer.Variable.volatile",
	"chainer.flag.aggregate_flags",
	"chainer.force_backprop_mode",
}

var currentObject = []string{
	"chainer.Reporter.__enter__", // a report.Reporter is an argument of the loss
	"chainer.Reporter.__exit__",
	"chainer.get_current_reporter",
	"chainer.thread_local.function_hooks", // Tape.Hook
}

var globalSwitch = []string{
	"chainer.Function.type_check_enable",
	"chainer.GradientMethod.use_cleargrads",
}

var lateShape = []string{
	"chainer.Link.add_uninitialized_param",
	"chainer.Link.has_uninitialized_params",
}

var namedParts = []string{
	"chainer.training.StandardUpdater.get_iterator",
	"chainer.training.Updater.connect_trainer", // gives the reporter the names of links; a Reporter is an argument of the loss
	"chainer.training.Updater.get_all_optimizers",
	"chainer.training.Updater.get_optimizer",
	"chainer.training.extensions.Evaluator.get_all_iterators",
	"chainer.training.extensions.Evaluator.get_all_targets",
	"chainer.training.extensions.Evaluator.get_iterator",
	"chainer.training.extensions.Evaluator.get_target",
}
