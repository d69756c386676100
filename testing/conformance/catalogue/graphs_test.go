package catalogue_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestComputationalGraphRows checks that None means no style, and a missing argument the documented one.
func TestComputationalGraphRows(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	y := ops.Exp(tape.Watch(vector(1, 2)))
	for _, c := range []struct {
		named map[string]any
		want  []string
	}{
		{nil, []string{`label="Exp", fillcolor="#6495ED", shape="record"`, `fillcolor="#E0E0E0", shape="octagon"`, "rankdir=TB"}},
		{map[string]any{"variable_style": nil, "function_style": map[string]any{"shape": "box3d"}, "rankdir": "LR"},
			[]string{`label="(2), float64", shape="oval"]`, `label="Exp", shape="box3d"]`, "rankdir=LR"}},
	} {
		g := called(t, "chainer.computational_graph.build_computational_graph", []any{[]*nd.Array{y}}, c.named, catalogue.CallOptions{Defaults: true}).Values[0]
		dot := called(t, "chainer.computational_graph.ComputationalGraph.dump", []any{g}, nil, catalogue.CallOptions{Defaults: true}).Values[0].(string)
		for _, want := range c.want {
			if !strings.Contains(dot, want) {
				t.Errorf("no %s in\n%s", want, dot)
			}
		}
		_, err := catalogue.Call("chainer.computational_graph.ComputationalGraph.dump", []any{g, "png"}, nil)
		if refused := (*catalogue.Refusal)(nil); !errors.As(err, &refused) {
			t.Errorf("unknown format: %v", err)
		}
	}
	nodes := []graph.Node{{Label: "x"}, {Label: "f", Function: true}}
	g := called(t, "chainer.computational_graph.ComputationalGraph", []any{nodes, []graph.Edge{{From: 0, To: 1}}}, nil).Values[0].(*graph.Graph)
	if dot := g.DOT(); !strings.Contains(dot, "0 -> 1;") {
		t.Errorf("it draws\n%s", dot)
	}
}

func TestHookRows(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	var b strings.Builder
	hook := called(t, "chainer.function_hooks.PrintHook", nil, map[string]any{"file": &b}).Values[0]
	called(t, "chainer.Function.add_hook", []any{tape, hook, "print"}, nil)
	x := tape.Watch(vector(1, 2))
	ops.Exp(x)
	if !strings.HasPrefix(b.String(), "ops.Exp\n  float64(2,) on cpu: [1. 2.]") {
		t.Errorf("it printed %q", b.String())
	}
	if h := called(t, "chainer.Function.local_function_hooks", []any{tape}, nil).Values[0].(grad.Hook); h.OnCall == nil {
		t.Error("the hook is missing")
	}
	other := 0
	called(t, "chainer.Function.add_hook", []any{tape, grad.Hook{OnRecord: func(*nd.Node) { other++ }}, "other"}, nil)
	called(t, "chainer.Function.delete_hook", []any{tape, "print"}, nil)
	if ops.Exp(x); tape.OnCall != nil || other != 1 {
		t.Error("the hook is still there, or the other one is not")
	}
	tape.Hook = grad.Hook{}

	saw := ""
	mine := grad.Hook{
		OnCall:     func(fn nd.Func, in []*nd.Array) { saw += string(fn) },
		OnResult:   func(n *nd.Node, in, out []*nd.Array) { saw += " result " + string(n.Func) },
		OnBack:     func(n *nd.Node, gy []*nd.Array) { saw += " back" },
		OnGradient: func(n *nd.Node, gy, gx []*nd.Array) { saw += " gradient" },
	}
	n, _ := ops.Sin(x).Node()
	xs := []*nd.Array{x}
	called(t, "chainer.function.FunctionHook.forward_preprocess", []any{mine, "f", xs}, nil)
	called(t, "chainer.function.FunctionHook.forward_postprocess", []any{mine, n, xs}, nil)
	called(t, "chainer.function.FunctionHook.backward_preprocess", []any{mine, n, xs, xs}, nil)
	called(t, "chainer.function.FunctionHook.backward_postprocess", []any{mine, n, xs, xs}, nil)
	if want := "f result ops.Sin back gradient"; saw != want {
		t.Errorf("%q, want %q", saw, want)
	}
	if h := called(t, "chainer.function.FunctionHook", nil, nil).Values[0].(grad.Hook); h.OnCall != nil {
		t.Error("a new hook does something")
	}
	timer := called(t, "chainer.function_hooks.TimerHook", nil, nil).Values[0].(*grad.Timer)
	tape.Timer = timer
	ops.Exp(x)
	if s := called(t, "chainer.function_hooks.TimerHook.total_time", []any{timer}, nil).Values[0].(float64); s <= 0 || s > 60 {
		t.Errorf("it took %v seconds", s)
	}
}

func TestDebugRows(t *testing.T) {
	tape := called(t, "chainer.set_debug", []any{true}, nil).Values[0].(*grad.Tape)
	is := called(t, "chainer.is_debug", nil, nil).Values[0].(func(*grad.Tape) bool)
	mode := called(t, "chainer.DebugMode", []any{false}, nil).Values[0].(func(*grad.Tape) func())
	restore := mode(tape)
	within := is(tape)
	if restore(); within || !is(tape) {
		t.Errorf("debug mode is %v within, and %v after", within, is(tape))
	}
	xs := []*nd.Array{tape.Watch(vector(1, 2))}
	if n, _ := called(t, "chainer.no_backprop_mode", []any{xs[0]}, nil).Values[0].(*nd.Array).Node(); n != nil {
		t.Error("the array is on a tape")
	}
}

func TestGradientCheckRows(t *testing.T) {
	right := func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(ops.Tanh(xs[0]), xs[1])} }
	wrong := func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(ops.Tanh(xs[0].Detach()), xs[1])} }
	x, w, gy := vector(0.5, 2), vector(3, 4), vector(1, -1)
	single := x.AsType(dtype.Float32)
	for what, c := range map[string]struct {
		args  []any
		named map[string]any
		want  bool
	}{
		"right":                      {[]any{right, []*nd.Array{x, w}, gy}, nil, true},
		"wrong":                      {[]any{wrong, []*nd.Array{x, w}, gy}, nil, false},
		"the wrong one is left out":  {[]any{wrong, []*nd.Array{x, w}, gy}, map[string]any{"no_grads": []bool{true, false}}, true},
		"a parameter":                {[]any{right, x, gy}, map[string]any{"params": []*nd.Array{w}}, true},
		"ones":                       {[]any{right, []*nd.Array{x, w}, nil}, nil, true},
		"differences in float64":     {[]any{right, []*nd.Array{single, w.AsType(dtype.Float32)}, gy.AsType(dtype.Float32)}, map[string]any{"dtype": "float64"}, true},
		"an integer has no gradient": {[]any{right, []*nd.Array{x, nd.FromSlice([]int{3, 4})}, gy}, nil, true},
	} {
		r := called(t, "chainer.gradient_check.check_backward", c.args, c.named, catalogue.CallOptions{Defaults: true})
		if r.Values[0] != c.want {
			t.Errorf("%s: %v", what, r.Values[0])
		}
	}
	test := called(t, "chainer.testing.unary_math_function_unittest", []any{"chainer.functions.sin", math.Sin}, nil).Values[0].(func(testing.TB))
	test(t)
	if r := called(t, "chainer.testing.assert_allclose", []any{vector(1), vector(1.00005)}, nil, catalogue.CallOptions{Defaults: true}); r.Values[0] != true {
		t.Error("not within the documented tolerances")
	}
}

func TestTypeCheckRows(t *testing.T) {
	called(t, "chainer.utils.type_check.expect", []any{true, true}, nil)
	_, err := catalogue.Call("chainer.utils.type_check.expect", []any{true, false}, nil)
	if refused := (*catalogue.Refusal)(nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "condition 1") {
		t.Errorf("a condition that does not hold: %v", err)
	}
	_, err = catalogue.Call("chainer.utils.type_check.InvalidType", []any{"x.ndim == 2", "3 != 2"}, nil)
	if refused := (*nd.Error)(nil); !errors.As(err, &refused) || refused.Msg != "Expect: x.ndim == 2, Actual: 3 != 2" {
		t.Errorf("an invalid type: %v", err)
	}
	info := called(t, "chainer.utils.type_check.TypeInfo", []any{[]int{2, 3}, "float32"}, nil).Values[0].(*nd.Array)
	if info.Rank() != 2 || info.DType() != dtype.Float32 {
		t.Errorf("%s%v", info.DType(), info.Shape())
	}
	if all := called(t, "chainer.utils.type_check.TypeInfoTuple", []any{info, info}, nil).Values; len(all) != 2 || all[1] != any(info) {
		t.Errorf("the tuple is %v", all)
	}
	if n := called(t, "chainer.utils.type_check.TypeInfoTuple.size", []any{[]*nd.Array{info, info}}, nil).Values[0]; n != 2 {
		t.Errorf("%v arrays", n)
	}
}

func TestVariableRows(t *testing.T) {
	x := called(t, "chainer.Variable", []any{vector(1, 2)}, nil).Values[0].(*nd.Array)
	y := ops.Square(x)
	grads := called(t, "chainer.Variable.grad", []any{x}, nil).Values[0].(func(*nd.Array) *nd.Array)
	expect(t, "grad", grads(y), dtype.Float64, 2, 4)
	backward := called(t, "chainer.Variable.backward", []any{y}, nil).Values[0].(func(...*nd.Array) []*nd.Array)
	expect(t, "backward", backward(x)[0], dtype.Float64, 2, 4)
	detached := func(name string) {
		if n, _ := called(t, name, []any{y}, nil).Values[0].(*nd.Array).Node(); n != nil {
			t.Errorf("%s: a tape knows the array", name)
		}
	}
	detached("chainer.Variable.data")
	detached("chainer.Variable.unchain_backward")
	if n := called(t, "chainer.Variable.creator", []any{y}, nil).Values[0].(*nd.Node); n.Func != "ops.Square" {
		t.Errorf("the creator is %s", n.Func)
	}
	n, _ := y.Node()
	made := vector(7, 8)
	called(t, "chainer.Variable.set_creator", []any{made, func(y *nd.Array) { nd.Func("mine").Record(n.Op, []*nd.Array{x}, y) }}, nil)
	if n, _ := made.Node(); n == nil || n.Func != "mine" {
		t.Errorf("the creator is %v", n)
	}

	g := vector(1, 1)
	called(t, "chainer.Variable.addgrad", []any{g, vector(2, 3)}, nil)
	expect(t, "addgrad", g, dtype.Float64, 3, 4)
	called(t, "chainer.Variable.copydata", []any{g, vector(5, 6)}, nil)
	expect(t, "copydata", g, dtype.Float64, 5, 6)
	called(t, "chainer.Variable.zerograd", []any{g}, nil)
	expect(t, "zerograd", g, dtype.Float64, 0, 0)
	for name, want := range map[string]string{"chainer.Variable.label": "(2), float64", "chainer.Variable.debug_print": "float64(2,) on cpu: [0. 0.]"} {
		if got := called(t, name, []any{g}, nil).Values[0]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	expect(t, "to_cpu", called(t, "chainer.Variable.to_cpu", []any{g}, nil).Values[0], dtype.Float64, 0, 0)
	expect(t, "to_gpu", called(t, "chainer.Variable.to_gpu", []any{g, "ref"}, nil).Values[0], dtype.Float64, 0, 0)
	called(t, "chainer.Variable.cleargrad", []any{g}, nil)
	if !g.IsReleased() {
		t.Error("the gradient is still there")
	}
}

func TestFunctionRows(t *testing.T) {
	f, x, w, gy := mul2(), vector(2, 3), vector(5, 7), vector(1, 10)
	expect(t, "call", called(t, "chainer.Function.__call__", []any{f, x, w}, nil).Values[0], dtype.Float64, 10, 21)
	forward := func(name string) {
		expect(t, name, called(t, name, []any{f, []*nd.Array{x, w}}, nil).Values[0], dtype.Float64, 10, 21)
	}
	forward("chainer.Function.forward")
	forward("chainer.Function.forward_cpu")
	forward("chainer.Function.forward_gpu")
	backward := func(name string) {
		r := called(t, name, []any{f, []*nd.Array{x, w}, []*nd.Array{gy}}, nil)
		expect(t, name, r.Values[0], dtype.Float64, 5, 70)
		expect(t, name, r.Values[1], dtype.Float64, 2, 30)
	}
	backward("chainer.Function.backward")
	backward("chainer.Function.backward_cpu")
	backward("chainer.Function.backward_gpu")
	called(t, "chainer.Function.check_type_forward", []any{f, []*nd.Array{x, w}}, nil)
	released := vector(1)
	released.Release()
	if _, err := catalogue.Call("chainer.Function.check_type_forward", []any{f, []*nd.Array{x, released}}, nil); err == nil {
		t.Error("check_type_forward accepts a released array")
	}
	if name := called(t, "chainer.Function.label", []any{f}, nil).Values[0]; name != "Mul2" {
		t.Errorf("the label is %v", name)
	}
	if made := called(t, "chainer.Function", nil, nil).Values[0].(*grad.Function); made.Forward != nil || made.Name != "" {
		t.Errorf("a new function is %+v", made)
	}
	tape := grad.NewTape()
	defer tape.Release()
	v := tape.Watch(x)
	y := ops.Square(v)
	z := ops.Multiply(y, v)
	n, _ := y.Node()
	called(t, "chainer.Function.unchain", []any{n}, nil)
	gs := tape.Gradient(z, v, y)
	expect(t, "past the cut", gs[0], dtype.Float64, 4, 9)
	expect(t, "behind the cut", gs[1], dtype.Float64, 2, 3)
}
