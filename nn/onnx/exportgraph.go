package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
)

// exported is a graph that is being made from a traced call.
type exported struct {
	graph     graphMessage
	constants map[string]*nd.Array // by name; parameters are among them
	fixed     map[string]bool      // names of parameters
	shapes    map[string][]int     // of values, as far as they are known
	types     map[string]dtype.DType
	reshaped  map[string]string // the array that a value has in another shape

	lengthNames map[string]map[int]string // of axes that depend on the batch size, by value and axis

	trace  *nd.Trace
	tape   *grad.Tape
	values map[source]string // results of recorded operations
	paths  map[uint32]string // parameters by the numbers of their blocks
	scope  *nn.Scope
	prefix string // of the names of new nodes
	count  int
	broken []string // why operations cannot be translated
}

// source is a result of a recorded operation.
type source struct {
	node *nd.Node
	k    int
}

// traced calls the function and translates what it has computed.
func (o *ExportOptions) traced(f exportedFunc, inputs []*nd.Array) (*exported, error) {
	trace := nd.NewTrace()
	if trace == nil {
		return nil, errors.New("another trace is running")
	}
	defer trace.End()
	tape := grad.NewTape()
	tape.Links = true
	defer tape.Release()
	g := &exported{trace: trace, tape: tape, constants: map[string]*nd.Array{}, fixed: map[string]bool{}, shapes: map[string][]int{},
		types: map[string]dtype.DType{}, reshaped: map[string]string{}, values: map[source]string{}, paths: map[uint32]string{}, scope: o.Params}
	g.graph.Name = "ndgrad"
	watched := make([]*nd.Array, len(inputs))
	for k, x := range inputs {
		trace.Mark(x)
		watched[k] = tape.Watch(x)
		n, _ := watched[k].Node()
		n.Name = nameOf(o.Inputs, k, len(inputs), "input")
		if _, twice := g.types[n.Name]; twice {
			return nil, fmt.Errorf("two inputs are named %q", n.Name)
		}
		g.define(n.Name, x.DType(), x.Shape())
		g.values[source{n, 0}] = n.Name
		g.graph.Input = append(g.graph.Input, g.info(n.Name))
	}
	for path, p := range o.Params.All() {
		g.paths[p.Value().BlockNumber()] = path
	}
	outputs := f(o.Params.Watch(tape, nn.WatchOptions{Test: true}), watched)
	if reader, by := trace.Read(); reader != "" {
		return nil, fmt.Errorf("%s reads values on the host that %s: a model has no such values", reader, origin(by))
	}
	names := make([]string, len(outputs))
	for k, y := range outputs {
		names[k] = g.array(y)
	}
	if len(g.broken) > 0 {
		return nil, errors.New(strings.Join(g.broken, "; "))
	}
	for k, y := range outputs {
		as := nameOf(o.Outputs, k, len(outputs), "output")
		if _, twice := g.types[as]; twice {
			return nil, fmt.Errorf("two values are named %q", as)
		}
		if was := names[k]; g.output(was, as, y) {
			for j := range names {
				if names[j] == was {
					names[j] = as
				}
			}
		}
	}
	return g, nil
}

// origin says where values come from that a function wrote last.
func origin(by nd.Func) string {
	if by == "" {
		return "are those of an input"
	}
	return fmt.Sprintf("%s has computed from the inputs or drawn", by)
}

// array returns the name of an array that the function has returned.
func (g *exported) array(y *nd.Array) string {
	if n, k := y.Node(); n != nil {
		return g.value(n, k)
	}
	return g.constantOf(y, "onnx.Export")
}

// output makes a value an output of the graph. It reports whether the value has the output's name now; otherwise it is an
// input, a constant or an output already, and is copied.
func (g *exported) output(name, as string, y *nd.Array) (renamed bool) {
	copied := g.node("Identity", []string{name})
	at := g.graph.Node[len(g.graph.Node)-1]
	at.Output[0] = as
	g.define(as, y.DType(), y.Shape())
	delete(g.types, copied)
	if from := g.maker(name); from != nil && !slices.ContainsFunc(g.graph.Output, func(v *valueMessage) bool { return v.Name == name }) {
		g.graph.Node = g.graph.Node[:len(g.graph.Node)-1] // the node itself makes the output
		g.rename(name, as)
		renamed = true
	}
	g.graph.Output = append(g.graph.Output, g.info(as))
	return renamed
}

// maker returns the node that makes a value, nil if there is none.
func (g *exported) maker(name string) *nodeMessage {
	for _, n := range g.graph.Node {
		if slices.Contains(n.Output, name) {
			return n
		}
	}
	return nil
}

func (g *exported) rename(from, to string) {
	for _, n := range g.graph.Node {
		for _, names := range [][]string{n.Input, n.Output} {
			for i := range names {
				if names[i] == from {
					names[i] = to
				}
			}
		}
	}
	for key, name := range g.values {
		if name == from {
			g.values[key] = to
		}
	}
	delete(g.types, from)
}

// define notes the type of a value.
func (g *exported) define(name string, t dtype.DType, shape []int) {
	g.types[name], g.shapes[name] = t, shape
}

// info describes a value.
func (g *exported) info(name string) *valueMessage {
	s := &shapeMessage{}
	for k, n := range g.shapes[name] {
		if length, ok := g.lengthNames[name][k]; ok {
			s.Dim = append(s.Dim, &dimMessage{DimParam: length})
			continue
		}
		length := int64(n)
		s.Dim = append(s.Dim, &dimMessage{DimValue: &length})
	}
	return &valueMessage{Name: name, Type: &typeMessage{TensorType: &tensorTypeMessage{ElemType: ElementTypeOf(g.types[name]), Shape: s}}}
}

// node adds a node with one output, and returns the name of the output.
func (g *exported) node(op string, in []string, attributes ...*attributeMessage) string {
	return g.nodes(op, in, 1, attributes...)[0]
}

// nodes adds a node with several outputs.
func (g *exported) nodes(op string, in []string, outputs int, attributes ...*attributeMessage) []string {
	g.count++
	name := fmt.Sprintf("%s%s_%d", g.prefix, op, g.count)
	out := make([]string, outputs)
	for k := range out {
		out[k] = name
		if k > 0 {
			out[k] = fmt.Sprintf("%s.%d", name, k)
		}
	}
	g.graph.Node = append(g.graph.Node, &nodeMessage{Name: name, OpType: op, Input: in, Output: out, Attribute: attributes})
	return slices.Clone(out)
}

// constant adds a constant.
func (g *exported) constant(x *nd.Array) string {
	g.count++
	name := fmt.Sprintf("%sconstant_%d", g.prefix, g.count)
	g.constants[name] = x
	g.define(name, x.DType(), x.Shape())
	return name
}

// ints adds a constant of integers, with one axis.
func (g *exported) ints(values ...int) string { return g.constant(host(values...)) }

// number adds a constant without axes.
func (g *exported) number(v float64, t dtype.DType) string { return g.constant(nd.Full(nil, v, t)) }

// constantOf returns the name of an array that no operation has made from the inputs: a constant or a parameter.
func (g *exported) constantOf(x *nd.Array, user nd.Func) string {
	if by, marked := g.trace.Marked(x); marked {
		g.refuse(user, "no operation is recorded that makes its operand %s%s, of values that %s", x.DType(), broadcast.FormatShape(x.Shape()), origin(by))
		return ""
	}
	if x.IsScalar() {
		return g.constant(g.tape.Keep(x.Copy()))
	}
	path, isParameter := g.paths[x.BlockNumber()]
	if !isParameter {
		return g.constant(g.tape.Keep(x.Copy()))
	}
	p := g.scope.Get(path)
	if !slices.Equal(p.Shape(), x.Shape()) || !slices.Equal(p.Strides(), x.Strides()) || p.Layout().Offset != x.Layout().Offset || p.DType() != x.DType() {
		return g.constant(g.tape.Keep(x.Copy()))
	}
	return g.parameter(path)
}

// parameter returns the name of a parameter's initializer.
func (g *exported) parameter(path string) string {
	if !g.fixed[path] {
		x := g.scope.Get(path)
		g.fixed[path], g.constants[path] = true, x.Detach()
		g.define(path, x.DType(), x.Shape())
	}
	return path
}

// refuse notes an operation that cannot be translated.
func (g *exported) refuse(fn nd.Func, format string, args ...any) {
	why := fmt.Sprintf("%s: %s", fn, fmt.Sprintf(format, args...))
	if !slices.Contains(g.broken, why) {
		g.broken = append(g.broken, why)
	}
}

// prune removes nodes whose results nobody uses, and adds the constants that are used and the types of values.
func (g *exported) prune() {
	used := map[string]bool{}
	for _, v := range g.graph.Output {
		used[v.Name] = true
	}
	var kept []*nodeMessage
	for _, n := range slices.Backward(g.graph.Node) {
		if slices.ContainsFunc(n.Output, func(name string) bool { return used[name] }) {
			kept = append(kept, n)
			for _, name := range n.Input {
				used[name] = true
			}
		}
	}
	slices.Reverse(kept)
	g.graph.Node = kept
	listed := map[string]bool{}
	add := func(name string) {
		if x := g.constants[name]; x != nil && !listed[name] {
			listed[name] = true
			g.graph.Initializer = append(g.graph.Initializer, tensorOf(name, x))
		}
	}
	for _, n := range kept {
		for _, name := range n.Input {
			add(name)
		}
	}
	for _, n := range kept {
		for _, name := range n.Output {
			if _, known := g.types[name]; known && !slices.ContainsFunc(g.graph.Output, func(v *valueMessage) bool { return v.Name == name }) {
				g.graph.ValueInfo = append(g.graph.ValueInfo, g.info(name))
			}
		}
	}
}
