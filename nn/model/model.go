package model

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Value is what an operation takes and gives: an *nd.Array, or another type on which the operations of a system agree,
// such as a list of arrays.
type Value any

// Caller runs a model inside an operation, in the scope of the call, with the inputs in the order of Inputs; nil is one that is
// missing.
type Caller func(m *Model, inputs ...Value) []Value

// Node is one operation of a model.
type Node struct {
	// Name is the name in the file, and Type the operator; both are for messages.
	Name, Type string
	// Inputs are the names of the values that Run gets. An empty name is an input that is left out: Run gets nil.
	Inputs []string
	// Outputs are the names of the values that Run returns. An empty name is a value that nobody wants.
	Outputs []string
	// Run computes the outputs. It gets the scope of the call, whose Training and Rand say how to compute, and may panic
	// with an *nd.Error. It must not change its inputs, except statistics in training. It returns new arrays, or inputs
	// themselves; a constant is a parameter.
	Run func(scope *nn.Scope, in []Value) []Value
	// RunModels is set instead of Run if the operation contains models, such as the branches of a condition. It runs them by
	// call.
	RunModels func(scope *nn.Scope, call Caller, in []Value) []Value
	// Constant says that equal inputs always give equal outputs. If such an operation needs no input of the model, the model
	// computes it once, and again when a parameter that it depends on has changed.
	Constant bool
	// OfShapes says that the outputs depend only on the shapes of the inputs, as an array's lengths do. Such outputs, and what
	// Constant operations make of them, are computed again only when a shape has changed.
	OfShapes bool
	// MultiplyAdds returns the number of multiplications and additions of the operation, for [Model.Summary]. Nil means that
	// they do not count.
	MultiplyAdds func(in, out []Value) int
}

// Input describes an input of a model.
type Input struct {
	Name string
	// DType is the dtype that the input must have; not valid allows every dtype.
	DType dtype.DType
	// Shape has the lengths that the input must have; -1 allows every length, and a nil Shape every shape.
	Shape []int
	// Optional allows calls without the input.
	Optional bool
}

// Definition is what a model is made of.
type Definition struct {
	Name    string
	Inputs  []Input
	Outputs []string // the values that a call returns if it names none
	Nodes   []Node   // in any order
	// Params holds the parameters. A value that is neither an input nor the output of a node is the parameter of that
	// name, or of the path that Paths gives for the name.
	Params *nn.Scope
	Paths  map[string]string
}

// Model is a network that can be called.
type Model struct {
	def    Definition
	scope  *nn.Scope
	ids    map[string]int // of values, by name
	values []source       // by id
	order  []step         // the nodes, each after those whose outputs it needs
	known  *caches
}

// source says where a value comes from: the output of a step, an input, or a parameter.
type source struct {
	name  string
	step  int // -1 if none
	input int // -1 if none
	path  string
}

// step is a node with the ids of its values; -1 is a value that is left out.
type step struct {
	*Node
	in, out []int
	// constant says that the step depends on constants alone, settled that it depends on them and on parameters, and ofShapes
	// that it depends on shapes and constants.
	constant, settled, ofShapes bool
	last                        *atomic.Pointer[turn] // of a step that depends on shapes
}

// New makes a model. It is an error if two values have one name, if a value comes from nowhere, or if a node needs its own
// output.
func New(d Definition) (*Model, error) {
	m := &Model{def: d, scope: d.Params, ids: map[string]int{}}
	if m.scope == nil {
		m.scope = nn.NewScope()
	}
	for i, in := range d.Inputs {
		if err := m.define(source{name: in.Name, step: -1, input: i}); err != nil {
			return nil, err
		}
	}
	nodes := make([]step, len(d.Nodes))
	for i := range d.Nodes {
		nodes[i].Node = &d.Nodes[i]
		for _, name := range d.Nodes[i].Outputs {
			id := -1
			if name != "" {
				id = len(m.values)
				if err := m.define(source{name: name, step: i, input: -1}); err != nil {
					return nil, fmt.Errorf("%s: %w", nodes[i].title(), err)
				}
			}
			nodes[i].out = append(nodes[i].out, id)
		}
	}
	for i := range nodes {
		for _, name := range nodes[i].Inputs {
			id, err := m.use(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", nodes[i].title(), err)
			}
			nodes[i].in = append(nodes[i].in, id)
		}
	}
	for _, name := range d.Outputs {
		if _, err := m.use(name); err != nil {
			return nil, fmt.Errorf("output %q: %w", name, err)
		}
	}
	if err := m.sort(nodes); err != nil {
		return nil, err
	}
	m.findConstants()
	return m, nil
}

// define gives a new value an id.
func (m *Model) define(s source) error {
	if _, twice := m.ids[s.name]; twice {
		return fmt.Errorf("there are two values %q", s.name)
	}
	m.ids[s.name] = len(m.values)
	m.values = append(m.values, s)
	return nil
}

// use returns the id of a value, -1 for the empty name. A name that is not defined names a parameter.
func (m *Model) use(name string) (int, error) {
	if name == "" {
		return -1, nil
	}
	if id, ok := m.ids[name]; ok {
		return id, nil
	}
	path := name
	if p, ok := m.def.Paths[name]; ok {
		path = p
	}
	if m.scope.Param(path) == nil {
		return 0, fmt.Errorf("the value %q is neither an input, nor a parameter, nor the output of an operation", name)
	}
	return len(m.values), m.define(source{name: name, step: -1, input: -1, path: path})
}

// sort puts the nodes into an order in which each follows those whose outputs it needs. Otherwise they keep their order.
func (m *Model) sort(nodes []step) error {
	const (
		unseen = iota
		waiting
		done
	)
	state := make([]int, len(nodes))
	at := make([]int, len(nodes)) // index in the order
	for root := range nodes {
		stack := []int{root} // explicit, since a chain may be long
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			if state[n] == done {
				stack = stack[:len(stack)-1]
				continue
			}
			state[n] = waiting
			ready := true
			for k := len(nodes[n].in) - 1; k >= 0; k-- {
				id := nodes[n].in[k]
				if id < 0 || m.values[id].step < 0 {
					continue
				}
				switch before := m.values[id].step; state[before] {
				case waiting:
					return fmt.Errorf("%s needs its own output %q", nodes[before].title(), m.values[id].name)
				case unseen:
					stack, ready = append(stack, before), false
				}
			}
			if ready {
				state[n], at[n] = done, len(m.order)
				m.order = append(m.order, nodes[n])
				stack = stack[:len(stack)-1]
			}
		}
	}
	for id := range m.values {
		if m.values[id].step >= 0 {
			m.values[id].step = at[m.values[id].step]
		}
	}
	return nil
}

// title names a node in messages.
func (n *Node) title() string { return fmt.Sprintf("operation %q (%s)", n.Name, n.Type) }

// Name returns the name of the model.
func (m *Model) Name() string { return m.def.Name }

// Inputs returns the inputs.
func (m *Model) Inputs() []Input { return slices.Clone(m.def.Inputs) }

// Outputs returns the names of the values that a call returns if it names none.
func (m *Model) Outputs() []string { return slices.Clone(m.def.Outputs) }

// Nodes returns the operations, in an order in which they can run.
func (m *Model) Nodes() []Node {
	all := make([]Node, len(m.order))
	for i, s := range m.order {
		all[i] = *s.Node
	}
	return all
}

// Params returns the scope of the parameters.
func (m *Model) Params() *nn.Scope { return m.scope }

// In returns the model with a view of its scope, or another scope with the same parameters: a view that a tape watches
// trains the model.
func (m *Model) In(scope *nn.Scope) *Model {
	const fn nd.Func = "Model.In"
	if scope == nil {
		panic(fn.Errorf(nil, "the scope is nil"))
	}
	if scope == m.scope {
		return m
	}
	for _, v := range m.values {
		if v.path != "" && scope.Param(v.path) == nil {
			panic(fn.Errorf(nil, "the scope has no parameter %q", v.path))
		}
	}
	view := *m
	view.scope = scope
	return &view
}
