// Command mutate breaks the library on purpose and reports the faults that no test finds.
//
//	go run ./testing/mutate -state FILE [-seed 1] [-each 60] [-slice 50] [-longest 10s] [-again]
//
// It draws source locations by a seed, the same number in each of nd, nd/ops, nd/grad, device and device/cpu. At each
// it changes an operator, a bound or a sign. All faults are compiled in at once, behind a switch that an environment
// variable sets, so that one build serves them all; a fault that does not compile is drawn again. One run of every test
// records the faults that it reaches. A fault is then judged by the tests that reach it, fastest first, until one
// fails, crashes or hangs.
//
// FILE keeps all results, one line of JSON each, and a stopped run continues from it. -slice ends a run after so many
// faults. -longest leaves out tests that take longer, so that a first run is quick. -again judges surviving faults
// again, with the tests that were left out or have changed since. The sources must not change in between; their tests
// may. Faults that change only speed or memory, or nothing, are listed with the reason in equivalents.tsv and are not
// counted.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.state, "state", "", "file that keeps the results; FILE.work beside it holds the binaries")
	flag.Uint64Var(&o.seed, "seed", 1, "seed for drawing faults")
	flag.IntVar(&o.each, "each", 60, "number of faults in each part")
	flag.IntVar(&o.slice, "slice", 0, "stop after this number of faults; 0 means all")
	flag.IntVar(&o.jobs, "jobs", 2, "number of tests that run at once")
	flag.DurationVar(&o.longest, "longest", time.Hour, "leave out tests that take longer than this without a fault")
	flag.BoolVar(&o.again, "again", false, "judge surviving faults again, with tests that were left out or changed since")
	flag.Parse()
	if o.state == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type options struct {
	state string
	seed  uint64
	each  int
	slice int
	jobs  int
	again bool

	longest time.Duration
}

func run(o options) error {
	s, err := readState(o.state)
	if err != nil {
		return err
	}
	defer s.file.Close()
	targets, err := load(parts)
	if err != nil {
		return err
	}
	if err := s.checkSources(targets); err != nil {
		return err
	}
	if err := draw(s, targets, o); err != nil {
		return err
	}
	w := &workshop{dir: o.state + ".work", jobs: o.jobs}
	if err := w.build(s, targets); err != nil {
		return err
	}
	if err := w.record(s, o.longest.Milliseconds()); err != nil {
		return err
	}
	if err := w.judge(s, o); err != nil {
		return err
	}
	return summarise(os.Stdout, s)
}
