package nd

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/internal/safetensors"
)

// ReadSafetensors reads all arrays of a file in the safetensors format, in the order of their data, and the file's
// metadata (nil if there are none). ReadSafetensors does not trust the header: it allocates memory as data arrive. It
// refuses a file if arrays overlap, if gaps or other data lie between or after them, or if two have the same name.
func ReadSafetensors(r io.Reader) (arrays NamedArrays, metadata map[string]string, err error) {
	const fn Func = "nd.ReadSafetensors"
	metadata, err = safetensors.Read(r, func(t safetensors.Tensor, data []byte) {
		arrays = append(arrays, Named{t.Name, fromBytes(fn, cpu, t.DType, data, len(data)/t.DType.Size(), t.Shape)})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", fn, err)
	}
	return arrays, metadata, nil
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
	err := safetensors.Write(w, tensors, metadata, func(i int) []byte {
		data := make([]byte, arrays[i].Array.Bytes())
		arrays[i].Array.copyOut(fn, data)
		return data
	})
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// LoadSafetensors reads all arrays and the metadata of a .safetensors file.
func LoadSafetensors(path string) (arrays NamedArrays, metadata map[string]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	arrays, metadata, err = ReadSafetensors(bufio.NewReader(f))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, metadata, nil
}

// SaveSafetensors writes arrays and metadata to a .safetensors file. The file appears complete or not at all.
func SaveSafetensors(path string, arrays []Named, metadata map[string]string) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteSafetensors(w, arrays, metadata) })
}
