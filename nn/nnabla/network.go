package nnabla

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

func (f *File) model(name string) (*model.Model, error) {
	var e *executor
	for _, x := range f.executors {
		if x.Name == name || name == "" {
			e = x
			break
		}
	}
	of := name
	if e != nil {
		of = e.NetworkName
	}
	for _, n := range f.networks {
		if n.Name == of || of == "" {
			return f.build(n, e)
		}
	}
	if e != nil {
		return nil, fmt.Errorf("executor %q: there is no network %q", e.Name, of)
	}
	return nil, fmt.Errorf("there is no executor and no network %q: executors %q, networks %q", name, f.Executors(), f.Networks())
}

// builder makes the definition of a model.
type builder struct {
	def        model.Definition
	network    *network
	initialize bool
	variables  map[string]*variable
	inputs     map[string]bool // names of def.Inputs
	outputs    map[string]bool // of functions
	used       map[string]bool // by functions
}

// build makes a model of a network; e may be nil.
func (f *File) build(n *network, e *executor) (*model.Model, error) {
	b := &builder{network: n, initialize: f.initialize, variables: map[string]*variable{}, inputs: map[string]bool{}, outputs: map[string]bool{},
		used: map[string]bool{}}
	b.def.Name, b.def.Params = n.Name, f.params
	for _, v := range n.Variable {
		b.variables[v.Name] = v
	}
	for _, fn := range n.Function {
		for _, name := range fn.Output {
			b.outputs[name] = true
		}
		for _, name := range fn.Input {
			b.used[name] = true
		}
	}
	if e != nil {
		for _, r := range slices.Concat(e.DataVariable, e.GeneratorVariable) {
			b.input(r.VariableName)
		}
		for _, r := range e.OutputVariable {
			b.def.Outputs = append(b.def.Outputs, r.VariableName)
		}
	}
	err := b.freeVariables()
	if err == nil {
		err = b.functions()
	}
	if err != nil {
		return nil, fmt.Errorf("network %q: %w", n.Name, err)
	}
	m, err := model.New(b.def)
	if err != nil {
		return nil, fmt.Errorf("network %q: %w", n.Name, err)
	}
	return m, nil
}

// input adds an input, whose shape the network states. A length below 1 is the batch size.
func (b *builder) input(name string) {
	in := model.Input{Name: name}
	if v := b.variables[name]; v != nil && v.Shape != nil {
		in.Shape = []int{}
		for _, n := range v.Shape.Dim {
			in.Shape = append(in.Shape, max(int(min(n, 1<<31)), 0))
			if n < 1 {
				in.Shape[len(in.Shape)-1] = -1
			}
		}
	}
	b.def.Inputs = append(b.def.Inputs, in)
	b.inputs[name] = true
}

// freeVariables looks for the variables that no function computes: parameters and further inputs. Without an executor, the
// outputs are those that no function uses.
func (b *builder) freeVariables() error {
	noOutputs := b.def.Outputs == nil
	for _, fn := range b.network.Function {
		for _, name := range fn.Input {
			if name == "" {
				return fmt.Errorf("function %q has an input without a name", fn.Name)
			}
			if b.inputs[name] || b.outputs[name] {
				continue
			}
			if isParameter, err := b.parameter(name); err != nil {
				return err
			} else if !isParameter {
				b.input(name)
			}
		}
		for _, name := range fn.Output {
			if noOutputs && !b.used[name] && !b.inputs[name] {
				b.def.Outputs = append(b.def.Outputs, name)
			}
		}
	}
	return nil
}

// parameter reports whether a variable is a parameter, and makes one that the file lacks.
func (b *builder) parameter(name string) (bool, error) {
	v, p := b.variables[name], b.def.Params.Param(name)
	if p == nil && (v == nil || v.Type != "Parameter") {
		return false, nil
	}
	if p == nil && !b.initialize {
		return true, fmt.Errorf("the file lacks the parameter %q", name)
	}
	if p == nil {
		return true, v.create(b.def.Params)
	}
	if v == nil || v.Shape == nil {
		return true, nil
	}
	fits := slices.EqualFunc(v.Shape.Dim, p.Value().Shape(), func(a int64, n int) bool { return a == int64(n) })
	if !fits {
		return true, fmt.Errorf("the parameter %q has shape %s, and the network wants %v", name, broadcast.FormatShape(p.Value().Shape()), v.Shape.Dim)
	}
	return true, nil
}

// errLoop refuses the function types that belong to loops of the console, which the console expands before it trains.
var errLoop = errors.New("the loops of the console, repeat and recurrent, are not supported")

func isLoop(typ string) bool {
	switch typ {
	case "RepeatStart", "RepeatEnd", "RecurrentInput", "RecurrentOutput", "Delay":
		return true
	}
	return false
}

// functions adds the nodes.
func (b *builder) functions() error {
	entries := table()
	for _, fn := range b.network.Function {
		node, err := b.node(fn, entries)
		if err != nil {
			return fmt.Errorf("function %q (%s): %w", fn.Name, fn.Type, err)
		}
		b.def.Nodes = append(b.def.Nodes, node)
	}
	return nil
}

func (b *builder) node(fn *function, entries map[string]entry) (model.Node, error) {
	if isLoop(fn.Type) || len(fn.RepeatID) > 0 {
		return model.Node{}, errLoop
	}
	e, ok := entries[fn.Type]
	if !ok {
		return model.Node{}, errors.New("the type of function is unknown")
	}
	a, err := argumentsOf(fn, e.name)
	if err != nil {
		return model.Node{}, err
	}
	o := e.make(a)
	if err := a.unread(); err != nil {
		return model.Node{}, err
	}
	if n := len(fn.Input); n < o.least || o.most >= 0 && n > o.most {
		return model.Node{}, fmt.Errorf("%d inputs, want %s", n, o.arity())
	}
	inputs, outputs := slices.Clone(fn.Input), slices.Clone(fn.Output)
	for k, name := range outputs {
		if b.inputs[name] { // the executor gives the value
			outputs[k] = ""
		}
	}
	if a.batch {
		name, err := b.batched()
		if err != nil {
			return model.Node{}, err
		}
		inputs = append(inputs, name)
	}
	return model.Node{Name: fn.Name, Type: fn.Type, Inputs: inputs, Outputs: outputs, Run: o.of(nd.Func(fn.Type), len(fn.Input))}, nil
}

// batched returns the name of an input whose first length is the batch size.
func (b *builder) batched() (string, error) {
	for _, in := range b.def.Inputs {
		if len(in.Shape) > 0 && in.Shape[0] < 0 {
			return in.Name, nil
		}
	}
	return "", errors.New("a shape begins with the batch size, which no input has")
}

func (o operation) arity() string {
	switch {
	case o.most < 0:
		return fmt.Sprintf("%d or more", o.least)
	case o.most == o.least:
		return fmt.Sprint(o.least)
	}
	return fmt.Sprintf("%d to %d", o.least, o.most)
}

// of returns the function of a node with n inputs. A further value has the batch size as its first length.
func (o operation) of(fn nd.Func, n int) func(*nn.Scope, []model.Value) []model.Value {
	return func(scope *nn.Scope, in []model.Value) []model.Value {
		c := &call{scope: scope, in: make([]*nd.Array, max(n, o.most))}
		for k, v := range in {
			x, isArray := v.(*nd.Array)
			switch {
			case !isArray:
				panic(fn.Errorf(nil, "input %d is a %T, want an array", k, v))
			case k < n:
				c.in[k] = x
			default:
				c.batch = x.Dim(0)
			}
		}
		fn.Check(c.in[:n]...)
		out := o.run(c)
		values := make([]model.Value, len(out))
		for k, y := range out {
			values[k] = y
		}
		return values
	}
}
