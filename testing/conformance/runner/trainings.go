package runner

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// training is a case in which a small net takes some steps with a solver.
type training struct {
	runner *Runner
	args   golden.Object
	net    net
	solver *optim.Optimizer
	x, t   *nd.Array // all examples and their labels; if the labels are nil, the net learns to reproduce x
	batch  int
}

// trainings runs the cases of a file.
func (r *Runner) trainings(f *golden.File) *FunctionOutcome {
	all := &FunctionOutcome{Name: f.Function}
	for _, c := range f.Cases {
		o := Outcome{ID: c.ID}
		var missing missingRow
		if o.Forward = r.training(f, c); errors.As(o.Forward, &missing) {
			o = Outcome{ID: c.ID, Skipped: missing.Error()}
		}
		all.Cases = append(all.Cases, o)
	}
	return all
}

// missingRow is the documented name of a function that a case calls and that has no row.
type missingRow string

func (name missingRow) Error() string { return "no catalogue row for " + string(name) }

// row returns the function of a documented name.
func (r *Runner) row(name string) (*catalogue.Function, error) {
	if fn := r.functions[name]; fn != nil {
		return fn, nil
	}
	return nil, missingRow(name)
}

// training runs a case. It compares the parameters that the net creates; then, starting from the given parameters, the
// net's results for the first batch, the loss of each step, the parameters after the steps, and the net's results for
// all examples.
func (r *Runner) training(f *golden.File, c *golden.Case) error {
	t, err := r.newTraining(f, c)
	if err != nil {
		return err
	}
	if len(c.Outputs) != 3 {
		return fmt.Errorf("%d outputs, want the losses and the net's results before and after", len(c.Outputs))
	}
	empty := nn.NewScope(nn.ScopeOptions{Device: r.Device})
	if _, err := t.net.run(&pass{runner: r, scope: empty}, t.x); err != nil {
		return fmt.Errorf("with an empty scope: %w", err)
	}
	if err := asRegistered(empty, c.Registered); err != nil {
		return err
	}
	scope, err := (&trial{file: f, device: r.Device}).scope(c)
	if err != nil {
		return err
	}
	losses, before, err := t.steps(scope)
	if err != nil {
		return err
	}
	after, err := t.net.run(&pass{runner: r, scope: scope}, t.x)
	if err != nil {
		return fmt.Errorf("after the training: %w", err)
	}
	tol := ToleranceOf(c)
	for i, y := range []struct {
		what string
		got  *nd.Array
	}{{"the losses", losses}, {"before", before}, {"after", after}} {
		want, err := f.Array(c.Outputs[i])
		if err != nil {
			return err
		}
		if err := tol.Compare(y.got, want); err != nil {
			return fmt.Errorf("%s: %w", y.what, err)
		}
	}
	for _, m := range c.Mutated {
		want, err := f.Array(m.Key)
		if err != nil {
			return err
		}
		if err := tol.Compare(scope.Get(strings.TrimPrefix(m.Name, "params.")), want); err != nil {
			return fmt.Errorf("%s after: %w", m.Name, err)
		}
	}
	return nil
}

// newTraining converts the arguments of a case.
func (r *Runner) newTraining(f *golden.File, c *golden.Case) (*training, error) {
	t := &training{runner: r, args: c.Args}
	var err error
	if t.net, err = netOf(f, c); err != nil {
		return nil, err
	}
	if t.solver, err = r.optimizer(f, c); err != nil {
		return nil, err
	}
	for _, a := range []struct {
		name string
		to   **nd.Array
	}{{"x", &t.x}, {"t", &t.t}} {
		v, given := c.Args.Get(a.name)
		key, ok := v.(golden.Array)
		if !given {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s: want an array", a.name)
		}
		x, err := f.Array(string(key))
		if err != nil {
			return nil, err
		}
		*a.to = catalogue.OnDevice(x, r.Device)
	}
	size, _ := c.Args.Get("batch_size")
	n, ok := golden.Int(size)
	if t.x == nil || !ok || n < 1 {
		return nil, fmt.Errorf("want examples x and a batch_size, got %v", c.Args.Names())
	}
	t.batch = n
	return t, nil
}

// optimizer creates the optimizer that a case names.
func (r *Runner) optimizer(f *golden.File, c *golden.Case) (*optim.Optimizer, error) {
	fn, err := r.row("nnabla.solvers." + text(c.Args, "solver"))
	if err != nil {
		return nil, err
	}
	v, _ := c.Args.Get("options")
	options, _ := v.(golden.Object)
	args, err := Arguments(f, fn, options, nil)
	if err != nil {
		return nil, err
	}
	result, err := fn.Call(nil, args)
	if err != nil {
		return nil, err
	}
	solver, ok := result.Values[0].(*optim.Optimizer)
	if !ok {
		return nil, fmt.Errorf("%s returns a %T, want an *optim.Optimizer", fn.Name, result.Values[0])
	}
	return solver, nil
}

// steps trains the parameters of the scope. It returns the losses, and the net's results in the first step.
func (t *training) steps(scope *nn.Scope) (losses, first *nd.Array, err error) {
	v, _ := t.args.Get("steps")
	steps, _ := golden.Int(v)
	rates, err := t.rates(steps)
	if err != nil {
		return nil, nil, err
	}
	values := make([]*nd.Array, steps)
	for i := range values {
		tape := grad.NewTape()
		model := scope.Watch(tape)
		y, err := t.net.run(&pass{runner: t.runner, scope: model, tape: tape}, t.rows(t.x, i))
		if err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i, err)
		}
		if i == 0 {
			first = tape.Keep(y.Detach())
		}
		loss, err := t.loss(y, i)
		if err != nil {
			return nil, nil, err
		}
		values[i] = tape.Keep(loss.Detach())
		g := optim.GradientsOf(model, loss)
		prepare(g, t.args)
		if rates != nil {
			t.solver.SetLearningRate(rates[i])
		}
		t.solver.Update(g)
		tape.Release()
	}
	return ops.Stack(values), first, nil
}

// rates returns the learning rates of the steps, or nil if the solver's own rate stays.
func (t *training) rates(steps int) ([]float64, error) {
	v, given := t.args.Get("learning_rates")
	if !given {
		return nil, nil
	}
	list, _ := v.(golden.List)
	if len(list) != steps {
		return nil, fmt.Errorf("%d learning rates for %d steps", len(list), steps)
	}
	rates := make([]float64, steps)
	for i := range rates {
		rates[i], _ = golden.Float(list[i])
	}
	return rates, nil
}

// rows returns the examples of step i.
func (t *training) rows(x *nd.Array, i int) *nd.Array {
	at := i * t.batch % x.Dim(0)
	return x.Index(nd.Span(at, at+t.batch))
}

// loss returns the mean loss over all elements.
func (t *training) loss(y *nd.Array, i int) (*nd.Array, error) {
	switch kind := text(t.args, "loss"); {
	case kind == "softmax_cross_entropy" && t.t != nil:
		return ops.Mean(loss.SoftmaxCrossEntropy(y, t.rows(t.t, i))), nil
	case kind == "squared_error":
		return ops.Mean(loss.SquaredError(y, t.rows(t.x, i))), nil
	default:
		return nil, fmt.Errorf("unknown loss %q for such a case", kind)
	}
}
