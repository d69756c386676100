package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// scope returns a scope with the parameters that a case sets before the call.
func (t *trial) scope(c *golden.Case) (*nn.Scope, error) {
	given, err := Parameters(t.file, c)
	if err != nil {
		return nil, err
	}
	s := nn.NewScope(nn.ScopeOptions{Device: t.device})
	for _, p := range given {
		s.Set(p.Name, p.Array)
	}
	return s, nil
}

// Parameters reads the parameters that a case sets before the call, in order.
func Parameters(file *golden.File, c *golden.Case) ([]nd.Named, error) {
	params, _ := c.Args.Get("params")
	given, _ := params.(golden.Object)
	var all []nd.Named
	for _, p := range given {
		key, ok := p.Value.(golden.Array)
		if !ok {
			return nil, fmt.Errorf("params.%s: want an array", p.Name)
		}
		x, err := file.Array(string(key))
		if err != nil {
			return nil, err
		}
		all = append(all, nd.Named{Name: p.Name, Array: x})
	}
	return all, nil
}

// after returns the value after the call of an argument, of a link's state ("state.c" and "state.h"), or of a parameter
// ("params." and its path). It returns nil for an unknown name.
func (t *trial) after(name string) *nd.Array {
	if path, ok := strings.CutPrefix(name, "params."); ok && t.result.Scope != nil {
		return t.result.Scope.Get(path)
	}
	if st := t.result.State; st != nil {
		switch name {
		case "state.c":
			return st.C
		case "state.h":
			return st.H
		}
	}
	return t.result.Arguments[name]
}

// registers calls a parametric function with an empty scope and compares the parameters that it creates with those that
// the case lists. The call is an evaluation, which writes nothing.
func (r *Runner) registers(fn *catalogue.Function, f *golden.File, c *golden.Case) error {
	s := nn.NewScope(nn.ScopeOptions{Device: r.Device})
	t := &trial{file: f, device: r.Device, fn: fn}
	if err := t.run(c, catalogue.CallOptions{Scope: s, Evaluation: true}); err != nil {
		return fmt.Errorf("with an empty scope: %w", err)
	}
	return asRegistered(s, c.Registered)
}

// asRegistered compares the parameters in a scope with those that a case lists.
func asRegistered(s *nn.Scope, registered []golden.Parameter) error {
	var want []string
	for _, p := range registered {
		want = append(want, p.Path)
	}
	if got := s.Names(); !slices.Equal(got, want) {
		return fmt.Errorf("the function created the parameters %q, want %q", got, want)
	}
	for _, p := range registered {
		if err := isAsRegistered(s.Param(p.Path), p); err != nil {
			return fmt.Errorf("parameter %s: %w", p.Path, err)
		}
	}
	return nil
}

func isAsRegistered(p *nn.Param, want golden.Parameter) error {
	if got := p.Value().Shape(); !slices.Equal(got, want.Shape) {
		return fmt.Errorf("shape %v, want %v", got, want.Shape)
	}
	if p.NeedGrad() != want.NeedGrad {
		return fmt.Errorf("trained: %v, want %v", p.NeedGrad(), want.NeedGrad)
	}
	values := realParts(p.Value())
	if v, ok := want.Init.Get("constant"); ok {
		constant, _ := golden.Float(v)
		return allBetween(values, constant, constant)
	}
	if v, ok := want.Init.Get("uniform"); ok {
		ends, _ := v.(golden.List)
		if len(ends) != 2 {
			return fmt.Errorf("uniform: %v", v)
		}
		low, _ := golden.Float(ends[0])
		high, _ := golden.Float(ends[1])
		if err := allBetween(values, low, high); err != nil {
			return err
		}
		if n := len(values); n > 1 && slices.Max(values)-slices.Min(values) < (high-low)/float64(4*n) {
			return fmt.Errorf("the initial values are nearly equal: want them spread from %v to %v", low, high)
		}
	}
	return nil
}

// allBetween returns an error unless all values lie between two numbers, within the rounding of float32.
func allBetween(values []float64, low, high float64) error {
	for i, v := range values {
		if d := 1e-6 * max(-low, high, low, -high); v < low-d || v > high+d {
			return fmt.Errorf("element %d is %v, want one from %v to %v", i, v, low, high)
		}
	}
	return nil
}
