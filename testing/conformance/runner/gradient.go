package runner

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// doubleBackward is the note of cases whose grads are those of Σgx², where gx are the first-order gradients.
const doubleBackward = "double_backward"

// gradients calls the function on watched arguments, takes the given gradients of its results back to them, and
// compares.
func (r *Runner) gradients(b *catalogue.Function, f *golden.File, c *golden.Case, tol compare.Tolerance) error {
	tape := grad.NewTape()
	defer tape.Release()
	watched := map[string]*nd.Array{}
	wanted := map[string]bool{}
	for _, g := range c.Grads {
		wanted[g.Name] = true
	}
	t := &trial{file: f, device: r.Device, watch: func(path string, x *nd.Array) *nd.Array {
		if wanted[path] {
			x = tape.Watch(x)
			watched[path] = x
		}
		return x
	}}
	if err := t.run(b, c, false); err != nil {
		return err
	}
	ys, gys, err := t.cotangents(c)
	if err != nil {
		return err
	}
	xs := make([]*nd.Array, len(c.Grads))
	for i, g := range c.Grads {
		if xs[i] = watched[g.Name]; xs[i] == nil {
			return fmt.Errorf("grads names %s, which is no array among the arguments", g.Name)
		}
	}
	// An argument that was overwritten is known to the tape as the result of that write: its gradient is the one before.
	got, err := catalogue.Guard(func() []*nd.Array {
		if c.Note == doubleBackward {
			return squaredGradient(tape, ys, gys, xs)
		}
		return tape.VJP(ys, gys, xs...)
	})
	if err != nil {
		return err
	}
	tol.DType = false
	for i, g := range c.Grads {
		want, err := f.Array(g.Key)
		if err != nil {
			return err
		}
		if got[i] == nil && c.Note == doubleBackward {
			got[i] = nd.ZerosLike(want) // the first-order gradients do not depend on the argument
		}
		if b.Row.NoGrad {
			if got[i] != nil || !compare.AllZero(want) {
				return fmt.Errorf("the row says that no gradient flows to %s", g.Name)
			}
			continue
		}
		if err := tol.Compare(got[i], want); err != nil {
			return fmt.Errorf("gradient of %s: %w", g.Name, err)
		}
	}
	return nil
}

// cotangents pairs the results with the gradients that come in there.
func (t *trial) cotangents(c *golden.Case) (ys, gys []*nd.Array, err error) {
	outputs, err := catalogue.Arrays(t.results)
	if err != nil {
		return nil, nil, err
	}
	if len(c.GradOutputs) > len(outputs) {
		return nil, nil, fmt.Errorf("%d results, but %d gradients of them", len(outputs), len(c.GradOutputs))
	}
	for i, key := range c.GradOutputs {
		if key == "" || outputs[i] == nil {
			continue
		}
		g, err := t.file.Array(key)
		if err != nil {
			return nil, nil, err
		}
		y := outputs[i]
		ys, gys = append(ys, y), append(gys, catalogue.Place(g, t.device).AsType(y.DType()))
	}
	return ys, gys, nil
}

// squaredGradient returns the gradients of Σgx².
func squaredGradient(tape *grad.Tape, ys, gys, xs []*nd.Array) []*nd.Array {
	var firsts, seeds []*nd.Array
	for _, gx := range tape.VJPRecorded(ys, gys, xs...) {
		if gx != nil {
			firsts = append(firsts, gx)
			seeds = append(seeds, ops.Multiply(gx.Detach(), nd.Scalar(2)))
		}
	}
	return tape.VJP(firsts, seeds, xs...)
}
