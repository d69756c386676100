package runner

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func TestRunComparesDTypes(t *testing.T) {
	narrow := addRow(func(x, y *nd.Array) *nd.Array { return ops.Add(x, y).AsType(dtype.Float32) })
	expectFailure(t, "other dtype", runCase(t, narrow, twoArrays+`, "outputs": ["sum"]`).Forward, "output 0: dtype float32, want float64")
	writes := catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", Writes: []string{"x"}, Func: func(x, y *nd.Array) { x.Assign(ops.Add(x, y)) }}
	expectFailure(t, "written argument", runCase(t, writes, twoArrays+`, "outputs": [], "mutated": {"x": "int"}`).Forward,
		"argument x after the call: dtype float64, want int64")

	mul := addRow(func(x, y *nd.Array) *nd.Array { return ops.Multiply(x, y) })
	backward := runCase(t, mul, twoArrays+`, "outputs": [], "grad_outputs": ["ones"], "grads": {"x": "narrow"}`)
	expectFailure(t, "gradient", backward.Gradient, "gradient of x: dtype float64, want float32")
}

func TestGradientHasDTypeOfArgument(t *testing.T) {
	tr := &trial{result: &catalogue.Result{Arguments: map[string]*nd.Array{"x": nd.Zeros([]int{2}, dtype.Float32)}}}
	expectFailure(t, "same", tr.hasDTypeOf("x", nd.Zeros([]int{2}, dtype.Float32)), "")
	expectFailure(t, "other", tr.hasDTypeOf("x", nd.Zeros([]int{2})), "dtype float64 for an argument of float32")
	expectFailure(t, "no argument", tr.hasDTypeOf("y", nd.Zeros([]int{2})), "no argument")
}

// TestOtherDTypes runs the cases of all functions in the table without its exceptions: each function must need its own.
func TestOtherDTypes(t *testing.T) {
	table := otherDTypes
	defer func() { otherDTypes = table }()
	otherDTypes = nil
	needless := map[string]bool{}
	for _, o := range table {
		for _, name := range o.functions {
			needless[name] = true
		}
	}
	r, err := New(catalogue.Rows())
	if err != nil {
		t.Fatal(err)
	}
	r.Only = regexp.MustCompile(strings.Join(slices.Collect(maps.Keys(needless)), "$|") + "$|^edges")
	r.Report = func(f *FunctionOutcome) {
		for _, o := range f.Cases {
			id, _, _ := strings.Cut(o.ID, "-") // the function without the system
			if o.Failed() && strings.Contains(o.difference(), ": dtype ") {
				maps.DeleteFunc(needless, func(name string, _ bool) bool { return strings.HasSuffix(name, "."+id) })
			}
		}
	}
	const shared = "../../../../shared/golden"
	dirs := []string{"../testdata", "../edges", shared}
	if _, err := os.Stat(shared); err != nil {
		dirs = dirs[:2]
		delete(needless, "chainer.links.CRF1d")        // no committed case returns a path
		delete(needless, "chainer.optimizers.SMORMS3") // no committed case has a 0-d parameter
	}
	for _, dir := range dirs {
		if _, err := r.Run(dir); err != nil {
			t.Fatal(err)
		}
	}
	if len(needless) > 0 {
		t.Errorf("need no exception: %q", slices.Sorted(maps.Keys(needless)))
	}
}
