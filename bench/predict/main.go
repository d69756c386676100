// Predict computes how fast trainings of examples are on 8 to 1,024 ranks, from the latency and the bandwidth between two.
// Under mpirun it measures both; alone it takes those of the flags:
//
//	go run ./bench/predict -latency 2us -bandwidth 10e9
//	mpirun -n 2 --host a,b predict
//
// docs/distributed.md describes the model and its assumptions.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/comm"
	_ "github.com/ndgrad/ndgrad/nn/comm/mpi" // under mpirun
)

func main() {
	n := network{}
	flag.DurationVar(&n.latency, "latency", 2*time.Microsecond, "time of an exchange of a few bytes between two ranks; measured under mpirun")
	flag.Float64Var(&n.bandwidth, "bandwidth", 10e9, "bytes per second that a rank sends while it receives as many; measured under mpirun")
	flag.DurationVar(&n.message, "message", 300*time.Nanosecond, "time that a rank needs for each further message of an exchange")
	flag.Float64Var(&n.memory, "memory", 10e9, "bytes per second that a rank adds")
	faster := flag.Float64("faster", 1, "how many times as fast as in the table a rank computes")
	flag.Parse()
	ctx := context.Background()
	c, err := comm.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if c.Size() > 1 {
		if err := n.measure(ctx, c); err != nil {
			log.Fatal(err)
		}
	}
	if c.Rank() == 0 {
		n.print(os.Stdout, *faster)
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}

// measure measures the latency, and the bandwidth of large sums.
func (n *network) measure(ctx context.Context, c *comm.Communicator) error {
	c.NoCheck = true
	median := func(size, times int) (time.Duration, error) {
		x := c.New(dtype.Float32, size)
		defer c.Free(x)
		x.Assign(nd.Scalar(1))
		var all []time.Duration
		for range times {
			x.Assign(nd.Scalar(1))
			if err := c.Barrier(ctx); err != nil {
				return 0, err
			}
			start := time.Now()
			if err := c.AllReduce(ctx, []*nd.Array{x}); err != nil {
				return 0, err
			}
			all = append(all, time.Since(start))
		}
		slices.Sort(all)
		return all[len(all)/2], nil
	}
	small, err := median(1, 1001)
	if err != nil {
		return err
	}
	const elements = 16 << 20
	large, err := median(elements, 11)
	if err != nil {
		return err
	}
	n.latency = small
	share := float64(c.Size()-1) / float64(c.Size())
	sent := 2 * 4 * elements * share
	n.bandwidth = sent / max(large.Seconds()-4*elements/n.memory, 1e-9)
	return nil
}

// print prints the prediction for each workload.
func (n network) print(w io.Writer, faster float64) {
	fmt.Fprintf(w, "latency %v, bandwidth %.3g B/s, %v per further message, sums of %.3g B/s\n", n.latency, n.bandwidth, n.message, n.memory)
	for _, l := range workloads {
		l.forward, l.backward, l.update = l.forward/faster, l.backward/faster, l.update/faster
		fmt.Fprintf(w, "\n%s: %.2f MB of gradients in %d buckets, %.3g ms per update of one rank\n", l.name, float64(l.bytes)/1e6, l.buckets(), 1e3*l.alone())
		fmt.Fprintf(w, "%8s %12s %12s %12s %14s\n", "ranks", "ms/update", "efficiency", "hidden", "MB sent/rank")
		for ranks := 8; ranks <= 1024; ranks *= 2 {
			p := n.predict(l, ranks)
			fmt.Fprintf(w, "%8d %12.3f %11.1f%% %11.1f%% %14.2f\n", ranks, 1e3*p.seconds, 100*l.alone()/p.seconds, 100*p.hidden, p.sent/1e6)
		}
	}
}
