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

// File holds the cases of one function and reads their arrays.
type File struct {
	Path     string
	System   string
	Version  string
	Function string
	Cases    []*Case

	npz  *nd.Npz              // nil if the cases have no arrays
	kept map[string]*nd.Array // arrays already read, if they are kept
}

// Open reads the cases in a NAME.json file and opens the NAME.npz beside it, if that exists. The caller closes the
// file.
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

// Array reads the array of a key. Each call returns a new array. Strides preserve Fortran order.
func (f *File) Array(key string) (*nd.Array, error) {
	x := f.kept[key]
	if x == nil {
		if f.npz == nil {
			return nil, fmt.Errorf("%s has no arrays: want array %q", f.Path, key)
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

// Keep makes Array read every array only once and keep it in memory, even after Close.
func (f *File) Keep() { f.kept = map[string]*nd.Array{} }
