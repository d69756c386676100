package nd

import (
	"fmt"
	"io"
	"runtime"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// ReadNpy reads one array in NumPy's .npy format. The strides keep Fortran order. ReadNpy does not trust the sizes that
// the file declares: it allocates memory as data arrive, unless r has a method Len, as bytes.Reader has, which says how
// many bytes remain.
func ReadNpy(r io.Reader) (*Array, error) { return readNpy(r, remaining(r)) }

// readNpy reads an array from a source that is known to hold so many bytes.
func readNpy(r io.Reader, known int64) (*Array, error) {
	return readElements("nd.ReadNpy", func(room npy.Room) error { return npy.Read(r, known, room) })
}

// remaining returns the number of bytes that r is known to hold.
func remaining(r io.Reader) int64 {
	if sized, ok := r.(interface{ Len() int }); ok {
		return int64(sized.Len())
	}
	return 0
}

// readElements makes an array of the elements that a decoder reads into the memory that it asks for.
func readElements(fn Func, read func(npy.Room) error) (x *Array, err error) {
	fortran := false
	err = read(func(h npy.Header) ([]byte, error) {
		if err := broadcast.CheckShape(h.Shape); err != nil { // the format allows more axes than an array can have
			return nil, err
		}
		shape := h.Shape
		if fortran = h.Fortran; fortran {
			shape = reversed(shape)
		}
		x = allocate(fn, cpu, h.DType, shape)
		return x.store.visible()[:x.Bytes()], nil
	})
	switch {
	case err != nil:
		if x != nil {
			x.Release()
		}
		return nil, fmt.Errorf("%s: %w", fn, err)
	case fortran:
		return replaceHeader(x, x.Transpose()), nil
	}
	return x, nil
}

// WriteNpy writes x in NumPy's .npy format. An array in Fortran order is written in Fortran order, any other in C
// order.
func WriteNpy(w io.Writer, x *Array) error {
	const fn Func = "nd.WriteNpy"
	h, data := x.encode(fn)
	err := npy.WriteHeader(w, h)
	if err == nil {
		err = npy.WriteData(w, h, data)
	}
	runtime.KeepAlive(x)
	return named(fn, err)
}

// encode returns the header, and the elements in the order of the file. They are valid while the caller keeps x alive.
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
	data := x.elements(fn)
	h := npy.Header{DType: x.dtype, Fortran: fortran, Shape: x.Shape()}
	if fortran {
		h.Shape = reversed(x.shape)
	}
	return h, data
}

// LoadNpy reads the array in an .npy file.
// NumPy: load.
func LoadNpy(path string) (*Array, error) {
	return loadStream(path, readNpy)
}

// SaveNpy writes x to an .npy file. The file appears complete or not at all.
// NumPy: save.
func SaveNpy(path string, x *Array) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpy(w, x) })
}

// WriteRaw writes the elements of x, in row-major order and in little-endian byte order, without a header: a reader must
// know the shape and the dtype. In Go, binary.Read reads them into a slice, and [Wrap] makes an array of that.
// NumPy: ndarray.tofile.
func WriteRaw(w io.Writer, x *Array) error {
	const fn Func = "nd.WriteRaw"
	x.check(fn)
	if x.scalar != nil {
		x = materialize(x)
	}
	err := npy.WriteData(w, npy.Header{DType: x.dtype, Shape: x.Shape()}, x.elements(fn))
	runtime.KeepAlive(x)
	return named(fn, err)
}
