//go:build linux && (amd64 || arm64)

package mpi_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func parts() map[string]func(context.Context, *testing.T) {
	return map[string]func(context.Context, *testing.T){
		"collectives": collectives, "messages": messages, "mismatch": mismatch, "runtime": goRuntime, "growth": growth, "contexts": contexts, "late": late,
		"concurrent": concurrent, "abort": aborts, "exits": exits, "dies": dies, "builds": builds, "threads": threads, "level": level,
	}
}

// TestRuntime checks that what Go's runtime does by signals works after Open, and that processes can be started.
func TestRuntime(t *testing.T) { passes(t, "runtime") }

func goRuntime(ctx context.Context, t *testing.T) {
	environment := os.Environ()
	before := mpi.Handlers()
	c := comm.New(open(ctx, t))
	if err := c.Barrier(ctx); err != nil {
		t.Fatal(err)
	}
	sameHandlers(t, "Open", before[:])
	if now := os.Environ(); strings.Join(now, "\n") != strings.Join(environment, "\n") {
		t.Error("Open changed the environment")
	}
	recovers(t)
	profiles(ctx, t, c)
	preempts(t)
	if out, err := exec.Command("echo", "started").Output(); err != nil || string(out) != "started\n" {
		t.Errorf("os/exec: %q, %v", out, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	sameHandlers(t, "Close", before[:])
	recovers(t)
}

func sameHandlers[H interface {
	OnOwnStack() bool
	comparable
}](t *testing.T, after string, before []H) {
	t.Helper()
	for signal, now := range mpi.Handlers() {
		if any(now) != any(before[signal]) {
			t.Errorf("%s changed the handler of signal %d", after, signal)
		}
		if !now.OnOwnStack() {
			t.Errorf("after %s the handler of signal %d runs on the stack of a goroutine", after, signal)
		}
	}
}

// recovers dereferences nil, for which the runtime needs SIGSEGV.
func recovers(t *testing.T) {
	t.Helper()
	defer func() {
		if err, ok := recover().(runtime.Error); !ok || !strings.Contains(err.Error(), "nil pointer") {
			t.Errorf("recovered %v", err)
		}
	}()
	var p *[1 << 10]int
	t.Error(p[3])
}

// profiles takes a CPU profile, which needs SIGPROF, during calls.
func profiles(ctx context.Context, t *testing.T, c *comm.Communicator) {
	t.Helper()
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	x, calls := nd.Zeros([]int{1000}), 0
	for start := time.Now(); calls < 20 || time.Since(start) < 300*time.Millisecond && c.Size() == 1; calls++ {
		for spin := time.Now(); time.Since(spin) < 20*time.Millisecond; {
		}
		if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
			t.Fatal(err)
		}
	}
	pprof.StopCPUProfile()
	if profile.Len() < 500 {
		t.Errorf("a profile of %d bytes", profile.Len())
	}
}

// preempts runs a loop without calls on the only processor of Go, which SIGURG must interrupt.
func preempts(t *testing.T) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
		}
	}()
	start := time.Now()
	for range 3 {
		time.Sleep(time.Millisecond)
	}
	stop.Store(true)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("preemption took %v", d)
	}
}

// TestGrowth makes 10,000 calls, and counts memory and goroutines.
func TestGrowth(t *testing.T) { passes(t, "growth") }

func growth(ctx context.Context, t *testing.T) {
	left := assert.NoGoroutinesLeft(t)
	c := comm.New(open(ctx, t))
	x := nd.Zeros([]int{300})
	y := c.New(dtype.Float64, 40)
	memory := func(calls int) int {
		for range calls {
			if err := errors.Join(c.AllReduce(ctx, []*nd.Array{x, y}), c.Bcast(ctx, []*nd.Array{x}, 0)); err != nil {
				t.Fatal(err)
			}
			c.Free(c.New(dtype.Float32, 1<<16))
		}
		debug.FreeOSMemory()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc) + resident(t)
	}
	first := memory(500)
	calls := 9500
	if c.Size() > 2 {
		calls = 500 // more processes than processors, perhaps, which wait for each other
	}
	if last := memory(calls); last > first+16<<20 {
		t.Errorf("%d bytes, then %d", first, last)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	left()
}

// resident returns the bytes of memory of the process, from /proc.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, digit := range strings.Fields(string(text))[1] {
		pages = pages*10 + int(digit-'0')
	}
	return pages * os.Getpagesize()
}

// TestConcurrent uses two groups from two goroutines, which need not be in step.
func TestConcurrent(t *testing.T) { passes(t, "concurrent") }

func concurrent(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	everyone := make([]int, c.Size())
	for r := range everyone {
		everyone[r] = r
	}
	ended := make(chan error)
	for _, name := range []string{"a", "b", "c"} {
		g, err := c.NewGroup(ctx, name, everyone)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			x := nd.Zeros([]int{1 + len(name)*1000*(c.Rank()%2+1)})
			y := nd.Zeros([]int{2000})
			for i := range 100 {
				if (i+c.Rank())%7 == 0 {
					time.Sleep(time.Duration(c.Rank()) * 100 * time.Microsecond)
				}
				if err := g.AllReduce(ctx, []*nd.Array{y}); err != nil {
					ended <- err
					return
				}
			}
			x.Release()
			ended <- nil
		}()
	}
	for range 3 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
