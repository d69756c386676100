package nd

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// ReadNpy reads one array in NumPy's .npy format. The strides keep Fortran order. ReadNpy does not trust the sizes that
// the file declares: it allocates memory as data arrive.
func ReadNpy(r io.Reader) (*Array, error) {
	h, data, err := npy.Read(r, 0)
	if err != nil {
		return nil, fmt.Errorf("nd.ReadNpy: %w", err)
	}
	return fromNpy("nd.ReadNpy", h, data)
}

// fromNpy makes an array from a decoded file.
func fromNpy(fn Func, h npy.Header, data []byte) (*Array, error) {
	if err := broadcast.CheckShape(h.Shape); err != nil { // the format allows more axes than an array can have
		return nil, fmt.Errorf("%s: %w", fn, err)
	}
	n := len(data) / h.DType.Size()
	if h.Fortran {
		return fromBytes(fn, cpu, h.DType, data, n, reversed(h.Shape)).Transpose(), nil
	}
	return fromBytes(fn, cpu, h.DType, data, n, append([]int{}, h.Shape...)), nil
}

// WriteNpy writes x in NumPy's .npy format. An array in Fortran order is written in Fortran order, any other in C
// order.
func WriteNpy(w io.Writer, x *Array) error {
	const fn Func = "nd.WriteNpy"
	h, data := x.encode(fn)
	if err := npy.WriteHeader(w, h); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	if err := npy.WriteData(w, h, data); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// encode returns the header, and the elements in the order of the file.
func (x *Array) encode(fn Func) (npy.Header, []byte) {
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	fortran := x.IsFortran() && !x.IsContiguous()
	if fortran {
		detached := x.Detach()
		x = replaceHeader(detached, detached.T())
		defer x.Release()
	}
	data := make([]byte, x.Bytes())
	x.copyOut(fn, data)
	h := npy.Header{DType: x.dtype, Fortran: fortran, Shape: x.Shape()}
	if fortran {
		h.Shape = reversed(x.shape)
	}
	return h, data
}

// LoadNpy reads the array in an .npy file.
// NumPy: load.
func LoadNpy(path string) (*Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x, err := ReadNpy(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// SaveNpy writes x to an .npy file. The file appears complete or not at all.
// NumPy: save.
func SaveNpy(path string, x *Array) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpy(w, x) })
}
