// Command export exports networks as ONNX models, with inputs and outputs to compare with:
//
//	go run ./testing/onnx/export FOLDER                   # networks of the library
//	go run ./testing/onnx/export FOLDER MODEL.onnx IN.npz # a model: it is imported, and exported again
//
// Beside each NAME.onnx stands NAME.npz with the inputs, under their names, and the outputs, under theirs with "out:" before
// them. The script export.sh checks them with onnx and onnxruntime.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

func main() {
	flag.Parse()
	var err error
	switch flag.NArg() {
	case 1:
		for _, n := range networks() {
			for _, batch := range []bool{false, true} {
				if err == nil && !(batch && n.single) {
					err = n.write(flag.Arg(0), batch)
				}
			}
		}
	case 3:
		err = again(flag.Arg(0), flag.Arg(1), flag.Arg(2))
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write exports a network into a folder.
func (n network) write(folder string, batch bool) error {
	params := nn.NewScope()
	name := n.name
	if batch {
		name += "_batch"
	}
	err := write(folder, name, n.f, n.inputs, onnx.ExportOptions{Params: params, Batch: batch})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func write(folder, name string, f func(s *nn.Scope, in []*nd.Array) []*nd.Array, inputs []*nd.Array, o onnx.ExportOptions) error {
	var model bytes.Buffer
	if err := onnx.Export(&model, f, inputs, o); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".onnx"), model.Bytes(), 0o644); err != nil {
		return err
	}
	file, err := onnx.Read(model.Bytes())
	if err != nil {
		return err
	}
	var arrays nd.NamedArrays
	for k, in := range file.Inputs() {
		arrays = append(arrays, nd.Named{Name: in.Name, Array: inputs[k]})
	}
	for k, y := range f(o.Params, inputs) {
		arrays = append(arrays, nd.Named{Name: "out:" + file.Outputs()[k].Name, Array: y})
	}
	return nd.SaveNpz(filepath.Join(folder, name+".npz"), arrays, false)
}

// again imports a model and exports it.
func again(folder, path, from string) error {
	m, err := onnx.Load(path)
	if err != nil {
		return err
	}
	arrays, err := nd.LoadNpz(from)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".onnx")
	err = writeModel(folder, name, m, arrays, func(*nd.Array) bool { return false })
	if err != nil && strings.Contains(err.Error(), "are those of an input") { // a shape is an input, which a trace cannot have
		return writeModel(folder, name, m, arrays, func(x *nd.Array) bool { return x.DType().IsInteger() })
	}
	return err
}

// writeModel exports a model. Some inputs are fixed: they are constants of the exported model.
func writeModel(folder, name string, m *model.Model, arrays nd.NamedArrays, isFixed func(x *nd.Array) bool) error {
	var names []string
	var inputs []*nd.Array
	fixed := map[string]*nd.Array{}
	for _, a := range arrays {
		if isFixed(a.Array) {
			fixed[a.Name] = a.Array.Copy()
			continue
		}
		names, inputs = append(names, a.Name), append(inputs, a.Array)
	}
	f := func(s *nn.Scope, in []*nd.Array) []*nd.Array {
		given := maps.Clone(fixed)
		for k, x := range in {
			given[names[k]] = x
		}
		return m.In(s).Call(given)
	}
	return write(folder, name, f, inputs, onnx.ExportOptions{Params: m.Params(), Inputs: names, Outputs: m.Outputs()})
}
