package cudaops

import (
	"context"
	"runtime/trace"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
)

// Mark notes a moment: in NVIDIA's profilers, where their library (NVTX) is found, and in Go's execution trace.
// cupy.cuda.nvtx.Mark, cupy.cuda.nvtx.MarkC.
func Mark(name string) {
	drv.Mark(name)
	trace.Log(context.Background(), "cudaops", name)
}

// Range begins a span of the calling goroutine's work, in NVIDIA's profilers, where their library (NVTX) is found, and in Go's
// execution trace; the returned function ends it: defer cudaops.Range("step")(). cupy.cuda.nvtx.RangePush,
// cupy.cuda.nvtx.RangePushC, cupy.cuda.nvtx.RangePop.
func Range(name string) (end func()) {
	id := drv.RangeStart(name)
	region := trace.StartRegion(context.Background(), name)
	return func() {
		region.End()
		drv.RangeEnd(id)
	}
}

// StartProfiler has NVIDIA's profilers look at the device from now on, where they were told to wait for that.
// cupy.cuda.profiler.start.
func (d *Device) StartProfiler() error { return d.context.ProfilerStart() }

// StopProfiler ends what StartProfiler began. cupy.cuda.profiler.stop.
func (d *Device) StopProfiler() error { return d.context.ProfilerStop() }

// Profile has NVIDIA's profilers look at the device until the returned function is called. cupy.cuda.profile.
func (d *Device) Profile() (end func() error, err error) { return d.StopProfiler, d.StartProfiler() }
