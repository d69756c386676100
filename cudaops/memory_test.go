package cudaops_test

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestDroppedArraysComeBack drops the results of many operations and checks that the memory in use stays bounded.
func TestDroppedArraysComeBack(t *testing.T) {
	d := gpu(t)
	const operations, limit = 100_000, 256 << 20
	n := operations
	if testing.Short() {
		n /= 20
	}
	runtime.GC()
	d.MemoryPool().FreeAll() // releases the memory that other tests left
	x := nd.Ones([]int{4096}, nd.ArrayOptions{Device: d})
	most := 0
	for range n {
		ops.Add(x, x)
		most = max(most, d.MemoryPool().Used()+d.MemoryPool().Cached())
	}
	if most > limit {
		t.Errorf("%d operations used %d bytes, want at most %d", n, most, limit)
	}
}

// TestOutOfMemory reaches the pool's limit, checks the error with the memory figures, and continues to work.
func TestOutOfMemory(t *testing.T) {
	d := gpu(t)
	pool := d.MemoryPool()
	runtime.GC()
	pool.FreeAll()
	limit := pool.Used() + pool.Cached() + 64<<20
	pool.SetLimit(limit)
	defer pool.SetLimit(0)
	var kept []*nd.Array
	err := nd.Catch(func() {
		for range 100 {
			kept = append(kept, nd.Empty([]int{8 << 20}, nd.ArrayOptions{DType: dtype.Uint8, Device: d}))
		}
	})
	var full *device.OutOfMemory
	var state *cudaops.MemoryError
	if !errors.As(err, &full) || !errors.As(err, &state) {
		t.Fatalf("100 blocks of 8 MiB within 64 MiB: %v", err)
	}
	if state.Limit != limit || state.Used < 32<<20 || state.Used+state.Cached > limit {
		t.Errorf("%+v with a limit of %d", state, limit)
	}
	for _, x := range kept {
		x.Release()
	}
	x := nd.Full([]int{1000}, 2.0, nd.ArrayOptions{Device: d})
	if got := ops.Sum(x).Item(); got != 2000.0 {
		t.Errorf("after running out of memory, a sum is %v", got)
	}
}

// TestFreedBlocksComeBack checks that a freed block is reused at once, without asking the driver.
func TestFreedBlocksComeBack(t *testing.T) {
	d := gpu(t)
	for _, n := range []int{1, 100, 5000, 3_000_001} {
		m := d.Alloc(n)
		d.Free(m)
		if again := d.Alloc(n); again.Handle != m.Handle {
			t.Errorf("a block of %d bytes was not reused", n)
		} else {
			d.Free(again)
		}
	}
}

// TestCopiesOfAllSizes tests small and large copies.
func TestCopiesOfAllSizes(t *testing.T) {
	d := gpu(t)
	for _, n := range []int{0, 1, 64 << 10, 64<<10 + 1, 4 << 20, 4<<20 + 3, 9<<20 + 1} {
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(i * 7)
		}
		m := d.Alloc(n)
		d.CopyIn(m, 0, src)
		got := make([]byte, n)
		d.CopyOut(got, m, 0)
		if !slices.Equal(got, src) {
			t.Errorf("a copy of %d bytes returned other bytes", n)
		}
		d.Free(m)
	}
}

// TestBetweenDevices copies an array from one GPU to another, if there are two.
func TestBetweenDevices(t *testing.T) {
	first := gpu(t)
	second, err := device.Get("cuda:1")
	if err != nil {
		t.Skip(err)
	}
	x := nd.Arange(0, 1000, 1).To(first)
	y := ops.Multiply(x, x).To(second)
	if got := ops.Sum(y).To(first).Item(); got != 332_833_500.0 {
		t.Errorf("the sum is %v", got)
	}
	if err := nd.Catch(func() { ops.Add(x, y) }); err == nil {
		t.Error("operands on two devices were added")
	}
}

// TestStreams copies pinned memory in a separate stream, between kernels.
func TestStreams(t *testing.T) {
	d := gpu(t)
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.NewPinned(8 * 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Bytes() {
		p.Bytes()[i] = 1
	}
	x := nd.Zeros([]int{8000}, nd.ArrayOptions{DType: dtype.Uint8, Device: d})
	for range 20 {
		s.CopyIn(x, p, 0)
		y := ops.Add(x, x)
		s.Fill(x, 7)
		z := ops.Add(y, x)
		if got := ops.Sum(z).Item(); got != uint64(9*8000) {
			t.Fatalf("the sum is %v", got)
		}
		z.Release()
	}
	start, err1 := d.NewEvent()
	end, err2 := d.NewEvent()
	if err := errors.Join(err1, err2, start.Record(nil), end.Record(nil), end.Synchronize()); err != nil {
		t.Fatal(err)
	}
	if took, err := cudaops.Elapsed(start, end); err != nil || took < 0 || took > time.Minute {
		t.Errorf("%v, %v", took, err)
	}
	told := make(chan error, 1)
	if err := s.AddCallback(func(err error) { told <- err }); err != nil {
		t.Fatal(err)
	}
	if err := <-told; err != nil {
		t.Error(err)
	}
	s.CopyOut(p, 0, x)
	if err := s.Synchronize(); err != nil || p.Bytes()[7999] != 7 {
		t.Errorf("%v, and the last byte is %d", err, p.Bytes()[7999])
	}
	if done, err := s.Done(); !done || err != nil {
		t.Errorf("done: %v, %v", done, err)
	}
}

// TestRawKernel compiles a kernel, if NVRTC is found.
func TestRawKernel(t *testing.T) {
	d := gpu(t)
	k, err := d.RawKernel(`extern "C" __global__ void axpy(const float* x, float* y, float a, long long n) {
	long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}`, "axpy")
	if err != nil {
		t.Skip(err)
	}
	x := nd.Full([]int{1000}, float32(2), nd.ArrayOptions{DType: dtype.Float32, Device: d})
	y := nd.Ones([]int{1000}, nd.ArrayOptions{DType: dtype.Float32, Device: d})
	k.Launch(nil, cudaops.Dim{X: 4}, cudaops.Dim{X: 256}, 0, x, cudaops.Written{Array: y}, float32(3), 1000)
	if got := ops.Sum(y).Item(); got != float32(7000) {
		t.Errorf("the sum is %v", got)
	}
	if err := nd.Catch(func() { k.Launch(nil, cudaops.Dim{}, cudaops.Dim{}, 0, "x") }); err == nil {
		t.Error("a string was accepted as an argument")
	}
	if _, err := d.RawKernel("no C", "axpy"); err == nil {
		t.Error("a source that is not C was compiled")
	}
}
