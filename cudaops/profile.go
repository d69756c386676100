package cudaops

import (
	"context"
	"runtime/trace"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
)

// Mark marks a moment in Go's execution trace and, if NVIDIA's profiling library (NVTX) is found, in NVIDIA's
// profilers.
// CuPy: cuda.nvtx.Mark, cuda.nvtx.MarkC.
func Mark(name string) {
	drv.Mark(name)
	trace.Log(context.Background(), "cudaops", name)
}

// Range begins a span of the calling goroutine's work in Go's execution trace and, if NVIDIA's profiling library (NVTX)
// is found, in NVIDIA's profilers. The returned function ends the span: defer cudaops.Range("step")().
// CuPy: cuda.nvtx.RangePush, cuda.nvtx.RangePushC, cuda.nvtx.RangePop.
func Range(name string) (end func()) {
	id := drv.RangeStart(name)
	region := trace.StartRegion(context.Background(), name)
	return func() {
		region.End()
		drv.RangeEnd(id)
	}
}

// StartProfiler starts the collection of NVIDIA's profilers, if they were told to wait for that.
// CuPy: cuda.profiler.start.
func (d *Device) StartProfiler() error { return d.context.ProfilerStart() }

// StopProfiler stops the collection that StartProfiler started.
// CuPy: cuda.profiler.stop.
func (d *Device) StopProfiler() error { return d.context.ProfilerStop() }

// Profile starts the collection of NVIDIA's profilers until the returned function is called.
// CuPy: cuda.profile.
func (d *Device) Profile() (end func() error, err error) { return d.StopProfiler, d.StartProfiler() }
