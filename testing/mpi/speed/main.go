// Command speed measures how long AllReduce takes. testing/mpi/speed/run compares it with a C program, speed.c, that calls
// the same function of MPI.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/comm/mpi"
)

func main() {
	library := flag.String("library", "", "the library of MPI; empty is that of the launcher")
	flag.Parse()
	ctx := context.Background()
	e, err := mpi.Open(ctx, mpi.Options{Library: *library})
	if err != nil {
		log.Fatal(err)
	}
	c := comm.New(e)
	c.NoCheck = true
	for _, bytes := range []int{1 << 10, 1 << 20, 100 << 20} {
		x := c.New(dtype.Float32, bytes/4)
		x.AssignFrom(nd.Zeros([]int{bytes / 4}))
		engine := best(bytes, func() error { return e.AllReduce(ctx, x) })
		fast := best(bytes, func() error { return c.AllReduce(ctx, []*nd.Array{x}, comm.ReduceOptions{Fast: true, InPlace: true}) })
		ordered := best(bytes, func() error { return c.AllReduce(ctx, []*nd.Array{x}, comm.ReduceOptions{InPlace: true}) })
		if c.Rank() == 0 {
			fmt.Printf("go %d engine %.2f fast %.2f ordered %.2f\n", bytes, engine, fast, ordered)
		}
		c.Free(x)
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}

// best returns the median of the times of a call, in microseconds.
func best(bytes int, f func() error) float64 {
	n := 5
	if bytes <= 1<<20 {
		n = 200
	}
	times := make([]float64, n)
	for i := range times {
		start := time.Now()
		if err := f(); err != nil {
			log.Fatal(err)
		}
		times[i] = float64(time.Since(start)) / 1e3
	}
	slices.Sort(times)
	return times[n/2]
}
