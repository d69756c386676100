package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// hdf5Record is what h5py found in a file.
type hdf5Record struct {
	File    string
	Objects []hdf5Object
}

type hdf5Object struct {
	Path, Kind string
	Attrs      map[string]hdf5Value
	hdf5Value
	Again bool // a group that is above itself
}

// hdf5Value is a dataset or an attribute.
type hdf5Value struct {
	DType   string
	Shape   []int
	Text    []string
	Empty   string // the dtype of a null dataspace
	Error   bool   // it must be refused
	Why     string
	Values  json.RawMessage // of an attribute
	Complex [][2]float64
}

// hdf5Files reads the files of a folder, and compares each object and its attributes with what h5py found in it. The
// folder hostile has malformed files.
func hdf5Files(dir string, _ device.Device) ([]Outcome, error) {
	records, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Outcome
	for _, path := range records {
		cases, err := hdf5File(path)
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	cases, err := hdf5Hostile(filepath.Join(dir, "hostile"))
	return append(all, cases...), err
}

// hdf5File returns an outcome for each object of a file.
func hdf5File(path string) (cases []Outcome, err error) {
	var want hdf5Record
	if err := readJSON(path, &want); err != nil {
		return nil, err
	}
	arrays, err := nd.LoadNpz(strings.TrimSuffix(path, ".json") + ".npz")
	if err != nil {
		return nil, err
	}
	f, err := nd.OpenHDF5(filepath.Join(filepath.Dir(path), want.File))
	if err != nil {
		return []Outcome{{ID: want.File, Forward: err}}, nil
	}
	defer f.Close()
	got := f.Objects()
	if len(got) != len(want.Objects) {
		return []Outcome{{ID: want.File, Forward: fmt.Errorf("%d objects, want %d", len(got), len(want.Objects))}}, nil
	}
	for i, o := range want.Objects {
		err, panicked := catalogue.Try(func() error { return o.check(f, got[i], arrays) })
		cases = append(cases, Outcome{ID: want.File + o.Path, Forward: errors.Join(err, panicked)})
	}
	return cases, nil
}

// check compares an object of a file.
func (want hdf5Object) check(f *nd.HDF5, got nd.HDF5Object, arrays nd.NamedArrays) error {
	if path := "/" + got.Path; path != want.Path {
		return fmt.Errorf("path %s, want %s", path, want.Path)
	}
	if want.Kind == "group" || want.Kind == "datatype" {
		if string(got.Kind) != want.Kind {
			return fmt.Errorf("%s, want a %s: %w", got.Kind, want.Kind, got.Err)
		}
	} else {
		v, err := hdf5Read(f, got)
		if err := want.hdf5Value.check(v, err, arrays.Get(got.Path)); err != nil {
			return err
		}
	}
	if got.Kind == nd.HDF5Unreadable {
		return nil
	}
	names, err := f.AttributeNames(got.Path)
	if err != nil {
		return err
	}
	if len(names) != len(want.Attrs) {
		return fmt.Errorf("attributes %v, want %d", names, len(want.Attrs))
	}
	for name, a := range want.Attrs {
		v, err := f.Attribute(got.Path, name)
		if err := a.check(v, err, nil); err != nil {
			return fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	return nil
}

// hdf5Read reads a dataset: an array, Strings, or nil.
func hdf5Read(f *nd.HDF5, o nd.HDF5Object) (any, error) {
	switch o.Kind {
	case nd.HDF5Array:
		return f.Read(o.Path)
	case nd.HDF5Text:
		return f.ReadStrings(o.Path)
	case nd.HDF5Null:
		return nil, nil
	}
	return nil, o.Err
}

// check compares a value, and an array with the recorded one if there is one.
func (want hdf5Value) check(got any, err error, recorded *nd.Array) error {
	switch {
	case want.Error && err == nil:
		return fmt.Errorf("it was read, want a refusal: %s", want.Why)
	case want.Error:
		return nil
	case err != nil:
		return err
	case want.Empty != "":
		if got != nil {
			return fmt.Errorf("%v, want nothing", got)
		}
		return nil
	case want.DType == "":
		t, ok := got.(nd.Strings)
		if !ok || !slices.Equal(t.Shape, want.Shape) || !slices.Equal(t.Values, want.Text) {
			return fmt.Errorf("%q, want %q of shape %v", got, want.Text, want.Shape)
		}
		return nil
	}
	x, ok := got.(*nd.Array)
	if !ok {
		return fmt.Errorf("%v, want an array", got)
	}
	if recorded != nil {
		if err := sameArray(x, recorded); err != nil {
			return err
		}
		x = recorded // a bfloat16 is recorded as a float32
	}
	if x.DType().String() != want.DType || !slices.Equal(x.Shape(), want.Shape) {
		return fmt.Errorf("%s%v, want %s%v", x.DType(), x.Shape(), want.DType, want.Shape)
	}
	if recorded != nil {
		return nil
	}
	return want.elements(x)
}

// elements compares the elements of an attribute.
func (want hdf5Value) elements(x *nd.Array) error {
	values := golden.List{}
	for _, z := range want.Complex {
		values = append(values, complex(z[0], z[1]))
	}
	if want.Complex == nil {
		v, err := golden.Parse(want.Values)
		if err != nil {
			return err
		}
		values, _ = v.(golden.List)
	}
	return sameElements(x, values)
}

// hdf5Hostile reads all that can be read of malformed files.
func hdf5Hostile(dir string) (cases []Outcome, err error) {
	var files []struct{ File, Why string }
	if err := readJSON(filepath.Join(dir, "hostile.json"), &files); err != nil {
		return nil, err
	}
	for _, h := range files {
		err, panicked := catalogue.Try(func() error { return hdf5Malformed(filepath.Join(dir, h.File), h.Why) })
		cases = append(cases, Outcome{ID: "hostile/" + h.File, Forward: errors.Join(err, panicked)})
	}
	return cases, nil
}

// readable finds the objects of a malformed file that can be read.
var readable = regexp.MustCompile(`(\w+) can be read`)

// hdf5Malformed reads all that can be read of a malformed file. It returns an error if everything can be read, if that takes
// too long or too much memory, or if the other objects cannot be read.
func hdf5Malformed(path, why string) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := time.Now()
	err := hdf5Everything(path)
	took := time.Since(begun)
	runtime.ReadMemStats(&after)
	info, missing := os.Stat(path)
	if missing != nil {
		return missing
	}
	if harmless := []string{"group_loops.h5", "deflate_bomb.h5"}; err == nil && !slices.Contains(harmless, filepath.Base(path)) {
		return fmt.Errorf("everything was read, want an error: %s", why)
	}
	if took > time.Second {
		return fmt.Errorf("it took %v, at most a second is allowed", took)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+16*info.Size()); used > most {
		return fmt.Errorf("it took %d bytes of memory, at most %d are allowed", used, most)
	}
	if found := readable.FindStringSubmatch(why); found != nil {
		f, err := nd.OpenHDF5(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.Read(found[1])
		return err
	}
	return nil
}

// hdf5Everything reads all objects and attributes of a file, and returns the first error.
func hdf5Everything(path string) (first error) {
	f, err := nd.OpenHDF5(path)
	if err != nil {
		return err
	}
	defer f.Close()
	note := func(err error) {
		if first == nil {
			first = err
		}
	}
	for _, o := range f.Objects() {
		_, err := hdf5Read(f, o)
		note(err)
		names, err := f.AttributeNames(o.Path)
		note(err)
		for _, name := range names {
			_, err := f.Attribute(o.Path, name)
			note(err)
		}
	}
	return first
}
