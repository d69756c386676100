package runner

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// optimizer runs steps of an optimizer, or calls functions of parameters and gradients.
func (t *trainingCase) optimizer(how catalogue.CallOptions) error {
	how.Device = t.Device
	if _, ok := t.c.Args.Get("t"); ok {
		return t.noise(how)
	}
	if strings.HasPrefix(t.c.Function, "chainer.optimizers.") {
		return t.updates(how)
	}
	return t.once(how)
}

// updates creates an optimizer and runs its steps. Cleared gradients count as zeros; hooks run after that, in order.
func (t *trainingCase) updates(how catalogue.CallOptions) error {
	args := map[string]any{}
	for i := range t.fn.Params {
		if v, ok := t.c.Args.Get(t.fn.Params[i].Name); ok {
			args[t.fn.Params[i].Name] = v
		}
	}
	result, err := t.fn.Call(nil, args, how)
	if err != nil {
		return err
	}
	opt, ok := result.Values[0].(*optim.Optimizer)
	if !ok {
		return fmt.Errorf("got a %T, want an optimizer", result.Values[0])
	}
	scope, err := t.scopeOf("params")
	if err != nil {
		return err
	}
	names := slices.Sorted(slices.Values(scope.Names()))
	for step := 0; step*len(names) < len(t.c.Outputs); step++ {
		g, err := t.gradientsOf(scope, "param_grads", step)
		if err != nil {
			return err
		}
		g.FillMissing()
		if err := t.hooks(g, how); err != nil {
			return err
		}
		opt.Update(g)
		for k, name := range names {
			if err := t.compare(scope.Get(name), t.c.Outputs[step*len(names)+k]); err != nil {
				return fmt.Errorf("%s after update %d: %w", name, step+1, err)
			}
		}
	}
	return t.states(opt.ChainerOf(scope))
}

// hooks calls the hooks of a case, whose arguments are listed in order.
func (t *trainingCase) hooks(g *optim.Gradients, how catalogue.CallOptions) error {
	v, _ := t.c.Args.Get("hooks")
	hooks, _ := v.(golden.List)
	for _, v := range hooks {
		o, _ := v.(golden.Object)
		name, _ := o.Get("hook")
		given, _ := o.Get("args")
		hook, args := t.functions[fmt.Sprint(name)], []any{g}
		if hook == nil {
			return fmt.Errorf("no row for %v", name)
		}
		list, _ := given.(golden.List)
		for _, arg := range list {
			args = append(args, arg)
		}
		if _, err := hook.Call(args, nil, how); err != nil {
			return err
		}
	}
	return nil
}

// states compares the states in Chainer's file of an optimizer with the recorded ones.
func (t *trainingCase) states(o archive.Object) error {
	dir, err := os.MkdirTemp("", "optimizer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "states.npz")
	if err := archive.Save(path, o); err != nil {
		return err
	}
	have, err := nd.LoadNpz(path)
	if err != nil {
		return err
	}
	written := map[string]*nd.Array{}
	for _, n := range have {
		if name := n.Name; strings.Contains(name, "/") && !strings.HasSuffix(name, "/t") {
			written[name] = n.Array
		}
	}
	for _, m := range t.c.Mutated {
		name := strings.TrimPrefix(m.Name, "state.")
		x := written[name]
		if x == nil {
			return fmt.Errorf("state %s is missing", name)
		}
		if err := t.compare(x, m.Key); err != nil {
			return fmt.Errorf("state %s: %w", name, err)
		}
		delete(written, name)
	}
	for name := range written {
		return fmt.Errorf("there is a state %s", name)
	}
	return nil
}

// once calls a function once for a model and its gradients, and compares the gradients, the result, or the parameters
// after it.
func (t *trainingCase) once(how catalogue.CallOptions) error {
	scope, err := t.scopeOf("params")
	if err != nil {
		return err
	}
	g, err := t.gradientsOf(scope, "param_grads", 0)
	if err != nil {
		return err
	}
	args := map[string]any{}
	how.Evaluation = true
	if how.Scope = scope; !t.fn.TakesScope() {
		args["self"] = g
	}
	for _, a := range t.c.Args {
		switch a.Name {
		case "params", "param_grads":
		case "grads_by_name":
			args["grads"], err = t.gradientsOf(scope, a.Name, 0)
		case "link_grads":
			args["link"], err = t.gradientsOf(scope, a.Name, 0)
		case "link_params":
			args["link"], err = t.scopeOf(a.Name)
		default:
			args[a.Name] = a.Value
		}
		if err != nil {
			return err
		}
	}
	result, err := t.fn.Call(nil, args, how)
	if err != nil {
		return err
	}
	got := map[string]*nd.Array{}
	for _, v := range result.Values {
		switch v := v.(type) {
		case *optim.Gradients:
			g = v
		case float64:
			got["the result"] = nd.FromSlice([]float64{v}).Reshape()
		}
	}
	if _, ok := t.c.Args.Get("link_params"); ok {
		for name, p := range scope.All() {
			got[name] = p.Value()
		}
	} else if len(got) == 0 {
		got = maps.Collect(g.All())
	}
	if len(got) != len(t.c.Outputs) {
		return fmt.Errorf("%d results, want %d", len(got), len(t.c.Outputs))
	}
	for k, name := range slices.Sorted(maps.Keys(got)) {
		if err := t.compare(got[name], t.c.Outputs[k]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// noise checks the deviation of the noise that a hook adds to zero gradients.
func (t *trainingCase) noise(how catalogue.CallOptions) error {
	const n = 100_000
	scope := nn.NewScope(nn.ScopeOptions{Device: t.Device})
	scope.Parameter("w", []int{n}, nil, true)
	g := optim.NewGradients(scope, nil)
	g.FillMissing()
	args := map[string]any{"self": g}
	for _, a := range t.c.Args {
		if a.Name != "expect" {
			args[a.Name] = a.Value
		}
	}
	if _, err := t.fn.Call(nil, args, how); err != nil {
		return err
	}
	v, _ := t.c.Args.Get("expect")
	o, _ := v.(golden.Object)
	v, _ = o.Get("std")
	want, ok := golden.Float(v)
	if !ok {
		return fmt.Errorf("want an expected deviation in the case")
	}
	if got := g.Norm() / math.Sqrt(n); !(math.Abs(got-want) <= 5*want/math.Sqrt(2*n)) {
		return fmt.Errorf("the standard deviation is %v, want %v within %v", got, want, 5*want/math.Sqrt(2*n))
	}
	return nil
}

// scopeOf returns a scope with the parameters that an argument lists.
func (t *trainingCase) scopeOf(argument string) (*nn.Scope, error) {
	s := nn.NewScope(nn.ScopeOptions{Device: t.Device})
	v, _ := t.c.Args.Get(argument)
	params, _ := v.(golden.Object)
	for _, m := range params {
		x, err := t.array(m.Value)
		if err != nil {
			return nil, err
		}
		s.Set(m.Name, x)
	}
	return s, nil
}

// gradientsOf returns the gradients that an argument lists, for a step or for all; null means no gradient.
func (t *trainingCase) gradientsOf(scope *nn.Scope, argument string, step int) (*optim.Gradients, error) {
	given, _ := t.c.Args.Get(argument)
	grads, _ := given.(golden.Object)
	values := map[string]*nd.Array{}
	for _, m := range grads {
		v := m.Value
		switch list := v.(type) {
		case golden.Arrays:
			v = golden.Array(list[step])
		case golden.List:
			v = list[step]
		}
		if v == nil {
			continue
		}
		var err error
		if values[m.Name], err = t.array(v); err != nil {
			return nil, err
		}
	}
	return optim.NewGradients(scope, values), nil
}

func (t *trainingCase) array(v golden.Value) (*nd.Array, error) {
	key, ok := v.(golden.Array)
	if !ok {
		return nil, fmt.Errorf("%s: want an array", catalogue.Describe(v))
	}
	x, err := t.file.Array(string(key))
	if err != nil {
		return nil, err
	}
	return catalogue.OnDevice(x.AsType(dtype.Float32), t.Device), nil
}

func (t *trainingCase) compare(got *nd.Array, key string) error {
	want, err := t.file.Array(key)
	if err != nil {
		return err
	}
	return t.tol.Compare(got, want)
}
