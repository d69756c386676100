package comm_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestSteady: thousands of calls need no more memory than a few, and leave no goroutine.
func TestSteady(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse
	}
	together(t, comm.Local(2), func(ctx context.Context, c *comm.Communicator) {
		x, y, z := nd.Ones([]int{5000}, dtype.Float32), nd.Ones([]int{30, 40}), nd.Ones([]int{3})
		var before uint64
		for n := range 10_000 {
			if n == 1000 {
				before = heap()
			}
			err := c.AllReduce(ctx, []*nd.Array{x, z, y.T()}, comm.ReduceOptions{Division: true})
			if n%10 == 0 && err == nil {
				err = c.Bcast(ctx, []*nd.Array{y}, n/10%2)
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
		// A loss of one array of 20 kB in each call would be 180 MB. Idle blocks of the pool may be some tens of MB.
		if after := heap(); after > before+64<<20 {
			t.Errorf("%d bytes after 1,000 calls, %d after 10,000", before, after)
		}
	})
}

// TestNew: an array of New keeps its memory in calls, and Free ends its use.
func TestNew(t *testing.T) {
	together(t, comm.Local(2), func(ctx context.Context, c *comm.Communicator) {
		x := c.New(dtype.Float64, 100, 100)
		x.Assign(nd.Scalar(1))
		block := x.Block()
		if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
			t.Error(err)
		}
		if x.Block() != block || nd.Value[float64](x, 99, 99) != 2 {
			t.Errorf("%v", x)
		}
		if x.Device() != c.Device() {
			t.Errorf("on %s, want %s", x.Device().Name(), c.Device().Name())
		}
		c.Free(x)
		c.Free(nd.Ones([]int{100})) // not its own
		if !x.IsReleased() {
			t.Error("Free did not release the array")
		}
	})
}
