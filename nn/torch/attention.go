package torch

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// attentionLayouts returns the layouts of an attention: PyTorch joins the three matrices of the inputs, if they have the same
// shapes, and always their biases.
func attentionLayouts(l *layer, module string) []layout {
	weights := []string{"q_weight", "k_weight", "v_weight"}
	biases := []string{"q_bias", "k_bias", "v_bias"}
	var all []layout
	has := func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return l.get(name) == nil })
	}
	alike := has(weights) && !slices.ContainsFunc(weights, func(name string) bool { return !broadcast.Equal(l.shape(name), l.shape(weights[0])) })
	if alike {
		all = append(all, stacked(l, weights, joined(module, "in_proj_weight"), transposed))
	} else {
		for _, name := range weights {
			if p := l.get(name); p != nil {
				all = append(all, transposed(p, joined(module, name[:1]+"_proj_weight")))
			}
		}
	}
	if has(biases) {
		all = append(all, stacked(l, biases, joined(module, "in_proj_bias"), vector))
	}
	for _, one := range []struct {
		here, there string
		of          func(p *nn.Param, name string) layout
	}{
		{"attn_bias_k", "bias_k", like}, {"attn_bias_v", "bias_v", like},
		{"out_weight", "out_proj.weight", transposed}, {"out_bias", "out_proj.bias", vector},
	} {
		if p := l.get(one.here); p != nil {
			all = append(all, one.of(p, joined(module, one.there)))
		}
	}
	return all
}

// stacked is the layout of parameters whose tensors are one in PyTorch, along its first axis.
func stacked(l *layer, names []string, name string, of func(p *nn.Param, name string) layout) layout {
	parts := make([]layout, len(names))
	for i, n := range names {
		parts[i] = of(l.get(n), name)
	}
	shape := slices.Clone(parts[0].tensors[0].shape)
	shape[0] = 0
	for _, part := range parts {
		shape[0] += part.tensors[0].shape[0]
	}
	whole := layout{tensors: []tensor{{name: name, shape: shape}}}
	for _, part := range parts {
		whole.params = append(whole.params, part.params[0])
	}
	whole.toTorch = func(x []*nd.Array) []*nd.Array {
		joined := make([]*nd.Array, len(x))
		for i := range x {
			joined[i] = parts[i].toTorch(x[i : i+1])[0]
		}
		return []*nd.Array{ops.Concatenate(joined, ops.Over(0))}
	}
	whole.fromTorch = func(x []*nd.Array) []*nd.Array {
		var all []*nd.Array
		from := 0
		for _, part := range parts {
			to := from + part.tensors[0].shape[0]
			all = append(all, part.fromTorch([]*nd.Array{x[0].Index(nd.Span(from, to))})[0])
			from = to
		}
		return all
	}
	return whole
}
