// Mnist-trainer is Chainer's first example: a network of three layers learns to read digits, and extensions of a
// trainer watch, print, plot and save. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/comm"
	_ "github.com/ndgrad/ndgrad/nn/comm/mpi" // under mpirun
	"github.com/ndgrad/ndgrad/nn/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mnist-trainer:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	batchSize, epochs, frequency, gpu, units, parts int
	data, out, resume                               string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("mnist-trainer", flag.ContinueOnError)
	flags.SetOutput(stderr)
	number := func(p *int, long, short string, value int, usage string) {
		flags.IntVar(p, long, value, usage)
		flags.IntVar(p, short, value, "-"+long)
	}
	text := func(p *string, long, short, value, usage string) {
		flags.StringVar(p, long, value, usage)
		flags.StringVar(p, short, value, "-"+long)
	}
	number(&s.batchSize, "batchsize", "b", 100, "images in a batch")
	number(&s.epochs, "epoch", "e", 20, "passes over the training images")
	number(&s.frequency, "frequency", "f", -1, "epochs per snapshot; -1: one at the end")
	number(&s.gpu, "gpu", "g", -1, "number of the CUDA device; -1 is the CPU")
	number(&s.units, "unit", "u", 1000, "units of a hidden layer")
	number(&s.parts, "parts", "p", 0, "batches of each update, which processes and their goroutines share; 0: one for each process")
	text(&s.out, "out", "o", "result", "`folder` for the output")
	text(&s.resume, "resume", "r", "", "`snapshot` to resume from")
	flags.StringVar(&s.data, "data", "", "`folder` of files in MNIST's format, gzip or not; by default embedded digits")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.batchSize < 1 || s.epochs < 1 || s.units < 1:
		return s, errors.New("want at least one image in a batch, one epoch and one unit")
	case s.parts < 0:
		return s, errors.New("want -parts of at least 0")
	case s.frequency < 1 && s.frequency != -1 || s.gpu < -1:
		return s, errors.New("want a -frequency of at least 1, or -1, and a -gpu of at least 0, or -1")
	case s.out == "":
		return s, errors.New("want a folder for the output")
	}
	return s, nil
}

// run trains, together with the other processes if mpirun or srun started several. If ctx is cancelled, by Ctrl-C, it saves
// a snapshot and returns.
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

// train trains as one of the ranks of c.
func (s settings) train(ctx context.Context, c *comm.Communicator, stdout io.Writer) error {
	if c.Rank() > 0 {
		stdout = io.Discard
	}
	if s.parts == 0 {
		s.parts = c.Size()
	}
	if s.parts%c.Size() != 0 {
		return fmt.Errorf("-parts %d: want a multiple of the %d processes", s.parts, c.Size())
	}
	where := "cpu"
	if s.gpu >= 0 {
		where = fmt.Sprintf("cuda:%d", s.gpu)
	}
	dev, err := devices.Get(where)
	if err != nil {
		return fmt.Errorf("-gpu %d: %w; -gpu -1 is the CPU", s.gpu, err)
	}
	images, test, err := load(s.data)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Device: %s\n# unit: %d\n# Minibatch-size: %d\n# epoch: %d\n\n", where, s.units, s.batchSize, s.epochs)
	trainer := newTrainer(s, c, dev, images.to(dev), test.to(dev), stdout)
	if s.resume != "" {
		if err := archive.Load(s.resume, trainer); err != nil {
			return err
		}
	}
	err = trainer.Run(ctx)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(stdout, "interrupted; resume from the snapshot in %s with -resume\n", s.out)
		return nil
	}
	return err
}

// examples are images (n, pixels), from 0 to 1, and their labels.
type examples struct{ x, labels *nd.Array }

func (e examples) to(dev device.Device) examples { return examples{e.x.To(dev), e.labels.To(dev)} }

// load returns the training images and the test images.
func load(folder string) (train, test examples, err error) {
	if folder == "" {
		train, test, err := digits.Load()
		return examples{train.X, train.Labels}, examples{test.X, test.Labels}, err
	}
	if train, err = mnist(folder, true); err == nil {
		test, err = mnist(folder, false)
	}
	return train, test, err
}

// mnist reads the training or the test part of a data set in MNIST's format.
func mnist(folder string, train bool) (examples, error) {
	x, labels, err := data.LoadMNIST(folder, train)
	if err != nil {
		return examples{}, err
	}
	return examples{data.Pixels(x, data.PixelOptions{NDim: 1}), labels}, nil
}
