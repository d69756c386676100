package elementwise

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// busy runs a program until stop is set. The channel done tells when it has ended.
func busy(p *device.Program, n int, stop *atomic.Bool) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		x, y := launchtest.New(launchtest.Uniform(n), n), launchtest.New(make([]float32, n), n)
		for !stop.Load() {
			l := launchtest.Launch([]int{n}, y, x)
			l.Program = p
			Elementwise(l)
			l.Recycle()
		}
	}()
	return done
}

// gcTime returns the median time of some GC cycles while something runs.
func gcTime(run func(stop *atomic.Bool) (done chan struct{})) time.Duration {
	var stop atomic.Bool
	done := run(&stop)
	time.Sleep(10 * time.Millisecond)
	took := make([]time.Duration, 9)
	for i := range took {
		start := time.Now()
		runtime.GC()
		took[i] = time.Since(start)
	}
	stop.Store(true)
	<-done
	slices.Sort(took)
	return took[len(took)/2]
}

// TestKernelsLetTheCollectorIn starts GC cycles while a kernel of many milliseconds runs, and while a Go loop runs, as
// the machine may be slow. A kernel that cannot be stopped would delay each cycle until the kernel ends.
func TestKernelsLetTheCollectorIn(t *testing.T) {
	if launchtest.Race {
		t.Skip("the race detector slows everything down")
	}
	p := launchtest.Compile(t, dtype.Float32, "T x", "T out", "tanh(x)*sigmoid(x) + exp(-x*x)")
	loop := gcTime(func(stop *atomic.Bool) chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !stop.Load() {
			}
		}()
		return done
	})
	kernel := gcTime(func(stop *atomic.Bool) chan struct{} { return busy(p, 1<<24, stop) })
	t.Logf("a GC cycle takes %v beside a kernel, %v beside a loop", kernel, loop)
	if kernel > 10*loop+20*time.Millisecond {
		t.Errorf("a GC cycle takes %v beside a kernel, %v beside a loop", kernel, loop)
	}
}

// TestInterpreterUnderTheProfiler interrupts handlers with the profiler's signals, whose stacks the runtime unwinds,
// and with GC cycles.
func TestInterpreterUnderTheProfiler(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("the test run may have a profile of its own")
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Skip(err)
	}
	p := launchtest.Compile(t, dtype.Float32, "T x", "T out", "x < s ? sqrt(abs(x)) : sin(x*1e6)")
	var stop atomic.Bool
	done := busy(p, 5003, &stop)
	for end := time.Now().Add(250 * time.Millisecond); time.Now().Before(end); {
		runtime.GC()
		_ = make([]byte, 1<<16)
	}
	stop.Store(true)
	<-done
	pprof.StopCPUProfile()
	if profile.Len() == 0 {
		t.Error("the profile is empty")
	}
}
