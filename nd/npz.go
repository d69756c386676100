package nd

import (
	"fmt"
	"io"
	"runtime"

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

// Close closes the file that OpenNpz opened.
func (z *Npz) Close() error {
	if z.file == nil {
		return nil
	}
	return z.file.Close()
}

// Names returns the arrays' names in the order of the file. Members that are not arrays are left out.
func (z *Npz) Names() []string { return z.archive.Names() }

// Read reads the array of that name.
func (z *Npz) Read(name string) (*Array, error) {
	return readElements("Npz.Read", func(room npy.Room) error { return z.archive.Read(name, room) })
}

// StringNames returns the names of the text members, in the order of the file.
func (z *Npz) StringNames() []string { return z.archive.Texts() }

// ReadStrings reads the text of that name: a NumPy array of str ("U") or bytes ("S").
func (z *Npz) ReadStrings(name string) (Strings, error) {
	t, err := z.archive.ReadText(name)
	if err != nil {
		return Strings{}, fmt.Errorf("nd.Npz: %w", err)
	}
	return Strings(t), nil
}

// Strings is an array of strings in a file: its shape, and the elements in row-major order. A single string has shape
// ().
type Strings struct {
	Shape  []int
	Values []string
}

// NpzWriter writes an archive of arrays and texts in NumPy's .npz format, one after the other.
type NpzWriter struct{ archive *npy.ArchiveWriter }

// NewNpzWriter begins an archive. If compress is set, its members are deflated.
func NewNpzWriter(w io.Writer, compress bool) *NpzWriter {
	return &NpzWriter{npy.NewArchiveWriter(w, compress)}
}

// Write writes an array under a name.
func (z *NpzWriter) Write(name string, x *Array) error {
	h, data := x.encode("NpzWriter.Write")
	member, err := z.archive.Create(name, h)
	if err == nil {
		err = npy.WriteData(member, h, data)
		runtime.KeepAlive(x)
	}
	return err
}

// WriteStrings writes a text under a name, as NumPy stores an array of str.
func (z *NpzWriter) WriteStrings(name string, t Strings) error {
	return z.archive.WriteText(name, npy.Text(t))
}

// Close writes the directory, which every reader needs.
func (z *NpzWriter) Close() error { return z.archive.Close() }

// WriteNpz writes arrays in NumPy's .npz format, in their order, deflated if compress is set. [NpzWriter] can also
// write texts.
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
	return named(fn, err)
}

// SaveNpz writes arrays to an .npz file. The file appears complete or not at all.
// NumPy: savez, savez_compressed.
func SaveNpz(path string, arrays []Named, compress bool) error {
	return wholefile.Write(path, func(w io.Writer) error { return WriteNpz(w, arrays, compress) })
}

// CreateNpz makes an .npz file from what the function members writes. The file appears complete or not at all.
func CreateNpz(path string, compress bool, members func(*NpzWriter) error) error {
	return wholefile.Write(path, func(w io.Writer) error { return writeNpz("nd.CreateNpz", w, compress, members) })
}

// LoadNpz reads all arrays of an .npz file, in their order; NamedArrays.Get finds one by its name. [OpenNpz] reads
// arrays one at a time, and also reads texts.
func LoadNpz(path string) (NamedArrays, error) {
	z, err := OpenNpz(path)
	if err != nil {
		return nil, err
	}
	return loadAll(path, z)
}
