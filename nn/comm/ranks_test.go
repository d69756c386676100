package comm_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// together calls a function on every rank, in goroutines, and closes the communicators.
func together(t *testing.T, all []*comm.Communicator, f func(ctx context.Context, c *comm.Communicator)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var running sync.WaitGroup
	for _, c := range all {
		running.Go(func() {
			defer c.Close()
			f(ctx, c)
		})
	}
	running.Wait()
}

// split returns the communicators of processes with several goroutines each.
func split(t *testing.T, processes, goroutines int) []*comm.Communicator {
	t.Helper()
	all := make([]*comm.Communicator, processes*goroutines)
	var running sync.WaitGroup
	for _, c := range comm.Local(processes) {
		running.Go(func() {
			parts, err := c.Split(t.Context(), goroutines)
			if err != nil {
				t.Error(err)
			}
			for _, p := range parts {
				all[p.Rank()] = p
			}
		})
	}
	running.Wait()
	return all
}

// layouts are ways to make ranks: 1 to 4 goroutines, and processes with several goroutines each.
func layouts(t *testing.T) iter.Seq2[string, []*comm.Communicator] {
	return func(yield func(string, []*comm.Communicator) bool) {
		for n := 1; n <= 4; n++ {
			if !yield(fmt.Sprint(n, " ranks"), comm.Local(n)) {
				return
			}
		}
		for _, l := range [][2]int{{1, 3}, {2, 2}, {3, 1}} {
			if !yield(fmt.Sprintf("%d × %d ranks", l[0], l[1]), split(t, l[0], l[1])) {
				return
			}
		}
	}
}

// numbers returns an array whose elements depend on a seed.
func numbers(seed int, dt dtype.DType, shape ...int) *nd.Array {
	rng := nd.NewRand(uint64(seed))
	if dt.IsInexact() {
		return random.Normal(rng, 0, 1, shape).AsType(dt)
	}
	return random.Integers(rng, 0, 20, shape).AsType(dt)
}

// same reports whether two arrays have the same dtype, shape and bits.
func same(x, y *nd.Array) bool {
	var a, b bytes.Buffer
	return nd.WriteNpy(&a, x.Copy()) == nil && nd.WriteNpy(&b, y.Copy()) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// check reports an array that differs from the one that is wanted.
func check(t *testing.T, what string, got, want *nd.Array) {
	t.Helper()
	if !same(got, want) {
		t.Errorf("%s: %.60v, want %.60v", what, got, want)
	}
}
