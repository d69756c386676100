package comm_test

import (
	"context"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// together runs a function on every rank, in goroutines, and closes the communicators.
func together(t *testing.T, all []*comm.Communicator, f func(ctx context.Context, c *comm.Communicator)) {
	t.Helper()
	var running sync.WaitGroup
	for _, c := range all {
		running.Go(func() {
			defer c.Close()
			f(t.Context(), c)
		})
	}
	running.Wait()
}

func TestAllReduce(t *testing.T) {
	together(t, comm.Local(3), func(ctx context.Context, c *comm.Communicator) {
		x := nd.FromSlice([]float32{float32(c.Rank()), 1})
		if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
			t.Error(err)
		}
		if got := nd.ToSlice[float32](x); got[0] != 3 || got[1] != 3 {
			t.Errorf("%v", got)
		}
		if err := c.AllReduce(ctx, []*nd.Array{nd.Zeros([]int{2, c.Rank()})}); c.Rank() == 2 {
			t.Log(err)
		}
	})
}
