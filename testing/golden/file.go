package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// File holds the cases of one function, and reads their arrays.
type File struct {
	Path     string
	System   string
	Version  string
	Function string
	Cases    []*Case

	npz  *nd.Npz              // nil where the function's cases have no arrays
	kept map[string]*nd.Array // those that were read, where they are kept
}

// Open reads the cases in a NAME.json file, and opens the NAME.npz beside it, if there is one. The caller closes it.
func Open(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var head struct {
		System, Version, Function string
		Cases                     []json.RawMessage
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := &File{Path: path, System: head.System, Version: head.Version, Function: head.Function}
	for _, raw := range head.Cases {
		c, err := parseCase(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f.Cases = append(f.Cases, c)
	}
	f.npz, err = nd.OpenNpz(ArraysPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		f.npz, err = nil, nil
	}
	return f, err
}

// ArraysPath returns the path of the npz file that belongs to a json file.
func ArraysPath(path string) string { return strings.TrimSuffix(path, ".json") + ".npz" }

// Close closes the npz file.
func (f *File) Close() error {
	if f.npz == nil {
		return nil
	}
	return f.npz.Close()
}

// Array reads the array of a key: a new one at each call. Fortran order is kept in its strides.
func (f *File) Array(key string) (*nd.Array, error) {
	x := f.kept[key]
	if x == nil {
		if f.npz == nil {
			return nil, fmt.Errorf("%s has no arrays: no %q", f.Path, key)
		}
		var err error
		if x, err = f.npz.Read(key); err != nil || f.kept == nil {
			return x, err
		}
		f.kept[key] = x
	}
	if x.IsContiguous() {
		return x.Copy(), nil
	}
	return x.CopyFortran(), nil
}

// Keep has every array read once, and kept in memory for later calls of Array, also when the file is closed.
func (f *File) Keep() { f.kept = map[string]*nd.Array{} }
