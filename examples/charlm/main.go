// Charlm learns to write like a text, character by character, with an LSTM or a small transformer. Goroutines train one
// set of parameters. A run that is stopped at any time resumes as if it had not been stopped. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	_ "github.com/ndgrad/ndgrad/nn/comm/mpi" // under mpirun
	"github.com/ndgrad/ndgrad/nn/optim"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "charlm:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	text, model, checkpoint string
	updates, every, stop    int
	parts                   int
	seed                    uint64
	beginning               string
	letters                 int
	temperature             float64
	device                  string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("charlm", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.text, "text", "", "`file` to learn from; by default Newton's Opticks")
	flags.StringVar(&s.model, "model", "lstm", "lstm or transformer")
	flags.IntVar(&s.updates, "updates", 1000, "updates of the parameters")
	flags.IntVar(&s.every, "every", 100, "updates per printed line and per checkpoint")
	flags.IntVar(&s.parts, "parts", 2, "groups of columns, which processes and their goroutines share: 1, 2, 4, 8, 16 or 32")
	flags.IntVar(&s.stop, "stop", 0, "stop after this total number of updates, as if interrupted")
	flags.StringVar(&s.checkpoint, "checkpoint", "", "`file` (.npz) to resume from, if it exists, and to save to")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of all random numbers")
	flags.StringVar(&s.beginning, "begin", "The Rays of Light ", "the beginning of the sample")
	flags.IntVar(&s.letters, "letters", 400, "length of the sample; 0 for none")
	flags.Float64Var(&s.temperature, "temperature", 0.7, "temperature of the sample: below 1 it favours probable characters")
	dev := devices.Flag(flags)
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.device = *dev
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case models[s.model] == nil:
		return s, fmt.Errorf("-model %q: want lstm or transformer", s.model)
	case s.parts < 1 || columns%s.parts != 0:
		return s, fmt.Errorf("-parts %d: want 1, 2, 4, 8, 16 or 32", s.parts)
	case s.updates < 0 || s.every < 1 || s.stop < 0 || s.letters < 0:
		return s, errors.New("want -updates and -letters of at least 0, and -every of at least 1")
	case !(s.temperature > 0) || s.beginning == "":
		return s, errors.New("want a positive -temperature, and a -begin that is not empty")
	}
	return s, nil
}

// run trains and writes a sample, together with the other processes if mpirun or srun started several. If ctx is
// cancelled, by Ctrl-C, it saves a checkpoint and returns.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	c, err := comm.Open(ctx)
	if err != nil {
		return err
	}
	if err := s.train(ctx, c, stdout); err != nil {
		return err
	}
	return c.Close()
}

// train trains as one of the ranks of c. Rank 0 prints and writes.
func (s settings) train(ctx context.Context, c *comm.Communicator, stdout io.Writer) error {
	s.parts = max(s.parts, c.Size())
	if columns%s.parts != 0 || s.parts%c.Size() != 0 {
		return fmt.Errorf("%d processes: want 1, 2, 4, 8, 16 or 32, and -parts a multiple of them", c.Size())
	}
	tx, err := read(s.text)
	if err != nil {
		return err
	}
	dev, err := devices.Get(s.device)
	if err != nil {
		return err
	}
	train, test := tx.split()
	train, test = train.To(dev), test.To(dev)
	t := newTraining(c, models[s.model], train, len(tx.alphabet), s.parts, s.seed)
	if s.checkpoint != "" {
		if err := archive.Load(s.checkpoint, t); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	talk := context.WithoutCancel(ctx) // so that processes end together
	schedule := optim.CosineSchedule(rate, s.updates).WithWarmup(50)
	for t.updates < s.updates && (s.stop == 0 || t.updates < s.stop) {
		if interrupted, err := anyone(talk, c, ctx.Err() != nil); err != nil || interrupted {
			return errors.Join(err, t.save(talk, s.checkpoint))
		}
		if err := t.update(talk, schedule(t.updates)); err != nil {
			return err
		}
		if t.updates%s.every == 0 || t.updates == s.updates {
			loss := t.meanLoss()
			if c.Rank() == 0 {
				fmt.Fprintf(stdout, "update %*d/%d  loss %.3f  test %.3f bits per character\n", len(fmt.Sprint(s.updates)), t.updates, s.updates,
					loss, t.bits(test))
			}
			if err := t.save(talk, s.checkpoint); err != nil {
				return err
			}
		}
	}
	if err := t.save(talk, s.checkpoint); err != nil {
		return err
	}
	if s.letters == 0 || c.Rank() > 0 {
		return nil
	}
	_, err = fmt.Fprintln(stdout, t.write(tx.alphabet, s.beginning, s.letters, s.temperature, nd.NewRand(s.seed)))
	return err
}

// anyone reports whether any process says yes.
func anyone(ctx context.Context, c *comm.Communicator, yes bool) (bool, error) {
	mine := []byte{0}
	if yes {
		mine[0] = 1
	}
	all, err := c.AllGatherBytes(ctx, mine)
	return slices.ContainsFunc(all, func(b []byte) bool { return b[0] != 0 }), err
}
