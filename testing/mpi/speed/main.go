// Command speed measures how long AllReduce takes. testing/mpi/speed/run compares it with a C program, speed.c, that calls
// the same function of MPI. engine is that function alone; ordered, fast and unchecked are comm's, with and without its check.
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
	for _, bytes := range []int{1 << 10, 1 << 20, 100 << 20} {
		x := c.New(dtype.Float32, bytes/4)
		x.AssignFrom(nd.Zeros([]int{bytes / 4}))
		all := func(o comm.ReduceOptions) func() error {
			return func() error { return c.AllReduce(ctx, []*nd.Array{x}, o) }
		}
		engine := typical(bytes, func() error { return e.AllReduce(ctx, x) })
		ordered := typical(bytes, all(comm.ReduceOptions{}))
		fast := typical(bytes, all(comm.ReduceOptions{Fast: true}))
		c.NoCheck = true
		unchecked := typical(bytes, all(comm.ReduceOptions{}))
		c.NoCheck = false
		if c.Rank() == 0 {
			fmt.Printf("go %d engine %.2f ordered %.2f fast %.2f unchecked %.2f\n", bytes, engine, ordered, fast, unchecked)
		}
		c.Free(x)
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}

// typical returns the lower decile of the times of a call, in microseconds: what other programs on the machine disturb least.
func typical(bytes int, f func() error) float64 {
	n, calls := 10, 1 // measurements, and calls in each
	switch {
	case bytes <= 1<<10:
		n, calls = 1000, 10
	case bytes <= 1<<20:
		n = 200
	}
	times := make([]float64, n)
	for i := range times {
		start := time.Now()
		for range calls {
			if err := f(); err != nil {
				log.Fatal(err)
			}
		}
		times[i] = float64(time.Since(start)) / 1e3 / float64(calls)
	}
	slices.Sort(times)
	return times[n/10]
}
