package nd

import (
	"fmt"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

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

// StringNames returns the names of the members that hold text, in the order of the file.
func (z *Npz) StringNames() []string { return z.archive.Texts() }

// ReadStrings reads the text of that name, one of NumPy's arrays of str ("U") or bytes ("S").
func (z *Npz) ReadStrings(name string) (Strings, error) {
	t, err := z.archive.ReadText(name)
	if err != nil {
		return Strings{}, fmt.Errorf("nd.Npz: %w", err)
	}
	return Strings(t), nil
}

// Strings is an array of strings in a file: its shape, and the elements in row-major order. A single string has no axes.
type Strings struct {
	Shape  []int
	Values []string
}

// NpzWriter writes an archive of arrays and texts in NumPy's .npz format, one after the other.
type NpzWriter struct{ archive *npy.ArchiveWriter }

// NewNpzWriter begins an archive, whose members are deflated if compress is set.
func NewNpzWriter(w io.Writer, compress bool) *NpzWriter {
	return &NpzWriter{npy.NewArchiveWriter(w, compress)}
}

// Write writes an array under a name.
func (z *NpzWriter) Write(name string, x *Array) error {
	h, data := x.encode("NpzWriter.Write")
	member, err := z.archive.Create(name, h)
	if err == nil {
		err = npy.WriteData(member, h, data)
	}
	return err
}

// WriteStrings writes a text under a name, as an array of str is in NumPy.
func (z *NpzWriter) WriteStrings(name string, t Strings) error {
	return z.archive.WriteText(name, npy.Text(t))
}

// Close writes the directory, without which no reader accepts the archive.
func (z *NpzWriter) Close() error { return z.archive.Close() }

// WriteNpz writes arrays in NumPy's .npz format, in their order, deflated if compress is set. [NpzWriter] writes texts beside
// them.
func WriteNpz(w io.Writer, arrays []Named, compress bool) error {
	return writeNpz("nd.WriteNpz", w, compress, func(z *NpzWriter) error {
		for _, n := range arrays {
			if err := z.Write(n.Name, n.Array); err != nil {
				return fmt.Errorf("%s: %w", n.Name, err)
			}
		}
		return nil
	})
}

func writeNpz(fn Func, w io.Writer, compress bool, members func(*NpzWriter) error) error {
	z := NewNpzWriter(w, compress)
	err := members(z)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// SaveNpz writes arrays to an .npz file, which appears whole or not at all. numpy.savez, numpy.savez_compressed.
func SaveNpz(path string, arrays []Named, compress bool) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpz(w, arrays, compress) })
}

// CreateNpz makes an .npz file, which appears whole or not at all, of what a function writes.
func CreateNpz(path string, compress bool, members func(*NpzWriter) error) error {
	return wholefile.Write(path, func(w io.Writer) error { return writeNpz("nd.CreateNpz", w, compress, members) })
}

// LoadNpz reads all arrays of an .npz file, in their order; NamedArrays.Get finds one by its name. [OpenNpz] reads one at a
// time, and texts.
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
