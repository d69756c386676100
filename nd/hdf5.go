package nd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/hdf5"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// HDF5 is an open file in the HDF5 format. Only a list of its objects is in memory: an array is read when it is asked for,
// whole or a few rows at a time, so that the file may be larger than the memory. An object is named by its path, such as
// "conv1/W"; the root group, which holds all others, has the empty path. Many goroutines may read at once.
//
// OpenHDF5 reads what libhdf5 and h5py write, in every version of the format: arrays of the 15 dtypes in both byte orders
// (an enumeration FALSE, TRUE is bool, another one is integers; a compound of floats r and i is complex), texts,
// attributes, hard and soft links; compact, contiguous and chunked data; the filters deflate, shuffle and fletcher32.
// What is no array is refused when it is read, and the rest of the file stays readable: other compounds, references, lists
// of variable length, other filters, data and links in other files.
type HDF5 struct {
	contents *hdf5.File
	file     io.Closer // nil if the caller supplied the reader
	byPath   map[string]*hdf5.Object
}

// HDF5Kind says what an object of an HDF5 file is.
type HDF5Kind string

// The kinds of objects.
const (
	HDF5Group      HDF5Kind = "group"
	HDF5Array      HDF5Kind = "array"
	HDF5Text       HDF5Kind = "text"
	HDF5Null       HDF5Kind = "null"     // a dataset without elements: not even an empty array
	HDF5Datatype   HDF5Kind = "datatype" // that has a name
	HDF5Unreadable HDF5Kind = "unreadable"
)

// HDF5Object describes an object of an HDF5 file.
type HDF5Object struct {
	Path  string
	Kind  HDF5Kind
	DType dtype.DType // of an array
	Shape []int       // of an array or of a text
	Err   error       // why it cannot be read, if it is unreadable
}

// OpenHDF5 opens an HDF5 file. The caller closes it.
func OpenHDF5(path string) (*HDF5, error) {
	f, file, err := openSized(path, NewHDF5)
	if err != nil {
		return nil, err
	}
	f.file = file
	return f, nil
}

// NewHDF5 reads the headers of a file of the given size.
func NewHDF5(r io.ReaderAt, size int64) (*HDF5, error) {
	contents, err := hdf5.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("nd.NewHDF5: %w", err)
	}
	f := &HDF5{contents: contents, byPath: map[string]*hdf5.Object{}}
	for _, o := range contents.Objects {
		f.byPath[o.Path] = o
	}
	return f, nil
}

// Close closes the file that OpenHDF5 opened.
func (f *HDF5) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Names returns the paths of the arrays and of everything that is unreadable, in the order of [HDF5.Objects].
func (f *HDF5) Names() []string {
	var names []string
	for _, o := range f.contents.Objects {
		if o.Kind == hdf5.Array || o.Kind == hdf5.Unreadable {
			names = append(names, o.Path)
		}
	}
	return names
}

// Objects describes all objects: each group before its members. They are in the order of their creation if the file tracks
// it, else sorted by name. An object with several links has several paths. A group that holds itself, perhaps further
// below, is listed there without its members.
func (f *HDF5) Objects() []HDF5Object {
	all := make([]HDF5Object, len(f.contents.Objects))
	for i, o := range f.contents.Objects {
		all[i] = HDF5Object{o.Path, hdf5Kind(o.Kind), dtype.Unspecified, slices.Clone(o.Header.Shape), o.Err}
		if o.Kind == hdf5.Array {
			all[i].DType = o.Header.DType
		}
	}
	return all
}

func hdf5Kind(k hdf5.Kind) HDF5Kind {
	return [...]HDF5Kind{hdf5.Unreadable: HDF5Unreadable, hdf5.Group: HDF5Group, hdf5.Array: HDF5Array, hdf5.Text: HDF5Text,
		hdf5.Null: HDF5Null, hdf5.Datatype: HDF5Datatype}[k]
}

// find returns the object with a path, with or without a slash before it.
func (f *HDF5) find(fn Func, path string) (*hdf5.Object, error) {
	if o := f.byPath[strings.Trim(path, "/")]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("%s: there is no object %q", fn, path)
}

// findArray returns the array with a path.
func (f *HDF5) findArray(fn Func, path string) (*hdf5.Object, error) {
	return f.findKind(fn, path, hdf5.Array, "an array")
}

// findKind returns the object with a path, which must be of a kind.
func (f *HDF5) findKind(fn Func, path string, kind hdf5.Kind, want string) (*hdf5.Object, error) {
	o, err := f.find(fn, path)
	switch {
	case err != nil:
		return nil, err
	case o.Err != nil:
		return nil, fmt.Errorf("%s: %q: %w", fn, path, o.Err)
	case o.Kind != kind:
		return nil, fmt.Errorf("%s: %q is a %s, want %s", fn, path, hdf5Kind(o.Kind), want)
	}
	return o, nil
}

// Info returns the dtype and the shape of the array with that path.
func (f *HDF5) Info(name string) (dtype.DType, []int, error) {
	o, err := f.findArray("HDF5.Info", name)
	if err != nil {
		return dtype.Unspecified, nil, err
	}
	return o.Header.DType, slices.Clone(o.Header.Shape), nil
}

// Read reads the array with that path.
func (f *HDF5) Read(name string) (*Array, error) {
	const fn Func = "HDF5.Read"
	o, err := f.findArray(fn, name)
	if err != nil {
		return nil, err
	}
	return readMember(fn, name, func(room npy.Room) error { return f.contents.Read(o, room) })
}

// Rows reads the rows of an array from index from up to, but not including, index to. A row is the part of the array at
// one index of the first axis. Only the chunks that hold the rows are read.
func (f *HDF5) Rows(name string, from, to int) (*Array, error) {
	const fn Func = "HDF5.Rows"
	o, err := f.findArray(fn, name)
	if err != nil {
		return nil, err
	}
	if err := checkRows(fn, name, o.Header.Shape, from, to); err != nil {
		return nil, err
	}
	return readMember(fn, name, func(room npy.Room) error { return f.contents.ReadRows(o, from, to, room) })
}

// ReadStrings reads the text with that path.
func (f *HDF5) ReadStrings(name string) (Strings, error) {
	const fn Func = "HDF5.ReadStrings"
	o, err := f.findKind(fn, name, hdf5.Text, "a text")
	if err != nil {
		return Strings{}, err
	}
	t, err := f.contents.ReadText(o)
	if err != nil {
		return Strings{}, fmt.Errorf("%s: %q: %w", fn, name, err)
	}
	return Strings(t), nil
}

// AttributeNames returns the names of the attributes of an object: in the order of their creation if the file tracks it,
// else sorted. The attributes of the file itself are those of the root group, whose path is empty.
func (f *HDF5) AttributeNames(path string) ([]string, error) {
	all, err := f.attributes("HDF5.AttributeNames", path)
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names, err
}

func (f *HDF5) attributes(fn Func, path string) ([]hdf5.Attribute, error) {
	o, err := f.find(fn, path)
	if err != nil {
		return nil, err
	}
	all, err := f.contents.Attributes(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %q: %w", fn, path, err)
	}
	return all, nil
}

// Attribute reads an attribute of an object: an *[Array], or [Strings], or nil for an attribute without elements.
func (f *HDF5) Attribute(path, name string) (any, error) {
	const fn Func = "HDF5.Attribute"
	all, err := f.attributes(fn, path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(a hdf5.Attribute) bool { return a.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s: %q has no attribute %q", fn, path, name)
	}
	var t npy.Text
	switch a := &all[i]; {
	case a.Err != nil:
		err = a.Err
	case a.Kind == hdf5.Array:
		return readElements(fn, func(room npy.Room) error { return f.contents.ReadAttribute(a, room) })
	case a.Kind == hdf5.Null:
		return nil, nil
	default:
		if t, err = f.contents.AttributeText(a); err == nil {
			return Strings(t), nil
		}
	}
	return nil, fmt.Errorf("%s: attribute %q of %q: %w", fn, name, path, err)
}

// LoadHDF5 reads all arrays of an HDF5 file under their paths, such as "conv1/W". Groups, texts and attributes are left
// out. A dataset that is no array is an error, which names it: [OpenHDF5] reads the others, and also texts, attributes, and
// a few rows at a time.
func LoadHDF5(path string) (NamedArrays, error) {
	f, err := OpenHDF5(path)
	if err != nil {
		return nil, err
	}
	return loadAll(path, f)
}
