package nnabla_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

var formats = []string{".h5", ".protobuf", ".nntxt", ".prototxt", ".nnp"}

// example has parameters of several dtypes and shapes.
func example() *nn.Scope {
	s := nn.NewScope()
	s.Set("b/w", nd.FromSlice([]float32{1, -2, float32(math.Inf(1)), 3e-40}, 2, 2).T())
	s.Set("a", nd.FromSlice([]float64{0.5}).Reshape())
	s.Set("b/empty", nd.Zeros([]int{0, 3}))
	s.Set("b/half", nd.FromSlice([]float32{0.1, 2}).AsType(dtype.Float16))
	s.Set("count", nd.FromSlice([]int64{7}))
	s.Param("a").SetNeedGrad(false)
	return s
}

func TestParametersAreSavedAndLoaded(t *testing.T) {
	s := example()
	for _, format := range formats {
		path := filepath.Join(t.TempDir(), "p"+format)
		if err := nnabla.SaveParameters(path, s); err != nil {
			t.Fatal(err)
		}
		loaded := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
		if err := nnabla.LoadParameters(path, loaded); err != nil {
			t.Fatal(err)
		}
		if got, want := loaded.Names(), s.Names(); !slices.Equal(got, want) {
			t.Errorf("%s: parameters %q, want %q", format, got, want)
		}
		for name, p := range s.All() {
			q := loaded.Param(name)
			want := dtype.Float64
			if p.Value().DType().IsInteger() && (format == ".h5" || format == ".nnp") {
				want = dtype.Int64 // the other formats have floats only
			}
			if q.Value().DType() != want || q.NeedGrad() != p.NeedGrad() && p.Value().DType().IsInexact() {
				t.Errorf("%s: %q is %s, trained %t", format, name, q.Value().DType(), q.NeedGrad())
			}
			equal(t, format+" "+name, q.Value(), floats(p.Value()), p.Value().Shape())
		}
	}
}

// floats returns the elements of x.
func floats(x *nd.Array) []float64 { return nd.ToSlice[float64](x.AsType(dtype.Float64)) }

// equal compares the elements and the shape of x.
func equal(t *testing.T, what string, x *nd.Array, want []float64, shape []int) {
	t.Helper()
	got := floats(x)
	if !slices.Equal(x.Shape(), shape) || !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
		t.Errorf("%s: %v of shape %v, want %v of shape %v", what, got, x.Shape(), want, shape)
	}
}

func TestLoadParametersOfAnotherScope(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.protobuf")
	saved := nn.NewScope()
	saved.Set("w", nd.FromSlice([]float32{1, 2}))
	saved.Param("w").SetNeedGrad(false)
	saved.Set("new/v", nd.FromSlice([]float32{3}))
	if err := nnabla.SaveParameters(path, saved); err != nil {
		t.Fatal(err)
	}
	s := nn.NewScope()
	s.Set("net/w", nd.FromSlice([]float64{8, 9}))
	s.Set("net/other", nd.FromSlice([]float64{4}))
	if err := nnabla.LoadParameters(path, s.Sub("net")); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Names(), []string{"net/w", "net/other", "net/new/v"}; !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
	equal(t, "w", s.Get("net/w"), []float64{1, 2}, []int{2})
	equal(t, "other", s.Get("net/other"), []float64{4}, []int{1})
	if s.Param("net/w").NeedGrad() || s.Get("net/w").DType() != dtype.Float64 || s.Get("net/new/v").DType() != dtype.Float32 {
		t.Errorf("the scope is\n%v", s)
	}
}

func TestLoadParametersRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.protobuf")
	saved := nn.NewScope()
	saved.Set("first", nd.FromSlice([]float32{1, 2}))
	saved.Set("a/w", nd.FromSlice([]float32{1, 2}))
	if err := nnabla.SaveParameters(path, saved); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		make func(s *nn.Scope)
	}{
		{`"a/w" has shape (3,), not (2,)`, func(s *nn.Scope) { s.Set("a/w", nd.Zeros([]int{3})) }},
		{`"a" is a parameter, not a scope`, func(s *nn.Scope) { s.Set("a", nd.Zeros([]int{3})) }},
		{`"a/w" is a scope, not a parameter`, func(s *nn.Scope) { s.Set("a/w/x", nd.Zeros([]int{3})) }},
		{`"first" is not among the parameters that another file brought`, func(s *nn.Scope) { s.Set("x", nd.Zeros([]int{3})); s.Close("another file") }},
	} {
		s := nn.NewScope()
		c.make(s)
		before := s.String()
		err := nnabla.LoadParameters(path, s)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "nnabla.LoadParameters: "+path) {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if s.String() != before {
			t.Errorf("%s: the scope became\n%s", c.want, s)
		}
	}
}

func TestParameterFilesAreRefused(t *testing.T) {
	folder := t.TempDir()
	for text, want := range map[string]string{
		`parameter { variable_name: "w" shape { dim: 2 } data: 1 need_grad: true }`:           "shape [2] of 1 values",
		`parameter { variable_name: "w" shape { dim: -1 } data: 1 }`:                          "shape [-1] of 1 values",
		`parameter { variable_name: "w" shape { dim: 4611686018427387904 dim: 8 } }`:          "shape [4611686018427387904 8] of 0 values",
		`parameter { variable_name: "w" } parameter { variable_name: "w" }`:                   "shape () of 0 values",
		`parameter { variable_name: "w" data: 1 } parameter { variable_name: "w" data: 1 }`:   `two parameters "w"`,
		`parameter { variable_name: "w" data: 1 } parameter { variable_name: "w/x" data: 1 }`: `both a parameter and the scope of "w/x"`,
		`parameter { variable_name: "a//b" data: 1 }`:                                         `cannot be the name of a parameter`,
		`parameter { data: 1 }`:                            `cannot be the name of a parameter`,
		`parameter { variable_name: "../w" data: 1 }`:      `cannot be the name of a parameter`,
		`parameter { variable_name: "w" data: "x" }`:       "not a number",
		`parameter { variable_name: "w" data: 1 kind: 3 }`: `"kind" is unknown`,
		`parameter {`: "the text ends",
	} {
		path := filepath.Join(folder, "p.nntxt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := nn.NewScope()
		if err := nnabla.LoadParameters(path, s); err == nil || !strings.Contains(err.Error(), want) || len(s.Names()) > 0 {
			t.Errorf("%s: error %v, want %s; the scope has %q", text, err, want, s.Names())
		}
	}
	s := nn.NewScope()
	for _, c := range []struct {
		err  error
		want string
	}{
		{nnabla.LoadParameters(filepath.Join(folder, "p.npz"), s), "no such file"},
		{nnabla.LoadParameters(folder+"/p.nntxt/x", s), "nnabla.LoadParameters"},
		{nnabla.SaveParameters(filepath.Join(folder, "p.npz"), s), `not ".npz"`},
		{nnabla.SaveParameters(filepath.Join(folder, "nowhere", "p.h5"), s), "no such file"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %s", c.err, c.want)
		}
	}
	if err := nnabla.LoadParameters(filepath.Join(folder, "missing.h5"), s); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	complexOnes := nn.NewScope()
	complexOnes.Set("z", nd.FromSlice([]complex64{1i}))
	for _, format := range formats {
		path := filepath.Join(folder, "z"+format)
		if err := nnabla.SaveParameters(path, complexOnes); err == nil || !strings.Contains(err.Error(), `"z" is complex64`) {
			t.Errorf("%s: error %v", format, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file appeared", format)
		}
	}
}

// TestHDF5ParametersAreRefused reads HDF5 files without the attributes of parameters, and with arrays that are none.
func TestHDF5ParametersAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.h5")
	w := nd.FromSlice([]float32{1})
	for _, c := range []struct {
		want  string
		write func(f *nd.HDF5Writer) error
	}{
		{`no attribute "need_grad"`, func(f *nd.HDF5Writer) error { return f.Write("w", w) }},
		{`the attribute "index" of "w" is not a number`, func(f *nd.HDF5Writer) error {
			return errors.Join(f.Write("w", w), f.Attribute("w", "need_grad", w), f.Attribute("w", "index", "first"))
		}},
		{`the parameter "w" is complex64`, func(f *nd.HDF5Writer) error {
			return errors.Join(f.Write("w", w.AsType(dtype.Complex64)), f.Attribute("w", "need_grad", w), f.Attribute("w", "index", w))
		}},
	} {
		if err := nd.CreateHDF5(path, c.write); err != nil {
			t.Fatal(err)
		}
		if err := nnabla.LoadParameters(path, nn.NewScope()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// TestHDF5OfFirstVersions reads parameters without an index, which keep the order of the file.
func TestHDF5OfFirstVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.h5")
	err := nd.CreateHDF5(path, func(f *nd.HDF5Writer) error {
		for _, name := range []string{"b", "a/w"} {
			x := nd.FromSlice([]float32{1})
			if err := errors.Join(f.Write(name, x), f.Attribute(name, "need_grad", x)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := nn.NewScope()
	if err := nnabla.LoadParameters(path, s); err != nil || len(s.Names()) != 2 {
		t.Errorf("parameters %q, error %v", s.Names(), err)
	}
}
