package archive

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
)

// container writes and reads the format of a file extension.
type container struct {
	write func(path string, entries []entry, o SaveOptions) error
	read  func(path string) ([]entry, error)
}

// containerOf returns the container for a file's name. A name without extension, such as that of a Chainer snapshot,
// means npz.
func containerOf(path string) (container, error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".npz", "":
		return container{writeNpz, readNpz}, nil
	case ".safetensors":
		return container{writeSafetensors, readSafetensors}, nil
	case ".h5":
		return container{writeHDF5, readHDF5}, nil
	case ".pt", ".pth":
		return container{writeTorch, readTorch}, nil
	default:
		return container{}, fmt.Errorf("%s: want an extension .npz, .safetensors, .h5, .pt or .pth, not %q", path, extension)
	}
}

// write writes an entry to a file of arrays and texts.
func (e *entry) write(to interface {
	Write(name string, x *nd.Array) error
	WriteStrings(name string, t nd.Strings) error
}) error {
	if e.array != nil {
		return to.Write(e.name, e.array)
	}
	return to.WriteStrings(e.name, nd.Strings{Values: []string{e.text}})
}

func writeNpz(path string, entries []entry, o SaveOptions) error {
	return nd.CreateNpz(path, o.Compress, func(z *nd.NpzWriter) error {
		for _, e := range entries {
			if err := e.write(z); err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
		}
		return nil
	})
}

func readNpz(path string) ([]entry, error) {
	z, err := nd.OpenNpz(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var all []entry
	for _, name := range z.Names() {
		x, err := z.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, entry{name: name, array: x})
	}
	for _, name := range z.StringNames() {
		t, err := z.ReadStrings(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		text, err := single(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %q %w", path, name, err)
		}
		all = append(all, entry{name: name, text: text})
	}
	return all, nil
}

// single returns the text of an array of one.
func single(t nd.Strings) (string, error) {
	if len(t.Values) != 1 {
		return "", fmt.Errorf("is %d texts, want one", len(t.Values))
	}
	return t.Values[0], nil
}

func writeHDF5(path string, entries []entry, o SaveOptions) error {
	return nd.CreateHDF5(path, func(f *nd.HDF5Writer) error {
		for _, e := range entries {
			if err := e.write(f); err != nil {
				return err
			}
		}
		return nil
	}, nd.HDF5Options{Compress: o.Compress})
}

// readHDF5 reads arrays and texts. Attributes, and datasets without elements, are not values.
func readHDF5(path string) (all []entry, err error) {
	f, err := nd.OpenHDF5(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, o := range f.Objects() {
		e := entry{name: o.Path}
		err := o.Err
		switch o.Kind {
		case nd.HDF5Array:
			e.array, err = f.Read(o.Path)
		case nd.HDF5Text:
			var t nd.Strings
			if t, err = f.ReadStrings(o.Path); err == nil {
				e.text, err = single(t)
			}
		case nd.HDF5Unreadable:
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, o.Path, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// orderKey is the metadata key for the names of a .safetensors file in the order in which they were saved, one line
// each: the format itself orders tensors by their size.
const orderKey = "ndgrad.order"

func writeSafetensors(path string, entries []entry, _ SaveOptions) error {
	var arrays []nd.Named
	var order []string
	metadata := map[string]string{}
	for _, e := range entries {
		if strings.Contains(e.name, "\n") {
			return fmt.Errorf("%s: the name %q has a line break", path, e.name)
		}
		order = append(order, e.name)
		if e.array != nil {
			arrays = append(arrays, nd.Named{Name: e.name, Array: e.array})
		} else {
			metadata[e.name] = e.text
		}
	}
	metadata[orderKey] = strings.Join(order, "\n")
	return nd.SaveSafetensors(path, arrays, metadata)
}

func readSafetensors(path string) ([]entry, error) {
	arrays, metadata, err := nd.LoadSafetensors(path)
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, n := range arrays {
		all = append(all, entry{name: n.Name, array: n.Array})
	}
	order, ours := metadata[orderKey]
	if !ours { // a file of another program: its metadata, such as "format", are not values
		return all, nil
	}
	delete(metadata, orderKey)
	for name, text := range metadata {
		all = append(all, entry{name: name, text: text})
	}
	at := map[string]int{}
	for i, name := range strings.Split(order, "\n") {
		at[name] = i
	}
	slices.SortFunc(all, func(a, b entry) int { return at[a.name] - at[b.name] })
	return all, nil
}
