package torch

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nn"
)

// layout says which tensors of a module have the values of which parameters. Most have one of each.
type layout struct {
	params  []*nn.Param
	tensors []tensor
	// toTorch returns the tensors for values of the parameters, and fromTorch the values for tensors; both may return
	// views.
	toTorch, fromTorch func(x []*nd.Array) []*nd.Array
	// noStates says why the states of an optimizer do not correspond like the parameters, or is empty.
	noStates string
}

// tensor is a tensor of a state dict.
type tensor struct {
	name   string
	shape  []int
	loose  bool // axes of length 1 may be missing or added
	buffer bool // belongs to no optimizer
}

// fits reports whether a tensor of that shape has the values.
func (t *tensor) fits(shape []int) bool {
	if !t.loose {
		return broadcast.Equal(shape, t.shape)
	}
	longer := func(shape []int) []int {
		return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
	}
	return slices.Equal(longer(shape), longer(t.shape))
}

// layer is the parameters in one folder of a scope.
type layer struct {
	path   string // of the folder
	names  []string
	params []*nn.Param
}

// get returns the parameter of that name, or nil.
func (l *layer) get(name string) *nn.Param {
	if i := slices.Index(l.names, name); i >= 0 {
		return l.params[i]
	}
	return nil
}

// shape returns the shape of a parameter that exists.
func (l *layer) shape(name string) []int { return l.get(name).Value().Shape() }

// layouts returns the layouts of all parameters, in the order of the scope, those of one module in the order of PyTorch.
func (o *Options) layouts(scope *nn.Scope) ([]layout, error) {
	var layers []*layer
	at := map[string]*layer{}
	for name, p := range scope.All() {
		folder, last := path.Split(name)
		l := at[folder]
		if l == nil {
			l = &layer{path: strings.TrimSuffix(folder, "/")}
			at[folder], layers = l, append(layers, l)
		}
		l.names, l.params = append(l.names, last), append(l.params, p)
	}
	if len(layers) == 0 {
		return nil, fmt.Errorf("the scope has no parameters: call the model once, which creates them")
	}
	sortTransformers(layers)
	var all []layout
	owners := map[string]string{}
	for _, l := range layers {
		for _, one := range o.layoutsOf(l) {
			for _, t := range one.tensors {
				if other, twice := owners[t.name]; twice {
					return nil, fmt.Errorf("%q and %q both are the tensor %q: name their modules by Options.Modules", other, one.params[0].Path(), t.name)
				}
				owners[t.name] = one.params[0].Path()
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// same is the layout of a parameter whose elements have the order of the tensor.
func same(p *nn.Param, name string, shape []int) layout {
	own := p.Value().Shape()
	return layout{
		params:    []*nn.Param{p},
		tensors:   []tensor{{name: name, shape: shape}},
		toTorch:   func(x []*nd.Array) []*nd.Array { return []*nd.Array{x[0].Reshape(shape...)} },
		fromTorch: func(x []*nd.Array) []*nd.Array { return []*nd.Array{x[0].Reshape(own...)} },
	}
}

// transposed is the layout of a matrix of inputs and outputs, whose outputs may have several axes.
func transposed(p *nn.Param, name string) layout {
	own := p.Value().Shape()
	inputs, outputs := own[0], broadcast.Size(own[1:])
	return layout{
		params:    []*nn.Param{p},
		tensors:   []tensor{{name: name, shape: []int{outputs, inputs}}},
		toTorch:   func(x []*nd.Array) []*nd.Array { return []*nd.Array{x[0].Reshape(inputs, outputs).T()} },
		fromTorch: func(x []*nd.Array) []*nd.Array { return []*nd.Array{x[0].T().Reshape(own...)} },
	}
}

// order are the names of tensors in the order of PyTorch's modules.
var order = []string{"weight", "bias", "running_mean", "running_var"}

// sorted sorts the layouts of one layer's tensors.
func sorted(all []layout, module string) []layout {
	rank := func(l layout) int {
		for i, name := range order {
			if l.tensors[0].name == joined(module, name) {
				return i
			}
		}
		return len(order)
	}
	slices.SortStableFunc(all, func(a, b layout) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}
