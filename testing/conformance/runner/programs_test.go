package runner

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// outcomeOf runs one case of any name with the rows of the catalogue.
func outcomeOf(t *testing.T, body string) Outcome {
	t.Helper()
	r, err := New(catalogue.Rows())
	if err != nil {
		t.Fatal(err)
	}
	var got *FunctionOutcome
	r.Report = func(f *FunctionOutcome) { got = f }
	if _, err := r.Run(writeSuite(t, `{"id": "f-1", "rtol": 0, "atol": 0, `+body+`}`)); err != nil {
		t.Fatal(err)
	}
	return got.Cases[0]
}

func TestPrograms(t *testing.T) {
	const (
		enter = `{"op": "enter", "name": "a"}`
		make2 = `{"op": "get_parameter_or_create", "name": "w", "shape": [2], "init": 1.5}`
		made2 = `{"shape": [2], "need_grad": true, "values": [1.5, 1.5]}`
		list  = `{"op": "get_parameters", "grad_only": true}`
		exit  = `{"op": "exit"}`
		layer = `{"op": "call", "function": "affine", "shape": [2, 3], "args": {"n_outmaps": 4, "name": "l"}}`
	)
	for _, c := range []struct {
		name, ops, expect string
		fails             string // part of the message; "" where the case passes
	}{
		{"passes", enter + "," + make2 + "," + exit + "," + list, `null, ` + made2 + `, null, [["a/w", [2], true]]`, ""},
		{"other values", make2, `{"values": [1.5, 1]}`, "step 0, get_parameter_or_create: values"},
		{"other flag", make2, `{"need_grad": false}`, "need_grad: true, want false"},
		{"other list", make2 + "," + list, `null, []`, "step 1, get_parameters"},
		{"a given array", `{"op": "get_parameter_or_create", "name": "w", "init": {"array": "b"}}`, `{"shape": [2], "values": [3, 4]}`, ""},
		{"layer", layer + "," + list, `{"shape": [2, 4]}, [["l/affine/W", [3, 4], true], ["l/affine/b", [4], true]]`, ""},
		{"other shape of a layer", layer, `{"shape": [2, 5]}`, "shape: [2 4], want [2 5]"},
		{"accepted", make2, `{"error": true}`, "it was not refused"},
		{"refused", make2 + `, {"op": "get_parameter_or_create", "name": "w", "shape": [3]}`, `null, {"error": true}`, ""},
		{"unexpectedly refused", make2 + `, {"op": "get_parameter_or_create", "name": "w", "shape": [3]}`, `null, null`, "used here with shape (3,)"},
		{"set", make2 + `, {"op": "set", "path": "w", "values": [8, 9]}, {"op": "values", "path": "w"}`, `null, null, [8, 9]`, ""},
		{"cleared", make2 + `, {"op": "clear_parameters"}, ` + list, `null, null, []`, ""},
		{"no such parameter", `{"op": "values", "path": "w"}`, `[1]`, "no parameter w"},
		{"set of another size", make2 + `, {"op": "set", "path": "w", "values": [8]}`, `null, null`, "no parameter w of 1 elements"},
		{"no scope to leave", exit, `null`, "no scope to leave"},
		{"no such step", `{"op": "forget"}`, `null`, "no such step"},
		{"too few results", make2 + "," + exit, `null`, "1 results for 2 steps"},
	} {
		o := outcomeOf(t, `"function": "nnabla.parameter.parameter_scope", "args": {"ops": [`+c.ops+`]}, "outputs": [], "expect": [`+c.expect+`]`)
		expectFailure(t, c.name, o.Forward, c.fails)
		if o.Skipped != "" {
			t.Errorf("%s: skipped: %s", c.name, o.Skipped)
		}
	}
}

func TestProgramsSkipped(t *testing.T) {
	for step, reason := range map[string]string{
		`{"op": "load_parameters", "path": "p.h5"}`:                       "no file p.h5",
		`{"op": "call", "function": "unheard", "shape": [1], "args": {}}`: "no catalogue row for nnabla.parametric_functions.unheard",
	} {
		o := outcomeOf(t, `"function": "nnabla.parameter.load_parameters", "args": {"ops": [`+step+`]}, "outputs": [], "expect": [null]`)
		if o.Skipped != reason {
			t.Errorf("%s: skipped %q, want %q", step, o.Skipped, reason)
		}
	}
}

func TestMoments(t *testing.T) {
	draws := addRow(func(x, y *nd.Array) *nd.Array { return nd.FromSlice([]float32{0, 1}) })
	for _, c := range []struct{ name, expect, fails string }{
		{"passes", `{"mean": 0.5, "std": 0.5, "min": 0, "max": 1}`, ""},
		{"below min", `{"mean": 0.5, "std": 0.5, "min": 0.5, "max": 1}`, "element 0 is 0, want one from 0.5 to 1"},
		{"other mean", `{"mean": 5, "std": 0.5}`, "the mean is 0.5, want 5"},
		{"other deviation", `{"mean": 0.5, "std": 0.1}`, "the standard deviation is 0.5, want 0.1"},
		{"no mean", `{"std": 0.5}`, "the mean is"},
	} {
		o := runCase(t, draws, twoArrays+`, "outputs": ["a"], "expect": `+c.expect)
		expectFailure(t, c.name, o.Forward, c.fails)
	}
	wide := addRow(func(x, y *nd.Array) *nd.Array { return x })
	o := runCase(t, wide, twoArrays+`, "outputs": ["a"], "expect": {"mean": 1.5, "std": 0.5}`)
	expectFailure(t, "other dtype", o.Forward, "float64 of shape [2], want float32 of shape [2]")
}
