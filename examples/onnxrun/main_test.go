package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

func TestRun(t *testing.T) {
	var file bytes.Buffer
	network := func(s *nn.Scope, in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Tanh(nn.Affine(s, in[0], 3))} }
	o := onnx.ExportOptions{Params: nn.NewScope(), Inputs: []string{"x"}, Outputs: []string{"y"}, Batch: true}
	if err := onnx.Export(&file, network, []*nd.Array{nd.Ones([]int{2, 4}, dtype.Float32)}, o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	options := options{shapes: map[string][]int{}, calls: 2, summary: true, profile: true}
	if err := options.shape("x=5,4"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(&out, path, options); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"input   x  FLOAT[?,4]", "output  y  FLOAT[?,3]", "15 parameters", "y is float32[5 3]", "multiply-adds", "a call takes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
	if err := run(&out, path+".missing", options); err == nil {
		t.Error("a missing file is accepted")
	}
}
