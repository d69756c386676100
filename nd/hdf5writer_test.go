package nd_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// hdf5Arrays are arrays of every dtype, and of unusual shapes and strides.
func hdf5Arrays() []nd.Named {
	whole := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	var arrays []nd.Named
	for d := dtype.Bool; d < dtype.Count; d++ {
		arrays = append(arrays, nd.Named{Name: "all/" + d.String(), Array: whole.AsType(d)})
	}
	return append(arrays, nd.Named{Name: "turned", Array: whole.T()}, nd.Named{Name: "a/b/0-d", Array: nd.Scalar(2.5)},
		nd.Named{Name: "a/empty", Array: nd.Zeros([]int{0, 3})}, nd.Named{Name: "a/backward", Array: whole.Index(nd.At(0), nd.All().By(-1))},
		nd.Named{Name: "größe/数", Array: nd.FromSlice([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)})},
		nd.Named{Name: "rank", Array: nd.Ones(slices.Repeat([]int{1}, 32))})
}

func TestHDF5RoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	want := hdf5Arrays()
	for _, compress := range []bool{false, true} {
		o := nd.HDF5Options{Compress: compress}
		if err := nd.SaveHDF5(path, want, o); err != nil {
			t.Fatal(err)
		}
		got, err := nd.LoadHDF5(path)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), err)
		}
		for _, n := range want {
			if x := got.Get(n.Name); x == nil || x.GoString() != n.Array.GoString() {
				t.Errorf("wrote %q %#v, read %#v", n.Name, n.Array, x)
			}
		}
		if names := fmt.Sprint(got.Names()[15:18]); names != "[turned a/b/0-d a/empty]" {
			t.Errorf("names %s: not in the order of creation", names)
		}
		file, _ := os.ReadFile(path)
		var again bytes.Buffer
		if err := nd.WriteHDF5(&again, want, o); err != nil || !bytes.Equal(again.Bytes(), file) {
			t.Errorf("the same arrays make other bytes: %v", err)
		}
		for cut := range file {
			if f, err := newHDF5(file[:cut]); err == nil {
				t.Fatalf("a file cut off after %d of %d bytes was read: %v", cut, len(file), f.Names())
			}
		}
	}
}

// TestHDF5Slabs compresses arrays of more than one chunk.
func TestHDF5Slabs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	var arrays []nd.Named
	shapes := [][]int{{1<<18 + 1}, {3, 1<<18 + 5}, {5, 1, 1}, {1 << 18}, {1000, 1000}, {3, 1<<19 + 5}, {2, 2, 1 << 18, 2}, {70, 1 << 18}, {1, 1 << 19}}
	if testing.Short() {
		shapes = shapes[:3]
	}
	for _, shape := range shapes {
		n := 1
		for _, m := range shape {
			n *= m
		}
		arrays = append(arrays, nd.Named{Name: fmt.Sprint(shape), Array: nd.ArangeInt(0, n, 1, dtype.Int32).Reshape(shape...)})
	}
	if err := nd.SaveHDF5(path, arrays, nd.HDF5Options{Compress: true}); err != nil {
		t.Fatal(err)
	}
	f := openHDF5(t, path)
	for _, n := range arrays {
		x, err := f.Read(n.Name)
		if err != nil || !slices.Equal(nd.ToSlice[int32](x), nd.ToSlice[int32](n.Array)) || !slices.Equal(x.Shape(), n.Array.Shape()) {
			t.Fatalf("%s: differs, %v", n.Name, err)
		}
		rows := x.Dim(0)
		for _, r := range [][2]int{{rows / 3, rows/3 + 2}, {rows - 1, rows}} {
			if r[1] > rows {
				continue
			}
			part, err := f.Rows(n.Name, r[0], r[1])
			if err != nil || !slices.Equal(nd.ToSlice[int32](part), nd.ToSlice[int32](n.Array.Index(nd.Span(r[0], r[1])))) {
				t.Errorf("%s: rows %v differ, %v", n.Name, r, err)
			}
		}
	}
}

func TestHDF5TextsAndAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	lists := nd.Strings{Shape: []int{2, 2}, Values: []string{"a", "größe", "", " b "}}
	err := nd.CreateHDF5(path, func(f *nd.HDF5Writer) error {
		return errors.Join(
			f.Write("g/x", nd.ArangeInt(0, 3, 1)),
			f.WriteStrings("g/text", nd.Strings{Values: []string{"a text"}}),
			f.WriteStrings("list", lists),
			f.WriteNull("null"),
			f.Group("g"),
			f.Group("empty/group"),
			f.Attribute("", "version", "1"),
			f.Attribute("g/x", "z", nd.FromSlice([]bool{true, false})),
			f.Attribute("g/x", "a", nd.Scalar(int64(7))),
			f.Attribute("g/x", "list", lists),
			f.Attribute("g", "none", nil),
			f.Attribute("null", "long", nd.Zeros([]int{8000})))
	})
	if err != nil {
		t.Fatal(err)
	}
	found, errs := everything(openHDF5(t, path))
	want := []string{": group", "@version: {[] [1]}", "g: group", "g@none: <nil>", "g/x: " + nd.ArangeInt(0, 3, 1).GoString(),
		"g/x@z: " + nd.FromSlice([]bool{true, false}).GoString(), "g/x@a: " + nd.Scalar(int64(7)).GoString(), fmt.Sprintf("g/x@list: %v", lists),
		"g/text: {[] [a text]}", fmt.Sprintf("list: %v", lists), "null: null", "null@long: " + nd.Zeros([]int{8000}).GoString(), "empty: group", "empty/group: group"}
	if !slices.Equal(found, want) || errs != nil {
		t.Errorf("found\n%s\nwant\n%s\nerrors %v", strings.Join(found, "\n"), strings.Join(want, "\n"), errs)
	}
	// What is no array is left out, and what is refused is named.
	arrays, err := nd.LoadHDF5(path)
	if err != nil || fmt.Sprint(arrays.Names()) != "[g/x]" {
		t.Errorf("arrays %v, %v", arrays.Names(), err)
	}
	if _, err := nd.LoadHDF5(filepath.Join("testdata", "hdf5", "old.h5")); err == nil || !strings.Contains(err.Error(), `old.h5: HDF5.Read: "lost": a link to "/nowhere"`) {
		t.Errorf("a lost link: error %v", err)
	}
}

func TestHDF5WriterRefusals(t *testing.T) {
	x := nd.Ones([]int{2})
	dir := t.TempDir()
	for want, members := range map[string]func(f *nd.HDF5Writer) error{
		`HDF5Writer.Write: there is already an object "a/x"`: func(f *nd.HDF5Writer) error { return errors.Join(f.Write("a/x", x), f.Write("a/x", x)) },
		`HDF5Writer.Write: there is already an object "a"`:   func(f *nd.HDF5Writer) error { return errors.Join(f.Group("a/x"), f.Write("a", x)) },
		`HDF5Writer.Group: there is already an object "a"`:   func(f *nd.HDF5Writer) error { return errors.Join(f.Write("a", x), f.Group("a")) },
		`"a" is no group`:                func(f *nd.HDF5Writer) error { return errors.Join(f.Write("a", x), f.Write("a/b", x)) },
		`"/a" cannot be the path`:        func(f *nd.HDF5Writer) error { return f.Write("/a", x) },
		`"a//b" cannot be the path`:      func(f *nd.HDF5Writer) error { return f.WriteStrings("a//b", nd.Strings{Values: []string{""}}) },
		`"a/." cannot be the path`:       func(f *nd.HDF5Writer) error { return f.WriteNull("a/.") },
		`"\xff" cannot be the path`:      func(f *nd.HDF5Writer) error { return f.Group("\xff") },
		`"" cannot be the path`:          func(f *nd.HDF5Writer) error { return f.Write("", x) },
		`no object "b" for an attribute`: func(f *nd.HDF5Writer) error { return f.Attribute("b", "n", x) },
		`already has an attribute "n"`:   func(f *nd.HDF5Writer) error { return errors.Join(f.Attribute("", "n", x), f.Attribute("", "n", nil)) },
		`cannot be the name`:             func(f *nd.HDF5Writer) error { return f.Attribute("", "", x) },
		`has room for 65535`:             func(f *nd.HDF5Writer) error { return f.Attribute("", "n", nd.Zeros([]int{1 << 13})) },
		`a int cannot be written`:        func(f *nd.HDF5Writer) error { return f.Attribute("", "n", 3) },
		`1 texts for 2 elements`: func(f *nd.HDF5Writer) error {
			return f.WriteStrings("a", nd.Strings{Shape: []int{2}, Values: []string{"a"}})
		},
		`element 0 is not UTF-8, or ends`: func(f *nd.HDF5Writer) error { return f.Attribute("", "n", "a\x00") },
		"it failed":                       func(f *nd.HDF5Writer) error { return errors.New("it failed") },
	} {
		path := filepath.Join(dir, "a.h5")
		if err := nd.CreateHDF5(path, members); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "nd.CreateHDF5: ") {
			t.Errorf("error %v, want %q", err, want)
		}
		var out bytes.Buffer
		f := nd.NewHDF5Writer(&out)
		if err := members(f); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes were written", want, err, out.Len())
		}
	}
	func() {
		defer func() {
			if e, ok := recover().(*nd.Error); !ok || !strings.Contains(e.Error(), "nd.SaveHDF5: the array is nil") {
				t.Errorf("a nil array: %v", e)
			}
		}()
		nd.SaveHDF5(filepath.Join(dir, "a.h5"), []nd.Named{{Name: "a"}})
	}()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if err := nd.SaveHDF5(filepath.Join(dir, "no", "a.h5"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if err := nd.WriteHDF5(fullDisk{}, []nd.Named{{Name: "a", Array: x}}); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a full disk: %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }
