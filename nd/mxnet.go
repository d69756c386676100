package nd

import (
	"fmt"
	"io"
	"runtime"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/internal/mxnet"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// LoadMXNet reads all arrays of MXNet's .params file, in their order: what mxnet.nd.save, npx.save and Gluon's
// save_parameters write, in every version of the format. The names are empty if the file has a list of arrays. Sparse
// arrays become dense, within reason: a sparse array is refused if it is more than 16 times as large as the file.
// MXNet: nd.load, npx.load.
func LoadMXNet(path string) (NamedArrays, error) {
	return loadStream(path, readMXNet)
}

// ReadMXNet is [LoadMXNet] for a reader. It trusts no size that the file declares, as [ReadNpy].
func ReadMXNet(r io.Reader) (NamedArrays, error) { return readMXNet(r, remaining(r)) }

func readMXNet(r io.Reader, size int64) (arrays NamedArrays, err error) {
	const fn Func = "nd.ReadMXNet"
	names, err := mxnet.Read(r, size, func(h npy.Header) ([]byte, error) {
		x := allocate(fn, cpu, h.DType, h.Shape)
		arrays = append(arrays, Named{"", x})
		return x.store.visible()[:x.Bytes()], nil
	})
	if err != nil {
		for _, a := range arrays {
			a.Array.Release()
		}
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	for i, name := range names {
		arrays[i].Name = name
	}
	return arrays, nil
}

// WriteMXNet writes arrays in the format of MXNet's .params files. Without any name the file has a list of arrays.
// MXNet reads 0-d and empty arrays only after npx.set_np. The format has no complex numbers.
func WriteMXNet(w io.Writer, arrays []Named) error {
	const fn Func = "nd.WriteMXNet"
	all := make([]mxnet.Array, len(arrays))
	for i, n := range arrays {
		n.Array.check(fn)
		all[i] = mxnet.Array{Name: n.Name, DType: n.Array.dtype, Shape: n.Array.Shape()}
	}
	err := mxnet.Write(w, all, func(i int) []byte { return arrays[i].Array.elements(fn) })
	runtime.KeepAlive(arrays)
	return named(fn, err)
}

// SaveMXNet writes arrays to a .params file, as [WriteMXNet]. The file appears complete or not at all.
// MXNet: nd.save, npx.save.
func SaveMXNet(path string, arrays []Named) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteMXNet(w, arrays) })
}
