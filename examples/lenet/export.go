package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/torch"
)

// modules are the names of PyTorch's modules where two layers share a folder of the scope.
var modules = map[string]string{"conv1/conv": "conv1", "conv1/bn": "bn1"}

// exporterOf returns the function that writes parameters in the form of a file's extension.
func exporterOf(path string) (func(path string, params *nn.Scope) error, error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".npz": // for NumPy and nn.Load
		return nn.Save, nil
	case ".pt", ".pth", ".safetensors": // for load_state_dict of PyTorch
		return func(path string, params *nn.Scope) error {
			return torch.Save(path, params, torch.Options{Modules: modules})
		}, nil
	case ".h5", ".protobuf", ".nntxt", ".nnp": // for load_parameters of NNabla
		return nnabla.SaveParameters, nil
	case ".params": // for npx.load of MXNet
		return func(path string, params *nn.Scope) error {
			var all nd.NamedArrays
			for name, p := range params.All() {
				all = append(all, nd.Named{Name: name, Array: p.Value()})
			}
			return nd.SaveMXNet(path, all)
		}, nil
	default:
		return nil, fmt.Errorf("-export %s: want an extension .npz, .h5, .safetensors, .pt, .pth, .params, .protobuf, .nntxt or .nnp, not %q", path, extension)
	}
}
