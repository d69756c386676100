// Ptb is Chainer's example of a language model: a recurrent network learns to predict the next word, in a trainer with
// its own updater. See README.md.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"

	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "ptb:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	batchSize, bpropLen, epochs, units int
	gradClip                           float64
	test                               bool
	data, out, resume, device          string
}

func parseFlags(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("ptb", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", "", "`folder` with ptb.train.txt, ptb.valid.txt and ptb.test.txt; by default Newton's Opticks")
	flags.IntVar(&s.batchSize, "batchsize", 20, "columns of the text that are read side by side")
	flags.IntVar(&s.bpropLen, "bproplen", 35, "words through which gradients flow back")
	flags.IntVar(&s.epochs, "epoch", 39, "passes over the text")
	flags.Float64Var(&s.gradClip, "gradclip", 5, "norm to which gradients are clipped")
	flags.IntVar(&s.units, "unit", 650, "units of a layer")
	flags.BoolVar(&s.test, "test", false, "learn from only 2,000 words, to see whether the program runs")
	flags.StringVar(&s.out, "out", "result", "`folder` for the output")
	flags.StringVar(&s.resume, "resume", "", "`snapshot` to resume from")
	dev := devices.Flag(flags)
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.device = *dev
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.batchSize < 1 || s.bpropLen < 1 || s.epochs < 1 || s.units < 1 || !(s.gradClip > 0):
		return s, errors.New("want at least one column, word, epoch and unit, and a norm above 0")
	case s.out == "":
		return s, errors.New("want a folder for the output")
	}
	return s, nil
}

// run trains and tests. If ctx is cancelled, by Ctrl-C, it saves a snapshot and returns.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	text, err := load(s.data)
	if err != nil {
		return err
	}
	if s.test {
		text = text.truncated(2000)
	}
	fmt.Fprintf(stdout, "%d words to learn from, %d of them different\n\n", len(text.train), text.words)
	l, err := newLearning(s, text)
	if err != nil {
		return err
	}
	trainer := l.trainer(s, stdout)
	if s.resume != "" {
		if err := archive.Load(s.resume, trainer); err != nil {
			return err
		}
	}
	if err := trainer.Run(ctx); errors.Is(err, context.Canceled) {
		fmt.Fprintf(stdout, "interrupted; resume from the snapshot in %s with -resume\n", s.out)
		return nil
	} else if err != nil {
		return err
	}
	loss, err := l.model.mean(l.params, l.test)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "test perplexity: %.2f\n", math.Exp(loss))
	return err
}

// learning is a network and the texts that it reads.
type learning struct {
	model              rnn
	params             *nn.Scope
	rand               *nd.Rand
	train, valid, test *columns
}

func newLearning(s settings, text corpus) (*learning, error) {
	const seed = 1
	rng := nd.NewRand(seed)
	dev, err := devices.Get(cmp.Or(s.device, "cpu"))
	if err != nil {
		return nil, err
	}
	l := &learning{model: rnn{text.words, s.units}, params: nn.NewScope(nn.ScopeOptions{Device: dev, Rand: rng.Split()}), rand: rng.Split()}
	var failed [3]error
	l.train, failed[0] = newColumns(text.train, s.batchSize, s.bpropLen, false)
	l.valid, failed[1] = newColumns(text.valid, s.batchSize, s.bpropLen, true)
	l.test, failed[2] = newColumns(text.test, s.batchSize, s.bpropLen, true)
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	for _, c := range []*columns{l.train, l.valid, l.test} {
		c.device = dev
	}
	return l, nil
}

// trainer builds the trainer: the updater that learns, and the extensions that run in between.
func (l *learning) trainer(s settings, stdout io.Writer) *train.Trainer {
	updater := &bptt{text: l.train, model: l.model, params: l.params, optimizer: optim.NewSGD(optim.SGDOptions{LR: 1}), clip: s.gradClip, rand: l.rand,
		tape: grad.NewTape()}
	trainer := train.New(updater, train.Every(float64(s.epochs), train.Epoch), s.out)
	epoch := train.Every(1, train.Epoch)
	trainer.Extend(train.Func(func(t *train.Trainer) error {
		loss, err := l.model.mean(l.params, l.valid)
		t.Observation().Set("validation/main/loss", loss)
		return err
	}), train.Settings{Name: "validation", Trigger: epoch, Priority: train.Writer})
	log := train.NewLogReport(train.LogReportOptions{Postprocess: perplexities})
	trainer.Extend(log)
	table := train.NewPrintReport(log, "epoch", "iteration", "perplexity", "val_perplexity", "elapsed_time")
	table.Out = stdout
	trainer.Extend(table)
	trainer.Extend(train.NewPlotReport([]string{"main/loss", "validation/main/loss"}, train.PlotReportOptions{XKey: "epoch", FileName: "loss.png"}))
	trainer.Extend(train.NewProgressBar(train.ProgressBarOptions{UpdateInterval: 10, Out: stdout}))
	trainer.Extend(train.NewSnapshot())
	return trainer
}

// perplexities adds the perplexities of the losses: the effective number of words between which the network has to
// choose.
func perplexities(v *report.Values) {
	for name, of := range map[string]string{"perplexity": "main/loss", "val_perplexity": "validation/main/loss"} {
		if loss, ok := v.Get(of); ok {
			v.Set(name, math.Exp(loss))
		}
	}
}
