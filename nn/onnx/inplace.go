package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/model"
)

// An elementwise term that alone reads the result of a convolution is computed by one node with it, which writes the term over the
// result: no second array is needed, and the elements are still in a cache.

// convolutionIn returns a convolution whose result only the operands of a term are, or nil.
func (g *graph) convolutionIn(j *joint) *product {
	for _, o := range j.operands {
		p := g.convolutions[o.value]
		if p == nil {
			continue
		}
		reads := 0
		for _, other := range j.operands {
			if other.value == o.value {
				reads++
			}
		}
		if g.uses[p.node.Output[0]] == reads {
			return p
		}
	}
	return nil
}

// flushOver makes one node of a convolution and a term of its result.
func (g *graph) flushOver(p *product, j *joint) string {
	const from = 3 // the operands of the convolution come first
	result := g.names[p.node.Output[0]]
	in := append(slices.Clone(p.in), make([]operand, from)...)[:from]
	for _, o := range j.operands {
		if o.value != result {
			in = append(in, operand{o.value, o.constant})
		}
	}
	n, values := g.nodeOf(j.root.node.nodeMessage, in)
	convolution, _ := g.nodeOf(p.node.nodeMessage, p.in)
	convolve := g.build(convolution, standard(p.node.Domain))
	run := n.runner(func(c *call) []model.Value {
		y := convolve(c)[0]
		operands, next := make([]model.Value, len(j.operands)), from
		for i, o := range j.operands {
			if o.value == result {
				operands[i] = y
			} else {
				operands[i] = c.in[next]
				next++
			}
		}
		c.in = operands
		return j.runInto(c, y.(*nd.Array))
	}, len(in))
	g.forget(p)
	out := g.define(j.root.output)
	(*g.nodes)[p.at] = model.Node{Name: n.Name, Type: p.node.OpType + "+" + j.title(), Inputs: values, Outputs: []string{out}, Constant: true, MultiplyAdds: multiplyAdds[p.node.OpType],
		Run: withoutBodies(run)}
	return out
}

// forget removes what the graph knows of a convolution that is part of another node.
func (g *graph) forget(p *product) {
	delete(g.convolutions, g.names[p.node.Output[0]])
	delete(g.products, p.node.Output[0])
	delete(g.names, p.node.Output[0])
}
