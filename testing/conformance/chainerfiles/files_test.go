package chainerfiles_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
)

// folder is the folder of the recorded files.
const folder = "../../../../shared/golden/chainer_files"

// recorded returns the path of a recorded file. It skips the test if the file is missing.
func recorded(t *testing.T, path ...string) string {
	t.Helper()
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no recorded files: ", err)
	}
	return filepath.Join(append([]string{folder}, path...)...)
}

// object reads a JSON file.
func object[T any](t *testing.T, path string) (v T) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// values is an array in a JSON file.
type values struct {
	DType  string
	Shape  []int
	Values []float64
}

func (v values) array(t *testing.T) *nd.Array {
	t.Helper()
	dt, err := dtype.Parse(v.DType)
	if err != nil {
		t.Fatal(err)
	}
	return nd.FromSlice(v.Values, len(v.Values)).AsType(dt).Reshape(v.Shape...)
}

// npz reads all arrays of a file.
func npz(t *testing.T, path string) nd.NamedArrays {
	t.Helper()
	all, err := nd.LoadNpz(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// load restores an object from a file.
func load(t *testing.T, path string, o archive.Object, opts ...archive.LoadOptions) {
	t.Helper()
	if err := archive.Load(path, o, opts...); err != nil {
		t.Fatal(err)
	}
}

// near reports whether two numbers differ by at most 1e-6, relative to the second number if that is above 1.
func near(got, want float64) bool { return within(1e-6, got, want) }

func within(tolerance, got, want float64) bool {
	return math.Abs(got-want) <= tolerance*max(1, math.Abs(want))
}

// withEps is the tolerance for running variances of batch normalisation and results computed from them. The version
// that wrote the files adds eps, 2e-5, to the variances that it keeps; neither its document nor later versions do.
const withEps = 2.5e-5

// count is the number of values that a test has compared.
type count int

// same compares an array with the recorded one.
func (c *count) same(t *testing.T, name string, got, want *nd.Array) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is missing", name)
		return
	}
	g, w := nd.ToSlice[float64](got.AsType(dtype.Float64)), nd.ToSlice[float64](want.AsType(dtype.Float64))
	if len(g) != len(w) {
		t.Errorf("%s has shape %v, want %v", name, got.Shape(), want.Shape())
		return
	}
	tolerance := 1e-6
	if strings.HasSuffix(name, "/avg_var") || name == "output" {
		tolerance = withEps
	}
	for i := range w {
		if !within(tolerance, g[i], w[i]) {
			t.Errorf("%s[%d] is %v, want %v", name, i, g[i], w[i])
			return
		}
	}
	*c += count(len(w))
}

// parameters compares all values of a scope with those of a file.
func (c *count) parameters(t *testing.T, s *nn.Scope, want nd.NamedArrays) {
	t.Helper()
	for _, n := range want {
		c.same(t, n.Name, s.Get(n.Name), n.Array)
	}
	if got := len(s.Names()); got != len(want) {
		t.Errorf("%d parameters, want %d", got, len(want))
	}
}

// report logs the number of compared values.
func (c *count) report(t *testing.T) {
	t.Helper()
	t.Logf("%d values compared", *c)
}
