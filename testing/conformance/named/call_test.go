package named_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/conformance/evidence"
)

// called are the documented names that the tests of the package have called.
var called sync.Map

// TestMain fails if a test names a function without a call of it. If only some tests run, nothing is checked, nor are
// the names of CUDA without a GPU.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == "" &&
		flag.Lookup("test.skip").Value.String() == "" && !testing.Short() {
		code = uncalled()
	}
	os.Exit(code)
}

// uncalled lists the documented names that stand in the package's tests but are not called, and returns the exit status.
func uncalled() (code int) {
	names, err := evidence.TestNames("..", func(name string) bool {
		_, err := catalogue.Lookup(name)
		return err == nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for name, file := range names {
		if _, ok := called.Load(name); !ok && strings.HasPrefix(file, "named/") && (hasGPU() || !strings.HasPrefix(file, "named/cuda")) {
			fmt.Fprintf(os.Stderr, "%s names %s but does not call it\n", file, name)
			code = 1
		}
	}
	return code
}

// with are arguments by name, after those by position.
type with map[string]any

// try calls a row. Among the arguments may be a with and catalogue.CallOptions.
func try(name string, args ...any) (*catalogue.Result, error) {
	called.Store(name, true)
	var positional []any
	var named with
	var opts []catalogue.CallOptions
	for _, a := range args {
		switch a := a.(type) {
		case with:
			named = a
		case catalogue.CallOptions:
			opts = append(opts, a)
		default:
			positional = append(positional, a)
		}
	}
	return catalogue.Call(name, positional, named, opts...)
}

// call calls a row that must not refuse.
func call(t *testing.T, name string, args ...any) *catalogue.Result {
	t.Helper()
	r, err := try(name, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// one calls a row with one result of type T.
func one[T any](t *testing.T, name string, args ...any) T {
	t.Helper()
	values := call(t, name, args...).Values
	if len(values) == 1 {
		if v, ok := values[0].(T); ok {
			return v
		}
	}
	t.Fatalf("%s returned %v of %T, want one %v", name, values, values, reflect.TypeFor[T]())
	panic("unreachable")
}

// refused checks that a row refuses a call, with an error that contains a text.
func refused(t *testing.T, text, name string, args ...any) {
	t.Helper()
	_, err := try(name, args...)
	var refusal *catalogue.Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %v, want a refusal with %q", name, err, text)
	}
}

// equal compares results. An array equals a slice of its elements in row-major order, or an array of the same shape,
// dtype and elements.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	x, ok := got.(*nd.Array)
	y, both := want.(*nd.Array)
	switch {
	case ok && x == nil:
		t.Errorf("%s is no array", what)
	case ok && both:
		if err := compare.Identical(x, y); err != nil {
			t.Errorf("%s is %v of %s, want %v of %s: %v", what, x, x.DType(), y, y.DType(), err)
		}
	case ok:
		equalElements(t, what, x, want)
	case !reflect.DeepEqual(got, want):
		t.Errorf("%s is %v of %T, want %v of %T", what, got, got, want, want)
	}
}

func equalElements(t *testing.T, what string, x *nd.Array, want any) {
	t.Helper()
	var got any
	switch want.(type) {
	case []float64:
		got = nd.ToSlice[float64](x.Ravel())
	case []float32:
		got = nd.ToSlice[float32](x.Ravel())
	case []int:
		got = nd.ToSlice[int](x.Ravel())
	case []int64:
		got = nd.ToSlice[int64](x.Ravel())
	case []uint8:
		got = nd.ToSlice[uint8](x.Ravel())
	case []bool:
		got = nd.ToSlice[bool](x.Ravel())
	default:
		t.Fatalf("%s: no comparison of an array with %T", what, want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// near is like equal, with an absolute tolerance of 1e-6: of a float32 near 1.
func near(t *testing.T, what string, got any, want ...float64) {
	t.Helper()
	x, ok := got.(*nd.Array)
	if !ok || x == nil || x.Size() != len(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
		return
	}
	for i, v := range nd.ToSlice[float64](x.Ravel()) {
		if math.Abs(v-want[i]) > 1e-6 || math.IsNaN(v) {
			t.Errorf("%s is %v, want %v", what, x, want)
			return
		}
	}
}

// vector returns an array of float64.
func vector(values ...float64) *nd.Array { return nd.FromSlice(values) }
