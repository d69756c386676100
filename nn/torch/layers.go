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
		return o.linkLayouts(l)
	}
	kind := path.Base(l.path)
	if kind == "affine" && path.Base(path.Dir(l.path)) == "lstm" && isCell(l) {
		return cellLayouts(l, o.module(l.path, 2))
	}
	module := o.module(l.path, 1)
	switch kind {
	case "affine":
		return o.plainLayouts(l, module, dense)
	case "conv", "deconv", "embed":
		return o.plainLayouts(l, module, like)
	case "depthwise_conv", "depthwise_deconv":
		return o.plainLayouts(l, module, eachChannel)
	case "bn", "group_normalization", "instance_normalization", "layer_normalization", "prelu":
		return o.plainLayouts(l, module, flat)
	case "multi_head_attention":
		return o.attentionLayouts(l, module)
	case "rnn", "lstm", "gru":
		if l.get("weight_l0") != nil {
			return recurrentLayouts(l, module, kind)
		}
	}
	return o.plainLayouts(l, o.module(l.path, 0), nil)
}

// tensorNames are the names of tensors by the names of parameters, in the layers of package nn and in those of package link.
var (
	tensorNames = map[string]string{"W": "weight", "b": "bias", "gamma": "weight", "beta": "bias", "slope": "weight", "mean": "running_mean", "var": "running_var"}
	linkNames   = map[string]string{"W": "weight", "b": "bias", "gamma": "weight", "beta": "bias", "avg_mean": "running_mean", "avg_var": "running_var"}
)

// plainLayouts returns the layouts of a layer whose parameters are tensors each. of makes the layout of one; without it they
// have their own names.
func (o *Options) plainLayouts(l *layer, module string, of func(p *nn.Param, local, name string) layout) []layout {
	var all []layout
	for i, local := range l.names {
		name, known := tensorNames[local]
		if !known || of == nil {
			all = append(all, own(l.params[i], joined(module, local)))
			continue
		}
		one := of(l.params[i], local, joined(module, name))
		one.tensors[0].buffer = name == "running_mean" || name == "running_var"
		all = append(all, one)
	}
	return sorted(all, module)
}

// own is the layout of a parameter that no module knows.
func own(p *nn.Param, name string) layout {
	one := same(p, name, p.Value().Shape())
	one.tensors[0].buffer = !p.NeedGrad()
	return one
}

// linkLayouts returns the layouts of the parameters of a link.
func (o *Options) linkLayouts(l *layer) []layout {
	module := o.module(l.path, 0)
	var all []layout
	for i, local := range l.names {
		if local == "N" && l.get("avg_mean") != nil {
			continue // a count that only Finetune reads
		}
		name, known := linkNames[local]
		if !known {
			name = local
		}
		one := own(l.params[i], joined(module, name))
		one.tensors[0].buffer = one.tensors[0].buffer || name == "running_mean" || name == "running_var"
		all = append(all, one)
	}
	return sorted(all, module)
}

// like is the layout of a layer whose parameters have the shapes of the tensors.
func like(p *nn.Param, _, name string) layout { return same(p, name, p.Value().Shape()) }

// dense is the layout of Affine.
func dense(p *nn.Param, local, name string) layout {
	if local == "W" && p.Value().Rank() >= 2 {
		return transposed(p, name)
	}
	return same(p, name, []int{p.Value().Size()})
}

// eachChannel is the layout of a depthwise convolution, whose windows have an axis for their one channel in PyTorch.
func eachChannel(p *nn.Param, local, name string) layout {
	shape := p.Value().Shape()
	if local == "W" {
		shape = slices.Insert(slices.Clone(shape), 1, 1)
	}
	return same(p, name, shape)
}

// flat is the layout of normalisations, whose parameters have axes of length 1 before and after those of the tensors.
func flat(p *nn.Param, local, name string) layout {
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
