package runner

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// doubleBackward is the note of cases whose grads are those of Σgx², where gx are the first-order gradients.
const doubleBackward = "double_backward"

// gradients calls the function, computes the gradients of its arguments from the given gradients of its results, and
// compares.
func (r *Runner) gradients(fn *catalogue.Function, f *golden.File, c *golden.Case, tol compare.Tolerance) error {
	how := catalogue.CallOptions{OutputGradients: make([]*nd.Array, len(c.GradOutputs))}
	for i, key := range c.GradOutputs {
		if key != "" {
			var err error
			if how.OutputGradients[i], err = f.Array(key); err != nil {
				return err
			}
		}
	}
	for _, g := range c.Grads {
		how.Gradients = append(how.Gradients, g.Name)
	}
	if c.Note == doubleBackward {
		how.Tape = grad.NewTape()
		defer how.Tape.Release()
	}
	t := &trial{file: f, device: r.Device, fn: fn}
	if err := t.run(c, how); err != nil {
		return err
	}
	got := t.result.Gradients
	if how.Tape != nil {
		var err error
		if got, err = t.squaredGradients(how.Tape, how.Gradients); err != nil {
			return err
		}
	}
	tol.Instead = dtype.Unspecified
	for _, g := range c.Grads {
		want, err := f.Array(g.Key)
		if err != nil {
			return err
		}
		gx := got[g.Name]
		if gx == nil && c.Note == doubleBackward {
			gx = nd.ZerosLike(want) // the first-order gradients do not depend on the argument
		}
		if fn.Row.NoGrad {
			if gx != nil || !compare.AllZero(want) {
				return fmt.Errorf("the row says that no gradient flows to %s", g.Name)
			}
			continue
		}
		if err := tol.Compare(gx, want); err != nil {
			return fmt.Errorf("gradient of %s: %w", g.Name, err)
		}
		if err := t.hasDTypeOf(g.Name, gx); err != nil {
			return fmt.Errorf("gradient of %s: %w", g.Name, err)
		}
	}
	return nil
}

// squaredGradients returns the gradients of Σgx², where gx are the recorded gradients of a call.
func (t *trial) squaredGradients(tape *grad.Tape, names []string) (map[string]*nd.Array, error) {
	var firsts, seeds, xs []*nd.Array
	for _, name := range names {
		xs = append(xs, t.result.Arguments[name])
		if gx := t.result.Gradients[name]; gx != nil {
			firsts = append(firsts, gx)
			seeds = append(seeds, ops.Multiply(gx.Detach(), 2))
		}
	}
	got, err := catalogue.Try(func() []*nd.Array { return tape.VJP(firsts, seeds, xs...) })
	all := map[string]*nd.Array{}
	for i, g := range got {
		all[names[i]] = g
	}
	return all, err
}
