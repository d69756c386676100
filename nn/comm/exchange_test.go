package comm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// TestSlots: arrays and bytes that just fit into the exchange before a call, and those that do not, arrive all the same; with few
// ranks, with many, and without the comparison of calls.
func TestSlots(t *testing.T) {
	const most = comm.ExchangeBytes - 16
	for _, ranks := range []int{2, 3, 8, 9} {
		for _, unchecked := range []bool{false, true} {
			together(t, comm.Local(ranks), func(ctx context.Context, c *comm.Communicator) {
				c.NoCheck = unchecked
				for _, n := range []int{0, 1, most/4 - 1, most / 4, most/4 + 1} {
					slots(ctx, t, c, n)
				}
				for _, n := range []int{0, 5, most - 1, most, most + 1} {
					texts(ctx, t, c, func(int) int { return n })
					texts(ctx, t, c, func(rank int) int { return n * (rank % 2) })
				}
			})
		}
	}
}

// slots calls functions with arrays of n elements.
func slots(ctx context.Context, t *testing.T, c *comm.Communicator, n int) {
	of := func(rank int) *nd.Array { return numbers(50+rank, dtype.Float32, n) }
	what := fmt.Sprintf("rank %d of %d, %d elements", c.Rank(), c.Size(), n)
	var every []*nd.Array
	for r := range c.Size() {
		every = append(every, of(r))
	}
	x, y := of(c.Rank()), of(c.Rank())
	if err := errors.Join(c.AllReduce(ctx, []*nd.Array{x}), c.Barrier(ctx), c.Bcast(ctx, []*nd.Array{y}, c.Size()-1)); err != nil {
		t.Error(what, err)
	}
	check(t, what+": AllReduce", x, sumOf(every...))
	check(t, what+": Bcast", y, every[c.Size()-1])
	uneven := make([]*nd.Array, c.Size()) // rank r has n elements, or r
	for r := range uneven {
		uneven[r] = nd.Zeros([]int{r + (n-r)*(r%2)}, dtype.Float32)
	}
	mine := numbers(90+c.Rank(), dtype.Float32, uneven[c.Rank()].Size())
	if err := c.AllGather(ctx, mine, uneven); err != nil {
		t.Error(what, err)
	}
	for r, got := range uneven {
		check(t, what+": AllGather", got, numbers(90+r, dtype.Float32, got.Size()))
	}
	pair := []*nd.Array{of(c.Rank()), of(c.Rank() + 1)}
	if err := c.AllReduce(ctx, pair, comm.ReduceOptions{Fast: true, Division: true}); err != nil {
		t.Error(what, err)
	}
}

// texts gathers texts of the given lengths.
func texts(ctx context.Context, t *testing.T, c *comm.Communicator, length func(rank int) int) {
	all, err := c.AllGatherBytes(ctx, bytes.Repeat([]byte{byte(c.Rank())}, length(c.Rank())))
	if err != nil {
		t.Error(err)
	}
	for r, text := range all {
		if !bytes.Equal(text, bytes.Repeat([]byte{byte(r)}, length(r))) {
			t.Errorf("rank %d of %d: %d bytes of rank %d, want %d", c.Rank(), c.Size(), len(text), r, length(r))
		}
	}
}

// TestMismatchOfMany: more ranks than send messages to each other get the same error, and nothing is written.
func TestMismatchOfMany(t *testing.T) {
	together(t, comm.Local(9), func(ctx context.Context, c *comm.Communicator) {
		x := nd.Ones([]int{2 + c.Rank()/8})
		var mismatch *comm.MismatchError
		if err := c.AllReduce(ctx, []*nd.Array{x}); !errors.As(err, &mismatch) || len(mismatch.Calls) != 9 || nd.Value[float64](x, 0) != 1 {
			t.Errorf("rank %d: %v, %v", c.Rank(), x, err)
		}
		if err := c.Barrier(ctx); err != nil {
			t.Error(err)
		}
	})
}
