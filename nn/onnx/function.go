package onnx

import (
	"fmt"
	"slices"

	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

// inline translates the body of a function where it is called.
func (g *graph) inline(m *nodeMessage, f *functionMessage, in []string) error {
	key := functionKey(f.Domain, f.Name, f.Overload)
	if slices.Contains(g.calls, key) {
		return fmt.Errorf("the function %s.%s calls itself", f.Domain, f.Name)
	}
	if g.spare -= 1 << 10 * (1 + len(f.Node)); g.spare < 0 {
		return fmt.Errorf("the functions have more nodes than those of a file of this size may have")
	}
	body := &graph{translation: g.translation, opsets: versions(f.OpsetImport), names: map[string]string{}, nodes: g.nodes,
		calls: append(slices.Clone(g.calls), key)}
	for i, name := range f.Input {
		body.names[name] = ""
		if i < len(in) {
			body.names[name] = in[i]
		}
	}
	nodes := make([]*nodeMessage, len(f.Node))
	for i, inner := range f.Node {
		nodes[i] = substitute(inner, m, f)
	}
	if err := body.all(nodes, f.Output); err != nil {
		return fmt.Errorf("function %s.%s: %w", f.Domain, f.Name, err)
	}
	for i, name := range m.Output {
		if name == "" {
			continue
		}
		v := ""
		if i < len(f.Output) {
			v, _ = body.value(f.Output[i])
		}
		if v == "" {
			return fmt.Errorf("the function %s.%s has no output %d", f.Domain, f.Name, i)
		}
		// A name of its own, since the function's output may be one of its inputs.
		out := g.define(name)
		*g.nodes = append(*g.nodes, model.Node{Name: m.Name, Type: "Identity", Inputs: []string{v}, Outputs: []string{out},
			Run: func(_ *nn.Scope, in []model.Value) []model.Value { return in }})
	}
	return nil
}

// substitute returns a node of a function's body with the attributes of the call.
func substitute(inner, call *nodeMessage, f *functionMessage) *nodeMessage {
	changed := *inner
	changed.Attribute = nil
	for _, a := range inner.Attribute {
		if a.RefAttrName == "" {
			if a.G != nil {
				a = &attributeMessage{Name: a.Name, Type: a.Type, G: substituteGraph(a.G, call, f)}
			}
			changed.Attribute = append(changed.Attribute, a)
			continue
		}
		source := slices.Concat(call.Attribute, f.AttributeProto) // the latter are defaults
		if k := slices.IndexFunc(source, func(s *attributeMessage) bool { return s.Name == a.RefAttrName }); k >= 0 {
			value := *source[k]
			value.Name = a.Name
			changed.Attribute = append(changed.Attribute, &value)
		}
	}
	return &changed
}

// substituteGraph is substitute for the nodes of a graph inside a function's body.
func substituteGraph(g *graphMessage, call *nodeMessage, f *functionMessage) *graphMessage {
	changed := *g
	changed.Node = make([]*nodeMessage, len(g.Node))
	for i, n := range g.Node {
		changed.Node[i] = substitute(n, call, f)
	}
	return &changed
}
