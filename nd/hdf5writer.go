package nd

import (
	"bytes"
	"io"
	"runtime"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd/internal/hdf5"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// HDF5Options are the options of files that are written in the HDF5 format.
type HDF5Options struct {
	// Compress deflates the arrays, in chunks of rows of about 1 MiB. Arrays of one element stay as they are.
	Compress bool
}

// HDF5Writer writes a file in the HDF5 format, one object after the other. An object is named by its path, such as
// "conv1/W"; the groups above it are made, too. Readers that follow the order of creation get the objects in the order in
// which they were written. The same calls always make the same bytes.
type HDF5Writer struct {
	contents *hdf5.Writer
	options  HDF5Options
	w        io.Writer
	buffer   *bytes.Buffer // what goes to w, whose first bytes are known last
}

// NewHDF5Writer begins a file, which is in memory until Close writes it to w. [CreateHDF5] writes arrays as they come.
func NewHDF5Writer(w io.Writer, opts ...HDF5Options) *HDF5Writer {
	o := options.Read(Func("nd.NewHDF5Writer"), opts)
	buffer := &bytes.Buffer{}
	return &HDF5Writer{hdf5.NewWriter(buffer), o, w, buffer}
}

// Write writes an array under a path.
func (f *HDF5Writer) Write(name string, x *Array) error {
	const fn Func = "HDF5Writer.Write"
	h, data := x.rowMajor(fn)
	err := f.contents.Array(name, h, data, f.options.Compress)
	runtime.KeepAlive(x)
	return named(fn, err)
}

// rowMajor returns the header and the elements of x in row-major order. They are valid while the caller keeps x alive.
func (x *Array) rowMajor(fn Func) (npy.Header, []byte) {
	x.check(fn)
	return npy.Header{DType: x.dtype, Shape: x.Shape()}, x.elements(fn)
}

// WriteStrings writes a text under a path, as elements of the length of the longest.
func (f *HDF5Writer) WriteStrings(name string, t Strings) error {
	return named("HDF5Writer.WriteStrings", f.contents.Text(name, npy.Text(t)))
}

// WriteNull writes a dataset without elements under a path: h5py's Empty, which stands for a value that is missing.
func (f *HDF5Writer) WriteNull(name string) error {
	return named("HDF5Writer.WriteNull", f.contents.Null(name))
}

// Group makes a group, unless it exists already. Only groups without members need it.
func (f *HDF5Writer) Group(path string) error {
	return named("HDF5Writer.Group", f.contents.Group(path))
}

// Attribute adds an attribute to an object that was written before, or to the root group, whose path is empty. The value
// is an *[Array], [Strings], a string, or nil for an attribute without elements. The format has room for 64 KiB.
func (f *HDF5Writer) Attribute(path, name string, value any) error {
	const fn Func = "HDF5Writer.Attribute"
	switch v := value.(type) {
	case nil:
		return named(fn, f.contents.NullAttribute(path, name))
	case string:
		return named(fn, f.contents.TextAttribute(path, name, npy.Text{Values: []string{v}}))
	case Strings:
		return named(fn, f.contents.TextAttribute(path, name, npy.Text(v)))
	case *Array:
		h, data := v.rowMajor(fn)
		err := f.contents.ArrayAttribute(path, name, h, data)
		runtime.KeepAlive(v)
		return named(fn, err)
	}
	return fn.Errorf(nil, "attribute %q of %q: a %T cannot be written", name, path, value)
}

// Close writes the file.
func (f *HDF5Writer) Close() error {
	head, err := f.contents.Close()
	if err == nil {
		copy(f.buffer.Bytes(), head)
		_, err = f.buffer.WriteTo(f.w)
	}
	return named("HDF5Writer.Close", err)
}

// CreateHDF5 makes an HDF5 file from what the function members writes. The file appears complete or not at all.
func CreateHDF5(path string, members func(*HDF5Writer) error, opts ...HDF5Options) error {
	const fn Func = "nd.CreateHDF5"
	return createHDF5(fn, path, members, options.Read(fn, opts))
}

func createHDF5(fn Func, path string, members func(*HDF5Writer) error, o HDF5Options) error {
	return named(fn, wholefile.WriteFile(path, func(file *wholefile.File) error {
		f := &HDF5Writer{contents: hdf5.NewWriter(file), options: o}
		if err := members(f); err != nil {
			return err
		}
		head, err := f.contents.Close()
		if err == nil {
			err = file.Rewind()
		}
		if err == nil {
			_, err = file.Write(head)
		}
		return err
	}))
}

// WriteHDF5 writes arrays in the HDF5 format, under paths such as "conv1/W". It makes the file in memory. [NewHDF5Writer]
// can also write texts and attributes.
func WriteHDF5(w io.Writer, arrays []Named, opts ...HDF5Options) error {
	const fn Func = "nd.WriteHDF5"
	f := NewHDF5Writer(w, options.Read(fn, opts))
	err := f.writeAll(arrays)
	if err == nil {
		err = f.Close()
	}
	return named(fn, err)
}

func (f *HDF5Writer) writeAll(arrays []Named) error {
	for _, n := range arrays {
		if err := f.Write(n.Name, n.Array); err != nil {
			return err
		}
	}
	return nil
}

// SaveHDF5 writes arrays to an HDF5 file, under paths such as "conv1/W". The file appears complete or not at all.
func SaveHDF5(path string, arrays []Named, opts ...HDF5Options) error {
	const fn Func = "nd.SaveHDF5"
	return createHDF5(fn, path, func(f *HDF5Writer) error { return f.writeAll(arrays) }, options.Read(fn, opts))
}
