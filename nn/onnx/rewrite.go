package onnx

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Batch normalisation with running statistics is a scale and a shift for each channel, which depend on parameters alone: the
// model computes them once. Behind a convolution that nothing else reads, they become part of its weights and bias.

// internalDomain is the domain of operators that only this package uses.
const internalDomain = "ndgrad"

// Operators of the internal domain.
const (
	scaleAndShift = "ScaleAndShift" // x, scale, shift → x·scale + shift by channel
	statistics    = "Statistics"    // gamma, beta, mean, variance → scale, shift
	foldedWeights = "FoldedWeights" // weights, bias, gamma, beta, mean, variance → weights, bias
)

// internals are the operators of the internal domain.
func internals() map[string]operator {
	return map[string]operator{
		internalDomain + "." + scaleAndShift: plain(func(c *call) []model.Value {
			x := c.x(0)
			return one(ops.Add(ops.Multiply(x, perChannel(c.x(1), x.Rank())), perChannel(c.x(2), x.Rank())))
		}),
		internalDomain + "." + unpackedWeights: unpackWeights,
		internalDomain + "." + statistics: func(n *node) run {
			eps := n.float("epsilon", 1e-5)
			return func(c *call) []model.Value { return some(scaleOf(c.x(0), c.x(1), c.x(2), c.x(3), eps)) }
		},
		internalDomain + "." + foldedWeights: func(n *node) run {
			eps := n.float("epsilon", 1e-5)
			return func(c *call) []model.Value {
				w := c.x(0)
				scale, shift := scaleOf(c.x(2), c.x(3), c.x(4), c.x(5), eps)
				if b := c.optional(1); b != nil {
					shift = ops.Add(ops.Multiply(b, scale), shift)
				}
				return some(ops.Multiply(w, perFilter(scale, w.Rank())), shift)
			}
		},
	}
}

// scaleOf returns the scale and the shift of batch normalisation with running statistics.
func scaleOf(gamma, beta, mean, variance *nd.Array, eps float64) (scale, shift *nd.Array) {
	scale = ops.Divide(gamma, ops.Sqrt(ops.Add(variance, eps))).AsType(gamma.DType())
	return scale, ops.Subtract(beta, ops.Multiply(mean, scale)).AsType(beta.DType())
}

// channelShape is the shape of a vector along axis 1.
func channelShape(n, rank int) []int {
	shape := broadcast.Ones(rank)
	if rank > 1 {
		shape[1] = n
	} else {
		shape[0] = n
	}
	return shape
}

// rewritten returns the nodes with batch normalisations and packed weights in their simpler forms.
func (g *graph) rewritten(nodes []*nodeMessage) []*nodeMessage {
	nodes = g.withPoolingFirst(g.withUnpackedWeights(nodes))
	for _, n := range nodes {
		if n.OpType == "BatchNormalization" && len(n.Input) == 5 {
			g.fix(n.Input[3])
			g.fix(n.Input[4])
		}
	}
	if g.opsets[""] < 9 || g.batchStatistics {
		return nodes
	}
	convolutions := map[string]*nodeMessage{} // those whose output one node reads
	for _, n := range nodes {
		if n.OpType == "Conv" && standard(n.Domain) == "" && len(n.Output) == 1 && g.uses[n.Output[0]] == 1 && len(n.Input) >= 2 {
			convolutions[n.Output[0]] = n
		}
	}
	var all []*nodeMessage
	for _, n := range nodes {
		if !g.isFixedNormalization(n) {
			all = append(all, n)
			continue
		}
		attributes := slices.DeleteFunc(slices.Clone(n.Attribute), func(a *attributeMessage) bool { return a.Name != "epsilon" })
		name := n.Output[0]
		if c := convolutions[n.Input[0]]; c != nil {
			bias := ""
			if len(c.Input) > 2 {
				bias = c.Input[2]
			}
			weights := &nodeMessage{OpType: foldedWeights, Domain: internalDomain, Name: n.Name, Attribute: attributes,
				Input: append([]string{c.Input[1], bias}, n.Input[1:5]...), Output: []string{name + "/weights", name + "/bias"}}
			whole := *c
			whole.Input, whole.Output = []string{c.Input[0], weights.Output[0], weights.Output[1]}, []string{name}
			all = append(slices.DeleteFunc(all, func(other *nodeMessage) bool { return other == c }), weights, &whole)
			continue
		}
		all = append(all, &nodeMessage{OpType: statistics, Domain: internalDomain, Name: n.Name, Attribute: attributes,
			Input: n.Input[1:5], Output: []string{name + "/scale", name + "/shift"}},
			&nodeMessage{OpType: scaleAndShift, Domain: internalDomain, Name: n.Name,
				Input: []string{n.Input[0], name + "/scale", name + "/shift"}, Output: []string{name}})
	}
	return all
}

// withPoolingFirst exchanges a Relu and the MaxPool that alone reads it: the largest element is the same, and fewer elements are
// compared with zero. The windows must not lie in the padding alone.
func (g *graph) withPoolingFirst(nodes []*nodeMessage) []*nodeMessage {
	activations := map[string]*nodeMessage{}
	var all []*nodeMessage
	for _, n := range nodes {
		var before *nodeMessage
		if len(n.Input) == 1 && len(n.Output) == 1 && standard(n.Domain) == "" {
			switch n.OpType {
			case "Relu":
				if g.uses[n.Output[0]] == 1 {
					activations[n.Output[0]] = n
				}
			case "MaxPool":
				before = activations[n.Input[0]]
			}
		}
		if before == nil || !padsLessThanWindow(n) {
			all = append(all, n)
			continue
		}
		pool, last := *n, *before
		pool.Input, pool.Output = before.Input, []string{n.Output[0] + "/pooled"}
		last.Input, last.Output = pool.Output, n.Output
		all = append(slices.DeleteFunc(all, func(other *nodeMessage) bool { return other == before }), &pool, &last)
	}
	return all
}

// padsLessThanWindow reports whether each window of a pooling contains elements.
func padsLessThanWindow(n *nodeMessage) bool {
	var pads, kernel []int64
	for _, a := range n.Attribute {
		switch a.Name {
		case "pads":
			pads = a.Ints
		case "kernel_shape":
			kernel = a.Ints
		}
	}
	for i, pad := range pads {
		if len(pads) != 2*len(kernel) || pad >= kernel[i%len(kernel)] {
			return false
		}
	}
	return true
}

// isFixedNormalization reports whether a node is batch normalisation with running statistics.
func (g *graph) isFixedNormalization(n *nodeMessage) bool {
	return n.OpType == "BatchNormalization" && standard(n.Domain) == "" && len(n.Input) == 5 && len(n.Output) == 1 &&
		!slices.ContainsFunc(n.Attribute, func(a *attributeMessage) bool {
			return a.Name == "training_mode" && a.I != 0 || a.Name != "epsilon" && a.Name != "momentum" && a.Name != "training_mode" || a.RefAttrName != ""
		})
}

// weightsOf returns the names that nodes, and the graphs inside them, read as weights or biases. Some programs write weights as
// Constant nodes.
func weightsOf(nodes []*nodeMessage) map[string]bool {
	all := map[string]bool{}
	visit(nodes, func(n *nodeMessage) {
		switch n.OpType {
		case "Conv", "ConvTranspose", "Gemm", "MatMul":
			for _, name := range n.Input[min(1, len(n.Input)):] {
				all[name] = true
			}
		}
	}, func(*graphMessage) {})
	return all
}

// visit visits nodes, and the graphs inside them with their nodes.
func visit(nodes []*nodeMessage, node func(*nodeMessage), inner func(*graphMessage)) {
	for _, n := range nodes {
		node(n)
		for _, a := range n.Attribute {
			graphs := a.Graphs
			if a.G != nil {
				graphs = append([]*graphMessage{a.G}, graphs...)
			}
			for _, g := range graphs {
				inner(g)
				visit(g.Node, node, inner)
			}
		}
	}
}

// references counts how often each name is read: by nodes, by the graphs inside them, and as an output.
func references(nodes []*nodeMessage, outputs []string) map[string]int {
	counts := map[string]int{}
	visit(nodes, func(n *nodeMessage) {
		for _, name := range n.Input {
			counts[name]++
		}
	}, func(g *graphMessage) {
		for _, out := range g.Output {
			counts[out.Name]++
		}
	})
	for _, name := range outputs {
		counts[name] += 2 // it is never part of something else
	}
	return counts
}
