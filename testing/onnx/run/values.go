package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// tensor is a tensor in a JSON file: Type is "string", "int64", "float32" or another dtype's name.
type tensor struct {
	Type    string    `json:"type"`
	Shape   []int     `json:"shape"`
	Numbers []float64 `json:"numbers,omitempty"`
	Texts   []string  `json:"texts,omitempty"`
}

// readValues reads the inputs of a model from an .npz file, or from a JSON file, which may hold texts too.
func readValues(path string) (map[string]model.Value, error) {
	inputs := map[string]model.Value{}
	if !strings.HasSuffix(path, ".json") {
		arrays, err := nd.LoadNpz(path)
		for _, a := range arrays {
			inputs[a.Name] = a.Array
		}
		return inputs, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tensors map[string]tensor
	if err := json.Unmarshal(data, &tensors); err != nil {
		return nil, err
	}
	for name, t := range tensors {
		if t.Type == "string" {
			inputs[name] = onnx.Texts{Shape: t.Shape, Values: t.Texts}
			continue
		}
		d, err := dtype.Parse(t.Type)
		if err != nil {
			return nil, err
		}
		inputs[name] = nd.FromSlice(t.Numbers, t.Shape...).AsType(d)
	}
	return inputs, nil
}

// writeValues writes outputs to an .npz file, which holds the arrays alone, or to a JSON file.
func writeValues(path string, names []string, values []model.Value) error {
	if !strings.HasSuffix(path, ".json") {
		var arrays nd.NamedArrays
		for i, v := range values {
			if x, ok := v.(*nd.Array); ok {
				arrays = append(arrays, nd.Named{Name: names[i], Array: x})
			}
		}
		return nd.SaveNpz(path, arrays, false)
	}
	all := map[string]any{}
	for i, v := range values {
		all[names[i]] = plain(v)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// plain returns a value as JSON has it: a tensor, a list of a sequence's values, or a list of a map's keys and values.
func plain(v model.Value) any {
	switch v := v.(type) {
	case *nd.Array:
		return tensor{Type: v.DType().String(), Shape: v.Shape(), Numbers: nd.ToSlice[float64](v.Detach().AsType(dtype.Float64))}
	case onnx.Texts:
		return tensor{Type: "string", Shape: v.Shape, Texts: v.Values}
	case onnx.Sequence:
		all := []any{}
		for _, element := range v {
			all = append(all, plain(element))
		}
		return all
	case onnx.Map:
		pairs := [][2]any{}
		for key, value := range v {
			pairs = append(pairs, [2]any{key, value})
		}
		slices.SortFunc(pairs, func(a, b [2]any) int { return strings.Compare(fmt.Sprint(a[0]), fmt.Sprint(b[0])) })
		return pairs
	}
	return nil
}
