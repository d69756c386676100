package runner

import (
	"errors"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// trainingCase is a case for code that trains links: an optimizer, data, or a part of the training loop.
type trainingCase struct {
	*Runner
	file *golden.File
	fn   *catalogue.Function
	c    *golden.Case
	tol  compare.Tolerance
}

// exercises runs the cases of a file of the suite chainer_training.
func (r *Runner) exercises(f *golden.File) *FunctionOutcome {
	all := &FunctionOutcome{Name: f.Function}
	for _, c := range f.Cases {
		o := Outcome{ID: c.ID}
		if fn := r.functions[c.Function]; fn == nil {
			o.Skipped = "no catalogue row"
		} else {
			t := &trainingCase{Runner: r, file: f, fn: fn, c: c, tol: ToleranceOf(c)}
			o.Forward = t.run(catalogue.CallOptions{Device: r.Device})
			if o.Forward == nil {
				o.Forward = t.run(catalogue.CallOptions{Device: r.Device, Defaults: true})
			}
		}
		all.Cases = append(all.Cases, o)
	}
	return all
}

// run runs the case according to the kind of its function.
func (t *trainingCase) run(how catalogue.CallOptions) error {
	is := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(t.c.Function, p) })
	}
	drive := t.plain
	switch {
	case is("chainer.optimizers.", "chainer.optimizer.", "chainer.Optimizer.", "chainer.GradientMethod.", "chainer.Link."):
		drive = t.optimizer
	case is("chainer.Chain", "chainer.ChainList"):
		drive = t.chain
	case is("chainer.iterators.", "chainer.dataset"):
		drive = t.data
	case is("chainer.training.extensions.ExponentialShift", "chainer.training.extensions.LinearShift"):
		drive = t.shift
	case is("chainer.training.", "chainer.Reporter", "chainer.report", "chainer.Summary", "chainer.DictSummary"):
		drive = t.loop
	}
	failed, err := catalogue.Try(func() error { return drive(how) })
	return errors.Join(failed, err)
}
