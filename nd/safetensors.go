package nd

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
	"github.com/ndgrad/ndgrad/nd/internal/safetensors"
)

// ReadSafetensors reads all arrays of a file in the safetensors format, in the order of their data, and the file's
// metadata (nil if there are none). ReadSafetensors does not trust the header: it allocates memory as data arrive, as
// [ReadNpy] does. It refuses a file if arrays overlap, if gaps or other data lie between or after them, if two have the
// same name, or if one has a dtype that no array has, such as float8: [OpenSafetensors] reads the other arrays.
func ReadSafetensors(r io.Reader) (arrays NamedArrays, metadata map[string]string, err error) {
	const fn Func = "nd.ReadSafetensors"
	header, err := safetensors.ReadHeader(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", fn, err)
	}
	known := remaining(r)
	for _, t := range header.Tensors {
		if err := wantLayout(t); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", fn, err)
		}
		x, err := readTensor(fn, r, t, known)
		if err != nil {
			return nil, nil, err
		}
		arrays = append(arrays, Named{t.Name, x})
		known -= int64(t.End - t.Begin)
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return nil, nil, fmt.Errorf("%s: data follow the last array", fn)
	} else if err != io.EOF {
		return nil, nil, fmt.Errorf("%s: %w", fn, err)
	}
	return arrays, header.Metadata, nil
}

// wantLayout returns an error if no array has the dtype of the tensor.
func wantLayout(t safetensors.Tensor) error {
	if _, err := t.Layout(); err != nil {
		return fmt.Errorf("%w; OpenSafetensors reads the other arrays", err)
	}
	return nil
}

// readTensor reads the elements of one array, which follow in r. r is known to hold so many bytes.
func readTensor(fn Func, r io.Reader, t safetensors.Tensor, known int64) (*Array, error) {
	layout, err := t.Layout()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	return readMember(fn, t.Name, func(room npy.Room) error { return npy.ReadElements(r, layout, known, room) })
}

// WriteSafetensors writes arrays in the safetensors format, with metadata, which may be nil. The data are ordered by
// element size, largest first, so that all are aligned, and then by name: the same arrays always make the same file.
func WriteSafetensors(w io.Writer, arrays []Named, metadata map[string]string) error {
	const fn Func = "nd.WriteSafetensors"
	tensors := make([]safetensors.Tensor, len(arrays))
	for i, n := range arrays {
		n.Array.check(fn)
		tensors[i] = safetensors.Tensor{Name: n.Name, DType: n.Array.dtype, Shape: n.Array.Shape()}
	}
	err := safetensors.Write(w, tensors, metadata, func(i int) []byte { return arrays[i].Array.elements(fn) })
	runtime.KeepAlive(arrays)
	return named(fn, err)
}

// elements returns the elements of x in row-major order: its memory if x is contiguous and on the CPU, else a copy. The
// bytes are valid while the caller keeps x alive.
func (x *Array) elements(fn Func) []byte {
	if x.scalar == nil && x.store.onCPU && x.IsContiguous() {
		at := x.offset * x.dtype.Size()
		return x.store.visible()[at : at+x.Bytes()]
	}
	host := make([]byte, x.Bytes())
	x.copyOut(fn, host)
	return host
}

// LoadSafetensors reads all arrays and the metadata of a .safetensors file, or of the files that an index of a sharded
// checkpoint names: see [OpenSafetensors], which can also read single arrays, and a few rows at a time.
func LoadSafetensors(path string) (arrays NamedArrays, metadata map[string]string, err error) {
	f, err := OpenSafetensors(path)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range f.names {
		if err := wantLayout(f.tensors[name].Tensor); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
		}
	}
	if arrays, err = loadAll(path, f); err != nil {
		return nil, nil, err
	}
	return arrays, f.metadata, nil
}

// SaveSafetensors writes arrays and metadata to a .safetensors file. The file appears complete or not at all. A path with
// the extension .json is refused: [OpenSafetensors] takes such a file for the index of a sharded checkpoint.
func SaveSafetensors(path string, arrays []Named, metadata map[string]string) error {
	const fn Func = "nd.SaveSafetensors"
	if isIndex(path) {
		return fn.Errorf(nil, "%s: .json is the extension of an index: want another one, such as .safetensors", path)
	}
	return wholefile.Write(path, func(w io.Writer) error { return WriteSafetensors(w, arrays, metadata) })
}
