package sweeps

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// enter creates the scope of an outcome for a parametric function, and the view that is called: an evaluation view, so
// that the tape of a sweep is the only one.
func (s *subject) enter(how setting, o *outcome) (view *nn.Scope, err error) {
	if o.scope, err = s.scope(how.device, o.args, how.fresh); err != nil || o.scope == nil || how.params == nil {
		return o.scope, err
	}
	for name, x := range how.params {
		if o.scope.Param(name) == nil {
			o.scope.Set(name, x.Detach())
		}
	}
	return o.scope.With(how.params), nil
}

// scope returns a new scope for a parametric function, with the parameters of the case unless fresh is set. The
// parameters have the accuracy of the arguments.
func (s *subject) scope(dev device.Device, args map[string]*nd.Array, fresh bool) (*nn.Scope, error) {
	if !s.fn.TakesScope() {
		return nil, nil
	}
	o := nn.ScopeOptions{Device: dev, DType: dtype.Float32}
	for _, x := range args {
		if x != nil && (x.DType() == dtype.Float64 || x.DType() == dtype.Complex128) {
			o.DType = dtype.Float64
		}
	}
	scope := nn.NewScope(o)
	if fresh {
		return scope, nil
	}
	given, err := runner.Parameters(s.f, s.c)
	for _, p := range given {
		if p.Array.DType().IsFloat() {
			p.Array = p.Array.AsType(o.DType)
		}
		scope.Set(p.Name, p.Array)
	}
	return scope, err
}

// parameterPrefix precedes the paths of parameters among the names of arguments.
const parameterPrefix = "params."

// trained returns the trained parameters of a parametric function, for the unchanged case.
func (s *subject) trained() (all []nd.Named) {
	if s.plain.scope == nil {
		return nil
	}
	for name, p := range s.plain.scope.Trained() {
		all = append(all, nd.Named{Name: parameterPrefix + name, Array: p.Value()})
	}
	return all
}

// parameters is the content of a scope before a call.
type parameters struct {
	names  []string
	values []snapshot
}

func parametersOf(s *nn.Scope) (p parameters) {
	if s != nil {
		for name, param := range s.All() {
			p.names, p.values = append(p.names, name), append(p.values, snapshotOf(param.Value()))
		}
	}
	return p
}

// oneByOne are rows that call the function once for each array: the first call may have created parameters before a
// later one refuses.
var oneByOne = map[string]string{
	"nnabla.parametric_functions.LSTMCell":        "steps of a cell",
	"nnabla.parametric_functions.inq_affine":      "steps of a layer, with a list of inputs",
	"nnabla.parametric_functions.inq_convolution": "steps of a layer, with a list of inputs",
	"chainer.links.LSTM":                          "a list x means a sequence of calls",
	"chainer.links.StatefulPeepholeLSTM":          "a list x means a sequence of calls",
	"chainer.links.StatefulGRU":                   "a list x means a sequence of calls",
}

// misused returns an error if the call, which is an evaluation, wrote to a parameter, or created some and then refused.
func (p parameters) misused(s *subject, how setting, o outcome) error {
	if o.scope == nil {
		return nil
	}
	if names := o.scope.Names(); o.refused() && len(names) > len(p.names) && !how.late && !s.refusesLate(o) {
		created := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(p.names, name) })
		return fmt.Errorf("the call created %q before it refused: %w", created, o.err.(*catalogue.Refusal).Err)
	}
	for i, name := range p.names {
		if p.values[i].changed(o.scope.Param(name).Value()) {
			return fmt.Errorf("an evaluation wrote to the parameter %s", name)
		}
	}
	return nil
}

// refusesLate reports whether a refusal may come after parameters were created: the array of an initializer is checked
// after those of earlier parameters.
func (s *subject) refusesLate(o outcome) bool {
	return oneByOne[s.c.Function] != "" || slices.ContainsFunc(o.paths, s.isInitial)
}
