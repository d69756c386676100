package catalogue

import (
	"fmt"
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// cudaRows is the chapter of CUDA's own: devices by number, streams, events, addresses, pinned memory, the memory pool
// and profilers.
var cudaRows = []Row{
	{Signature: "cupy.cuda.Device.__int__(self)", Func: (*cudaops.Device).Ordinal},
	{Signature: "cupy.cuda.Device.__long__(self)", Func: (*cudaops.Device).Ordinal},
	{Signature: "cupy.cuda.Device.__lt__(self, other)", Func: func(self, other *cudaops.Device) bool { return self.Ordinal() < other.Ordinal() },
		Note: "by Ordinal"},
	{Signature: "cupy.cuda.Device.__le__(self, other)", Func: func(self, other *cudaops.Device) bool { return self.Ordinal() <= other.Ordinal() },
		Note: "by Ordinal"},
	{Signature: "cupy.cuda.Device.__gt__(self, other)", Func: func(self, other *cudaops.Device) bool { return self.Ordinal() > other.Ordinal() },
		Note: "by Ordinal"},
	{Signature: "cupy.cuda.Device.__ge__(self, other)", Func: func(self, other *cudaops.Device) bool { return self.Ordinal() >= other.Ordinal() },
		Note: "by Ordinal"},
	{Signature: "cupy.cuda.Device.compute_capability(self)", Func: func(self *cudaops.Device) (string, error) {
		major, minor, err := self.ComputeCapability()
		return fmt.Sprint(major, minor), err
	}, Note: "two numbers"},
	{Signature: "cupy.cuda.Device.cublas_handle(self)", Func: (*cudaops.Device).CublasHandle},

	{Signature: "cupy.cuda.Stream(null=False, non_blocking=False)", Func: newStream, Note: "belongs to a device"},
	{Signature: "cupy.cuda.runtime.Stream(self)", Func: (*cudaops.Stream).Handle},
	{Signature: "cupy.cuda.Stream.done(self)", Func: (*cudaops.Stream).Done},
	{Signature: "cupy.cuda.Stream.synchronize(self)", Func: (*cudaops.Stream).Synchronize},
	{Signature: "cupy.cuda.Stream.record(self, event=None)", Func: (*cudaops.Stream).Record},
	{Signature: "cupy.cuda.Stream.wait_event(self, event)", Func: (*cudaops.Stream).Wait},
	{Signature: "cupy.cuda.Stream.add_callback(self, callback, arg)", Func: func(self *cudaops.Stream, callback func(*cudaops.Stream, error, any), arg any) error {
		return self.AddCallback(func(err error) { callback(self, err, arg) })
	}, Note: "a closure needs no arg; it runs in its own goroutine"},
	{Signature: "cupy.cuda.Event(block=False, disable_timing=False, interprocess=False)", Func: newEvent, Ignores: []string{"interprocess"}, Note: "belongs to a device"},
	{Signature: "cupy.cuda.Event.done(self)", Func: (*cudaops.Event).Done},
	{Signature: "cupy.cuda.Event.record(self, stream=None)", Func: (*cudaops.Event).Record},
	{Signature: "cupy.cuda.Event.synchronize(self)", Func: (*cudaops.Event).Synchronize},
	{Signature: "cupy.cuda.get_elapsed_time(start_event, end_event)", Func: func(start, end *cudaops.Event) (float64, error) {
		elapsed, err := cudaops.Elapsed(start, end)
		return float64(elapsed) / float64(time.Millisecond), err
	}, Note: "a time.Duration"},

	{Signature: "cupy.cuda.Memory.__int__(self)", Func: cudaops.Address, NoGrad: true},
	{Signature: "cupy.cuda.Memory.__long__(self)", Func: cudaops.Address, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.__int__(self)", Func: cudaops.Address, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.__long__(self)", Func: cudaops.Address, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.__add__(self, y)", Func: onwards, Note: "a view points into memory"},
	{Signature: "cupy.cuda.MemoryPointer.__radd__(self, y)", Func: onwards, Note: "a view points into memory"},
	{Signature: "cupy.cuda.MemoryPointer.__iadd__(self, y)", Func: onwards, Note: "a view points into memory"},
	{Signature: "cupy.cuda.MemoryPointer.__sub__(self, y)", Func: backwards, NoGrad: true, Note: "the address as a number: no view begins before its array"},
	{Signature: "cupy.cuda.MemoryPointer.__rsub__(self, y)", Func: backwards, NoGrad: true, Note: "the address as a number: no view begins before its array"},
	{Signature: "cupy.cuda.MemoryPointer.__isub__(self, y)", Func: backwards, NoGrad: true, Note: "the address as a number: no view begins before its array"},
	{Signature: "cupy.cuda.MemoryPointer.copy_from_async(self, mem, size, stream)", Func: copyAsync, Writes: []string{"self"}, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.copy_from_device_async(self, src, size, stream)", Func: copyAsync, Writes: []string{"self"}, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.copy_from_host_async(self, mem, size, stream)", Func: func(self *nd.Array, mem *cudaops.Pinned, size int, stream *cudaops.Stream) {
		stream.CopyIn(self.Index(nd.Until(size)), mem, 0)
	}, Writes: []string{"self"}, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.copy_to_host_async(self, mem, size, stream)", Func: func(self *nd.Array, mem *cudaops.Pinned, size int, stream *cudaops.Stream) {
		stream.CopyOut(mem, 0, self.Index(nd.Until(size)))
	}, NoGrad: true},
	{Signature: "cupy.cuda.MemoryPointer.memset_async(self, value, size, stream)", Func: func(self *nd.Array, value uint8, size int, stream *cudaops.Stream) {
		stream.Fill(self.Index(nd.Until(size)), value)
	}, Writes: []string{"self"}, NoGrad: true},

	{Signature: "cupy.cuda.MemoryPool(device)", Func: (*cudaops.Device).MemoryPool, Note: "each device has one"},
	{Signature: "cupy.cuda.MemoryPool.malloc(self, size)", Func: cudaops.MemoryPool.Alloc, Note: "arrays get their memory from it"},
	{Signature: "cupy.cuda.MemoryPool.free_all_blocks(self)", Func: cudaops.MemoryPool.FreeAll},
	{Signature: "cupy.cuda.MemoryPool.free_all_free(self)", Func: cudaops.MemoryPool.FreeAll},
	{Signature: "cupy.cuda.MemoryPool.n_free_blocks(self)", Func: cudaops.MemoryPool.FreeBlocks},

	{Signature: "cupy.cuda.nvtx.Mark(message, id_color=-1)", Func: cudaops.Mark, Ignores: []string{"id_color"}},
	{Signature: "cupy.cuda.nvtx.MarkC(message, color=0)", Func: cudaops.Mark, Ignores: []string{"color"}},
	{Signature: "cupy.cuda.nvtx.RangePush(message, id_color=-1)", Func: cudaops.Range, Ignores: []string{"id_color"}, Note: "call the result to end it"},
	{Signature: "cupy.cuda.nvtx.RangePushC(message, color=0)", Func: cudaops.Range, Ignores: []string{"color"}, Note: "call the result to end it"},
	{Signature: "cupy.cuda.nvtx.RangePop(end)", Func: func(end func()) { end() }, Note: "call the result of Range"},
	{Signature: "cupy.nvtx.range(message)", Func: cudaops.Range, Note: "call the result to end it"},
	{Signature: "cupy.prof.time_range(message, color_id=None, argb_color=None)", Func: cudaops.Range, Ignores: []string{"color_id", "argb_color"}, Note: "call the result to end it"},
	{Signature: "cupy.prof.TimeRangeDecorator(message=None, color_id=None, argb_color=None)", Func: func(message string) func(func()) func() {
		return func(f func()) func() {
			return func() {
				defer cudaops.Range(message)()
				f()
			}
		}
	}, Ignores: []string{"color_id", "argb_color"}, Note: "defer cudaops.Range(message)()"},
	{Signature: "cupy.cuda.profile(device)", Func: (*cudaops.Device).Profile, Note: "call the result to end it"},
	{Signature: "cupy.cuda.profiler.start(device)", Func: (*cudaops.Device).StartProfiler},
	{Signature: "cupy.cuda.profiler.stop(device)", Func: (*cudaops.Device).StopProfiler},

	{Signature: "chainer.cuda.get_device_from_id(device_id)", Func: func(id *int) (device.Device, error) {
		if id == nil {
			return device.Get("cpu")
		}
		return deviceNumbered(*id)
	}, NoGrad: true, Note: "device.Get takes a name"},
	{Signature: "chainer.cuda.get_device_from_array(*arrays)", Func: deviceOfFirst, NoGrad: true, Note: "Array.Device"},
	{Signature: "chainer.cuda.get_device(*args)", Func: deviceOf, NoGrad: true, Note: "Array.Device for arrays; device.Get for a name"},
	{Signature: "chainer.cuda.to_cpu(array, stream=None)", Func: toCPU, Ignores: []string{"stream"}, Note: "To returns an array on a device"},
	{Signature: "chainer.cuda.to_gpu(array, device=None, stream=None)", Func: toGPU, Ignores: []string{"stream"}, Note: "To returns an array on a device"},
	{Signature: "chainer.cuda.copy(array, out=None, out_device=None, stream=None)", Func: copyOnDevice, Ignores: []string{"stream"}},
	{Signature: "chainer.cuda.elementwise(in_params, out_params, operation, name)", Func: func(in, out, body, name string) (*ops.Kernel, error) {
		return ops.NewKernel(in, out, body, ops.KernelOptions{Name: name})
	}, NoGrad: true, Note: "use a variable that is set once"},
	{Signature: "chainer.cuda.reduce(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name)",
		Func: func(in, out, mapping, reduce, post, identity, name string) (*ops.ReductionKernel, error) {
			return ops.NewReductionKernel(in, out, mapping, reduce, post, identity, ops.ReductionKernelOptions{Name: name})
		}, NoGrad: true, Note: "use a variable that is set once"},
}

// newStream makes streams on the first device, as CuPy makes them on the current one.
func newStream(null, nonBlocking bool) (*cudaops.Stream, error) {
	d, err := firstGPU()
	if err != nil {
		return nil, err
	}
	if null {
		return d.NullStream(), nil
	}
	return d.NewStream(cudaops.StreamOptions{Blocking: !nonBlocking})
}

func newEvent(block, disableTiming bool) (*cudaops.Event, error) {
	d, err := firstGPU()
	if err != nil {
		return nil, err
	}
	return d.NewEvent(cudaops.EventOptions{Blocking: block, NoTiming: disableTiming})
}

func firstGPU() (*cudaops.Device, error) {
	dev, err := device.Get("cuda:0")
	if err != nil {
		return nil, err
	}
	return cudaops.Of(dev)
}

func onwards(self *nd.Array, y int) *nd.Array { return self.Index(nd.From(y)) }

func backwards(self *nd.Array, y int) uint64 { return cudaops.Address(self) - uint64(y) }

func copyAsync(self, src *nd.Array, size int, stream *cudaops.Stream) {
	stream.Copy(self.Index(nd.Until(size)), src.Index(nd.Until(size)))
}

// deviceOfFirst returns the device of the first array, or the CPU if there is no array.
func deviceOfFirst(xs []*nd.Array) (device.Device, error) {
	if len(xs) == 0 {
		return device.Get("cpu")
	}
	return xs[0].Device(), nil
}

// deviceOf returns the device that the first argument other than None names, or the CPU.
func deviceOf(args []any) (device.Device, error) {
	if i := slices.IndexFunc(args, func(v any) bool { return v != nil }); i >= 0 {
		return gpuOf(args[i])
	}
	return device.Get("cpu")
}

// gpuOf returns the device that a value names: a device, the device of an array, a device by its name, or a GPU by its
// number. None means the first GPU.
func gpuOf(v any) (device.Device, error) {
	switch v := v.(type) {
	case nil:
		return deviceNumbered(0)
	case device.Device:
		return v, nil
	case *nd.Array:
		return v.Device(), nil
	case string:
		return device.Get(v)
	}
	return deviceNumbered(integer(v))
}

func toCPU(x *nd.Array) (*nd.Array, error) {
	dev, err := device.Get("cpu")
	if err != nil {
		return nil, err
	}
	return x.To(dev), nil
}

func toGPU(x *nd.Array, dev any) (*nd.Array, error) {
	on, err := gpuOf(dev)
	if err != nil {
		return nil, err
	}
	return x.To(on), nil
}

// copyOnDevice copies an array to out. If out is nil, it copies to a new array on the device, by default x's.
func copyOnDevice(x, out *nd.Array, dev any) (*nd.Array, error) {
	if out != nil {
		out.Assign(x.To(out.Device()))
		return out, nil
	}
	if dev == nil {
		return x.Copy(), nil
	}
	on, err := gpuOf(dev)
	if err != nil {
		return nil, err
	}
	return x.CopyOn(on), nil
}
