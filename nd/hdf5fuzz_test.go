package nd_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// FuzzHDF5: reading ends without a panic within the memory that is allowed, and what was read is written and read again.
func FuzzHDF5(f *testing.F) {
	seeds, err := filepath.Glob("internal/hdf5/testdata/seeds/*.h5")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds ", err)
	}
	for _, path := range seeds {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	var small bytes.Buffer
	w := nd.NewHDF5Writer(&small, nd.HDF5Options{Compress: true})
	if err := errors.Join(w.Write("a/x", nd.ArangeInt(0, 6, 1).Reshape(2, 3)), w.WriteStrings("t", nd.Strings{Values: []string{"ab"}}), w.WriteNull("n"),
		w.Attribute("a", "k", nd.Scalar(2.5)), w.Attribute("", "t", "ö"), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(small.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := newHDF5(file)
		if err != nil {
			return
		}
		found, _ := everything(r)
		if len(found) > 1000 {
			return
		}
		var out bytes.Buffer
		w := nd.NewHDF5Writer(&out)
		if !copyHDF5(r, w) {
			return // such as names with a zero
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := newHDF5(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		copied, errs := everything(again)
		slices.Sort(copied)
		slices.Sort(found)
		if !slices.Equal(found, copied) || errs != nil {
			t.Fatalf("read\n%s\nwritten and read again\n%s\nerrors %v", strings.Join(found, "\n"), strings.Join(copied, "\n"), errs)
		}
	})
}

// copyHDF5 copies what can be read, and reports whether that is possible.
func copyHDF5(r *nd.HDF5, w *nd.HDF5Writer) bool {
	for _, o := range r.Objects() {
		var err error
		switch o.Kind {
		case nd.HDF5Array:
			x, unreadable := r.Read(o.Path)
			if unreadable != nil {
				return false
			}
			err = w.Write(o.Path, x)
		case nd.HDF5Text:
			s, unreadable := r.ReadStrings(o.Path)
			if unreadable != nil {
				return false
			}
			err = w.WriteStrings(o.Path, s)
		case nd.HDF5Null:
			err = w.WriteNull(o.Path)
		case nd.HDF5Group:
			if o.Path != "" {
				err = w.Group(o.Path)
			}
		default:
			return false
		}
		if err != nil {
			return false
		}
		names, err := r.AttributeNames(o.Path)
		if err != nil {
			return false
		}
		for _, name := range names {
			v, err := r.Attribute(o.Path, name)
			if err != nil || w.Attribute(o.Path, name, v) != nil {
				return false
			}
		}
	}
	return true
}

// FuzzHDF5RoundTrip writes an array of any dtype and shape, and reads it and some of its rows.
func FuzzHDF5RoundTrip(f *testing.F) {
	f.Add(uint8(3), uint16(2), uint16(3), uint16(4), true, uint16(1), "a/b")
	f.Add(uint8(10), uint16(0), uint16(3), uint16(1), false, uint16(0), "ö")
	f.Add(uint8(14), uint16(1), uint16(300), uint16(400), true, uint16(0), "x")
	f.Fuzz(func(t *testing.T, kind uint8, n, m, k uint16, compress bool, at uint16, name string) {
		d := dtype.Bool + dtype.DType(kind)%(dtype.Count-dtype.Bool)
		if int(n)*int(m)*int(k) > 1<<18 {
			return
		}
		x := nd.ArangeInt(0, int(n)*int(m)*int(k), 1).Reshape(int(n), int(m), int(k)).AsType(d).Transpose(int(at)%3, (int(at)+1)%3, (int(at)+2)%3)
		var out bytes.Buffer
		if err := nd.WriteHDF5(&out, []nd.Named{{Name: name, Array: x}}, nd.HDF5Options{Compress: compress}); err != nil {
			if strings.Contains(err.Error(), "cannot be the path") {
				return
			}
			t.Fatal(err)
		}
		r, err := newHDF5(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		y, err := r.Read(name)
		if err != nil || y.DType() != d || !slices.Equal(y.Shape(), x.Shape()) || !equalElements(x, y) {
			t.Fatalf("%s%v: read %v, %v", d, x.Shape(), y, err)
		}
		from := int(at) % (x.Dim(0) + 1)
		part, err := r.Rows(name, from, x.Dim(0))
		if err != nil || !equalElements(part, x.Index(nd.Span(from, x.Dim(0)))) {
			t.Fatalf("%s%v: rows from %d: %v, %v", d, x.Shape(), from, part, err)
		}
	})
}

// equalElements compares arrays as complex numbers, exactly.
func equalElements(x, y *nd.Array) bool {
	return slices.Equal(nd.ToSlice[complex128](x.AsType(dtype.Complex128)), nd.ToSlice[complex128](y.AsType(dtype.Complex128)))
}
