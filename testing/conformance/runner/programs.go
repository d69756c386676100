package runner

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// program is a run of a case's steps, which enter and leave scopes, and create, list and set parameters. It starts with
// an empty scope.
type program struct {
	runner *Runner
	file   *golden.File
	scopes []*nn.Scope // the current scope is the last; each is within the one before
	folder string      // for the files that the program saves
}

// stepsOf returns the steps of a case that is a program, or nil.
func stepsOf(c *golden.Case) golden.List {
	v, _ := c.Args.Get("ops")
	steps, _ := v.(golden.List)
	if _, ok := c.Expect.(golden.List); !ok {
		return nil
	}
	return steps
}

// program runs a case that is a program and compares the result of each step.
func (r *Runner) program(f *golden.File, c *golden.Case) Outcome {
	steps, want := stepsOf(c), c.Expect.(golden.List)
	folder, err := os.MkdirTemp("", "program")
	if err != nil {
		return Outcome{ID: c.ID, Forward: err}
	}
	defer os.RemoveAll(folder)
	p := &program{runner: r, file: f, folder: folder, scopes: []*nn.Scope{nn.NewScope(nn.ScopeOptions{Device: r.Device})}}
	if reason := p.lacks(steps); reason != "" {
		return Outcome{ID: c.ID, Skipped: reason}
	}
	if len(want) != len(steps) {
		return Outcome{ID: c.ID, Forward: fmt.Errorf("%d results for %d steps", len(want), len(steps))}
	}
	for i, v := range steps {
		step, _ := v.(golden.Object)
		got, err := p.run(step)
		if isRefusal(want[i]) {
			err = wantRefusal(err, &golden.Case{ErrorType: "an error"})
		} else if err == nil && want[i] != nil {
			err = match(ToleranceOf(c), got, want[i])
		}
		if err != nil {
			return Outcome{ID: c.ID, Forward: fmt.Errorf("step %d, %s: %w", i, text(step, "op"), err)}
		}
	}
	return Outcome{ID: c.ID}
}

// isRefusal reports whether a step must be refused: {error: true}.
func isRefusal(want golden.Value) bool {
	o, _ := want.(golden.Object)
	v, _ := o.Get("error")
	return v == true
}

// lacks names a row or a file that the steps need and that does not exist, or returns "".
func (p *program) lacks(steps golden.List) string {
	saved := map[string]bool{}
	for _, v := range steps {
		step, _ := v.(golden.Object)
		if name := calledBy(step); name != "" && p.runner.functions[name] == nil {
			return "no catalogue row for " + name
		}
		switch path := text(step, "path"); text(step, "op") {
		case "save_parameters":
			saved[path] = true
		case "load_parameters":
			if _, err := os.Stat(p.recorded(path)); err != nil && !saved[path] {
				return "no file " + path
			}
		}
	}
	return ""
}

// recorded returns the path of a file that the reference system has written.
func (p *program) recorded(name string) string {
	return filepath.Join(filepath.Dir(p.file.Path), "..", "nnabla_files", name)
}

// parameters saves the parameters of a scope to the program's folder, or loads them from there or from a recorded file.
func (p *program) parameters(scope *nn.Scope, step golden.Object) error {
	path := filepath.Join(p.folder, text(step, "path"))
	if _, err := os.Stat(path); err != nil && text(step, "op") == "load_parameters" {
		path = p.recorded(text(step, "path"))
	}
	_, err := p.runner.functions[calledBy(step)].Call(nil, map[string]any{"path": path},
		catalogue.CallOptions{Device: p.runner.Device, Scope: scope, Evaluation: true})
	return err
}

// calledBy returns the documented name of the function that a step calls, or "".
func calledBy(step golden.Object) string {
	switch op := text(step, "op"); op {
	case "enter":
		return "nnabla.parameter.parameter_scope"
	case "call":
		return "nnabla.parametric_functions." + text(step, "function")
	case "get_parameters", "get_parameter_or_create", "load_parameters", "save_parameters":
		return "nnabla.parameter." + op
	}
	return ""
}

// run runs a step and returns its result.
func (p *program) run(step golden.Object) (any, error) {
	scope := p.scopes[len(p.scopes)-1]
	switch op := text(step, "op"); op {
	case "enter":
		inner, err := p.call(scope, step, map[string]any{"name": text(step, "name")})
		if err == nil {
			p.scopes = append(p.scopes, inner.(*nn.Scope))
		}
		return nil, err
	case "exit":
		if len(p.scopes) == 1 {
			return nil, fmt.Errorf("no scope to leave")
		}
		p.scopes = p.scopes[:len(p.scopes)-1]
		return nil, nil
	case "get_parameter_or_create":
		args, err := p.creation(step)
		if err != nil {
			return nil, err
		}
		return p.call(scope, step, args)
	case "get_parameters":
		gradOnly, _ := step.Get("grad_only")
		all, err := p.call(scope, step, map[string]any{"grad_only": gradOnly})
		if err != nil {
			return nil, err
		}
		return listed(all.(iter.Seq2[string, *nn.Param])), nil
	case "call":
		args, err := p.layer(step)
		if err != nil {
			return nil, err
		}
		return p.call(scope, step, args)
	case "load_parameters", "save_parameters":
		return nil, p.parameters(scope, step)
	case "values":
		x := scope.Get(text(step, "path"))
		if x == nil {
			return nil, fmt.Errorf("no parameter %s", text(step, "path"))
		}
		return realParts(x), nil
	case "set":
		return p.set(scope, step)
	case "clear_parameters":
		scope.Clear()
		return nil, nil
	default:
		return nil, fmt.Errorf("no such step")
	}
}

// call calls the function of a step with the scope, as in an evaluation, and returns its first result.
func (p *program) call(scope *nn.Scope, step golden.Object, args map[string]any) (any, error) {
	fn := p.runner.functions[calledBy(step)]
	result, err := fn.Call(nil, args, catalogue.CallOptions{Device: p.runner.Device, Scope: scope, Evaluation: true})
	if err != nil {
		return nil, err
	}
	if len(result.Values) == 0 {
		return nil, fmt.Errorf("%s returned nothing", fn.Name)
	}
	return result.Values[0], nil
}

// creation returns the arguments of get_parameter_or_create. A number is an initializer.
func (p *program) creation(step golden.Object) (map[string]any, error) {
	m, args := maker{file: p.file}, map[string]any{}
	for _, a := range step {
		if a.Name == "op" {
			continue
		}
		v, err := m.value(a.Name, a.Value)
		if err != nil {
			return nil, err
		}
		if a.Name == "init" {
			a.Name = "initializer"
			if number, ok := golden.Float(v); ok {
				v = initializer.Constant(number)
			}
		}
		args[a.Name] = v
	}
	return args, nil
}

// layer returns the arguments of a parametric function's call. Its input is integer zeros, which are valid row indices,
// too.
func (p *program) layer(step golden.Object) (map[string]any, error) {
	lengths, _ := step.Get("shape")
	shape, ok := integers(lengths)
	given, _ := step.Get("args")
	named, isObject := given.(golden.Object)
	if !ok || !isObject {
		return nil, fmt.Errorf("want a shape and arguments, got %v", step)
	}
	fn := p.runner.functions[calledBy(step)]
	args, err := Arguments(p.file, fn, named, nil)
	if err != nil {
		return nil, err
	}
	args[fn.Params[0].Name] = nd.Zeros(shape, dtype.Int64)
	return args, nil
}

// set sets the values of a parameter from a flat list.
func (p *program) set(scope *nn.Scope, step golden.Object) (any, error) {
	v, _ := step.Get("values")
	list, _ := v.(golden.List)
	values := make([]float64, len(list))
	for i, item := range list {
		values[i], _ = golden.Float(item)
	}
	path := text(step, "path")
	x := scope.Get(path)
	if x == nil || x.Size() != len(values) {
		return nil, fmt.Errorf("no parameter %s of %d elements", path, len(values))
	}
	scope.Set(path, nd.FromSlice(values).Reshape(x.Shape()...))
	return nil, nil
}

// listed returns parameters as [path, shape, whether it is trained].
func listed(all iter.Seq2[string, *nn.Param]) []any {
	list := []any{}
	for name, p := range all {
		list = append(list, []any{name, p.Value().Shape(), p.NeedGrad()})
	}
	return list
}

// text returns a member that is a string, or "".
func text(o golden.Object, name string) string {
	v, _ := o.Get(name)
	s, _ := v.(string)
	return s
}

// integers converts a list of integers.
func integers(v golden.Value) ([]int, bool) {
	list, ok := v.(golden.List)
	all := make([]int, len(list))
	for i := 0; ok && i < len(list); i++ {
		all[i], ok = golden.Int(list[i])
	}
	return all, ok
}
