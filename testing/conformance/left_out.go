package conformance

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
)

// LeftOutNames returns the documented names that have no meaning here.
func LeftOutNames() []LeftOut {
	var all []LeftOut
	for _, names := range []struct {
		reason Reason
		names  []string
	}{{CUDAOnly, cudaOnly}, {PythonOnly, pythonOnly}} {
		for _, name := range names.names {
			all = append(all, LeftOut{name, names.reason})
		}
	}
	return all
}

var cudaOnly = []string{
	"cupy.cuda.Device.compute_capability",
	"cupy.cuda.Device.cublas_handle",
	"cupy.cuda.Device.cusolver_handle",
	"cupy.cuda.Event",
	"cupy.cuda.Event.done",
	"cupy.cuda.Event.record",
	"cupy.cuda.Event.synchronize",
	"cupy.cuda.MemoryPointer.copy_from_async",
	"cupy.cuda.MemoryPointer.copy_from_device_async",
	"cupy.cuda.MemoryPointer.copy_from_host_async",
	"cupy.cuda.MemoryPointer.copy_to_host_async",
	"cupy.cuda.MemoryPointer.memset_async",
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
	"cupy.ndarray.cstruct",
	"cupy.nvtx.range",
	"cupy.prof.TimeRangeDecorator",
	"cupy.prof.time_range",
	"cupy.testing.attr.gpu",
	"cupy.testing.attr.multi_gpu",
	"cupy.testing.gpu",
}

var pythonOnly = []string{
	"cupy.clear_memo",
	"cupy.get_array_module",
	"cupy.memoize",
	"cupy.ndarray.__reduce__",
	"cupy.ndarray.ctypes",
	"cupy.ndarray.dump",
	"cupy.ndarray.dumps",
	"cupy.ufunc.__call__",
	"cupy.ufunc.types",
}
