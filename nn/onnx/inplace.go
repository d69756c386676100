package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// An elementwise term that alone reads the result of a convolution or a matrix product is computed by one node with it. If it reads
// nothing else, such as an activation, it is applied to the sums that have just been computed. Otherwise the node writes the term over the
// result: no second array is needed, and the elements are still in a cache.

// isSum reports whether a node is a convolution or a matrix product that applies call.then to its result.
func isSum(n *node) bool {
	switch n.OpType {
	case "Conv", "MatMul", "Gemm":
		return standard(n.Domain) == ""
	}
	return n.OpType == biasedProduct && n.Domain == internalDomain
}

// sumsIn returns a node whose result only the operands of a term are, or nil.
func (g *graph) sumsIn(j *joint) *product {
	for _, o := range j.operands {
		p := g.sums[o.value]
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

// flushOver makes one node of a convolution or a product and a term of its result.
func (g *graph) flushOver(p *product, j *joint) string {
	const from = 3 // the operands of the first node come first
	result := g.names[p.node.Output[0]]
	in := append(slices.Clone(p.in), make([]operand, from)...)[:from]
	for _, o := range j.operands {
		if o.value != result {
			in = append(in, operand{o.value, o.constant})
		}
	}
	n, values := g.nodeOf(j.root.node.nodeMessage, in)
	first, _ := g.nodeOf(p.node.nodeMessage, p.in)
	sum := g.build(first, standard(p.node.Domain))
	then := j.kernelOf(result)
	run := n.runner(func(c *call) []model.Value {
		if t := c.x(0).DType(); then != nil && (t == dtype.Float32 || t == dtype.Float64) {
			c.then = then
			return sum(c)
		}
		y := sum(c)[0]
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

// kernelOf returns the term as a function of one value, or nil if it reads others.
func (j *joint) kernelOf(value string) *ops.Kernel {
	for _, o := range j.operands {
		if o.value != value {
			return nil
		}
	}
	var text strings.Builder
	count := 0
	var write func(t *term) string
	write = func(t *term) string {
		switch {
		case t.number != "":
			return t.number
		case t.node == nil:
			return "x0"
		}
		args := make([]string, len(t.args))
		for i, a := range t.args {
			args[i] = write(a)
		}
		count++
		fmt.Fprintf(&text, "t%d = %s; ", count, t.formula(args))
		return fmt.Sprintf("t%d", count)
	}
	last := write(j.root)
	return j.kernel(text.String()+"z = "+last, 1)
}

// forget removes what the graph knows of a node that is part of another one.
func (g *graph) forget(p *product) {
	delete(g.sums, g.names[p.node.Output[0]])
	delete(g.products, p.node.Output[0])
	delete(g.names, p.node.Output[0])
}
