package golden

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
)

var options = cmp.Options{
	cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b float64) bool {
		return a == b && math.Signbit(a) == math.Signbit(b) || math.IsNaN(a) && math.IsNaN(b)
	}),
}

func TestParseValues(t *testing.T) {
	huge, _ := new(big.Int).SetString("36893488147419103232", 10)
	for text, want := range map[string]Value{
		`null`:                                   nil,
		`true`:                                   true,
		`2`:                                      big.NewInt(2),
		`2.0`:                                    2.0,
		`-0.0`:                                   math.Copysign(0, -1),
		`1e3`:                                    1000.0,
		`36893488147419103232`:                   huge,
		`"a"`:                                    "a",
		`[1, [2.5, null]]`:                       List{big.NewInt(1), List{2.5, nil}},
		`[]`:                                     List{},
		`{"array": "k/1"}`:                       Array("k/1"),
		`{"arrays": ["a", "b"]}`:                 Arrays{"a", "b"},
		`{"arrays": []}`:                         Arrays{},
		`{"dtype": "int8"}`:                      DType("int8"),
		`{"slice": [1, null, -1]}`:               Slice{big.NewInt(1), nil, big.NewInt(-1)},
		`{"slice": [0, 1, {"complex": [0, 5]}]}`: Slice{big.NewInt(0), big.NewInt(1), complex(0, 5)},
		`{"float": "nan"}`:                       math.NaN(),
		`{"float": "-inf"}`:                      math.Inf(-1),
		`{"complex": [1, {"float": "inf"}]}`:     complex(1, math.Inf(1)),
		`{"function": "tanh"}`:                   Function("tanh"),
		`{"RandomState": 7}`:                     RandomState(7),
		`{"link": "L", "n": 1}`:                  Object{{"link", "L"}, {"n", big.NewInt(1)}},
		`{"b": 1, "a": {"array": "k"}}`:          Object{{"b", big.NewInt(1)}, {"a", Array("k")}},
	} {
		got, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := cmp.Diff(want, got, options); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{``, `[`, `{"a": }`, `1 2`, `{"float": "big"}`, `{"a": {"float": "x"}}`} {
		if v, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s was read as %v", text, v)
		}
	}
}

const file = `{"system": "numpy", "version": "2", "function": "numpy.f", "cases": [
 {"id": "f-1", "function": "numpy.f", "args": {"arrays": {"array": "x"}, "b": {"arrays": ["x", "y"]}, "a": null},
  "outputs": ["y", null], "grad_outputs": ["y", null], "grads": {"b[1]": "x", "arrays": "y"}, "mutated": {"arrays": "y"},
  "rtol": 1e-4, "atol": 0, "note": "n", "variant": "v", "unknown": 1},
 {"id": "f-2", "function": "numpy.f", "args": {"dtype": "int8"}, "outputs": [], "error": true, "error_type": "TypeError", "error_text": "no"},
 {"id": "f-3", "function": "numpy.f", "args": {}, "outputs": null, "expected": {"dtype": "int8"}, "check": "c"},
 {"id": "f-4", "function": "numpy.f", "args": {}, "outputs": [], "expected": null}]}`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpen(t *testing.T) {
	path := writeFile(t, "f.json", file)
	fortran := nd.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 2, 3).CopyFortran()
	err := nd.SaveNpz(ArraysPath(path), []nd.Named{{Name: "x", Array: fortran}, {Name: "y", Array: nd.FromSlice([]float64{1})}}, true)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := []*Case{
		{ID: "f-1", Function: "numpy.f", Args: Object{{"arrays", Array("x")}, {"b", Arrays{"x", "y"}}, {"a", nil}},
			Outputs: []string{"y", ""}, GradOutputs: []string{"y", ""}, Grads: []Ref{{"b[1]", "x"}, {"arrays", "y"}}, Mutated: []Ref{{"arrays", "y"}},
			RTol: 1e-4, Note: "n", Variant: "v"},
		{ID: "f-2", Function: "numpy.f", Args: Object{{"dtype", "int8"}}, Outputs: []string{}, Error: true, ErrorType: "TypeError", ErrorText: "no"},
		{ID: "f-3", Function: "numpy.f", Args: Object{}, HasExpected: true, Expected: Object{{"dtype", "int8"}}, Check: "c"},
		{ID: "f-4", Function: "numpy.f", Args: Object{}, Outputs: []string{}, HasExpected: true},
	}
	got := slices.Clone(f.Cases)
	for i, c := range got {
		plain := *c
		plain.Raw = nil
		got[i] = &plain
	}
	if d := cmp.Diff(want, got, options); d != "" {
		t.Error(d)
	}
	if keys := f.Cases[0].Keys(); !slices.Equal(keys, []string{"x", "x", "y", "y", "y", "x", "y", "y"}) {
		t.Errorf("keys %v", keys)
	}
	x, err := f.Array("x")
	if err != nil || !x.IsFortran() || x.IsContiguous() {
		t.Errorf("%v %v: want Fortran order", x, err)
	}
	again, err := f.Array("x")
	if err != nil || again.SharesMemory(x) {
		t.Errorf("%v: want a new array for each call", err)
	}
	if _, err := f.Array("z"); err == nil {
		t.Error("an unknown key was read")
	}
}

func TestOpenWithoutArrays(t *testing.T) {
	f, err := Open(writeFile(t, "f.json", `{"function": "f", "cases": []}`))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Array("x"); err == nil {
		t.Error("an array was read from a file without arrays")
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, text := range []string{``, `[]`, `{"cases": [1]}`, `{"cases": [{"id": "a"}]}`, `{"cases": [{"id": "a", "function": "f", "args": []}]}`,
		`{"cases": [{"id": "a", "function": "f", "outputs": [1]}]}`, `{"cases": [{"id": "a", "function": "f", "grads": {"x": 1}}]}`} {
		if _, err := Open(writeFile(t, "f.json", text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func TestSuites(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"numpy", "accuracy", "other", "numpy/sub", "files/mxnet/sub", "files/new", "chainer_files/caffe", "__pycache__", ".git"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string][]Suite{
		"": {{"accuracy", "accuracy"}, {"chainer_files/caffe", "chainer_files/caffe"}, {"files/mxnet", "files/mxnet"}, {"files/new", "files/new"},
			{"numpy", "numpy"}, {"other", "other"}},
		"numpy":       {{"numpy", "numpy"}},
		"files":       {{"files/mxnet", "files/mxnet"}, {"files/new", "files/new"}},
		"files/mxnet": {{"files/mxnet", "files/mxnet"}},
	} {
		for i := range want {
			want[i].Dir = filepath.Join(dir, want[i].Dir)
		}
		if got, err := Suites(filepath.Join(dir, folder)); err != nil || !slices.Equal(got, want) {
			t.Errorf("folder %q: %v, %v, want %v", folder, got, err, want)
		}
	}
	for name, kind := range map[string]Kind{"numpy": Functions, "mxnet": Functions, "files/mxnet": Files, "files/new": Files, "other": 0} {
		if got := (Suite{Name: name}).Kind(); got != kind {
			t.Errorf("%s has kind %d, want %d", name, got, kind)
		}
	}
	if _, err := Suites(filepath.Join(dir, "other")); err == nil {
		t.Error("a folder without suites was accepted")
	}
}

func TestSuiteOpens(t *testing.T) {
	s := Suite{"numpy", t.TempDir()}
	for name, text := range map[string]string{"a.json": file, "a.txt": "", "b.json": file, "c.json": "{", "d.json": file} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for f, err := range s.Open() {
		if err != nil {
			got = append(got, "an error")
		} else {
			got = append(got, filepath.Base(f.Path))
		}
	}
	if want := []string{"a.json", "b.json", "an error"}; !slices.Equal(got, want) {
		t.Errorf("opened %q, want %q", got, want)
	}
	for _, err := range (Suite{"numpy", filepath.Join(s.Dir, "none")}).Open() {
		if err == nil {
			t.Error("a missing folder was opened")
		}
	}
}

func TestKeptArraysOutliveTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.json")
	if err := os.WriteFile(path, []byte(`{"cases": []}`), 0o644); err != nil {
		t.Fatal(err)
	}
	x := nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	named := []nd.Named{{Name: "C", Array: x}, {Name: "F", Array: x.CopyFortran()}}
	if err := nd.SaveNpz(ArraysPath(path), append(named, nd.Named{Name: "unread", Array: x}), false); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Keep()
	for round := range 2 {
		for _, want := range named {
			got, err := f.Array(want.Name)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Strides(), want.Array.Strides()) || !slices.Equal(nd.ToSlice[float32](got), nd.ToSlice[float32](x)) {
				t.Errorf("%s, read number %d: %v with strides %v", want.Name, round+1, got, got.Strides())
			}
			got.Assign(nd.Scalar(0)) // must change a copy only
		}
		if round == 0 {
			f.Close()
		}
	}
	if _, err := f.Array("unread"); err == nil {
		t.Error("the closed file was read")
	}
}
