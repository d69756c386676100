package torch

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// LoadOptimizer makes an optimizer from the state dict of one of package torch.optim: its options, its states of the parameters
// below a scope, and their counts of updates. These are SGD with and without momentum, Adam, AdamW, RMSprop, Adagrad and
// Adadelta. What optimizers here do not have is refused by name: amsgrad, maximize, dampening, centered, momentum of
// RMSprop, lr_decay, and groups of parameters with different options.
//
// The state dict numbers the parameters. Number i is the i-th trained parameter in the order of Options.Model, of
// Options.Order, or else of [StateDict].
// PyTorch: optim.Optimizer.load_state_dict.
func LoadOptimizer(path string, scope *nn.Scope, opts ...Options) (*optim.Optimizer, error) {
	const fn nd.Func = "torch.LoadOptimizer"
	o := options.Read(fn, opts)
	opt, err := o.loadOptimizer(path, scope)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return opt, nil
}

func (o *Options) loadOptimizer(file string, scope *nn.Scope) (opt *optim.Optimizer, err error) {
	layouts, err := o.layouts(scope)
	if err != nil {
		return nil, err
	}
	f, err := nd.OpenTorch(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	v, err := f.Value(strings.Trim(o.Prefix, "/"))
	if err != nil {
		return nil, err
	}
	d, _ := v.(nd.TorchDict)
	states, isDict := d.Get("state").(nd.TorchDict)
	groups, isList := d.Get("param_groups").([]any)
	if !isDict || !isList || len(groups) == 0 {
		return nil, fmt.Errorf("%q is no state dict of an optimizer: want state and param_groups", o.Prefix)
	}
	group, numbers, err := merged(groups)
	if err != nil {
		return nil, err
	}
	opt, err = optimizerOf(group, o.AdamW)
	if err != nil {
		return nil, err
	}
	if o.Model != "" {
		if o.Order = below(strings.Trim(o.Model, "/")+"/", f.Names()); len(o.Order) == 0 {
			return nil, fmt.Errorf("there is no state dict %q", o.Model)
		}
	}
	names, err := o.trainedNames(layouts)
	if err != nil {
		return nil, err
	}
	if len(names) != len(numbers) {
		return nil, fmt.Errorf("the optimizer has %d parameters, and the scope %d that are trained: %q", len(numbers), len(names), names)
	}
	of := map[string]nd.TorchDict{}
	for i, name := range names {
		if s, ok := states.Get(numbers[i]).(nd.TorchDict); ok {
			of[name] = s
		}
	}
	rule := ruleOf(opt)
	var set []func()
	for _, l := range layouts {
		one, err := rule.read(&l, of, opt)
		if err != nil {
			return nil, err
		}
		set = append(set, one...)
	}
	for _, f := range set {
		f()
	}
	return opt, nil
}

// merged returns the options of the groups of parameters, which must agree, and the numbers of their parameters.
func merged(groups []any) (options nd.TorchDict, numbers []any, err error) {
	for i, g := range groups {
		group, ok := g.(nd.TorchDict)
		params, isList := group.Get("params").([]any)
		if !ok || !isList {
			return nil, nil, fmt.Errorf("param_groups/%d has no list of params", i)
		}
		numbers = append(numbers, params...)
		if i == 0 {
			options = group
			continue
		}
		for _, item := range options {
			if item.Key != "params" && fmt.Sprint(group.Get(item.Key)) != fmt.Sprint(item.Value) {
				return nil, nil, fmt.Errorf("the groups of parameters have different options %v: want one group", item.Key)
			}
		}
	}
	return options, numbers, nil
}

// trainedNames returns the names of the tensors that an optimizer has, in their order.
func (o *Options) trainedNames(layouts []layout) ([]string, error) {
	var names []string
	for _, l := range layouts {
		if !slices.ContainsFunc(l.params, (*nn.Param).NeedGrad) {
			continue
		}
		for _, t := range l.tensors {
			if !t.buffer {
				names = append(names, t.name)
			}
		}
	}
	if o.Order == nil {
		return names, nil
	}
	var sorted []string
	for _, name := range o.Order {
		if slices.Contains(names, name) && !slices.Contains(sorted, name) {
			sorted = append(sorted, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(sorted, name) {
			return nil, fmt.Errorf("the order of the parameters lacks %q", name)
		}
	}
	return sorted, nil
}

// read returns what sets the states of the parameters of a layout, whose tensors have the given states in the file.
func (r *rule) read(l *layout, of map[string]nd.TorchDict, opt *optim.Optimizer) ([]func(), error) {
	var found []nd.TorchDict
	for _, t := range l.tensors {
		if s, ok := of[t.name]; ok && len(s) > 0 {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	first := l.params[0].Path()
	if l.noStates != "" && len(r.states) > 0 {
		return nil, fmt.Errorf("the states of %q cannot be read: %s", first, l.noStates)
	}
	if len(found) != len(l.tensors) {
		return nil, fmt.Errorf("the file has the states of some tensors of %q, and of others none", first)
	}
	states := make([]nd.NamedArrays, len(l.params))
	for _, s := range r.states {
		var tensors []*nd.Array
		for i, t := range l.tensors {
			x, ok := found[i].Get(s.there).(*nd.Array)
			if !ok && found[i].Get(s.there) == nil && s.optional {
				continue
			}
			if !ok || !t.fits(x.Shape()) || !dtype.CanCast(x.DType(), dtype.Float32, dtype.CastSameKind) {
				return nil, fmt.Errorf("the state %s of %q is no tensor of shape %s", s.there, t.name, broadcast.FormatShape(t.shape))
			}
			tensors = append(tensors, x)
		}
		if len(tensors) != len(l.tensors) {
			continue
		}
		for i, x := range l.fromTorch(tensors) {
			w := l.params[i].Value()
			y := ops.Multiply(x.AsType(dtype.ComputeType(w.DType())), s.factor(opt)).CopyOn(w.Device())
			states[i] = append(states[i], nd.Named{Name: s.here, Array: y})
		}
	}
	if r.counts {
		count, ok := number(found[0].Get("step"))
		if !ok || count < 0 || count != float64(int(count)) {
			return nil, fmt.Errorf("the state step of %q is no number of updates", l.tensors[0].name)
		}
		for i := range states {
			states[i] = append(states[i], nd.Named{Name: "t", Array: nd.FromSlice([]int{int(count)})})
		}
	}
	var set []func()
	for i, p := range l.params {
		set = append(set, func() { opt.SetState(p, states[i]) })
	}
	return set, nil
}

// OptimizerDict returns the state dict that the optimizer of the same kind in package torch.optim takes: with its options, the
// current learning rate, and the states of the parameters below a scope. The parameters are numbered in the order of
// Options.Order, which must be that of the model in PyTorch, or else of [StateDict]. The optimizers are those of
// [LoadOptimizer]; of Adam and AdamW those with EpsOutside, which is PyTorch's formula.
//
//	model, err := torch.StateDict(params)
//	optimizer, err := torch.OptimizerDict(opt, params)
//	err = nd.SaveTorch("checkpoint.pt", nd.TorchDict{{"epoch", 3}, {"model", model}, {"optimizer", optimizer}})
//
// PyTorch: optim.Optimizer.state_dict.
func OptimizerDict(opt *optim.Optimizer, scope *nn.Scope, opts ...Options) (nd.TorchDict, error) {
	const fn nd.Func = "torch.OptimizerDict"
	o := options.Read(fn, opts)
	d, err := o.optimizerDict(opt, scope)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return d, nil
}

func (o *Options) optimizerDict(opt *optim.Optimizer, scope *nn.Scope) (nd.TorchDict, error) {
	layouts, err := o.layouts(scope)
	if err != nil {
		return nil, err
	}
	group, err := groupOf(opt)
	if err != nil {
		return nil, err
	}
	all := map[string]*nd.Array{} // by the path of the parameter and the name of the state
	for _, n := range opt.State(scope) {
		all[path.Join(scope.Path(), n.Name)] = n.Array
	}
	names, err := o.trainedNames(layouts)
	if err != nil {
		return nil, err
	}
	rule, written := ruleOf(opt), map[string]nd.TorchDict{}
	for _, l := range layouts {
		of, err := rule.write(&l, all, opt)
		if err != nil {
			return nil, err
		}
		for i, state := range of {
			written[l.tensors[i].name] = state
		}
	}
	states, numbers := nd.TorchDict{}, []any{}
	for i, name := range names {
		if state := written[name]; len(state) > 0 {
			states = append(states, nd.TorchItem{Key: i, Value: state})
		}
		numbers = append(numbers, i)
	}
	group = append(group, nd.TorchItem{Key: "params", Value: numbers})
	return nd.TorchDict{{Key: "state", Value: states}, {Key: "param_groups", Value: []any{group}}}, nil
}

// write returns the states of the tensors of a layout, nil if its parameters have none.
func (r *rule) write(l *layout, all map[string]*nd.Array, opt *optim.Optimizer) ([]nd.TorchDict, error) {
	t := all[path.Join(l.params[0].Path(), "t")]
	if t == nil {
		return nil, nil
	}
	if l.noStates != "" && len(r.states) > 0 {
		return nil, fmt.Errorf("the states of %q cannot be written: %s", l.params[0].Path(), l.noStates)
	}
	of := make([]nd.TorchDict, len(l.tensors))
	if r.counts {
		for i := range of {
			of[i] = nd.TorchDict{{Key: "step", Value: t.AsType(dtype.Float32)}}
		}
	}
	for _, s := range r.states {
		var values []*nd.Array
		for _, p := range l.params {
			x := all[path.Join(p.Path(), s.here)]
			if x == nil {
				return nil, fmt.Errorf("the optimizer has states of some parameters beside %q, and of others none", p.Path())
			}
			values = append(values, ops.Divide(x, s.factor(opt)))
		}
		for i, x := range l.toTorch(values) {
			of[i] = append(of[i], nd.TorchItem{Key: s.there, Value: x})
		}
	}
	return of, nil
}
