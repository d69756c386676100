// Command train trains LeNet on the digits, or the transformer of charlm, under mpirun or alone, and prints the time of an
// update and a checksum of the last snapshot:
//
//	go build -o train ./testing/mpi/train && mpirun -n 2 --bind-to none ./train -model lenet -parts 4 -updates 300
//
// testing/mpi/train/layouts compares the checksums of 1, 2 and 4 ranks, and testing/mpi/train/throughput the times of two
// ranks with those of two processes that know nothing of each other.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	_ "github.com/ndgrad/ndgrad/nn/comm/mpi"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/mpi/internal/training"
)

func main() {
	log.SetFlags(0)
	s := training.Settings{}
	flag.StringVar(&s.Model, "model", "lenet", "lenet or transformer")
	flag.StringVar(&s.Data, "data", "examples/internal", "`folder` of the examples' data")
	flag.StringVar(&s.Out, "o", "", "`folder` for snapshots; empty is a temporary one")
	flag.IntVar(&s.Parts, "parts", 0, "batches of an update; 0 is one for each rank")
	flag.IntVar(&s.Updates, "updates", 100, "updates in all")
	flag.IntVar(&s.Every, "every", 0, "updates from snapshot to snapshot; 0 for none")
	flag.BoolVar(&s.Sync, "sync", false, "normalise over the batches of all ranks")
	flag.BoolVar(&s.Sharded, "sharded", false, "divide the optimizer's states among the ranks")
	flag.BoolVar(&s.Alone, "alone", false, "do not join other processes")
	resume := flag.String("resume", "", "`snapshot` to resume from")
	flag.Parse()
	if err := run(s, *resume); err != nil {
		log.Fatal(err)
	}
}

func run(s training.Settings, resume string) error {
	ctx := context.Background()
	c := comm.Local(1)[0]
	if !s.Alone {
		var err error
		if c, err = comm.Open(ctx); err != nil {
			return err
		}
	}
	if s.Parts == 0 {
		s.Parts = c.Size()
	}
	if s.Out == "" {
		dir, err := os.MkdirTemp("", "ndgrad-train-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.Out = dir
	}
	t, err := training.New(c, s)
	if err != nil {
		return err
	}
	if resume != "" {
		if err := archive.Load(resume, t); err != nil {
			return err
		}
	}
	const warm = 5 // updates before the clock starts
	last, times := time.Time{}, []time.Duration{}
	t.Extend(train.Func(func(t *train.Trainer) error {
		now := time.Now()
		if !last.IsZero() {
			times = append(times, now.Sub(last))
		}
		last = now
		return nil
	}), train.Settings{Name: "clock", Trigger: train.Every(1, train.Iteration)})
	if err := t.Run(ctx); err != nil {
		return err
	}
	if c.Rank() == 0 {
		mean, median := typical(times[min(warm, len(times)):])
		fmt.Printf("%s: update %.3f ms, median %.3f ms", s.Model, mean, median)
		if u, ok := t.Updater().(interface {
			ExchangeTime() (total, hidden time.Duration)
		}); ok && c.Size() > 1 {
			total, hidden := u.ExchangeTime()
			fmt.Printf(", exchange %.3f ms, %.0f %% hidden", total.Seconds()*1e3/float64(t.Iteration()), 100*hidden.Seconds()/total.Seconds())
		}
		if s.Every > 0 {
			sum, err := training.Checksum(s.SnapshotOf(s.Updates))
			if err != nil {
				return err
			}
			fmt.Printf(", checksum %s", sum)
		}
		fmt.Println()
	}
	return c.Close()
}

// typical returns the mean and the median of times, in milliseconds.
func typical(times []time.Duration) (mean, median float64) {
	if len(times) == 0 {
		return 0, 0
	}
	sum := time.Duration(0)
	for _, d := range times {
		sum += d
	}
	slices.Sort(times)
	return sum.Seconds() * 1e3 / float64(len(times)), times[len(times)/2].Seconds() * 1e3
}
