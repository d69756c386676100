package gonames

import (
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func TestFunctionsOfRows(t *testing.T) {
	names, err := Functions("../catalogue")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"cupy.add":                 {"ops.Add"},      // the function itself
		"cupy.ravel":               {"Array.Ravel"},  // a method expression
		"cupy.ndarray.__radd__":    {"ops.Add"},      // an argument of a helper
		"cupy.full_like":           {"nd.EmptyLike"}, // returned values come first
		"cupy.ndarray.__delitem__": {"nd.Func"},      // only auxiliary functions

		"nnabla.function.PythonFunction.__call__": {"Function.Call"}, // a method of another type
		"nnabla.function.PythonFunction.name":     {"grad.Function"}, // a field
		"cupy.cuda.Device.__repr__":               {"Device.Name"},   // an interface method
	}
	for _, row := range catalogue.Rows() {
		name, _, _ := strings.Cut(row.Signature, "(")
		if w, ok := want[name]; ok {
			delete(want, name)
			if got := names[row.Signature]; len(got) == 0 || !slices.Equal(got[:1], w) {
				t.Errorf("%s: %v, want %v first", name, got, w)
			}
		}
	}
	for name := range want {
		t.Errorf("%s is not in the catalogue", name)
	}
}
