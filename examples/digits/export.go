package main

import (
	"bytes"
	"os"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// export writes the network as an ONNX model that takes any number of images. x holds some images.
func export(path string, params *nn.Scope, x *nd.Array) error {
	var model bytes.Buffer
	f := func(s *nn.Scope, in []*nd.Array) []*nd.Array { return []*nd.Array{network(s, in[0])} }
	err := onnx.Export(&model, f, []*nd.Array{x}, onnx.ExportOptions{Params: params, Inputs: []string{"images"}, Outputs: []string{"scores"}, Batch: true})
	if err != nil {
		return err
	}
	return os.WriteFile(path, model.Bytes(), 0o644)
}
