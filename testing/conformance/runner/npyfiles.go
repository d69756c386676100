package runner

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// npyEntry is a file of the manifest and its contents.
type npyEntry struct {
	File   string
	Kind   string // npy or npz
	Error  bool   // the file must be refused
	Why    string
	Arrays []npyArray
}

type npyArray struct {
	Name         string // empty in .npy
	DType        string
	Shape        []int
	FortranOrder bool            `json:"fortran_order"`
	Values       json.RawMessage // flat and row-major for every file order
}

// npySuite reads the files of a manifest; each file is one case.
func (r *Runner) npySuite(s golden.Suite, report func(*FunctionOutcome)) error {
	if !r.chosen(s.Name) {
		return nil
	}
	var entries []npyEntry
	if err := readJSON(filepath.Join(s.Dir, "manifest.json"), &entries); err != nil {
		return err
	}
	f := &FunctionOutcome{Name: s.Name}
	for _, e := range entries {
		f.Cases = append(f.Cases, Outcome{ID: e.File, Forward: e.check(s.Dir)})
	}
	report(f)
	return nil
}

func (e npyEntry) check(dir string) error {
	var err error
	arrays, panicked := catalogue.Try(func() (arrays []nd.Named) {
		arrays, err = e.read(filepath.Join(dir, e.File))
		return arrays
	})
	switch {
	case panicked != nil:
		return panicked
	case e.Error && err == nil:
		return fmt.Errorf("the file was read, want a refusal: %s", e.Why)
	case e.Error:
		return nil
	case err != nil:
		return err
	case len(arrays) != len(e.Arrays):
		return fmt.Errorf("%d arrays, want %d", len(arrays), len(e.Arrays))
	}
	for i, want := range e.Arrays {
		if arrays[i].Name != want.Name {
			return fmt.Errorf("array %d is named %q, want %q", i, arrays[i].Name, want.Name)
		}
		if err := want.check(arrays[i].Array); err != nil {
			return fmt.Errorf("array %q: %w", want.Name, err)
		}
	}
	return nil
}

func (e npyEntry) read(path string) ([]nd.Named, error) {
	if e.Kind == "npz" {
		return nd.LoadNpz(path)
	}
	x, err := nd.LoadNpy(path)
	return []nd.Named{{Array: x}}, err
}

func (want npyArray) check(x *nd.Array) error {
	if got := x.DType().String(); got != want.DType {
		return fmt.Errorf("dtype %s, want %s", got, want.DType)
	}
	if !slices.Equal(x.Shape(), want.Shape) {
		return fmt.Errorf("shape %v, want %v", x.Shape(), want.Shape)
	}
	if want.FortranOrder && !x.IsFortran() || !want.FortranOrder && !x.IsContiguous() {
		return fmt.Errorf("strides %v, want Fortran order: %t", x.Strides(), want.FortranOrder)
	}
	v, err := golden.Parse(want.Values)
	if err != nil {
		return err
	}
	values, ok := v.(golden.List)
	if !ok {
		return fmt.Errorf("the values are %v, want a list", v)
	}
	return sameElements(x, values)
}

// sameElements compares the elements of an array with listed values.
func sameElements(x *nd.Array, values golden.List) error {
	if len(values) != x.Size() {
		return fmt.Errorf("%d elements, want %d", x.Size(), len(values))
	}
	e := compare.ElementsOf(x)
	for i, w := range values {
		if !equalValue(compare.Tolerance{}, e.Item(x, i), w) {
			return fmt.Errorf("%s is %s, want %v", compare.Position(i, x.Shape()), e.Text(i), w)
		}
	}
	return nil
}
