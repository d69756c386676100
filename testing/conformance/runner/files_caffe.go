package runner

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/caffe"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// recordedArray is an array in a JSON file.
type recordedArray struct {
	DType  string
	Shape  []int
	Values []float64
}

// array returns the array on a device.
func (a recordedArray) array(dev device.Device) (*nd.Array, error) {
	dt, err := dtype.Parse(a.DType)
	if err != nil {
		return nil, err
	}
	shape := a.Shape
	if shape == nil {
		shape = []int{}
	}
	return catalogue.OnDevice(nd.FromSlice(a.Values, shape...).AsType(dt), dev), nil
}

// sameNumbers compares results of sums of some hundred float32 products.
func sameNumbers(got *nd.Array, want recordedArray) error { return within(1e-4, got, want) }

// within compares with a relative tolerance.
func within(rtol float64, got *nd.Array, want recordedArray) error {
	w, err := want.array(nil)
	if err != nil {
		return err
	}
	return compare.Tolerance{RTol: rtol, ATol: 1e-5, DType: true}.Compare(got, w)
}

// caffeFile is what Chainer computed with a .caffemodel file.
type caffeFile struct {
	Inputs map[string]recordedArray
	Runs   []struct {
		Outputs []string
		Options struct{ Disable []string }
		Results []recordedArray
	}
	Gradient *struct {
		Output     string
		GradOutput recordedArray `json:"grad_output"`
		Grads      map[string]recordedArray
	}
	Layers     [][]json.RawMessage
	Parameters map[string]recordedArray
	LossRun    *struct {
		Label recordedArray
		Loss  float64
	} `json:"loss_run"`
}

// caffeFiles runs each .caffemodel file beside its JSON file.
func caffeFiles(dir string, dev device.Device) (cases []Outcome, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.caffemodel"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		base := strings.TrimSuffix(filepath.Base(path), ".caffemodel")
		var want caffeFile
		if err := readJSON(filepath.Join(dir, base+".json"), &want); err != nil {
			return nil, err
		}
		o := Outcome{ID: base, HasGradient: want.Gradient != nil}
		refused := nd.Catch(func() { o.Forward, o.Gradient = want.check(path, dev) })
		if refused != nil {
			o.Forward = refused
		}
		cases = append(cases, o)
	}
	return cases, nil
}

// check runs a file. It returns the first difference of what is not a gradient, and that of the gradients.
func (want *caffeFile) check(path string, dev device.Device) (forward, gradient error) {
	net, err := caffe.Load(path)
	if err != nil {
		return err, nil
	}
	params := net.Params()
	for name, w := range want.Parameters {
		if err := sameNumbers(params.Get(name), w); err != nil {
			return fmt.Errorf("parameter %q: %w", name, err), nil
		}
	}
	if err := sameLayers(net.Layers(), want.Layers); err != nil {
		return err, nil
	}
	inputs := map[string]*nd.Array{}
	for name, w := range want.Inputs {
		if inputs[name], err = w.array(dev); err != nil {
			return err, nil
		}
	}
	if dev != nil {
		params = params.To(dev)
	}
	for _, run := range want.Runs {
		got := net.Call(inputs, run.Outputs, caffe.CallOptions{Disable: run.Options.Disable, Scope: params})
		for i, w := range run.Results {
			if err := sameNumbers(got[i], w); err != nil {
				return fmt.Errorf("blob %q: %w", run.Outputs[i], err), nil
			}
		}
	}
	if l := want.LossRun; l != nil {
		label, err := l.Label.array(dev)
		if err != nil {
			return err, nil
		}
		labelled := maps.Clone(inputs)
		labelled["label"] = label
		got := net.Call(labelled, []string{"loss"}, caffe.CallOptions{Scope: params})[0].Float()
		if math.Abs(got-l.Loss) > 1e-5*math.Abs(l.Loss) {
			return fmt.Errorf("the loss is %v, want %v", got, l.Loss), nil
		}
	}
	if want.Gradient == nil {
		return nil, nil
	}
	// Chainer 1.24 leaves eps out of the gradient of a batch normalisation with given statistics.
	const withoutEps = 2e-3
	tape := grad.NewTape()
	defer tape.Release()
	var names []string
	var watched []*nd.Array
	for name, x := range inputs {
		inputs[name] = tape.Watch(x)
		names, watched = append(names, name), append(watched, inputs[name])
	}
	y := net.Call(inputs, []string{want.Gradient.Output}, caffe.CallOptions{Scope: params})[0]
	gy, err := want.Gradient.GradOutput.array(dev)
	if err != nil {
		return nil, err
	}
	for i, g := range tape.Gradient(ops.Sum(ops.Multiply(y, gy)), watched...) {
		w, ok := want.Gradient.Grads[names[i]]
		if !ok {
			continue
		}
		if err := within(withoutEps, g, w); err != nil {
			return nil, fmt.Errorf("gradient of %q: %w", names[i], err)
		}
	}
	return nil, nil
}

// sameLayers compares the layers with lists of a name, bottom blobs and top blobs.
func sameLayers(got []caffe.Layer, want [][]json.RawMessage) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d layers, want %d", len(got), len(want))
	}
	for i, l := range got {
		text, err := json.Marshal([]any{l.Name, l.Bottom, l.Top})
		if err != nil {
			return err
		}
		expected, err := json.Marshal(want[i])
		if err != nil {
			return err
		}
		if string(text) != string(expected) {
			return fmt.Errorf("layer %d is %s, want %s", i, text, expected)
		}
	}
	return nil
}
