package comm_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/comm"
)

var dtypes = []dtype.DType{dtype.Bool, dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32,
	dtype.Uint64, dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64, dtype.Complex64, dtype.Complex128}

// dtypesFor returns all dtypes for one of the layouts, and some for the others.
func dtypesFor(layout string) []dtype.DType {
	if layout == "3 ranks" {
		return dtypes
	}
	return []dtype.DType{dtype.Bool, dtype.Float32, dtype.Complex128}
}

// forms are arrays of a dtype, made from a seed: of several sizes, with strides, empty, 0-d, and of the communicator's memory.
func forms(c *comm.Communicator, seed int, dt dtype.DType) []*nd.Array {
	wide := numbers(seed+1, dt, 6, 10)
	own := c.New(dt, 3, 7)
	own.Assign(numbers(seed+2, dt, 3, 7))
	return []*nd.Array{
		numbers(seed, dt, 7), wide.T(), wide.Index(nd.From(1).By(2), nd.All().By(-1)), nd.Zeros([]int{3, 0, 2}, dt), numbers(seed+3, dt),
		own, own.Index(nd.At(1)), numbers(seed+4, dt, 1500), own.T(),
	}
}

// sumOf returns the sum of arrays in their order.
func sumOf(xs ...*nd.Array) *nd.Array {
	y := xs[0].Copy()
	for _, x := range xs[1:] {
		ops.Add(y, x, ops.Into(y))
	}
	return y
}

// TestSums: AllReduce, Reduce, ReduceScatter and AllReduceParts add in the order of the ranks, bit for bit, for arrays of every form.
func TestSums(t *testing.T) {
	for layout, all := range layouts(t) {
		together(t, all, func(ctx context.Context, c *comm.Communicator) {
			for _, dt := range dtypesFor(layout) {
				for k := range forms(c, 0, dt) {
					every := make([]*nd.Array, c.Size()) // of each rank
					for r := range every {
						every[r] = forms(c, 100*r, dt)[k].Copy()
					}
					what := fmt.Sprintf("%s, rank %d, %s, form %d", layout, c.Rank(), dt, k)
					testSums(ctx, t, c, what, k, dt, every)
				}
			}
		})
	}
}

func testSums(ctx context.Context, t *testing.T, c *comm.Communicator, what string, k int, dt dtype.DType, every []*nd.Array) {
	x := forms(c, 100*c.Rank(), dt)[k]
	root := c.Size() - 1
	if err := c.Reduce(ctx, []*nd.Array{x}, root); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	want := every[c.Rank()]
	if c.Rank() == root {
		want = sumOf(every...)
	}
	check(t, what+": Reduce", x, want)

	x = forms(c, 100*c.Rank(), dt)[k]
	if err := c.AllReduce(ctx, []*nd.Array{x}, comm.ReduceOptions{InPlace: k%2 == 0}); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	check(t, what+": AllReduce", x, sumOf(every...))

	lists := make([]*nd.Array, c.Size())
	for r := range lists {
		lists[r] = every[(c.Rank()+r)%c.Size()]
	}
	terms := make([]*nd.Array, c.Size()) // for this rank, of each rank
	for r := range terms {
		terms[r] = every[(r+c.Rank())%c.Size()]
	}
	y := nd.EmptyLike(x).T().Copy().T()
	if err := c.ReduceScatter(ctx, lists, y); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	check(t, what+": ReduceScatter", y, sumOf(terms...))

	parts := []*nd.Array{every[c.Rank()].Copy(), every[0], every[c.Size()-1]}
	var order []*nd.Array
	for r := range every {
		order = append(order, every[r], every[0], every[c.Size()-1])
	}
	if err := c.AllReduceParts(ctx, parts); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	check(t, what+": AllReduceParts", parts[0], sumOf(order...))
}

// TestMoves: Bcast, AllGather, Send and Recv copy arrays of every form and dtype.
func TestMoves(t *testing.T) {
	for layout, all := range layouts(t) {
		together(t, all, func(ctx context.Context, c *comm.Communicator) {
			for _, dt := range dtypesFor(layout) {
				what := fmt.Sprintf("%s, rank %d, %s", layout, c.Rank(), dt)
				root := c.Size() / 2
				xs := forms(c, 100*c.Rank(), dt)
				if err := c.Bcast(ctx, xs, root); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				for k, want := range forms(c, 100*root, dt) {
					check(t, fmt.Sprint(what, ": Bcast of form ", k), xs[k], want)
				}
				for k, x := range forms(c, 100*c.Rank(), dt) {
					ys := make([]*nd.Array, c.Size())
					for r := range ys {
						ys[r] = nd.EmptyLike(x)
					}
					if k%2 == 0 {
						ys[c.Rank()] = x
					}
					if err := c.AllGather(ctx, x, ys); err != nil {
						t.Errorf("%s: %v", what, err)
					}
					for r, y := range ys {
						check(t, fmt.Sprint(what, ": AllGather of form ", k), y, forms(c, 100*r, dt)[k])
					}
				}
			}
			uneven(ctx, t, c)
			if layout == fmt.Sprint(c.Size(), " ranks") && c.Size() > 1 {
				ring(ctx, t, c)
			}
		})
	}
}

// uneven gathers arrays of different shapes.
func uneven(ctx context.Context, t *testing.T, c *comm.Communicator) {
	var ys []*nd.Array
	for r := range c.Size() {
		ys = append(ys, nd.Zeros([]int{r, 2}))
	}
	x := nd.Full([]int{c.Rank(), 2}, float64(c.Rank()))
	if err := c.AllGather(ctx, x, ys); err != nil {
		t.Error(err)
	}
	for r, y := range ys {
		check(t, "uneven AllGather", y, nd.Full([]int{r, 2}, float64(r)))
	}
	texts, err := c.AllGatherBytes(ctx, make([]byte, c.Rank()))
	if err != nil || len(texts) != c.Size() || len(texts[c.Size()-1]) != c.Size()-1 {
		t.Errorf("bytes %v, error %v", texts, err)
	}
}

// ring sends arrays of all dtypes to the next rank.
func ring(ctx context.Context, t *testing.T, c *comm.Communicator) {
	next, before := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	for _, dt := range dtypes {
		for k, x := range forms(c, 100*c.Rank(), dt) {
			if err := c.Send(ctx, x, next); err != nil {
				t.Error(err)
			}
			y := nd.EmptyLike(x)
			if err := c.Recv(ctx, y, before); err != nil {
				t.Error(err)
			}
			check(t, "Recv", y, forms(c, 100*before, dt)[k])
		}
	}
}

// TestLists: lists of arrays of several dtypes are packed, and large ones in several packs; the results are those of single arrays.
func TestLists(t *testing.T) {
	together(t, comm.Local(2), func(ctx context.Context, c *comm.Communicator) {
		list := func(r int) []*nd.Array {
			return []*nd.Array{numbers(r, dtype.Float32, 100_000), numbers(r, dtype.Float32, 3, 4), numbers(r, dtype.Int64, 5),
				numbers(r, dtype.Float32, 300, 1000).T(), numbers(r, dtype.Float32, 200_000), numbers(r, dtype.Float32, 2)}
		}
		c.SetPackBytes(450_000)
		for _, o := range []comm.ReduceOptions{{}, {InPlace: true}} {
			xs := list(c.Rank())
			if err := c.AllReduce(ctx, xs, o); err != nil {
				t.Error(err)
			}
			if c.Rank() != 1 {
				continue
			}
			a, b := list(0), list(1)
			for i, x := range xs {
				check(t, fmt.Sprint("array ", i), x, sumOf(a[i], b[i]))
			}
		}
		if err := c.AllReduce(ctx, nil); err != nil {
			t.Error(err)
		}
	})
}

// TestDivisionAndFast: means, and sums in the engine's order.
func TestDivisionAndFast(t *testing.T) {
	for layout, all := range layouts(t) {
		together(t, all, func(ctx context.Context, c *comm.Communicator) {
			for _, o := range []comm.ReduceOptions{{Division: true}, {Division: true, Fast: true}, {Fast: true}} {
				want := float64(c.Size()*(c.Size()-1)) / 2
				if o.Division {
					want /= float64(c.Size())
				}
				x := nd.Full([]int{3000}, float64(c.Rank()))
				if err := c.AllReduce(ctx, []*nd.Array{x}, o); err != nil {
					t.Error(err)
				}
				check(t, fmt.Sprint(layout, o), x, nd.Full([]int{3000}, want))
				parts := []*nd.Array{nd.Full([]int{3000}, float64(c.Rank())), nd.Full([]int{3000}, float64(c.Rank()))}
				if err := c.AllReduceParts(ctx, parts, o); err != nil {
					t.Error(err)
				}
				if !o.Division {
					want *= 2
				}
				check(t, fmt.Sprint(layout, o, " of parts"), parts[0], nd.Full([]int{3000}, want))
			}
		})
	}
}
