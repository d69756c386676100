package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

var exportTo = flag.String("export", "", "write the exported network, its inputs and outputs into this `folder`")

// TestExport exports the network; Export compares the outputs of the file with those of the function.
func TestExportONNX(t *testing.T) {
	params := nn.NewScope()
	x := random.Normal(nd.NewRand(1), 0, 1, []int{2, 1, 28, 28}, dtype.Float32)
	f := func(s *nn.Scope, in []*nd.Array) []*nd.Array { return []*nd.Array{lenet(s, in[0])} }
	for name, batch := range map[string]bool{"lenet": false, "lenet_batch": true} {
		var file bytes.Buffer
		if err := onnx.Export(&file, f, []*nd.Array{x}, onnx.ExportOptions{Params: params, Batch: batch}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if *exportTo == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(*exportTo, name+".onnx"), file.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
		arrays := []nd.Named{{Name: "input", Array: x}, {Name: "out:output", Array: f(params, []*nd.Array{x})[0]}}
		if err := nd.SaveNpz(filepath.Join(*exportTo, name+".npz"), arrays, false); err != nil {
			t.Error(err)
		}
	}
}
