package torch

import (
	"path"
	"slices"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn"
)

// layoutsOf returns the layouts of one layer.
func (o *Options) layoutsOf(l *layer) []layout {
	if o.Links {
		return linkLayouts(l, o.module(l.path, 0))
	}
	kind := path.Base(l.path)
	if kind == "affine" && path.Base(path.Dir(l.path)) == "lstm" && isCell(l) {
		return cellLayouts(l, o.module(l.path, 2))
	}
	module := o.module(l.path, 1)
	switch kind {
	case "affine":
		return plainLayouts(l, module, tensorOf, dense)
	case "conv", "deconv", "embed":
		return plainLayouts(l, module, tensorOf, like)
	case "depthwise_conv", "depthwise_deconv":
		return plainLayouts(l, module, tensorOf, eachChannel)
	case "bn", "group_normalization", "instance_normalization", "layer_normalization", "prelu":
		return plainLayouts(l, module, tensorOf, flat)
	case "multi_head_attention":
		return attentionLayouts(l, module)
	case "rnn", "lstm", "gru":
		if l.get("weight_l0") != nil {
			return recurrentLayouts(l, module, kind)
		}
	}
	return plainLayouts(l, o.module(l.path, 0), func(string) string { return "" }, nil)
}

// tensorOf returns the name of the tensor of a parameter in a layer of package nn, or "" if no module has the parameter.
func tensorOf(local string) string {
	switch local {
	case "W", "gamma", "slope":
		return "weight"
	case "b", "beta":
		return "bias"
	case "mean":
		return "running_mean"
	case "var":
		return "running_var"
	}
	return ""
}

// tensorOfLink is tensorOf for the links of package link.
func tensorOfLink(local string) string {
	switch local {
	case "W", "gamma":
		return "weight"
	case "b", "beta":
		return "bias"
	case "avg_mean":
		return "running_mean"
	case "avg_var":
		return "running_var"
	}
	return ""
}

// plainLayouts returns the layouts of a layer whose parameters are tensors each. of makes the layout of a parameter that has
// a name by tensorOf. All others keep their names and shapes.
func plainLayouts(l *layer, module string, tensorOf func(local string) string, of func(p *nn.Param, name string) layout) []layout {
	var all []layout
	for i, local := range l.names {
		p, name := l.params[i], tensorOf(local)
		if name == "" {
			all = append(all, like(p, joined(module, local)))
			continue
		}
		one := of(p, joined(module, name))
		one.tensors[0].buffer = name == "running_mean" || name == "running_var"
		all = append(all, one)
	}
	return sorted(all, module)
}

// linkLayouts returns the layouts of the parameters of a link.
func linkLayouts(l *layer, module string) []layout {
	all := plainLayouts(l, module, tensorOfLink, like)
	if l.get("avg_mean") == nil {
		return all
	}
	// N is a count that only Finetune reads.
	return slices.DeleteFunc(all, func(one layout) bool { return one.tensors[0].name == joined(module, "N") })
}

// like is the layout of a layer whose parameters have the shapes of the tensors.
func like(p *nn.Param, name string) layout { return same(p, name, p.Value().Shape()) }

// dense is the layout of Affine.
func dense(p *nn.Param, name string) layout {
	if isW(p) && p.Value().Rank() >= 2 {
		return transposed(p, name)
	}
	return vector(p, name)
}

func isW(p *nn.Param) bool { return path.Base(p.Path()) == "W" }

// vector is the layout of a parameter whose tensor has one axis.
func vector(p *nn.Param, name string) layout { return same(p, name, []int{p.Value().Size()}) }

// eachChannel is the layout of a depthwise convolution, whose windows have an axis for their one channel in PyTorch.
func eachChannel(p *nn.Param, name string) layout {
	shape := p.Value().Shape()
	if isW(p) {
		shape = slices.Insert(slices.Clone(shape), 1, 1)
	}
	return same(p, name, shape)
}

// flat is the layout of normalisations, whose parameters have axes of length 1 before and after those of the tensors.
func flat(p *nn.Param, name string) layout {
	shape := slices.Clone(p.Value().Shape())
	for len(shape) > 1 && shape[0] == 1 {
		shape = shape[1:]
	}
	if path.Base(path.Dir(p.Path())) != "layer_normalization" {
		shape = []int{broadcast.Size(shape)}
	}
	one := same(p, name, shape)
	one.tensors[0].loose = true
	return one
}
