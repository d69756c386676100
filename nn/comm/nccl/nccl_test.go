//go:build linux && (amd64 || arm64)

package nccl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/nccl"
)

// gpu returns a device, or skips the test.
func gpu(t *testing.T) *cudaops.Device {
	t.Helper()
	if err := cudaops.Err(); err != nil {
		t.Skip(err)
	}
	dev, err := device.Get("cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// emulated returns the library of testdata, if the device is that of the CPU emulator.
func emulated(t *testing.T) string {
	t.Helper()
	if model, err := gpu(t).Model(); err != nil || !strings.Contains(model, "emulator") {
		t.Skip("it needs cudaops/emulator/run")
	}
	return compile(t, "-pthread", filepath.Join("testdata", "nccl.c"))
}

// compile makes a library of C, or skips the test.
func compile(t *testing.T, arguments ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "libnccl.so.2")
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	if output, err := exec.Command("gcc", append([]string{"-shared", "-fPIC", "-O1", "-o", file}, arguments...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return file
}

// together runs a function on n ranks, which are goroutines of this process.
func together(t *testing.T, n int, library string, f func(ctx context.Context, base, c *comm.Communicator)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var running sync.WaitGroup
	for r, base := range comm.Local(n) {
		running.Go(func() {
			defer base.Close()
			dev, err := device.Get(fmt.Sprintf("cuda:%d", r%2))
			if err != nil {
				dev = gpu(t)
			}
			e, err := nccl.Open(ctx, base, dev, nccl.Options{Library: library})
			if err != nil {
				t.Error(err)
				return
			}
			c := comm.New(e)
			f(ctx, base, c)
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
}

// TestOneRank uses the installed library.
func TestOneRank(t *testing.T) {
	d := gpu(t)
	if model, _ := d.Model(); strings.Contains(model, "emulator") {
		t.Skip("NCCL does not know the emulator")
	}
	base := comm.Local(1)[0]
	if _, err := nccl.Open(t.Context(), base, d); err != nil && strings.Contains(err.Error(), "libnccl.so.2") {
		t.Skip(err)
	}
	together(t, 1, "", compareAll(t))
}

// TestRanks compares each function with comm.Local.
func TestRanks(t *testing.T) {
	library := emulated(t)
	for n := range 4 {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) { together(t, n+1, library, compareAll(t)) })
	}
}

func compareAll(t *testing.T) func(ctx context.Context, base, c *comm.Communicator) {
	return func(ctx context.Context, base, c *comm.Communicator) {
		if !strings.HasPrefix(c.Engine(), "NCCL 2.") || c.Size() != base.Size() || c.Rank() != base.Rank() {
			t.Errorf("%s, rank %d of %d", c.Engine(), c.Rank(), c.Size())
		}
		for _, d := range []dtype.DType{dtype.Bool, dtype.Int16, dtype.Int64, dtype.BFloat16, dtype.Float32, dtype.Complex128} {
			for _, n := range []int{0, 1, 7, 5000} {
				compare(ctx, t, base, c, d, n)
			}
		}
		ranks := make([]int, c.Size())
		for i := range ranks {
			ranks[i] = c.Size() - 1 - i
		}
		for _, name := range []string{"reversed", "again"} {
			g, err := c.NewGroup(ctx, name, ranks)
			if err != nil {
				t.Error(err)
				return
			}
			if want := c.Size() - 1 - c.Rank(); g.Rank() != want {
				t.Errorf("rank %d of the group, want %d", g.Rank(), want)
			}
			x := nd.FromSliceOn(c.Device(), []float32{float32(c.Rank())})
			if err := g.Bcast(ctx, []*nd.Array{x}, 0); err != nil || x.Float(0) != float64(c.Size()-1) {
				t.Errorf("%v, %v", x, err)
			}
		}
		if err := c.Barrier(ctx); err != nil {
			t.Error(err)
		}
	}
}

// compare runs functions on the GPUs and on the host, and compares the bytes.
func compare(ctx context.Context, t *testing.T, base, c *comm.Communicator, d dtype.DType, n int) {
	got, want := results(ctx, t, c, d, n), results(ctx, t, base, d, n)
	for i, name := range []string{"AllReduce", "fast", "ReduceScatter", "AllGather", "Bcast", "Recv"} {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("%s of %d %s: rank %d differs", name, n, d, c.Rank())
		}
	}
}

func results(ctx context.Context, t *testing.T, c *comm.Communicator, d dtype.DType, n int) [][]byte {
	var all [][]byte
	last := c.Size() - 1
	do := func(f func(x *nd.Array) error) {
		x := nd.Arange(float64(c.Rank()), float64(c.Rank()+n), 1).AsType(d).To(c.Device())
		if err := f(x); err != nil {
			t.Errorf("%d %s: %v", n, d, err)
		}
		if x = x.Contiguous(); d.IsBool() {
			x = x.AsType(dtype.Uint8)
		}
		all = append(all, nd.ToSlice[uint8](x.View(dtype.Uint8)))
	}
	do(func(x *nd.Array) error { return c.AllReduce(ctx, []*nd.Array{x}) })
	do(func(x *nd.Array) error { // the engine adds in another order, so a few small integers
		x.AssignFrom(x.AsType(dtype.Bool).AsType(d))
		return c.AllReduce(ctx, []*nd.Array{x}, comm.ReduceOptions{Fast: true})
	})
	do(func(x *nd.Array) error {
		xs := make([]*nd.Array, c.Size())
		for i := range xs {
			xs[i] = x.Copy()
		}
		return c.ReduceScatter(ctx, xs, x)
	})
	do(func(x *nd.Array) error {
		ys := make([]*nd.Array, c.Size())
		for i := range ys {
			ys[i] = nd.EmptyLike(x)
		}
		err := c.AllGather(ctx, x, ys)
		x.AssignFrom(ys[last])
		return err
	})
	do(func(x *nd.Array) error { return c.Bcast(ctx, []*nd.Array{x}, last) })
	do(func(x *nd.Array) error {
		switch {
		case c.Size() > 1 && c.Rank() == 0:
			return c.Send(ctx, x, last)
		case c.Size() > 1 && c.Rank() == last:
			return c.Recv(ctx, x, 0)
		}
		return nil
	})
	return all
}

// TestContext ends a context while a rank waits for a message.
func TestContext(t *testing.T) {
	together(t, 2, emulated(t), func(ctx context.Context, base, c *comm.Communicator) {
		if err := c.Barrier(ctx); err != nil {
			t.Error(err)
		}
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		if err := c.Recv(short, nd.Zeros([]int{3}, c.Device()), 1-c.Rank()); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := c.Barrier(ctx); err == nil {
			t.Error("a call after one that did not end succeeded")
		}
	})
}

// TestRefusals opens what does not fit: every rank gets an error.
func TestRefusals(t *testing.T) {
	for name, library := range map[string]string{
		"cpu": "", "missing": "/nowhere/libnccl.so.2", "symbols": compile(t, "-x", "c", "/dev/null"),
	} {
		t.Run(name, func(t *testing.T) {
			want := "pip install nvidia-nccl-cu12"
			switch name {
			case "cpu":
				want = "not a CUDA device"
			case "symbols":
				want = "has no ncclAllGather"
			}
			var running sync.WaitGroup
			for r, base := range comm.Local(2) {
				running.Go(func() {
					defer base.Close()
					var dev device.Device = nd.Zeros(nil).Device()
					if name != "cpu" {
						if cudaops.Err() != nil {
							return
						}
						dev, _ = device.Get("cuda:0")
					}
					_, err := nccl.Open(t.Context(), base, dev, nccl.Options{Library: library})
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("rank %d: %v", r, err)
					}
				})
			}
			running.Wait()
		})
	}
}
