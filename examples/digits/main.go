// Digits trains a network to read handwritten digits, and tests it on unseen images. See README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nn"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "digits:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	epochs int
	seed   uint64
	out    string
	load   string
	export string
	device string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("digits", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.epochs, "epochs", 40, "passes over the training images")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the initial weights and of the order of the images")
	flags.StringVar(&s.out, "out", "", "write confusion.png, and after training also loss.png and digits.npz, into this `folder`")
	flags.StringVar(&s.load, "load", "", "classify the test images with the parameters in this `file`, without training")
	flags.StringVar(&s.export, "export", "", "write the network with its parameters as an ONNX model into this `file`")
	dev := devices.Flag(flags)
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.device = *dev
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.epochs < 1 || s.epochs > 100_000 {
		return s, fmt.Errorf("-epochs %d: want a number from 1 to 100000", s.epochs)
	}
	return s, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	begin := time.Now()
	s, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	train, test, err := digits.Load()
	if err != nil {
		return err
	}
	dev, err := devices.Get(s.device)
	if err != nil {
		return err
	}
	train, test = train.To(dev), test.To(dev)
	params := newParams(s.seed, dev)
	var losses curves
	if s.load != "" {
		network(params, test.Rows([]int{0}).X) // creates the parameters, so that a file of another network is refused
		if err := nn.Load(s.load, params); err != nil {
			return err
		}
	} else {
		losses = fit(params, train, test, s, stdout, stderr)
	}
	r := evaluate(params, test)
	if s.export != "" {
		if err := export(s.export, params, test.Rows([]int{0, 1}).X); err != nil {
			return err
		}
	}
	if s.out != "" {
		if err := write(s.out, params, losses, r.confusion); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "digits: test accuracy %.3f in %.1f s\n", r.accuracy, time.Since(begin).Seconds())
	return err
}

// fit trains, prints a line per epoch, and returns the losses.
func fit(params *nn.Scope, train, test digits.Images, s settings, stdout, stderr io.Writer) curves {
	t := newTrainer(params, train, s.seed, s.epochs)
	bar := newBar(t.steps, stderr)
	var losses curves
	for epoch := range s.epochs {
		loss := t.epoch(func() { _ = bar.Add(1) }) // an error of the progress bar does not stop the training
		r := evaluate(params, test)
		losses.train, losses.test = append(losses.train, loss), append(losses.test, r.loss)
		_ = bar.Clear()
		fmt.Fprintf(stdout, "epoch %*d/%d  loss %.4f  test loss %.4f  test accuracy %.3f\n",
			len(fmt.Sprint(s.epochs)), epoch+1, s.epochs, loss, r.loss, r.accuracy)
	}
	_ = bar.Finish()
	return losses
}

// newBar returns a progress bar, which is silent if stderr is not a terminal.
func newBar(steps int, stderr io.Writer) *progressbar.ProgressBar {
	if f, ok := stderr.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return progressbar.NewOptions(steps,
				progressbar.OptionSetWriter(stderr),
				progressbar.OptionSetDescription("training"),
				progressbar.OptionShowCount(),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionClearOnFinish())
		}
	}
	return progressbar.DefaultSilent(int64(steps))
}

// write writes the results into a folder, which it creates: after training, also the parameters and the losses. Every
// file is written completely or not at all.
func write(folder string, params *nn.Scope, losses curves, c confusion) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := c.picture().Save(filepath.Join(folder, "confusion.png")); err != nil {
		return err
	}
	if len(losses.train) == 0 {
		return nil
	}
	if err := losses.picture().Save(filepath.Join(folder, "loss.png")); err != nil {
		return err
	}
	return nn.Save(filepath.Join(folder, "digits.npz"), params)
}
