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

// ReadNpy reads one array in NumPy's .npy format. Fortran order is kept in the strides. What the file says of sizes is
// not trusted: memory is taken as data arrive.
func ReadNpy(r io.Reader) (*Array, error) {
	h, data, err := npy.Read(r, 0)
	if err != nil {
		return nil, fmt.Errorf("nd.ReadNpy: %w", err)
	}
	return fromNpy("nd.ReadNpy", h, data)
}

// fromNpy makes an array of a decoded file.
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

// WriteNpy writes x in NumPy's .npy format. An array in Fortran order is written so; any other in C order.
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

// encode makes the header and the elements in the order of the file.
func (x *Array) encode(fn Func) (npy.Header, []byte) {
	x.check(fn)
	if x.weak != nil {
		x = materialize(x)
	}
	fortran := x.IsFortran() && !x.IsContiguous()
	if fortran {
		detached := x.Detach()
		x = instead(detached, detached.T())
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

// LoadNpy reads the array in an .npy file. numpy.load.
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

// SaveNpy writes x to an .npy file, which appears whole or not at all. numpy.save.
func SaveNpy(path string, x *Array) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpy(w, x) })
}

// Npz is an open archive of arrays in NumPy's .npz format.
type Npz struct {
	archive *npy.Archive
	file    io.Closer
}

// ReadNpz opens an archive of the given size.
func ReadNpz(r io.ReaderAt, size int64) (*Npz, error) {
	a, err := npy.OpenArchive(r, size)
	if err != nil {
		return nil, fmt.Errorf("nd.ReadNpz: %w", err)
	}
	return &Npz{archive: a}, nil
}

// OpenNpz opens an .npz file. The caller closes it.
func OpenNpz(path string) (*Npz, error) {
	z, file, err := openSized(path, ReadNpz)
	if err != nil {
		return nil, err
	}
	z.file = file
	return z, nil
}

// openSized opens a file and reads it with a function that is told its size; the caller closes the file. It is closed
// where reading fails.
func openSized[T any](path string, read func(r io.ReaderAt, size int64) (T, error)) (v T, file io.Closer, err error) {
	f, err := os.Open(path)
	if err != nil {
		return v, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return v, nil, err
	}
	if v, err = read(f, info.Size()); err != nil {
		f.Close()
		return v, nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, f, nil
}

// Close closes the file that OpenNpz opened.
func (z *Npz) Close() error {
	if z.file == nil {
		return nil
	}
	return z.file.Close()
}

// Names returns the arrays' names in the order of the file. Members that are no arrays are left alone.
func (z *Npz) Names() []string { return z.archive.Names() }

// Read reads the array of that name.
func (z *Npz) Read(name string) (*Array, error) {
	h, data, err := z.archive.Read(name)
	if err != nil {
		return nil, fmt.Errorf("nd.Npz: %w", err)
	}
	return fromNpy("Npz.Read", h, data)
}

// WriteNpz writes arrays in NumPy's .npz format, in their order, deflated if compress is set.
func WriteNpz(w io.Writer, arrays []Named, compress bool) error {
	const fn Func = "nd.WriteNpz"
	a := npy.NewArchiveWriter(w, compress)
	for _, n := range arrays {
		h, data := n.Array.encode(fn)
		member, err := a.Create(n.Name, h)
		if err == nil {
			err = npy.WriteData(member, h, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", fn, n.Name, err)
		}
	}
	if err := a.Close(); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// SaveNpz writes arrays to an .npz file, which appears whole or not at all. numpy.savez, numpy.savez_compressed.
func SaveNpz(path string, arrays []Named, compress bool) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpz(w, arrays, compress) })
}

// LoadNpz reads all arrays of an .npz file, in their order; NamedArrays.Get finds one by its name. [OpenNpz] reads one at a
// time.
func LoadNpz(path string) (NamedArrays, error) {
	z, err := OpenNpz(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var all NamedArrays
	for _, name := range z.Names() {
		x, err := z.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, Named{name, x})
	}
	return all, nil
}
