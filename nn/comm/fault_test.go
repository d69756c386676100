package comm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// TestMismatch: ranks that disagree get the same error, which says how, write nothing, and can go on.
func TestMismatch(t *testing.T) {
	float := func(shape ...int) []*nd.Array { return []*nd.Array{nd.Ones(shape, dtype.Float32)} }
	for want, f := range map[string]func(ctx context.Context, c *comm.Communicator, odd bool) error{
		"array 0 of rank 0 is float32(2, 3), and that of rank 1 is float32(3, 2)": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			return c.AllReduce(ctx, pick(odd, float(3, 2), float(2, 3)))
		},
		"array 0 of rank 0 is float32(4,), and that of rank 1 is float64(4,)": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			return c.Bcast(ctx, pick(odd, []*nd.Array{nd.Ones([]int{4})}, float(4)), 0)
		},
		"rank 0 has 1 arrays, and rank 1 has 2": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			return c.Reduce(ctx, pick(odd, append(float(4), float(4)...), float(4)), 0)
		},
		"rank 0 calls Bcast, and rank 1 calls Bcast with rank 1": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			return c.Bcast(ctx, float(4), pick(odd, 1, 0))
		},
		"rank 0 calls AllReduce of arrays, and rank 1 calls Barrier": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			if odd {
				return c.Barrier(ctx)
			}
			return c.AllReduce(ctx, float(4))
		},
		"and rank 1 calls AllReduce of arrays with Division": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			return c.AllReduce(ctx, float(4), comm.ReduceOptions{Division: odd})
		},
		"rank 0 calls NewGroup of group \"a\" of ranks [0], and rank 1 calls NewGroup of group \"b\" of ranks [0]": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			_, err := c.NewGroup(ctx, pick(odd, "b", "a"), []int{0})
			return err
		},
		"rank 0 calls Split of 2 goroutines, and rank 1 calls Split of 3 goroutines": func(ctx context.Context, c *comm.Communicator, odd bool) error {
			_, err := c.Split(ctx, pick(odd, 3, 2))
			return err
		},
	} {
		for _, all := range [][]*comm.Communicator{comm.Local(3), split(t, 3, 1)} {
			together(t, all, func(ctx context.Context, c *comm.Communicator) {
				err := f(ctx, c, c.Rank() == 1)
				var mismatch *comm.MismatchError
				if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), want) || len(mismatch.Calls) != 3 {
					t.Errorf("rank %d: error %v, want %q", c.Rank(), err, want)
				}
				x := float(5)
				if err := c.AllReduce(ctx, x); err != nil || nd.Value[float64](x[0], 0) != 3 {
					t.Errorf("rank %d: afterwards %v, error %v", c.Rank(), x, err)
				}
			})
		}
	}
}

func pick[T any](odd bool, a, b T) T {
	if odd {
		return a
	}
	return b
}

// TestMisuse: wrong arguments panic on the rank that gives them.
func TestMisuse(t *testing.T) {
	c, ctx, x := comm.Local(1)[0], t.Context(), nd.Ones([]int{2, 2})
	defer c.Close()
	released := nd.Ones(nil)
	released.Release()
	for want, f := range map[string]func(){
		"Communicator.Bcast: rank 1: want 0 to 0":        func() { c.Bcast(ctx, []*nd.Array{x}, 1) },
		"Communicator.Reduce: rank -1: want":             func() { c.Reduce(ctx, []*nd.Array{x}, -1) },
		"Communicator.AllReduce: the array is nil":       func() { c.AllReduce(ctx, []*nd.Array{nil}) },
		"Communicator.AllReduce: the array was released": func() { c.AllReduce(ctx, []*nd.Array{released}) },
		"Communicator.AllReduce: a Scalar":               func() { c.AllReduce(ctx, []*nd.Array{nd.Scalar(1)}) },
		"Communicator.AllReduce: strides":                func() { c.AllReduce(ctx, []*nd.Array{nd.Ones([]int{1}).BroadcastTo(3)}) },
		"Communicator.AllReduce: Division needs": func() {
			c.AllReduce(ctx, []*nd.Array{nd.Ones([]int{2}, dtype.Int8)}, comm.ReduceOptions{Division: true})
		},
		"Communicator.AllReduceParts: want at least one part":        func() { c.AllReduceParts(ctx, nil) },
		"Communicator.AllReduceParts: want parts of the same shape":  func() { c.AllReduceParts(ctx, []*nd.Array{x, nd.Ones([]int{4})}) },
		"Communicator.AllGather: 2 results: want one for each":       func() { c.AllGather(ctx, x, []*nd.Array{x, x}) },
		"Communicator.AllGather: result 0: want the dtype of x":      func() { c.AllGather(ctx, x, []*nd.Array{nd.Ones([]int{4})}) },
		"Communicator.ReduceScatter: 0 arrays: want one for each":    func() { c.ReduceScatter(ctx, nil, x) },
		"Communicator.ReduceScatter: array 0: want the shape and":    func() { c.ReduceScatter(ctx, []*nd.Array{nd.Ones([]int{4})}, x) },
		"Communicator.Send: rank 0 is this rank":                     func() { c.Send(ctx, x, 0) },
		"Communicator.Recv: rank 7: want 0 to 0":                     func() { c.Recv(ctx, x, 7) },
		"Communicator.NewGroup: no ranks in group":                   func() { c.NewGroup(ctx, "a", nil) },
		"Communicator.NewGroup: name \"world\": want another name":   func() { c.NewGroup(ctx, comm.World, []int{0}) },
		"Communicator.NewGroup: ranks [0 0] of group \"a\": rank 0":  func() { c.NewGroup(ctx, "a", []int{0, 0}) },
		"Communicator.NewGroup: rank 3: want 0 to 0":                 func() { c.NewGroup(ctx, "a", []int{3}) },
		"Communicator.Split: 0 goroutines: want at least one":        func() { c.Split(ctx, 0) },
		"comm.Local: 0 ranks: want at least one":                     func() { comm.Local(0) },
		"Communicator.AllReduce: 2 structs of options: want at most": func() { c.AllReduce(ctx, nil, comm.ReduceOptions{}, comm.ReduceOptions{}) },
	} {
		if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	check(t, "after wrong calls", x, nd.Ones([]int{2, 2}))
}

// TestEnded: when a rank ends, by closing its communicator, by a panic, by an error, or with its context, the calls of the others return
// an error that names it, whatever they call.
func TestEnded(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	calls := map[string]func(ctx context.Context, c *comm.Communicator) error{
		"AllReduce": func(ctx context.Context, c *comm.Communicator) error {
			return c.AllReduce(ctx, []*nd.Array{nd.Ones([]int{9999})})
		},
		"Barrier": func(ctx context.Context, c *comm.Communicator) error { c.NoCheck = true; return c.Barrier(ctx) },
		"Recv":    func(ctx context.Context, c *comm.Communicator) error { return c.Recv(ctx, nd.Ones(nil), 1) },
		"NewGroup": func(ctx context.Context, c *comm.Communicator) error {
			_, err := c.NewGroup(ctx, "g", []int{0})
			return err
		},
	}
	ends := map[string]func(ctx context.Context, c *comm.Communicator){
		"rank 1 has ended: the communicator is closed": func(ctx context.Context, c *comm.Communicator) { c.Close() },
		"rank 1 has ended: out of luck":                func(ctx context.Context, c *comm.Communicator) { c.Abort(errors.New("out of luck")) },
		"rank 1 has ended: context canceled": func(ctx context.Context, c *comm.Communicator) {
			ctx, cancel := context.WithCancel(ctx)
			done := make(chan error)
			go func() { done <- c.Recv(ctx, nd.Ones(nil), 2) }()
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		},
	}
	for name, f := range calls {
		for want, end := range ends {
			together(t, comm.Local(3), func(ctx context.Context, c *comm.Communicator) {
				if c.Rank() == 1 {
					func() {
						defer func() {
							if recover() != nil {
								c.Close()
							}
						}()
						end(ctx, c)
					}()
					return
				}
				err := f(ctx, c)
				var ended *comm.RankError
				if !errors.As(err, &ended) || ended.Rank != 1 || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: error %v, want %q", name, err, want)
				}
				if again := f(ctx, c); again == nil {
					t.Errorf("%s: no error the second time", name)
				}
			})
		}
	}
}

// TestClosed: calls after Close return errors; Close may be called again, and closes groups.
func TestClosed(t *testing.T) {
	c := comm.Local(1)[0]
	g, err := c.NewGroup(t.Context(), "alone", []int{0})
	if err != nil || c.Group("alone") != g || c.Group(comm.World) != c || c.Group("other") != nil || g.Name() != "alone" {
		t.Errorf("group %v, error %v", g, err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []*comm.Communicator{c, g} {
		for _, err := range []error{c.Barrier(t.Context()), c.AllReduce(t.Context(), nil)} {
			if err == nil || !strings.Contains(err.Error(), "the communicator is closed") {
				t.Errorf("error %v", err)
			}
		}
	}
}

// TestGroups: groups number their ranks, sum over them alone, run at the same time as others, and can be split from processes with several
// goroutines, in any order of ranks.
func TestGroups(t *testing.T) {
	for name, all := range map[string][]*comm.Communicator{"local": comm.Local(4), "split": split(t, 2, 2)} {
		together(t, all, func(ctx context.Context, c *comm.Communicator) {
			ranks := []int{3, 0, 2}
			g, err := c.NewGroup(ctx, "some", ranks)
			other, err2 := c.NewGroup(ctx, "others", []int{1, 2})
			if err = errors.Join(err, err2); err != nil {
				t.Error(err)
			}
			if (g == nil) != (c.Rank() == 1) || (other == nil) != (c.Rank() == 0 || c.Rank() == 3) {
				t.Errorf("%s: rank %d has groups %v and %v", name, c.Rank(), g, other)
			}
			var running sync.WaitGroup
			if g != nil {
				running.Go(func() { sumInGroup(ctx, t, g, ranks, c.Rank()) })
			}
			if other != nil {
				running.Go(func() { sumInGroup(ctx, t, other, []int{1, 2}, c.Rank()) })
			}
			running.Wait()
		})
	}
}

func sumInGroup(ctx context.Context, t *testing.T, g *comm.Communicator, ranks []int, rank int) {
	if ranks[g.Rank()] != rank || g.Size() != len(ranks) {
		t.Errorf("rank %d of the group is %d of all", g.Rank(), rank)
	}
	for n := range 40 {
		x, every := []*nd.Array{numbers(rank, dtype.Float32, 100*n)}, []*nd.Array{}
		if err := g.AllReduce(ctx, x); err != nil {
			t.Error(err)
		}
		for _, r := range ranks {
			every = append(every, numbers(r, dtype.Float32, 100*n))
		}
		check(t, fmt.Sprint("group ", ranks), x[0], sumOf(every...))
	}
}
