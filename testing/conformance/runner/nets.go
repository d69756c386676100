package runner

import (
	"fmt"
	"maps"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// net is the net that a case trains.
type net func(p *pass, x *nd.Array) *nd.Array

// pass is one run of a net: its scope, or a view of it, and the tape of the view.
type pass struct {
	runner *Runner
	scope  *nn.Scope
	tape   *grad.Tape // nil in evaluation
	err    error      // the first error; after it nothing is called
}

// args are the arguments of a layer by name.
type args = map[string]any

// run runs the net.
func (n net) run(p *pass, x *nd.Array) (*nd.Array, error) {
	y := n(p, x)
	return y, p.err
}

// layer calls the function with a name such as PF.affine or F.tanh, whose first argument is x, and returns its results.
// In evaluation it normalises with running statistics.
func (p *pass) layer(name string, x any, with args) []any {
	if p.err != nil {
		return nil
	}
	full := strings.Replace(strings.Replace(name, "PF.", "nnabla.parametric_functions.", 1), "F.", "nnabla.functions.", 1)
	fn, err := p.runner.row(full)
	if err != nil {
		p.err = err
		return nil
	}
	all := maps.Clone(with)
	if all == nil {
		all = args{}
	}
	switch x := x.(type) {
	case *nd.Array:
		all[fn.Params[0].Name] = x
	case []*nd.Array:
		all["x"] = x
	}
	if fn.Param("batch_stat") != nil {
		all["batch_stat"] = p.scope.Training()
	}
	result, err := fn.Call(nil, all, catalogue.CallOptions{Device: p.runner.Device, Scope: p.scope, Evaluation: true, Tape: p.tape})
	if err == nil && len(result.Values) == 0 {
		err = fmt.Errorf("got no results")
	}
	if err != nil {
		p.err = fmt.Errorf("%s: %w", name, err)
		return nil
	}
	return result.Values
}

// array returns the first result of a layer.
func (p *pass) array(name string, x any, with args) *nd.Array {
	values := p.layer(name, x, with)
	if values == nil {
		return nil
	}
	return values[0].(*nd.Array)
}

// wired are the nets that cases describe in words.
var wired = map[string]net{
	"nnabla.training.text": func(p *pass, x *nd.Array) *nd.Array {
		h := p.array("PF.embed", x, args{"n_inputs": 9, "n_features": 5, "name": "word"})
		h = p.array("F.tanh", p.array("PF.affine", h, args{"n_outmaps": 6, "base_axis": 2, "name": "each"}), nil)
		return p.array("PF.affine", p.array("F.mean", h, args{"axis": 1}), args{"n_outmaps": 4, "name": "out"})
	},
	"nnabla.training.lstm": func(p *pass, x *nd.Array) *nd.Array {
		var steps []*nd.Array
		for k := range x.Dim(1) {
			steps = append(steps, x.Index(nd.All(), nd.At(k)))
		}
		values := p.layer("PF.LSTMCell", steps, args{"batch_size": x.Dim(0), "state_size": 6, "name": "rnn"})
		if values == nil {
			return nil
		}
		return p.array("PF.affine", values[len(steps)-1], args{"n_outmaps": 4, "name": "out"})
	},
}

// netOf returns the net of a case: the layers that it lists, one after the other, or the net that its note describes.
func netOf(f *golden.File, c *golden.Case) (net, error) {
	v, _ := c.Args.Get("net")
	if v == nil {
		if n := wired[c.Function]; n != nil {
			return n, nil
		}
		return nil, fmt.Errorf("%s: want a known net, or a case that lists its layers", c.Function)
	}
	list, _ := v.(golden.List)
	names, with := make([]string, len(list)), make([]args, len(list))
	for i, item := range list {
		described, _ := item.(golden.Object)
		values, err := maker{file: f}.value("net", described)
		if err != nil {
			return nil, err
		}
		with[i], _ = values.(args)
		if names[i] = text(described, "f"); names[i] == "" {
			return nil, fmt.Errorf("layer %d of the net has no function", i)
		}
		delete(with[i], "f")
	}
	return func(p *pass, x *nd.Array) *nd.Array {
		for i, name := range names {
			x = p.array(name, x, with[i])
		}
		return x
	}, nil
}
