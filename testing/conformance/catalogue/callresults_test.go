package catalogue_test

import (
	"errors"
	"maps"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestCallTellsFaults calls faulty rows: their errors have types of their own, and are not refusals.
func TestCallTellsFaults(t *testing.T) {
	call := func(f any) error {
		t.Helper()
		fn, err := catalogue.Bind(&catalogue.Row{Signature: "f(x)", Func: f})
		if err != nil {
			t.Fatal(err)
		}
		_, err = fn.Call([]any{vector(1)}, nil)
		var refused *catalogue.Refusal
		if err == nil || errors.As(err, &refused) {
			t.Errorf("%v, want a fault", err)
		}
		return err
	}
	var panicked *catalogue.Panic
	if err := call(func(x *nd.Array) { panic("oh") }); !errors.As(err, &panicked) || panicked.Value != "oh" || !strings.Contains(panicked.Line, ".go:") {
		t.Errorf("a panic: %#v", err)
	}
	var fault runtime.Error
	if err := call(func(x *nd.Array) int { return []int{}[x.Size()] }); !errors.As(err, &panicked) || !errors.As(err, &fault) {
		t.Errorf("a panic with an error: %#v", err)
	}
	var leak *catalogue.Leak
	if err := call(func(x *nd.Array) { nd.Fill(x, math.Pi) }); !errors.As(err, &leak) || leak.Argument != "x" {
		t.Errorf("a write: %#v", err)
	}
	var early *catalogue.EarlyWrite
	err := call(func(x *nd.Array) { nd.Fill(x, math.Pi); panic(nd.Func("f").Errorf(nil, "no")) })
	if !errors.As(err, &early) || early.Argument != "x" || early.Refusal.Kind != catalogue.Refused {
		t.Errorf("a write before the refusal: %#v", err)
	}
}

// TestCallGradientsBeforeWrites takes gradients of overwritten arguments. They are those of the values before the write:
// 0 at the overwritten elements.
func TestCallGradientsBeforeWrites(t *testing.T) {
	mask := nd.FromSlice([]bool{true, false, true})
	scatter, indices := []string{"data", "out"}, nd.FromSlice([]int{0, 2}, 1, 2)
	for _, c := range []struct {
		name   string
		args   []any
		named  map[string]any
		grads  []string
		before []float64
	}{
		{"nnabla.functions.bool_scatter", []any{vector(5, 6), mask}, nil, []string{"input", "output"}, []float64{0, 2, 0}},
		{"nnabla.functions.scatter_nd", []any{vector(5, 6), indices}, nil, scatter, []float64{0, 2, 0}},
		{"nnabla.functions.scatter_nd", []any{vector(5, 6), indices}, map[string]any{"add": true}, scatter, []float64{1, 2, 3}},
	} {
		out := vector(7, 8, 9)
		named := map[string]any{c.grads[1]: out}
		maps.Copy(named, c.named)
		r := called(t, c.name, c.args, named, catalogue.CallOptions{Gradients: c.grads, OutputGradients: []*nd.Array{vector(1, 2, 3)}})
		expect(t, c.name+", values", r.Gradients[c.grads[0]], dtype.Float64, 1, 3)
		expect(t, c.name+", overwritten", r.Gradients[c.grads[1]], dtype.Float64, c.before...)
		if y := r.Written[c.grads[1]]; y == nil || !y.SharesMemory(out) || !ops.ArrayEqual(out, r.Values[0].(*nd.Array)) {
			t.Errorf("%s wrote %v, want %v", c.name, out, r.Values[0])
		}
	}
}

// TestCallKeepsLists compares the results before and after lists are flattened.
func TestCallKeepsLists(t *testing.T) {
	a, b, c := vector(1), vector(2), vector(3)
	fn, err := catalogue.Bind(&catalogue.Row{Signature: "f()", Func: func() (*nd.Array, []*nd.Array, int, [][]*nd.Array, error) {
		return a, []*nd.Array{b}, 7, [][]*nd.Array{{a, b}, {}, {c}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []device.Device{nil, ref} {
		r, err := fn.Call(nil, nil, catalogue.CallOptions{Device: on})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Returned) != 4 || len(r.Values) != 6 {
			t.Fatalf("returned %v, values %v", r.Returned, r.Values)
		}
		list, lists := r.Returned[1].([]*nd.Array), r.Returned[3].([][]*nd.Array)
		if len(list) != 1 || len(lists) != 3 || len(lists[0]) != 2 || len(lists[1]) != 0 {
			t.Errorf("lists %v and %v", list, lists)
		}
		for i, x := range []any{r.Returned[0], list[0], r.Returned[2], lists[0][0], lists[0][1], lists[2][0]} {
			if y := r.Values[i]; x != y {
				t.Errorf("value %d is %v, returned was %v", i, y, x)
			} else if y, ok := y.(*nd.Array); ok && on != nil && y.Device() != on {
				t.Errorf("value %d is on %v", i, y.Device())
			}
		}
	}
	if r := called(t, "cupy.split", []any{vector(1, 2), 2}, nil); len(r.Returned) != 1 || len(r.Values) != 2 {
		t.Errorf("split returned %v, values %v", r.Returned, r.Values)
	}
}

// TestParamStars finds out which argument is a list of all that follow.
func TestParamStars(t *testing.T) {
	for name, want := range map[string]int{"nnabla.functions.add_n": 1, "chainer.datasets.DictDataset": 2, "cupy.concatenate": 0} {
		f, err := catalogue.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Params[0].Stars; got != want {
			t.Errorf("%s: %d stars before %s, want %d", name, got, f.Params[0].Name, want)
		}
	}
}
