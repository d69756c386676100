// Command values runs under mpirun, and writes what each rank had and got to FOLDER/rank.npz. testing/mpi/values/compare.py
// computes the same with mpi4py.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

func main() {
	library := flag.String("library", "", "the library of MPI; empty is that of the launcher")
	folder := flag.String("folder", ".", "where to write")
	flag.Parse()
	ctx := context.Background()
	e, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err != nil {
		log.Fatal(err)
	}
	c := comm.New(e)
	named, err := values(ctx, c)
	if err = errors.Join(err, nd.SaveNpz(filepath.Join(*folder, fmt.Sprintf("%d.npz", c.Rank())), named, false), c.Close()); err != nil {
		log.Fatal(err)
	}
}

// values calls the functions for some dtypes.
func values(ctx context.Context, c *comm.Communicator) ([]nd.Named, error) {
	var named []nd.Named
	var all error
	add := func(what string, t dtype.DType, x *nd.Array, err error) {
		named, all = append(named, nd.Named{Name: what + "_" + t.String(), Array: x.Copy()}), errors.Join(all, err)
	}
	for _, t := range []dtype.DType{dtype.Uint8, dtype.Int32, dtype.Int64, dtype.Float32, dtype.Float64, dtype.Complex64} {
		n := 1001
		x := nd.Arange(float64(3*c.Rank()), float64(3*c.Rank()+n), 1).AsType(t)
		if t == dtype.Uint8 { // no sum is larger than 255, where Open MPI's stay
			x = nd.Full([]int{n}, 20+c.Rank(), t)
		}
		if t.IsFloat() {
			x = nd.Arange(1, float64(n+1), 1).AsType(t)
			x.AssignFrom(nd.FromSlice([]float64{1 / (float64(c.Rank()) + 3)}).AsType(t).BroadcastTo(n))
		}
		add("x", t, x, nil)
		for _, fast := range []bool{false, true} {
			y, what := x.Copy(), "ordered"
			if fast {
				what = "fast"
			}
			add(what, t, y, c.AllReduce(ctx, []*nd.Array{y}, comm.ReduceOptions{Fast: fast}))
		}
		ys := make([]*nd.Array, c.Size())
		for i := range ys {
			ys[i] = nd.EmptyLike(x)
		}
		err := c.AllGather(ctx, x, ys)
		for i, y := range ys {
			add(fmt.Sprint("gathered", i), t, y, err)
		}
		y := x.Copy()
		add("bcast", t, y, c.Bcast(ctx, []*nd.Array{y}, c.Size()-1))
	}
	return named, all
}
