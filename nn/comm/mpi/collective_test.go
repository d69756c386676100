//go:build linux && (amd64 || arm64)

package mpi_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

// TestCollectives compares every function, dtype, size and layout with comm.Local.
func TestCollectives(t *testing.T) { passes(t, "collectives") }

// TestMessages does so without shared memory, as between machines.
func TestMessages(t *testing.T) { passes(t, "messages") }

func messages(ctx context.Context, t *testing.T) {
	mpi.UseMessages()
	collectives(ctx, t)
}

func collectives(ctx context.Context, t *testing.T) {
	e := open(ctx, t)
	c := comm.New(e)
	sizes, layouts := []int{0, 5, 1000}, []string{"strided", "made"}
	if *all {
		sizes, layouts = []int{0, 1, 5, 1000, 70000}, []string{"contiguous", "strided", "made"}
	}
	for _, d := range dtypes() {
		for _, n := range sizes {
			for _, layout := range layouts {
				compare(ctx, t, c, d, n, layout)
			}
		}
	}
	if *all { // their results repeat, as the examples do
		compare(ctx, t, c, dtype.Float32, 10_000_000, "contiguous")
		compare(ctx, t, c, dtype.Float64, 10_000_000, "made")
	}
	restore := mpi.SetMost(300) // so that messages are cut into pieces, as those of more than 2³⁰ elements are
	compare(ctx, t, c, dtype.Complex64, 5000, "contiguous")
	ownSums(ctx, t, e, 1000)
	restore()
	for _, n := range sizes {
		ownSums(ctx, t, e, n)
	}
	groups(ctx, t, c)
	manyGroups(ctx, t, c)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// ownSums adds by MPI's function, which comm uses between machines.
func ownSums(ctx context.Context, t *testing.T, e comm.Engine, n int) {
	t.Helper()
	for _, d := range []dtype.DType{dtype.Int32, dtype.Int64, dtype.Uint32, dtype.Uint64, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128} {
		x, want := e.New(d, n), nd.Zeros([]int{n}, d)
		x.AssignFrom(nd.ArangeInt(0, n, 1).AsType(d))
		for range e.Size() {
			ops.Add(want, x, ops.Into(want))
		}
		if err := e.AllReduce(ctx, x); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(raw(x), raw(want)) {
			t.Errorf("AllReduce of %d %s: %v, want %v", n, d, x, want)
		}
		e.Free(x)
	}
}

func dtypes() []dtype.DType {
	var every []dtype.DType
	for d := dtype.DType(1); d < dtype.Count; d++ {
		every = append(every, d)
	}
	return every
}

// period is the number of elements after which the examples repeat. All functions work element by element, so results of more
// elements are compared with those of so many.
const period = 10007

// compare runs all functions on this engine, and on the goroutines of comm.Local, and compares the bytes.
func compare(ctx context.Context, t *testing.T, c *comm.Communicator, d dtype.DType, n int, layout string) {
	t.Helper()
	got := results(ctx, t, c, d, n, layout)
	locals := comm.Local(c.Size())
	want := make([][][]byte, c.Size())
	var running sync.WaitGroup
	for r, l := range locals {
		l.NoCheck = true
		running.Go(func() { want[r] = results(ctx, t, l, d, min(n, period), "contiguous") })
	}
	running.Wait()
	for i, name := range functions {
		if !repeats(got[i], want[c.Rank()][i], n*d.Size()) {
			t.Errorf("%s of %d %s, %s: rank %d of %d differs from comm.Local", name, n, d, layout, c.Rank(), c.Size())
		}
	}
}

// repeats reports whether n bytes are the pattern, again and again.
func repeats(got, pattern []byte, n int) bool {
	if len(got) != n {
		return false
	}
	for ; len(got) > len(pattern); got = got[len(pattern):] {
		if !bytes.HasPrefix(got, pattern) {
			return false
		}
	}
	return bytes.HasPrefix(pattern, got)
}

var functions = []string{"AllReduce", "AllReduce in place", "mean", "fast", "Reduce", "ReduceScatter", "AllGather", "Bcast", "Recv"}

// results calls each function once, and returns the bytes of what it wrote, in the order of functions.
func results(ctx context.Context, t *testing.T, c *comm.Communicator, d dtype.DType, n int, layout string) [][]byte {
	last := c.Size() - 1
	var got [][]byte
	do := func(f func(x *nd.Array) error) {
		x := example(c, d, n, c.Rank(), layout)
		if err := f(x); err != nil {
			t.Errorf("%s of %d %s: %v", functions[len(got)], n, d, err)
		}
		got = append(got, raw(x))
		if layout == "made" {
			c.Free(x)
		}
	}
	one := func(x *nd.Array) []*nd.Array { return []*nd.Array{x} }
	do(func(x *nd.Array) error { return c.AllReduce(ctx, one(x)) })
	do(func(x *nd.Array) error { return c.AllReduce(ctx, one(x), comm.ReduceOptions{InPlace: true}) })
	do(func(x *nd.Array) error {
		return c.AllReduce(ctx, one(x), comm.ReduceOptions{Division: d.IsFloat() || d.IsComplex()})
	})
	do(func(x *nd.Array) error { // small integers: their sums are exact in any order
		whole := x.AsType(dtype.Int32).AsType(d)
		if d.IsInteger() && d.Size() < 4 { // the sum of the largest numbers continues with the smallest ones
			whole = nd.Full([]int{n}, 1<<(8*d.Size()-1)-1-c.Rank(), d)
		}
		x.AssignFrom(whole)
		return c.AllReduce(ctx, one(x), comm.ReduceOptions{Fast: true})
	})
	do(func(x *nd.Array) error { return c.Reduce(ctx, one(x), last) })
	do(func(x *nd.Array) error {
		xs := make([]*nd.Array, c.Size())
		for i := range xs {
			xs[i] = example(c, d, n, c.Rank()+i, "contiguous")
		}
		return c.ReduceScatter(ctx, xs, x)
	})
	do(func(x *nd.Array) error {
		ys := make([]*nd.Array, c.Size())
		for i := range ys {
			ys[i] = nd.Empty([]int{n}, d)
		}
		err := c.AllGather(ctx, x, ys)
		x.AssignFrom(ys[last])
		return err
	})
	do(func(x *nd.Array) error { return c.Bcast(ctx, one(x), last) })
	do(func(x *nd.Array) error { // each rank sends to the next
		if c.Size() == 1 {
			return nil
		}
		next, before := (c.Rank()+1)%c.Size(), (c.Rank()+last)%c.Size()
		if c.Rank()%2 == 0 && c.Rank() != last {
			if err := c.Send(ctx, x, next); err != nil {
				return err
			}
			return c.Recv(ctx, x, before)
		}
		sent := x.Copy()
		if err := c.Recv(ctx, x, before); err != nil {
			return err
		}
		return c.Send(ctx, sent, next)
	})
	return got
}

// example returns n numbers that differ from rank to rank, and repeat after a period.
func example(c *comm.Communicator, d dtype.DType, n, rank int, layout string) *nd.Array {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32((i%period*7+rank*13)%31)/4 + float32(rank)
	}
	x := nd.FromSlice(values).AsType(d)
	switch layout {
	case "strided":
		wide := nd.Zeros([]int{n, 3}, d)
		y := wide.Index(nd.All(), nd.At(1)).Flip()
		y.AssignFrom(x)
		return y
	case "made":
		y := c.New(d, n)
		y.AssignFrom(x)
		return y
	}
	return x
}

// raw returns the bytes of the elements.
func raw(x *nd.Array) []byte {
	if x.DType().IsBool() {
		x = x.AsType(dtype.Uint8)
	}
	return nd.ToSlice[uint8](x.Contiguous().Copy().View(dtype.Uint8))
}

// groups makes the group of the even ranks, in reverse order, and one of all.
func groups(ctx context.Context, t *testing.T, c *comm.Communicator) {
	var even []int
	for r := c.Size() - 1; r >= 0; r-- {
		if r%2 == 0 {
			even = append(even, r)
		}
	}
	g, err := c.NewGroup(ctx, "even", even)
	if err != nil {
		t.Fatal(err)
	}
	if (g != nil) != slices.Contains(even, c.Rank()) {
		t.Errorf("rank %d: the group is %v", c.Rank(), g)
	}
	everyone, err := c.NewGroup(ctx, "everyone", slices.Sorted(slices.Values(append(even, odd(c.Size())...))))
	if err != nil {
		t.Fatal(err)
	}
	if g != nil {
		if want := slices.Index(even, c.Rank()); g.Rank() != want || g.Size() != len(even) || g.LocalRank() != want {
			t.Errorf("rank %d is rank %d of %d, local rank %d", c.Rank(), g.Rank(), g.Size(), g.LocalRank())
		}
		x := nd.FromSlice([]int64{int64(c.Rank()), 1})
		if err := g.AllReduce(ctx, []*nd.Array{x}); err != nil {
			t.Error(err)
		}
		sum := 0
		for _, r := range even {
			sum += r
		}
		if got := nd.ToSlice[int64](x); got[0] != int64(sum) || got[1] != int64(len(even)) {
			t.Errorf("the sum over the group is %v", got)
		}
		compare(ctx, t, g, dtype.Float64, 100, "contiguous")
	}
	compare(ctx, t, everyone, dtype.Float16, 333, "made")
}

// manyGroups makes more groups than the shared memory has areas for, and uses them by turns.
func manyGroups(ctx context.Context, t *testing.T, c *comm.Communicator) {
	t.Helper()
	var all [40]*comm.Communicator
	for i := range all {
		ranks := []int{0, c.Size() - 1}[:min(2, c.Size())] // every third group is one of two ranks
		for r := 1; i%3 > 0 && r < c.Size()-1; r++ {
			ranks = append(ranks, r)
		}
		g, err := c.NewGroup(ctx, fmt.Sprint("many ", i), ranks)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = g
	}
	for i := range 5 {
		for k, g := range all {
			if g == nil {
				continue
			}
			x := nd.Full([]int{1 + 40*i}, k+g.Rank(), dtype.Int64)
			if err := g.AllReduce(ctx, []*nd.Array{x}); err != nil {
				t.Fatal(err)
			}
			if got, want := nd.Value[int](x, 40*i), g.Size()*k+g.Size()*(g.Size()-1)/2; got != want {
				t.Errorf("the sum of %s is %d, want %d", g.Name(), got, want)
			}
		}
	}
}

func odd(size int) []int {
	var ranks []int
	for r := 1; r < size; r += 2 {
		ranks = append(ranks, r)
	}
	return ranks
}

// TestMismatch calls with shapes that differ on one rank: all ranks return the same error, and can continue.
func TestMismatch(t *testing.T) { passes(t, "mismatch") }

func mismatch(ctx context.Context, t *testing.T) {
	c := comm.New(open(ctx, t))
	x := nd.Zeros([]int{2, 3 + c.Rank()/max(1, c.Size()-1)})
	err := c.AllReduce(ctx, []*nd.Array{x})
	if c.Size() > 1 && (err == nil || !strings.Contains(err.Error(), "(2, 3)") || !strings.Contains(err.Error(), "(2, 4)")) {
		t.Errorf("rank %d: %v", c.Rank(), err)
	}
	if err := c.AllReduce(ctx, []*nd.Array{nd.Zeros([]int{3})}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if _, err := mpi.Open(ctx); err == nil || !strings.Contains(err.Error(), "only once") {
		t.Errorf("a second Open: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Barrier(ctx); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a call after Close: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(fmt.Errorf("a second Close: %w", err))
	}
}
