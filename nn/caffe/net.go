package caffe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
)

// Net is a network of layers. It does not change, and may be called from several goroutines.
type Net struct {
	name    string
	layers  []Layer
	skipped []Skipped
	params  *nn.Scope
}

// Layer is a layer that can run.
type Layer struct {
	Name, Type  string
	Bottom, Top []string // names of blobs
	compute     function
}

// Skipped is a layer that never runs, and why.
type Skipped struct{ Name, Type, Reason string }

// Load reads a .caffemodel file, in the new format or the old one, which has the field layers.
// Chainer: links.caffe.CaffeFunction.
func Load(path string) (*Net, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	n, err := readNet(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Read reads the bytes of a .caffemodel file.
func Read(data []byte) (*Net, error) { return readNet(bytes.NewReader(data), int64(len(data))) }

func readNet(r io.ReaderAt, size int64) (*Net, error) {
	const (
		fn     = "caffe.Read"
		spare  = 64 << 20
		expand = 16
	)
	var m netParameter
	if err := wire.Unmarshal(r, size, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	layers := m.Layer
	if len(layers) == 0 {
		for _, l := range m.Layers {
			layers = append(layers, l.renewed())
		}
	}
	n := &Net{name: m.Name, params: nn.NewScope()}
	zeros, shared := spare+expand*int(size), map[string]string{}
	for _, l := range layers {
		if err := n.add(l, shared, &zeros); err != nil {
			return nil, fmt.Errorf("%s: layer %q (%s): %w", fn, l.Name, l.Type, err)
		}
	}
	return n, nil
}

// add adds a layer. shared holds the blobs that layers of type Split name anew.
func (n *Net) add(l *layerMessage, shared map[string]string, spare *int) (err error) {
	if l.Type == "Split" && len(l.Bottom) > 0 {
		for _, top := range l.Top {
			shared[top] = original(shared, l.Bottom[0])
		}
		return nil
	}
	skip := func(reason string) { n.skipped = append(n.skipped, Skipped{l.Name, l.Type, reason}) }
	if len(l.Top) == 0 || len(l.Bottom) == 0 {
		skip("it has no top blob, or no bottom blob")
		return nil
	}
	if slices.ContainsFunc(n.layers, func(other Layer) bool { return other.Name == l.Name }) {
		return errors.New("there are two layers of this name")
	}
	var compute function
	refused := nd.Catch(func() {
		compute, err = builder{l, n.params.Sub(l.Name), spare}.function()
	})
	var u unsupported
	switch {
	case refused != nil:
		return refused
	case errors.As(err, &u):
		skip(string(u))
		return nil
	case err != nil:
		return err
	case l.Type == "SoftmaxWithLoss" && len(l.Bottom) < 2:
		return errors.New("want scores and labels")
	}
	bottom := make([]string, len(l.Bottom))
	for i, name := range l.Bottom {
		bottom[i] = original(shared, name)
	}
	n.layers = append(n.layers, Layer{l.Name, l.Type, bottom, slices.Clone(l.Top), compute})
	return nil
}

// original returns the blob that a name means.
func original(shared map[string]string, name string) string {
	if other, ok := shared[name]; ok {
		return other
	}
	return name
}

// Name returns the name of the network.
func (n *Net) Name() string { return n.name }

// Layers returns the layers that can run, in their order. Blobs that a layer of type Split copies have one name.
func (n *Net) Layers() []Layer { return slices.Clone(n.layers) }

// Skipped returns the layers that never run.
func (n *Net) Skipped() []Skipped { return slices.Clone(n.skipped) }

// Params returns the scope of the parameters. The parameters of a layer are below its name.
func (n *Net) Params() *nn.Scope { return n.params }

// Model returns the layers that run when the given blobs are known, without the disabled layers. The values of the model
// are named like the blobs; a blob that layers overwrite in place is the last one of its name. A given blob that a layer
// overwrites keeps its name, and the result has the name BLOB@LAYER.
func (n *Net) Model(given []string, disable ...string) (*model.Model, error) {
	m, _, err := n.model(given, disable)
	if err != nil {
		return nil, fmt.Errorf("Net.Model: %w", err)
	}
	return m, nil
}

// model is Model; it also returns the names of the values that are the blobs in the end.
func (n *Net) model(given, disable []string) (*model.Model, map[string]string, error) {
	for _, name := range disable {
		if !n.has(name) {
			return nil, nil, fmt.Errorf("there is no layer %q that could be disabled", name)
		}
	}
	d := model.Definition{Name: n.name, Params: n.params}
	last, known := map[string]int{}, map[string]bool{} // the layer that computes a blob last
	for _, name := range given {
		d.Inputs = append(d.Inputs, model.Input{Name: name})
		known[name] = true
	}
	var runs []Layer
	for _, l := range n.layers {
		if slices.Contains(disable, l.Name) || slices.ContainsFunc(l.Bottom, func(name string) bool { return !known[name] }) {
			continue
		}
		for _, top := range l.Top {
			last[top], known[top] = len(runs), true
		}
		runs = append(runs, l)
	}
	values := map[string]string{}
	for _, name := range given {
		values[name] = name
	}
	for i, l := range runs {
		node := model.Node{Name: l.Name, Type: l.Type, Run: l.run}
		for _, name := range l.Bottom {
			node.Inputs = append(node.Inputs, values[name])
		}
		for _, top := range l.Top {
			value := top
			if last[top] != i || slices.Contains(given, top) {
				value = top + "@" + l.Name
			}
			values[top] = value
			node.Outputs = append(node.Outputs, value)
		}
		d.Nodes = append(d.Nodes, node)
	}
	d.Outputs = slices.Sorted(maps.Values(values))
	m, err := model.New(d)
	return m, values, err
}

// has reports whether there is a layer of that name, also one that is skipped.
func (n *Net) has(name string) bool {
	return slices.ContainsFunc(n.layers, func(l Layer) bool { return l.Name == name }) ||
		slices.ContainsFunc(n.skipped, func(s Skipped) bool { return s.Name == name })
}

// run computes the top blobs, as an operation of a model.
func (l Layer) run(s *nn.Scope, in []model.Value) []model.Value {
	x := make([]*nd.Array, len(in))
	for i, v := range in {
		x[i] = v.(*nd.Array)
	}
	ys := l.compute(s.Sub(l.Name), x)
	out := make([]model.Value, len(ys))
	for i, y := range ys {
		out[i] = y
	}
	return out
}

// CallOptions are the options of Net.Call.
type CallOptions struct {
	// Disable names layers that do not run.
	Disable []string
	// Scope is a view of the network's parameters: a view that a tape watches trains the network, which then uses the
	// statistics of the batch and Dropout. Nil means the parameters themselves: evaluation.
	Scope *nn.Scope
}

// Call computes blobs from the given ones: it runs the layers whose bottom blobs are given or computed. It is an *nd.Error
// if an output cannot be computed, or if a layer refuses its bottom blobs.
// Chainer: links.caffe.CaffeFunction.__call__.
func (n *Net) Call(inputs map[string]*nd.Array, outputs []string, opts ...CallOptions) []*nd.Array {
	const fn nd.Func = "Net.Call"
	o := options.Read(fn, opts)
	m, values, err := n.model(slices.Sorted(maps.Keys(inputs)), o.Disable)
	if err != nil {
		panic(fn.Errorf(nil, "%v", err))
	}
	wanted := make([]string, len(outputs))
	for i, name := range outputs {
		value, ok := values[name]
		if !ok {
			panic(fn.Errorf(nil, "the blob %q cannot be computed from %q%s", name, slices.Sorted(maps.Keys(inputs)), n.reasons()))
		}
		wanted[i] = value
	}
	if len(wanted) == 0 {
		return nil
	}
	if o.Scope != nil {
		m = m.In(o.Scope)
	}
	var results []*nd.Array
	if err := nd.Catch(func() { results = m.Call(inputs, wanted...) }); err != nil {
		refused := *err.(*nd.Error)
		refused.Func = fn
		panic(&refused)
	}
	return results
}

// reasons lists the layers that never run, for a message.
func (n *Net) reasons() string {
	if len(n.skipped) == 0 {
		return ""
	}
	reasons := make([]string, len(n.skipped))
	for i, s := range n.skipped {
		reasons[i] = fmt.Sprintf("%q: %s", s.Name, s.Reason)
	}
	return "; layers that are skipped: " + strings.Join(reasons, "; ")
}
