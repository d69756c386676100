package nd_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

func openHDF5(t *testing.T, path string) *nd.HDF5 {
	t.Helper()
	f, err := nd.OpenHDF5(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func newHDF5(file []byte) (*nd.HDF5, error) {
	return nd.NewHDF5(bytes.NewReader(file), int64(len(file)))
}

// everything reads all objects and attributes, and returns what it found, and the errors.
func everything(f *nd.HDF5) (found, errs []string) {
	note := func(path string, v any, err error) {
		if err != nil {
			errs = append(errs, path+": "+err.Error())
			return
		}
		if x, ok := v.(*nd.Array); ok {
			v = x.GoString()
		}
		found = append(found, fmt.Sprintf("%s: %v", path, v))
	}
	for _, o := range f.Objects() {
		switch o.Kind {
		case nd.HDF5Array:
			x, err := f.Read(o.Path)
			note(o.Path, x, err)
		case nd.HDF5Text:
			s, err := f.ReadStrings(o.Path)
			note(o.Path, s, err)
		default:
			note(o.Path, o.Kind, o.Err)
		}
		names, err := f.AttributeNames(o.Path)
		if err != nil && o.Err == nil {
			note(o.Path+"@", nil, err)
		}
		for _, name := range names {
			v, err := f.Attribute(o.Path, name)
			note(o.Path+"@"+name, v, err)
		}
	}
	return found, errs
}

// TestHDF5Layouts reads what h5py wrote: every layout, and every index of chunks.
func TestHDF5Layouts(t *testing.T) {
	for _, file := range []string{"chunks.h5", "old.h5"} {
		f := openHDF5(t, filepath.Join("testdata", "hdf5", file))
		for _, o := range f.Objects() {
			if o.Kind != nd.HDF5Array || o.Path == "gaps" || o.DType.IsComplex() {
				continue
			}
			x, err := f.Read(o.Path)
			if err != nil {
				t.Error(err)
				continue
			}
			values := nd.ToSlice[float64](x)
			for i, v := range values {
				want := float64(i)
				if o.Path == "sparse" && i != 139998 {
					want = -3
				}
				if v != want {
					t.Errorf("%s: element %d is %v, want %v", o.Path, i, v, want)
					break
				}
			}
			rows := x.Dim(0)
			for _, r := range [][2]int{{0, rows}, {1, rows - 1}, {rows / 2, rows/2 + 1}, {rows, rows}, {rows - 2, rows}} {
				part, err := f.Rows(o.Path, r[0], r[1])
				if want := x.Index(nd.Span(r[0], r[1])); err != nil || !slices.Equal(nd.ToSlice[float64](part), nd.ToSlice[float64](want)) {
					t.Errorf("%s: rows %v: %v, %v, want %v", o.Path, r, part, err, want)
				}
			}
		}
	}
	f := openHDF5(t, filepath.Join("testdata", "hdf5", "chunks.h5"))
	for _, name := range []string{"complex", "native_complex"} {
		if z, err := f.Read(name); err != nil || fmt.Sprint(z) != "[ 1.+2.j -0.-3.j]" {
			t.Errorf("%s: %v, %v", name, z, err)
		}
	}
	if dt, shape, err := f.Info("/big"); err != nil || fmt.Sprint(dt, shape) != "float64 [5 7]" {
		t.Errorf("big: %v%v, %v", dt, shape, err)
	}
	f = openHDF5(t, filepath.Join("testdata", "hdf5", "old.h5"))
	x, err := f.Read("gaps")
	if err != nil || x.Float(0, 0) != 2.5 || x.Float(4, 5) != 1 || x.Float(8, 8) != 2.5 {
		t.Errorf("gaps: %v, %v", x, err)
	}
	var kinds []string
	for _, o := range f.Objects() {
		kinds = append(kinds, o.Path+" "+string(o.Kind))
	}
	want := "[ group a group a/b group a/b/again group alias array empty null gaps array lost unreadable names text pair unreadable tree array tree_all array]"
	if fmt.Sprint(kinds) != want {
		t.Errorf("objects %v, want %v", kinds, want)
	}
	if names, err := f.ReadStrings("names"); err != nil || fmt.Sprint(names) != "{[3] [ab ö ]}" {
		t.Errorf("names: %v, %v", names, err)
	}
}

func TestHDF5Refusals(t *testing.T) {
	f := openHDF5(t, filepath.Join("testdata", "hdf5", "old.h5"))
	for what, read := range map[string]func() error{
		`HDF5.Read: there is no object "tre"`:           func() error { _, err := f.Read("tre"); return err },
		`HDF5.Read: "a" is a group, want an array`:      func() error { _, err := f.Read("a"); return err },
		`HDF5.Read: "empty" is a null`:                  func() error { _, err := f.Read("empty"); return err },
		`HDF5.Read: "pair": compounds are no array`:     func() error { _, err := f.Read("pair"); return err },
		`HDF5.Info: "names" is a text`:                  func() error { _, _, err := f.Info("names"); return err },
		`HDF5.ReadStrings: "tree" is a array`:           func() error { _, err := f.ReadStrings("tree"); return err },
		`HDF5.ReadStrings: "lost": a link`:              func() error { _, err := f.ReadStrings("lost"); return err },
		`HDF5.Rows: rows from 0 to 151`:                 func() error { _, err := f.Rows("tree", 0, 151); return err },
		`HDF5.Rows: rows from 2 to 1`:                   func() error { _, err := f.Rows("tree", 2, 1); return err },
		`HDF5.Attribute: "tree" has no attribute "n"`:   func() error { _, err := f.Attribute("tree", "n"); return err },
		`HDF5.Attribute: there is no object "x"`:        func() error { _, err := f.Attribute("x", "n"); return err },
		`HDF5.AttributeNames: "lost": a link to "/nowh`: func() error { _, err := f.AttributeNames("lost"); return err },
	} {
		if err := read(); err == nil || !strings.HasPrefix(err.Error(), what) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
	if _, err := nd.OpenHDF5(filepath.Join(t.TempDir(), "none.h5")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for what, file := range map[string][]byte{"nothing": {}, "no HDF5": make([]byte, 5000), "the signature": []byte("\x89HDF\r\n\x1a\n")} {
		if _, err := newHDF5(file); err == nil || !strings.HasPrefix(err.Error(), "nd.NewHDF5: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHDF5Damaged changes bytes of files: reading ends without a panic, and needs little memory.
func TestHDF5Damaged(t *testing.T) {
	step := 97
	if testing.Short() {
		step = 997
	}
	for _, path := range []string{"testdata/hdf5/old.h5", "testdata/hdf5/chunks.h5", "../testing/conformance/testdata/files/hdf5/attributes_earliest.h5"} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(whole); at += step {
			file := slices.Clone(whole)
			for _, b := range []byte{0xff, 0x01} {
				file[at] ^= b
				n := allocated(func() {
					if f, err := newHDF5(file); err == nil {
						for _, o := range f.Objects() {
							f.Read(o.Path)
							f.ReadStrings(o.Path)
							names, _ := f.AttributeNames(o.Path)
							for _, name := range names {
								f.Attribute(o.Path, name)
							}
						}
					}
				})
				if most := uint64(64<<20 + 16*len(file)); n > most {
					t.Fatalf("%s with byte %d changed: %d bytes of memory, at most %d are allowed", path, at, n, most)
				}
			}
		}
	}
}
