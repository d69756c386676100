// Lenet trains a convolutional network on images of handwritten digits or of clothes. A run that is stopped at any time
// resumes as if it had not been stopped. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "lenet:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	data, checkpoint, export string
	epochs, stop             int
	seed                     uint64
	device                   string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("lenet", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", "", "`folder` of files in MNIST's format, gzip or not; by default embedded digits")
	flags.StringVar(&s.checkpoint, "checkpoint", "", "`file` (.npz) to resume from, if it exists, and to save to after every epoch")
	flags.StringVar(&s.export, "export", "", "`file` to write the parameters to at the end, for another system, which its extension says: see README.md")
	flags.IntVar(&s.epochs, "epochs", 0, "passes over the training images; by default 20 over the digits, 5 over the images in a folder")
	flags.IntVar(&s.stop, "stop", 0, "stop after this total number of updates, as if interrupted")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the initial weights, of the order of the images, and of dropout")
	dev := devices.Flag(flags)
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.device = *dev
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.epochs == 0 {
		s.epochs = 20
		if s.data != "" {
			s.epochs = 5
		}
	}
	if s.epochs < 1 || s.stop < 0 {
		return s, fmt.Errorf("-epochs %d, -stop %d: want at least one epoch, and at least 0 updates", s.epochs, s.stop)
	}
	return s, nil
}

// run trains. If ctx is cancelled, by Ctrl-C, it saves a checkpoint and returns.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	export := func(string, *nn.Scope) error { return nil }
	if s.export != "" {
		if export, err = exporterOf(s.export); err != nil {
			return err
		}
	}
	x, labels, xTest, labelsTest, err := images(s.data)
	if err != nil {
		return err
	}
	dev, err := devices.Get(s.device)
	if err != nil {
		return err
	}
	x, labels, xTest, labelsTest = x.To(dev), labels.To(dev), xTest.To(dev), labelsTest.To(dev)
	t := newTraining(x, labels, s.epochs, s.seed)
	if s.checkpoint != "" {
		if err := os.MkdirAll(filepath.Dir(s.checkpoint), 0o755); err != nil {
			return err
		}
		if err := t.resume(s.checkpoint); err != nil {
			return err
		}
	}
	if t.updates == 0 {
		lenet(t.params, x.Index(nd.Span(0, 1))).Release() // creates the parameters, for the table
		fmt.Fprint(stdout, t.params)
	}
	for t.batches.Position().Epoch < s.epochs && ctx.Err() == nil && (s.stop == 0 || t.updates < s.stop) {
		if err := t.update(); err != nil {
			return err
		}
		if at := t.batches.Position(); at.NewEpoch {
			fmt.Fprintf(stdout, "epoch %*d/%d  loss %.4f  test accuracy %.4f\n", len(fmt.Sprint(s.epochs)), at.Epoch, s.epochs,
				t.loss/float64(t.losses), accuracy(t.params, xTest, labelsTest))
			t.loss, t.losses = 0, 0
			if err := save(s.checkpoint, t); err != nil {
				return err
			}
		}
	}
	if err := save(s.checkpoint, t); err != nil {
		return err
	}
	return export(s.export, t.params)
}

func save(path string, t *training) error {
	if path == "" {
		return nil
	}
	return archive.Save(path, t)
}

// images returns the training images and the test images, (n, 1, height, width) from 0 to 1, and their labels.
func images(folder string) (x, labels, xTest, labelsTest *nd.Array, err error) {
	if folder == "" {
		train, test, err := digits.Load()
		if err != nil {
			return nil, nil, nil, nil, err
		}
		square := func(im digits.Images) *nd.Array { return im.X.Reshape(-1, 1, digits.Side, digits.Side) }
		return square(train), train.Labels, square(test), test.Labels, nil
	}
	if x, labels, err = mnist(folder, true); err == nil {
		xTest, labelsTest, err = mnist(folder, false)
	}
	return x, labels, xTest, labelsTest, err
}

// mnist reads the training or the test part of a data set in MNIST's format.
func mnist(folder string, train bool) (x, labels *nd.Array, err error) {
	x, labels, err = data.LoadMNIST(folder, train)
	if err != nil {
		return nil, nil, err
	}
	return ops.Multiply(x.AsType(dtype.Float32), float32(1)/255).Reshape(-1, 1, x.Dim(1), x.Dim(2)), labels, nil
}
