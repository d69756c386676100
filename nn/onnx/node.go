package onnx

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

// operator makes the function of a node: it reads the attributes, and refuses what it cannot do.
type operator func(n *node) run

// run computes the outputs of a node.
type run func(c *call) []model.Value

// node is a node that is being translated.
type node struct {
	*nodeMessage
	graph     *graph
	opset     int             // the version of the node's domain
	constants []model.Value   // the inputs that are known, by index; nil for the others
	captured  []string        // values that the graphs inside the node use
	hasBodies bool            // it has graphs inside
	read      map[string]bool // attributes that the operator knows
	problem   string
}

// refuse says why the node cannot run. The first reason counts.
func (n *node) refuse(format string, args ...any) {
	if n.problem == "" {
		n.problem = fmt.Sprintf(format, args...)
	}
}

// attribute returns an attribute, or nil if the node does not have it.
func (n *node) attribute(name string, want int32) *attributeMessage {
	n.read[name] = true
	for _, a := range n.Attribute {
		if a.Name != name {
			continue
		}
		if a.Type != want && a.Type != 0 {
			n.refuse("attribute %s of type %d, not %d", name, a.Type, want)
			return nil
		}
		return a
	}
	return nil
}

// has reports whether the node has an attribute, of whatever type.
func (n *node) has(name string) bool {
	n.read[name] = true
	return slices.ContainsFunc(n.Attribute, func(a *attributeMessage) bool { return a.Name == name })
}

func (n *node) int(name string, def int) int {
	if a := n.attribute(name, attributeInt); a != nil {
		return int(a.I)
	}
	return def
}

func (n *node) flag(name string) bool { return n.int(name, 0) != 0 }

// ints returns nil if the attribute is missing.
func (n *node) ints(name string) []int {
	a := n.attribute(name, attributeInts)
	if a == nil {
		return nil
	}
	values := make([]int, len(a.Ints))
	for i, v := range a.Ints {
		values[i] = int(v)
	}
	return values
}

func (n *node) float(name string, def float32) float64 {
	if a := n.attribute(name, attributeFloat); a != nil {
		return float64(a.F)
	}
	return float64(def)
}

// floats returns nil if the attribute is missing.
func (n *node) floats(name string) []float32 {
	if a := n.attribute(name, attributeFloats); a != nil {
		return append([]float32{}, a.Floats...)
	}
	return nil
}

// text returns a text, which is one of the choices if there are any.
func (n *node) text(name, def string, choices ...string) string {
	v := def
	if a := n.attribute(name, attributeString); a != nil {
		v = string(a.S)
	}
	if len(choices) > 0 && !slices.Contains(choices, v) {
		n.refuse("attribute %s is %q", name, v)
	}
	return v
}

// texts returns nil if the attribute is missing.
func (n *node) texts(name string) []string {
	a := n.attribute(name, attributeStrings)
	if a == nil {
		return nil
	}
	values := make([]string, len(a.Strings))
	for i, s := range a.Strings {
		values[i] = string(s)
	}
	return values
}

// tensor returns nil if the attribute is missing.
func (n *node) tensor(name string) model.Value {
	a := n.attribute(name, attributeTensor)
	if a == nil || a.T == nil {
		return nil
	}
	v, err := n.graph.files.tensor(a.T)
	if err != nil {
		n.refuse("attribute %s: %v", name, err)
		return nil
	}
	return v
}

// elementType returns the type of elements that an attribute names.
func (n *node) elementType(name string, def ElementType) ElementType {
	t := ElementType(n.int(name, int(def)))
	if t != 0 && !t.DType().Valid() && !t.IsNarrow() && t != String {
		n.refuse("attribute %s is %s", name, t)
	}
	return t
}

// given reports whether the node has an input of that index.
func (n *node) given(i int) bool { return i < len(n.Input) && n.Input[i] != "" }

// wanted reports whether the node has an output of that index.
func (n *node) wanted(i int) bool { return i < len(n.Output) && n.Output[i] != "" }

// all translates nodes, in their order: each follows those whose outputs it needs.
func (g *graph) all(nodes []*nodeMessage, outputs []string) error {
	g.uses = references(nodes, outputs)
	g.pending, g.products, g.sums = map[string]*term{}, map[string]*product{}, map[string]*product{}
	g.likes, g.weights = map[string]*nd.Array{}, weightsOf(nodes)
	for _, m := range g.rewritten(nodes) {
		if err := g.add(m); err != nil {
			return fmt.Errorf("node %q (%s): %w", m.Name, m.OpType, err)
		}
	}
	return nil
}

// add translates a node.
func (g *graph) add(m *nodeMessage) error {
	in := make([]string, len(m.Input))
	for i, name := range m.Input {
		if g.pending[name] != nil && formulas[m.OpType] != nil {
			continue // it may become part of this node
		}
		var ok bool
		if in[i], ok = g.value(name); !ok {
			return fmt.Errorf("the input %q is neither an input of the graph, nor an initializer, nor the output of an earlier node", name)
		}
	}
	domain := standard(m.Domain)
	if f := g.functions[functionKey(domain, m.OpType, m.Overload)]; f != nil {
		return g.inline(m, f, in)
	}
	n := &node{nodeMessage: m, graph: g, opset: g.opsets[domain], read: map[string]bool{}, constants: make([]model.Value, len(in))}
	if m.OpType == "Constant" && domain == "" {
		return g.addConstant(n)
	}
	for i, value := range in {
		if v, ok := g.constants[value]; ok {
			in[i], n.constants[i] = "", v
		}
	}
	compute := g.build(n, domain)
	if g.fold(n, in, compute) {
		return nil
	}
	if compute != nil && g.absorb(n, in) {
		return nil
	}
	if t := g.join(n, in, compute); t != nil {
		g.pending[t.output] = t
		return nil
	}
	for i, name := range m.Input {
		if in[i] == "" && g.pending[name] != nil {
			in[i], _ = g.value(name)
		}
	}
	g.emit(n, in, compute)
	return nil
}

// emit adds the node to the model, and returns the names of its outputs.
func (g *graph) emit(n *node, in []string, compute run) []string {
	out := make([]string, len(n.Output))
	for i, name := range n.Output {
		out[i] = g.define(name)
	}
	own := model.Node{Name: n.Name, Type: n.OpType, Inputs: append(in, n.captured...), Outputs: out,
		Constant: n.isDeterministic(), OfShapes: standard(n.Domain) == "" && (n.OpType == "Shape" || n.OpType == "Size"), MultiplyAdds: multiplyAdds[n.OpType]}
	if run := n.runner(compute, len(in)); n.hasBodies {
		own.RunModels = run
	} else {
		own.Run = withoutBodies(run)
	}
	*g.nodes = append(*g.nodes, own)
	g.note(n, in, out)
	return out
}

// build returns the function of a node. It notes the reason if the node cannot run.
func (g *graph) build(n *node, domain string) run {
	what := n.OpType
	if domain != "" {
		what = domain + "." + what
	}
	if domain == internalDomain {
		n.opset = g.opsets[""]
	}
	if n.opset == 0 {
		g.miss(n.nodeMessage, fmt.Sprintf("%s (the file does not import the domain %q)", what, domain))
		return nil
	}
	make, ok := g.operators[what]
	if !ok {
		g.miss(n.nodeMessage, fmt.Sprintf("%s (opset %d)", what, n.opset))
		return nil
	}
	compute := make(n)
	for _, a := range n.Attribute {
		if !n.read[a.Name] {
			n.refuse("unknown attribute %s", a.Name)
		}
	}
	if n.problem != "" {
		g.miss(n.nodeMessage, fmt.Sprintf("%s (opset %d): %s", what, n.opset, n.problem))
	}
	return compute
}

// runner returns the function with which the interpreter runs a node.
func (n *node) runner(compute run, inputs int) func(*nn.Scope, model.Caller, []model.Value) []model.Value {
	fn, results, constants := nd.Func(n.OpType), len(n.Output), n.constants
	known := make([][]int, len(constants))
	for i, v := range constants {
		known[i] = integersIn(v)
	}
	return func(scope *nn.Scope, bodies model.Caller, in []model.Value) []model.Value {
		c := &call{fn: fn, scope: scope, bodies: bodies, captured: in[inputs:], results: results, known: known}
		c.in = append(c.room.in[:0], in[:inputs]...)
		for i, v := range constants {
			if v != nil {
				c.in[i] = v
			}
		}
		out := c.run(compute)
		for i, v := range out {
			if x, ok := v.(*nd.Array); ok && slices.Contains(constants, model.Value(x)) {
				out[i] = fresh(x)
			}
		}
		return out
	}
}

// withoutBodies returns the function of a node without graphs inside.
func withoutBodies(run func(*nn.Scope, model.Caller, []model.Value) []model.Value) func(*nn.Scope, []model.Value) []model.Value {
	return func(scope *nn.Scope, in []model.Value) []model.Value { return run(scope, nil, in) }
}

// addConstant adds the value of a Constant node.
func (g *graph) addConstant(n *node) error {
	var v model.Value
	for _, a := range n.Attribute {
		switch a.Name {
		case "value":
			v = n.tensor(a.Name)
		case "sparse_value":
			if a.SparseTensor == nil {
				return fmt.Errorf("%s has no value", a.Name)
			}
			x, err := g.files.dense(a.SparseTensor, &g.spare)
			if err != nil {
				return err
			}
			v = x
		case "value_float":
			v = nd.FromSlice([]float32{a.F}, []int{}...)
		case "value_floats":
			v = nd.FromSlice(a.Floats)
		case "value_int":
			v = nd.Full(nil, a.I)
		case "value_ints":
			v = nd.FromSlice(a.Ints)
		case "value_string":
			v = Texts{Shape: []int{}, Values: []string{string(a.S)}}
		case "value_strings":
			v = Texts{Shape: []int{len(a.Strings)}, Values: n.texts(a.Name)}
		default:
			n.refuse("unknown attribute %s", a.Name)
		}
	}
	if v == nil {
		n.refuse("no value")
	}
	if n.problem != "" {
		return fmt.Errorf("%s", n.problem)
	}
	if len(n.Output) > 0 && n.Output[0] != "" {
		define := g.constant
		if g.weights[n.Output[0]] {
			define = g.initial
		}
		g.names[n.Output[0]] = define(n.Output[0], v)
	}
	return nil
}
