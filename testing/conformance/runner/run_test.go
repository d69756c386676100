package runner

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// writeSuite creates a folder of suites with one file of cases, and the arrays a = [1, 2], b = [3, 4], sum = [4, 6],
// twice = [2, 4], ones, zeros, int = [4, 6] of int64, and narrow = [3, 4] of float32.
func writeSuite(t *testing.T, cases string) string {
	t.Helper()
	f := func(name string, v ...float64) nd.Named { return nd.Named{Name: name, Array: nd.FromSlice(v)} }
	return writeSuiteOf(t, "nnabla", cases, f("a", 1, 2), f("b", 3, 4), f("sum", 4, 6), f("twice", 2, 4), f("ones", 1, 1), f("zeros", 0, 0),
		nd.Named{Name: "int", Array: nd.FromSlice([]int{4, 6})}, nd.Named{Name: "narrow", Array: nd.FromSlice([]float32{3, 4})})
}

// writeSuiteOf creates a folder of suites with one file of cases and the given arrays.
func writeSuiteOf(t *testing.T, name, cases string, arrays ...nd.Named) string {
	t.Helper()
	dir := t.TempDir()
	suite := filepath.Join(dir, name)
	if err := os.Mkdir(suite, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"system": "nnabla", "version": "1", "function": "nnabla.functions.f", "cases": [` + cases + `]}`
	if err := os.WriteFile(filepath.Join(suite, "f.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := nd.SaveNpz(filepath.Join(suite, "f.npz"), arrays, true); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runCase runs one case with a row for f(x, y=2) and returns its outcome.
func runCase(t *testing.T, row catalogue.Row, body string) Outcome {
	t.Helper()
	r, err := New([]catalogue.Row{row})
	if err != nil {
		t.Fatal(err)
	}
	var got *FunctionOutcome
	r.Report = func(f *FunctionOutcome) { got = f }
	dir := writeSuite(t, `{"id": "f-1", "function": "nnabla.functions.f", "rtol": 0, "atol": 0, `+body+`}`)
	if _, err := r.Run(dir); err != nil {
		t.Fatal(err)
	}
	if got == nil || len(got.Cases) != 1 {
		t.Fatalf("reported %v, want one case", got)
	}
	return got.Cases[0]
}

func addRow(f any) catalogue.Row {
	return catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", Func: f}
}

const twoArrays = `"args": {"x": {"array": "a"}, "y": {"array": "b"}}`

func TestRunForward(t *testing.T) {
	plain := addRow(func(x, y *nd.Array) *nd.Array { return ops.Add(x, y) })
	for _, c := range []struct {
		name, body string
		row        catalogue.Row
		fails      string // part of the message; "" if the case passes
	}{
		{"passes", twoArrays + `, "outputs": ["sum"]`, plain, ""},
		{"other result", twoArrays + `, "outputs": ["a"]`, plain, "output 0: element [0] is 4, want 1"},
		{"too few results", twoArrays + `, "outputs": ["sum", "a"]`, plain, "1 results, want 2"},
		{"nothing wanted", twoArrays + `, "outputs": [null]`, plain, "want nothing"},
		{"unknown argument", `"args": {"z": 1}, "outputs": []`, plain, "argument z is unknown"},
		{"missing argument", `"args": {"y": 1}, "outputs": []`, plain, "argument x is missing"},
		{"unknown array", `"args": {"x": {"array": "zz"}}, "outputs": []`, plain, "no array"},
		{"refused", twoArrays + `, "outputs": ["sum"]`, addRow(func(x, y *nd.Array) *nd.Array {
			panic(nd.Func("f").Errorf(nil, "no such thing"))
		}), "refused: f: no such thing"},
		{"panic", twoArrays + `, "outputs": ["sum"]`, addRow(func(x, y *nd.Array) *nd.Array { panic("oh") }), "panic: oh"},
		{"changes an argument", twoArrays + `, "outputs": []`, addRow(func(x, y *nd.Array) { nd.Fill(x, 7) }), "changed its argument x"},
		{"defaults differ", `"args": {"x": {"array": "a"}}, "outputs": ["sum"]`, catalogue.Row{Signature: "nnabla.functions.f(x, y=1)",
			Func: func(x *nd.Array, opts ...struct{ Y *int }) *nd.Array {
				if len(opts) > 0 {
					return x
				}
				return nd.FromSlice([]float64{4, 6})
			}}, "with the document's defaults: output 0"},
		{"number as a result", `"args": {"x": {"array": "a"}}, "outputs": [], "expected": 2`, addRow(func(x, y *nd.Array) int { return x.Size() }), ""},
		{"other number", `"args": {"x": {"array": "a"}}, "outputs": [], "expected": 3`, addRow(func(x, y *nd.Array) int { return x.Size() }), "2, want 3"},
		{"property", twoArrays + `, "outputs": ["sum"], "expected": {"dtype": "float64"}`, plain, ""},
		{"other property", twoArrays + `, "outputs": ["sum"], "expected": {"dtype": "float32"}`, plain, `dtype: "float64", want "float32"`},
		{"unknown check", twoArrays + `, "outputs": [], "check": "by eye"`, plain, "no check for"},
	} {
		o := runCase(t, c.row, c.body)
		expectFailure(t, c.name, o.Forward, c.fails)
	}
}

func expectFailure(t *testing.T, name string, err error, part string) {
	t.Helper()
	switch {
	case part == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case part != "" && (err == nil || !strings.Contains(err.Error(), part)):
		t.Errorf("%s: %v, want %q", name, err, part)
	}
}

func TestRunMutated(t *testing.T) {
	writes := catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", Func: func(x, y *nd.Array) { x.Assign(ops.Add(x, y)) }, Writes: []string{"x"}}
	expectFailure(t, "in place", runCase(t, writes, twoArrays+`, "outputs": [], "mutated": {"x": "sum"}`).Forward, "")
	expectFailure(t, "other value", runCase(t, writes, twoArrays+`, "outputs": [], "mutated": {"x": "a"}`).Forward, "argument x after the call")
	expectFailure(t, "no argument", runCase(t, writes, twoArrays+`, "outputs": [], "mutated": {"z": "a"}`).Forward, "mutated names z")
}

func TestRunErrors(t *testing.T) {
	refuses := addRow(func(x, y *nd.Array) { panic(nd.Func("f").Errorf(nil, "no")) })
	for _, c := range []struct {
		name, args, kind string
		row              catalogue.Row
		fails            string
	}{
		{"refused", twoArrays, "ValueError", refuses, ""},
		{"accepted", twoArrays, "ValueError", addRow(func(x, y *nd.Array) *nd.Array { return x }), "it was not refused, want ValueError: bad"},
		{"panic", twoArrays, "ValueError", addRow(func(x, y *nd.Array) { panic("oh") }), "panic: oh"},
		{"an error result refuses", twoArrays, "ValueError", addRow(func(x, y *nd.Array) error { return os.ErrInvalid }), ""},
		{"type that Go cannot hold", `"args": {"x": {"array": "a"}, "y": [1, 2]}`, "TypeError", addRow(func(x *nd.Array, y int) {}), ""},
		{"value that Go cannot hold", `"args": {"x": {"array": "a"}, "y": [1, 2]}`, "ValueError", addRow(func(x *nd.Array, y int) {}), "cannot hold"},
		{"unknown argument", `"args": {"z": 1}`, "TypeError", refuses, "argument z is unknown"},
		{"refused too late", twoArrays, "ValueError", catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", Writes: []string{"x"}, Func: func(x, y *nd.Array) {
			nd.Fill(x, 1)
			panic(nd.Func("f").Errorf(nil, "no"))
		}}, "wrote to its argument x before it refused"},
	} {
		o := runCase(t, c.row, c.args+`, "outputs": [], "error": true, "error_type": "`+c.kind+`", "error_text": "bad"`)
		expectFailure(t, c.name, o.Forward, c.fails)
	}
}

func TestRunGradients(t *testing.T) {
	mul := addRow(func(x, y *nd.Array) *nd.Array { return ops.Multiply(x, y) })
	list := catalogue.Row{Signature: "nnabla.functions.f(*x)", Func: func(xs []*nd.Array) []*nd.Array {
		return []*nd.Array{ops.Multiply(xs[0], xs[1]), xs[0]}
	}}
	square := addRow(func(x, y *nd.Array) *nd.Array { return ops.Multiply(ops.Square(x), y) })
	const outputs = `, "outputs": [], "grad_outputs": ["ones"]`
	const two = `"args": {"x": {"arrays": ["a", "b"]}}, "outputs": [], `
	for _, c := range []struct {
		name, body string
		row        catalogue.Row
		fails      string
	}{
		{"both", twoArrays + outputs + `, "grads": {"x": "b", "y": "a"}`, mul, ""},
		{"other gradient", twoArrays + outputs + `, "grads": {"x": "a"}`, mul, "gradient of x: element [0] is 3, want 1"},
		{"missing gradient", twoArrays + outputs + `, "grads": {"y": "a"}`, addRow(func(x, y *nd.Array) *nd.Array { return ops.Exp(x) }), "gradient of y: got nothing"},
		{"no such argument", twoArrays + outputs + `, "grads": {"z": "a"}`, mul, "gradient of z"},
		{"in a list", two + `"grad_outputs": ["ones", null], "grads": {"x[0]": "b", "x[1]": "a"}`, list, ""},
		{"row without gradients", twoArrays + outputs + `, "grads": {"x": "b"}`, catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", NoGrad: true, Func: mul.Func}, "no gradient flows"},
		{"row without gradients, none wanted", twoArrays + outputs + `, "grads": {"x": "zeros"}`, catalogue.Row{Signature: "nnabla.functions.f(x, y=2)", NoGrad: true,
			Func: func(x, y *nd.Array) *nd.Array { return ops.Add(x.Detach(), y) }}, ""},
		{"no gradient is not a zero", twoArrays + outputs + `, "grads": {"x": "zeros"}`,
			addRow(func(x, y *nd.Array) *nd.Array { return ops.Add(x.Detach(), y) }), "gradient of x: got nothing"},
		// gx = 2xy, so the gradient of sum(gx²) = 4x²y² is 8xy² = [72, 256]: twice that of 2xy with cotangent 2xy.
		{"double backward", twoArrays + outputs + `, "note": "double_backward", "grads": {"x": "b"}`, square, "is 72, want 3"},
	} {
		o := runCase(t, c.row, c.body)
		if !o.HasGradient {
			t.Errorf("%s: no gradient was compared", c.name)
		}
		expectFailure(t, c.name, o.Gradient, c.fails)
	}
}

func TestRunSkips(t *testing.T) {
	row := addRow(func(x, y *nd.Array) *nd.Array { return ops.Add(x, y) })
	body := twoArrays + `, "outputs": ["sum"]`
	for variant, skipped := range map[string]bool{"cupy-wrap": true, "cupy-saturate": false, "numpy-wrap": false} {
		if o := runCase(t, row, body+`, "variant": "`+variant+`"`); (o.Skipped != "") != skipped {
			t.Errorf("variant %s: skipped %q", variant, o.Skipped)
		}
	}
	other := catalogue.Row{Signature: "nnabla.functions.g(x, y=2)", Func: row.Func}
	if o := runCase(t, other, body); o.Skipped == "" || o.Failed() {
		t.Errorf("without a row: %+v", o)
	}
}

func TestRunOnly(t *testing.T) {
	r, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Only = regexp.MustCompile("^nnabla.functions.g$")
	total, err := r.Run(writeSuite(t, ""))
	if err != nil || total.Functions != 0 {
		t.Errorf("%v, %v, want no functions", total, err)
	}
}

func TestReportLines(t *testing.T) {
	f := &FunctionOutcome{Name: "f", Cases: []Outcome{
		{ID: "f-1"}, {ID: "f-2", HasGradient: true}, {ID: "f-3", HasGradient: true, Gradient: os.ErrInvalid}, {ID: "f-4", Skipped: "variant x"},
	}}
	const want = "FAIL f: 4 cases, forward 3, gradients 1 of 2, 1 skipped (variant x); f-3: gradient: invalid argument"
	if got := f.String(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var total Summary
	total.add(f)
	if got := total.String(); got != "conformance: 1 functions, 4 cases, 2 passed, 1 failed, 1 skipped" {
		t.Error(got)
	}
	if got := strings.Count(f.Table(), "\n"); got != 4 {
		t.Errorf("a table of %d lines, want 4", got)
	}
}
