package onnx

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

// translation makes a model of a file.
type translation struct {
	batchStatistics bool // batch normalisation uses those of the batch where the scope trains
	operators       map[string]operator
	functions       map[string]*functionMessage // by domain, name and overload
	files           *externalFiles
	params          *nn.Scope
	paths           map[string]string      // of parameters, by the names of their values
	constants       map[string]model.Value // values that are known, by their names
	values          map[string]int         // how many values have a name in the file
	spare           int                    // bytes that zeros and nodes of functions may still take
	missing         map[string][]string
}

func newTranslation(m *modelMessage, params *nn.Scope, files *externalFiles, spare int) *translation {
	t := &translation{operators: operators(), functions: map[string]*functionMessage{}, files: files, params: params,
		paths: map[string]string{}, constants: map[string]model.Value{}, values: map[string]int{}, spare: spare,
		missing: map[string][]string{}}
	for _, f := range m.Functions {
		t.functions[functionKey(f.Domain, f.Name, f.Overload)] = f
	}
	t.files.budget = int64(spare)
	return t
}

func functionKey(domain, name, overload string) string {
	return strings.Join([]string{standard(domain), name, overload}, "\x00")
}

// standard returns the name of a domain; the standard domain has two.
func standard(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// versions returns the opset of each domain.
func versions(imports []*opsetMessage) map[string]int {
	all := map[string]int{}
	for _, o := range imports {
		all[standard(o.Domain)] = int(o.Version)
	}
	return all
}

// model translates the graph of a file.
func (t *translation) model(m *modelMessage) (*model.Definition, error) {
	g := &graph{translation: t, opsets: versions(m.OpsetImport), names: map[string]string{}}
	d, err := g.definition(m.Graph)
	if err != nil {
		return nil, err
	}
	if len(t.missing) > 0 {
		return nil, t.refusal()
	}
	return d, nil
}

// refusal lists what is missing.
func (t *translation) refusal() error {
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(t.missing)) {
		lines = append(lines, fmt.Sprintf("%s: %s", what, strings.Join(t.missing[what], ", ")))
	}
	return fmt.Errorf("the model cannot run: %s", strings.Join(lines, "; "))
}

// miss notes that a node cannot run.
func (t *translation) miss(n *nodeMessage, why string) {
	const most = 10
	name := n.Name
	if name == "" && len(n.Output) > 0 {
		name = n.Output[0]
	}
	switch nodes := t.missing[why]; {
	case len(nodes) < most:
		t.missing[why] = append(nodes, fmt.Sprintf("%q", name))
	case len(nodes) == most:
		t.missing[why] = append(nodes, "…")
	}
}

// unique returns the name of a new value of the model. Values of different graphs and functions may have one name in the
// file.
func (t *translation) unique(name string) string {
	for {
		n := t.values[name]
		t.values[name]++
		if n == 0 {
			return name
		}
		name = fmt.Sprintf("%s#%d", name, n+1)
	}
}

// parameter adds an array to the parameters, and returns the name of its value.
func (t *translation) parameter(name string, x *nd.Array) string {
	value := t.unique(name)
	path := strings.Trim(value, "/")
	if path == "" || strings.Contains(path, "//") {
		path = "unnamed"
	}
	add := func() error {
		return nd.Catch(func() {
			if t.params.Param(path) != nil {
				panic(nd.Func("onnx").Errorf(nil, "the name is taken"))
			}
			t.params.Set(path, x)
		})
	}
	// The name of a parameter may not be the path of another one.
	for err := add(); err != nil; err = add() {
		path = strings.ReplaceAll(path, "/", ".") + "_"
	}
	t.paths[value] = path
	x.Release() // the parameter is a copy
	return value
}

// fix says that optimizers do not train the parameter of a value, if it is one.
func (g *graph) fix(name string) {
	if path := g.paths[g.names[name]]; path != "" {
		g.params.Param(path).SetNeedGrad(false)
	}
}

// constant notes a value that is known, and returns its name. Integers stay on the CPU's device: shapes are computed there.
func (t *translation) constant(name string, v model.Value) string {
	value := t.unique(name)
	if x, ok := v.(*nd.Array); ok && x.DType().IsInexact() {
		v = x.To(t.params.Device())
	}
	t.constants[value] = v
	return value
}

// isKnown reports whether the value is a parameter or a constant, which every graph sees.
func (t *translation) isKnown(value string) bool {
	_, constant := t.constants[value]
	return constant || t.paths[value] != ""
}

// graph is a graph that is being translated: that of the model, the body of a function where it is called, or a graph
// inside a node, which also sees the values of the graph around it.
type graph struct {
	*translation
	opsets   map[string]int
	outer    *graph            // nil if the graph sees no other
	names    map[string]string // of values of the model, by names in the graph
	captured []string          // values of outer graphs that the graph uses
	nodes    *[]model.Node
	calls    []string // the functions that the graph is part of

	uses     map[string]int       // how often each name is read
	pending  map[string]*term     // elementwise operators that may become part of those which read them
	products map[string]*product  // products that may absorb what reads them, by the names of their results
	sums     map[string]*product  // convolutions and matrix products, by the values of their results
	likes    map[string]*nd.Array // arrays of the shapes of computed weights, by the names of values
	weights  map[string]bool      // names that nodes read as weights
}

// value returns the value that a name means, "" if it is left out, and whether the graph knows the name.
func (g *graph) value(name string) (string, bool) {
	if name == "" {
		return "", true
	}
	if t := g.pending[name]; t != nil {
		return g.flush(t), true
	}
	if v, ok := g.names[name]; ok {
		return v, true
	}
	if g.outer == nil {
		return "", false
	}
	v, ok := g.outer.value(name)
	if ok && v != "" && !g.isKnown(v) {
		g.names[name] = v
		g.captured = append(g.captured, v)
	}
	return v, ok
}

// define gives a new value the name that it has in the graph.
func (g *graph) define(name string) string {
	if name == "" {
		return ""
	}
	v := g.unique(name)
	g.names[name] = v
	return v
}

// definition translates a graph with its inputs and outputs.
func (g *graph) definition(m *graphMessage) (*model.Definition, error) {
	d := &model.Definition{Name: m.Name, Params: g.params, Paths: g.paths}
	g.nodes = &d.Nodes
	if err := g.initializers(m); err != nil {
		return nil, err
	}
	for _, in := range m.Input {
		if g.names[in.Name] != "" {
			continue // it has an initializer
		}
		d.Inputs = append(d.Inputs, typeOf(in.Type).input(g.define(in.Name)))
	}
	outputs := make([]string, len(m.Output))
	for i, out := range m.Output {
		outputs[i] = out.Name
	}
	if err := g.all(m.Node, outputs); err != nil {
		return nil, err
	}
	for _, out := range m.Output {
		v, _ := g.value(out.Name)
		if v == "" {
			return nil, fmt.Errorf("the output %q is neither an input, nor an initializer, nor the output of a node", out.Name)
		}
		if c, ok := g.constants[v]; ok {
			v = g.unique(out.Name)
			d.Nodes = append(d.Nodes, model.Node{Name: v, Type: "Constant", Outputs: []string{v},
				Run: func(*nn.Scope, []model.Value) []model.Value { return []model.Value{fresh(c)} }})
		}
		d.Outputs = append(d.Outputs, v)
	}
	for _, v := range g.captured {
		d.Inputs = append(d.Inputs, model.Input{Name: v, Optional: true})
	}
	return d, nil
}

// initializers adds the tensors of a graph.
func (g *graph) initializers(m *graphMessage) error {
	for _, tensor := range m.Initializer {
		v, err := g.files.tensor(tensor)
		if err != nil {
			return err
		}
		g.names[tensor.Name] = g.initial(tensor.Name, v)
	}
	for _, tensor := range m.SparseInitializer {
		x, err := g.files.dense(tensor, &g.spare)
		if err != nil {
			return err
		}
		g.names[tensor.Values.Name] = g.initial(tensor.Values.Name, x)
	}
	return nil
}

// initial returns the name of the value of an initializer: floats are parameters, other values constants.
func (g *graph) initial(name string, v model.Value) string {
	if x, ok := v.(*nd.Array); ok && x.DType().IsInexact() {
		return g.parameter(name, x)
	}
	return g.constant(name, v)
}

// fresh returns a value that the interpreter may release.
func fresh(v model.Value) model.Value {
	if x, ok := v.(*nd.Array); ok {
		return x.Detach()
	}
	return v
}
