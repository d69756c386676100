package torch

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// stateDict is a state dict in an open file.
type stateDict struct {
	io.Closer
	names []string
	info  func(name string) (dtype.DType, []int, error)
	read  func(name string) (*nd.Array, error)
}

// isSafetensors reports whether the name of a file is one of safetensors.
func isSafetensors(path string) bool { return strings.EqualFold(filepath.Ext(path), ".safetensors") }

// isIndex reports whether the name of a file is one of the index of several files of safetensors.
func isIndex(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// openDict opens the state dict at a path in a file.
func openDict(path, prefix string) (*stateDict, error) {
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	if isSafetensors(path) || isIndex(path) {
		f, err := nd.OpenSafetensors(path)
		if err != nil {
			return nil, err
		}
		return &stateDict{f, below(prefix, f.Names()),
			func(name string) (dtype.DType, []int, error) { return f.Info(prefix + name) },
			func(name string) (*nd.Array, error) { return f.Read(prefix + name) }}, nil
	}
	f, err := nd.OpenTorch(path)
	if err != nil {
		return nil, err
	}
	d := &stateDict{Closer: f, names: below(prefix, f.Names())}
	d.info = func(name string) (dtype.DType, []int, error) { return f.Info(prefix + name) }
	var arrays map[string]*nd.Array // all of them, because tensors of one storage should be read once
	d.read = func(name string) (*nd.Array, error) {
		if arrays == nil {
			all, err := readBelow(f, prefix)
			if err != nil {
				return nil, err
			}
			arrays = all
		}
		if x := arrays[name]; x != nil {
			return x, nil
		}
		return f.Read(prefix + name)
	}
	return d, nil
}

// readBelow reads the tensors of one dict.
func readBelow(f *nd.TorchFile, prefix string) (map[string]*nd.Array, error) {
	all := map[string]*nd.Array{}
	if prefix == "" {
		arrays, err := f.ReadAll()
		for _, n := range arrays {
			all[n.Name] = n.Array
		}
		return all, err
	}
	v, err := f.Value(strings.TrimSuffix(prefix, "/"))
	d, _ := v.(nd.TorchDict)
	for _, item := range d {
		if x, ok := item.Value.(*nd.Array); ok {
			all[fmt.Sprint(item.Key)] = x
		}
	}
	return all, err
}

// isConstant reports whether the name is that of a constant of a TorchScript archive, which belongs to its code.
func isConstant(name string) bool {
	number, ok := strings.CutPrefix(name, "constants/")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// below returns the names in a folder, relative to it.
func below(prefix string, names []string) []string {
	var local []string
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, prefix); ok && !isConstant(rest) {
			local = append(local, rest)
		}
	}
	return local
}
