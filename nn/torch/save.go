package torch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// StateDict returns the parameters below a scope as PyTorch's modules have them: see the package comment. They are copies or
// views. nd.SaveTorch writes them, alone or in a checkpoint with other values.
// PyTorch: nn.Module.state_dict.
func StateDict(scope *nn.Scope, opts ...Options) (nd.NamedArrays, error) {
	const fn nd.Func = "torch.StateDict"
	o := options.Read(fn, opts)
	all, err := o.stateDict(scope)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return all, nil
}

func (o *Options) stateDict(scope *nn.Scope) (nd.NamedArrays, error) {
	layouts, err := o.layouts(scope)
	if err != nil {
		return nil, err
	}
	var all nd.NamedArrays
	for _, l := range layouts {
		values := make([]*nd.Array, len(l.params))
		for i, p := range l.params {
			values[i] = p.Value()
		}
		for i, x := range l.toTorch(values) {
			all = append(all, nd.Named{Name: l.tensors[i].name, Array: x})
		}
	}
	return all, nil
}

// Save writes [StateDict] to a file, which torch.load reads, with weights_only=True too, and a module's load_state_dict takes:
// a file of torch.save, such as .pt or .pth, or, with the extension .safetensors, one of safetensors. The extension .json is
// refused: it belongs to an index of several files, which Load reads. The file appears complete or not at all.
// PyTorch: save (of a state_dict).
func Save(path string, scope *nn.Scope, opts ...Options) error {
	const fn nd.Func = "torch.Save"
	o := options.Read(fn, opts)
	if isIndex(path) {
		return fmt.Errorf("%s: %s: an index of several files is not written: want an extension .pt, .pth or .safetensors", fn, path)
	}
	arrays, err := o.stateDict(scope)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	folders := strings.FieldsFunc(o.Prefix, func(r rune) bool { return r == '/' })
	if isSafetensors(path) {
		for i := range arrays {
			arrays[i].Name = strings.Join(append(slices.Clone(folders), arrays[i].Name), "/")
		}
		return nd.SaveSafetensors(path, arrays, map[string]string{"format": "pt"})
	}
	var value any = arrays
	for _, name := range slices.Backward(folders) {
		value = nd.TorchDict{{Key: name, Value: value}}
	}
	return nd.SaveTorch(path, value)
}
