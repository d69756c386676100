package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// solverCase is a case of a solver or a schedule. Its arguments are instructions, not those of a function.
type solverCase struct {
	trainingCase

	said struct { // further fields of the case
		T      map[string]int // updates of each parameter
		Expect *bool          // the result of a check
	}
}

// solver runs the cases of a file: of a solver, of a method that all solvers have, or of a schedule.
func (r *Runner) solver(f *golden.File) *FunctionOutcome {
	all := &FunctionOutcome{Name: f.Function}
	for _, c := range f.Cases {
		o := Outcome{ID: c.ID}
		if fn := r.functions[c.Function]; fn == nil {
			o.Skipped = "no catalogue row"
		} else {
			t := &solverCase{trainingCase: trainingCase{Runner: r, file: f, fn: fn, c: c, tol: ToleranceOf(c)}}
			o.Forward = t.run(catalogue.CallOptions{})
			if o.Forward == nil {
				o.Forward = t.run(catalogue.CallOptions{Defaults: true})
			}
		}
		all.Cases = append(all.Cases, o)
	}
	return all
}

func (t *solverCase) run(how catalogue.CallOptions) error {
	if err := json.Unmarshal(t.c.Raw, &t.said); err != nil {
		return err
	}
	run := t.method
	if _, ok := t.c.Args.Get("iterations"); ok {
		run = t.schedule
	} else if _, ok := t.c.Args.Get("options"); ok {
		run = t.updates
	}
	failed, err := catalogue.Try(func() error { return run(how) })
	return errors.Join(failed, err)
}

// updates creates a solver and makes its updates.
func (t *solverCase) updates(how catalogue.CallOptions) error {
	given, _ := t.c.Args.Get("options")
	values, err := t.call(t.fn, namedOf(given), how)
	if err != nil {
		return err
	}
	opt := values[0].(*optim.Optimizer)
	scope, names, err := t.scope()
	if err != nil {
		return err
	}
	const steps = 6
	for i := range steps {
		g, err := t.gradientsOf(scope, "gradients", i)
		if err != nil {
			return err
		}
		if rates, ok := t.c.Args.Get("learning_rates"); ok {
			rate, _ := golden.Float(rates.(golden.List)[i])
			opt.SetLearningRate(rate)
		}
		prepare(g, t.c.Args)
		opt.Update(g)
		for k, name := range names {
			if err := t.compare(scope.Get(name), t.c.Outputs[i*len(names)+k]); err != nil {
				return fmt.Errorf("%s after update %d: %w", name, i+1, err)
			}
		}
	}
	return t.states(opt.State(scope))
}

// prepare calls the gradient methods that a case lists, in order.
func prepare(g *optim.Gradients, args golden.Object) {
	for _, s := range []struct {
		name string
		make func(float64)
	}{{"scale_grad", g.Scale}, {"weight_decay", g.WeightDecay}, {"clip_grad_by_norm", g.ClipByNorm}} {
		if v, ok := args.Get(s.name); ok {
			by, _ := golden.Float(v)
			s.make(by)
		}
	}
}

// states compares the states that the solver keeps for its parameters.
func (t *solverCase) states(states nd.NamedArrays) error {
	want := map[string]string{}
	for _, m := range t.c.Mutated {
		want[strings.TrimPrefix(m.Name, "states.")] = m.Key
	}
	for _, s := range states {
		if name, ok := strings.CutSuffix(s.Name, "/t"); ok {
			if n := nd.Value[int](s.Array); n != t.said.T[name] {
				return fmt.Errorf("%s had %d updates, want %d", name, n, t.said.T[name])
			}
			continue
		}
		if want[s.Name] == "" {
			return fmt.Errorf("unexpected state %s", s.Name)
		}
		if err := t.compare(s.Array, want[s.Name]); err != nil {
			return fmt.Errorf("state %s: %w", s.Name, err)
		}
		delete(want, s.Name)
	}
	for name := range want {
		return fmt.Errorf("state %s is missing", name)
	}
	return nil
}

// method calls a gradient method that every solver has, and compares the gradients or the result.
func (t *solverCase) method(how catalogue.CallOptions) error {
	scope, names, err := t.scope()
	if err != nil {
		return err
	}
	g, err := t.gradientsOf(scope, "gradients", 0)
	if err != nil {
		return err
	}
	args := map[string]any{"self": g}
	for _, a := range t.c.Args {
		if t.fn.Param(a.Name) != nil {
			args[a.Name] = a.Value
		}
	}
	values, err := t.call(t.fn, args, how)
	if err != nil {
		return err
	}
	if t.said.Expect != nil {
		if got := values[0].(bool); got != *t.said.Expect {
			return fmt.Errorf("got %v, want %v", got, *t.said.Expect)
		}
		return nil
	}
	for k, name := range names {
		if err := t.compare(g.Get(name), t.c.Outputs[k]); err != nil {
			return fmt.Errorf("the gradient of %s: %w", name, err)
		}
	}
	return nil
}

// schedule compares the learning rates of some updates.
func (t *solverCase) schedule(how catalogue.CallOptions) error {
	args := slices.DeleteFunc(slices.Clone(t.c.Args), func(m golden.Member) bool { return m.Name == "iterations" })
	rate, err := t.scheduleOf(t.fn, args, how)
	if err != nil {
		return err
	}
	at, _ := t.c.Args.Get("iterations")
	var rates []float64
	for _, v := range at.(golden.List) {
		update, _ := golden.Int(v)
		rates = append(rates, rate(update))
	}
	return t.compare(nd.FromSlice(rates), t.c.Outputs[0])
}

// scheduleOf calls a schedule's function. An argument that is an object with the name of a class is itself a schedule.
func (t *solverCase) scheduleOf(fn *catalogue.Function, args golden.Object, how catalogue.CallOptions) (optim.Schedule, error) {
	named := namedOf(args)
	for name, v := range named {
		inner, ok := v.(golden.Object)
		if !ok {
			continue
		}
		class, _ := inner.Get("class")
		of := t.functions[fn.Name[:strings.LastIndexByte(fn.Name, '.')+1]+fmt.Sprint(class)]
		if of == nil {
			return nil, fmt.Errorf("no row for %v", class)
		}
		rest := slices.DeleteFunc(slices.Clone(inner), func(m golden.Member) bool { return m.Name == "class" })
		s, err := t.scheduleOf(of, rest, how)
		if err != nil {
			return nil, err
		}
		named[name] = s
	}
	values, err := t.call(fn, named, how)
	if err != nil {
		return nil, err
	}
	return values[0].(optim.Schedule), nil
}

func (t *solverCase) call(fn *catalogue.Function, args map[string]any, how catalogue.CallOptions) ([]any, error) {
	how.Device = t.Device
	result, err := fn.Call(nil, args, how)
	if err != nil {
		return nil, err
	}
	return result.Values, nil
}

// scope returns the parameters of a case, and their names in order. Without parameters in the case, they are zeros with
// the shapes of the gradients.
func (t *solverCase) scope() (s *nn.Scope, names []string, err error) {
	s = nn.NewScope(nn.ScopeOptions{Device: t.Device})
	given, ok := t.c.Args.Get("params")
	if !ok {
		given, _ = t.c.Args.Get("gradients")
	}
	for _, m := range given.(golden.Object) {
		x, err := t.array(m.Value)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			x = nd.ZerosLike(x)
		}
		s.Set(m.Name, x)
		names = append(names, m.Name)
	}
	return s, names, nil
}

// namedOf returns the members of an object by name.
func namedOf(v golden.Value) map[string]any {
	all := map[string]any{}
	for _, m := range v.(golden.Object) {
		all[m.Name] = m.Value
		if list, ok := m.Value.(golden.List); ok {
			items := make([]any, len(list))
			for i, item := range list {
				items[i] = item
			}
			all[m.Name] = items
		}
	}
	return all
}
