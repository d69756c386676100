package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// What follows a convolution or a matrix product, and multiplies it by a number for each channel or adds one, becomes part of its
// weights and its bias, if nothing else reads the product. The model computes the new weights once.

// Operators of the internal domain.
const (
	scaledWeights = "ScaledWeights" // weights, bias, scale by filter → weights·scale, bias·scale
	joinedBias    = "JoinedBias"    // weights, bias, addend by filter → bias + addend
	biasedProduct = "MatMul+Add"    // x, weights, bias → x·weights + bias
)

// absorbers are the operators of the internal domain for products that absorb what follows.
func absorbers() map[string]operator {
	return map[string]operator{
		internalDomain + "." + scaledWeights: plain(func(c *call) []model.Value {
			w, s := c.x(0), c.x(2).Reshape(-1)
			y := ops.Multiply(w, perFilter(s, w.Rank()))
			if b := c.optional(1); b != nil {
				return some(y, ops.Multiply(b, s))
			}
			return one(y)
		}),
		internalDomain + "." + joinedBias: plain(func(c *call) []model.Value {
			t := c.x(2).Reshape(-1)
			if b := c.optional(1); b != nil {
				return one(ops.Add(b, t))
			}
			return one(t.BroadcastTo(c.x(0).Dim(0)).Copy())
		}),
		internalDomain + "." + biasedProduct: plain(func(c *call) []model.Value {
			return one(c.affine(c.x(0), c.x(1), c.x(2)))
		}),
	}
}

// product is a node of the model that multiplies by known weights, and whose result one node reads.
type product struct {
	node *node
	at   int // its index among the nodes of the model
	in   []operand
	w    *nd.Array // an array of the weights' shape and dtype
}

// operand is the value of an input, or a value that is known.
type operand struct {
	value    string
	constant model.Value
}

// like returns an array of the shape and dtype of a value that is known when the model is loaded, or nil.
func (g *graph) like(o operand) *nd.Array {
	if path := g.paths[o.value]; path != "" {
		return g.params.Get(path)
	}
	if x, ok := o.constant.(*nd.Array); ok {
		return x
	}
	return g.likes[o.value]
}

// note notes a node that may absorb what follows it, and arrays like its outputs.
func (g *graph) note(n *node, in, out []string) {
	all := make([]operand, len(in))
	for i, value := range in {
		all[i] = operand{value, n.constants[i]}
	}
	p := &product{node: n, at: len(*g.nodes) - 1, in: all}
	if isSum(n) && len(out) == 1 && out[0] != "" {
		g.sums[out[0]] = p
	}
	switch {
	case n.OpType == foldedWeights && n.Domain == internalDomain:
		g.likes[out[0]] = g.like(all[0])
	case (n.OpType == "Conv" || n.OpType == "MatMul") && standard(n.Domain) == "" && len(in) >= 2 && g.uses[n.Output[0]] == 1:
		w := g.like(all[1])
		if w != nil && w.DType().IsFloat() && (n.OpType == "Conv" && w.Rank() > 2 || w.Rank() == 2) {
			p.w = w
			g.products[n.Output[0]] = p
		}
	}
}

// absorb makes a node part of the product that it reads, and reports whether it did so.
func (g *graph) absorb(n *node, in []string) bool {
	if n.OpType != "Mul" && n.OpType != "Add" || standard(n.Domain) != "" || n.opset < 7 || n.problem != "" || len(in) != 2 {
		return false
	}
	for i, name := range n.Input {
		p, other := g.products[name], operand{in[1-i], n.constants[1-i]}
		if p == nil || in[i] == "" {
			continue
		}
		x := g.like(other)
		switch {
		case x == nil || x.DType() != p.w.DType():
		case p.node.OpType == "Conv" && perFilterOf(x.Shape(), p.w.Shape()):
			g.absorbByFilter(p, n, other)
			return true
		case p.node.OpType == "MatMul" && n.OpType == "Add" && slices.Equal(x.Shape(), p.w.Shape()[1:]):
			m := *p.node.nodeMessage
			m.OpType, m.Domain = biasedProduct, internalDomain
			g.replace(p, n, &m, []operand{p.in[0], p.in[1], other})
			delete(g.products, n.Output[0]) // one bias is enough
			return true
		}
	}
	return false
}

// perFilterOf reports whether an array of a shape has one number, or one for each filter of weights, and broadcasts to what the
// weights compute.
func perFilterOf(shape, weights []int) bool {
	if len(shape) > len(weights) {
		return false
	}
	size := broadcast.Size(shape)
	return size == 1 || size == weights[0] && len(shape) >= len(weights)-1 && shape[len(shape)-len(weights)+1] == size
}

// absorbByFilter changes the weights and the bias of a convolution.
func (g *graph) absorbByFilter(p *product, n *node, other operand) {
	in := append(slices.Clone(p.in), operand{})[:3]
	if n.OpType == "Add" {
		in[2] = operand{value: g.derived(n, joinedBias, in[1], in[2], other)[0]}
	} else {
		hasBias := in[2] != operand{}
		out := g.derived(n, scaledWeights, in[1], in[2], other)
		in[1] = operand{value: out[0]}
		if hasBias {
			in[2] = operand{value: out[1]}
		}
		g.likes[out[0]] = p.w
	}
	g.replace(p, n, p.node.nodeMessage, in)
}

// derived adds a node that computes weights for another one.
func (g *graph) derived(of *node, what string, in ...operand) []string {
	out := []string{of.Output[0] + "/" + what}
	if what == scaledWeights && in[1] != (operand{}) {
		out = append(out, out[0]+"/bias")
	}
	m := &nodeMessage{Name: of.Name, OpType: what, Domain: internalDomain, Output: out}
	n, values := g.nodeOf(m, in)
	return g.emit(n, values, g.build(n, internalDomain))
}

// nodeOf returns a node with the given operands, and the names of their values.
func (g *graph) nodeOf(m *nodeMessage, in []operand) (*node, []string) {
	own := *m
	n := &node{nodeMessage: &own, graph: g, opset: g.opsets[standard(m.Domain)], read: map[string]bool{}}
	own.Input = nil
	var values []string
	for _, o := range in {
		n.constants, values = append(n.constants, o.constant), append(values, o.value)
		name := o.value
		if o.constant != nil {
			name = "constant"
		}
		own.Input = append(own.Input, name)
	}
	return n, values
}

// replace makes the node of a product compute what another node does with its result.
func (g *graph) replace(p *product, last *node, m *nodeMessage, in []operand) {
	n, values := g.nodeOf(m, in)
	g.forget(p)
	n.Output = last.Output
	compute := g.build(n, standard(m.Domain))
	g.emit(n, values, compute)
	nodes := *g.nodes
	nodes[p.at] = nodes[len(nodes)-1]
	*g.nodes = nodes[:len(nodes)-1]
	for _, again := range []*product{g.products[n.Output[0]], g.sums[g.names[n.Output[0]]]} {
		if again != nil {
			again.at = p.at
		}
	}
}
