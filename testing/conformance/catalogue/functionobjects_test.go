package catalogue_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// mul2 is the document's example of a user-defined function, a product.
func mul2() *grad.Function {
	return &grad.Function{
		Name:    "Mul2",
		Forward: func(in []*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(in[0], in[1])} },
		Backward: func(c *nd.Call) {
			if c.Needs(0) {
				c.SetGx(0, ops.Multiply(c.Gy(0), c.In(1)))
			}
			if c.Needs(1) {
				c.SetGx(1, ops.Multiply(c.Gy(0), c.In(0)))
			}
		},
		Claims: &nd.Claims{In: 0b11},
	}
}

func TestPythonFunction(t *testing.T) {
	const of = "nnabla.function.PythonFunction"
	f, x, y := mul2(), vector(2, 3), vector(5, 7)
	watched := catalogue.CallOptions{Gradients: []string{"inputs"}}
	r := called(t, of+".__call__", []any{f, x, y}, nil, watched)
	expect(t, "the product", r.Values[0], dtype.Float64, 10, 21)
	expect(t, "gx", r.Gradients["inputs[0]"], dtype.Float64, 5, 7)
	expect(t, "gy", r.Gradients["inputs[1]"], dtype.Float64, 2, 3)

	out := vector(0, 0)
	called(t, of+".forward_impl", []any{f, []*nd.Array{x, y}, []*nd.Array{out}}, nil)
	expect(t, "what forward_impl wrote", out, dtype.Float64, 10, 21)

	gy := []*nd.Array{vector(1, -1)}
	r = called(t, of+".backward_impl", []any{f, []*nd.Array{x, y}, gy, []bool{false, true}, []bool{false, false}}, nil)
	expect(t, "a gradient that is propagated down", r.Values[1], dtype.Float64, 2, -3)
	if r.Values[0] != any((*nd.Array)(nil)) {
		t.Errorf("a gradient that is not propagated down: %v", r.Values[0])
	}

	if r := called(t, of, nil, map[string]any{"ctx": nil}); fmt.Sprintf("%T", r.Values[0]) != "*grad.Function" {
		t.Errorf("the class is %T", r.Values[0])
	}
	for _, c := range []struct {
		method string
		args   []any
		want   any
	}{
		{of + ".name", []any{f}, "Mul2"},
		{of + ".grad_depends_input_data", []any{f, 0, 1}, true},
		{of + ".grad_depends_output_data", []any{f, 0, 0}, false},
		{of + ".grad_depends_output_data", []any{&grad.Function{}, 0, 0}, true},
	} {
		if r := called(t, c.method, c.args, nil); r.Values[0] != c.want {
			t.Errorf("%s%v is %v, want %v", c.method, c.args[1:], r.Values[0], c.want)
		}
	}
}

func TestFunctionTellsOfItself(t *testing.T) {
	const of = "nnabla.function.Function"
	tape := grad.NewTape()
	defer tape.Release()
	y := ops.Exp(tape.Watch(vector(0, 1)))
	r := called(t, of, []any{y}, nil)
	parent := r.Values[0].(*nd.Node)
	for _, c := range []struct {
		method string
		args   []any
		want   any
	}{
		{of + ".info", nil, "ops.Exp: float64(2,) -> float64(2,)"},
		{of + ".min_outputs", nil, 1},
		{of + ".args", nil, parent.Op},
		{of + ".grad_depends_output_data", []any{0, 0}, true},
	} {
		if r := called(t, c.method, append([]any{parent}, c.args...), nil); r.Values[0] != c.want {
			t.Errorf("%s is %v, want %v", c.method, r.Values[0], c.want)
		}
	}
}

// TestFunctionRuns runs a documented function and a Go function as objects.
func TestFunctionRuns(t *testing.T) {
	square := func(xs []*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(xs[0])} }
	for _, f := range []any{square, "chainer.functions.square"} {
		in, out := []*nd.Array{vector(2, 3)}, []*nd.Array{vector(0, 0)}
		called(t, "nnabla.function.Function.forward", []any{f, in, out}, nil)
		expect(t, "what forward wrote", out[0], dtype.Float64, 4, 9)
		gy := []*nd.Array{vector(1, 10)}
		r := called(t, "nnabla.function.Function.backward", []any{f, in, gy, []bool{false}}, nil)
		expect(t, "backward", r.Values[0], dtype.Float64, 4, 60)
		r = called(t, "nnabla.function.Function.recompute", []any{f, in, out}, nil, catalogue.CallOptions{Gradients: []string{"inputs"}})
		expect(t, "recompute", r.Values[0], dtype.Float64, 4, 9)
		expect(t, "its gradient", r.Gradients["inputs[0]"], dtype.Float64, 4, 6)
		_, err := catalogue.Call("nnabla.function.Function.forward", []any{f, in, []*nd.Array{}}, nil)
		if refused := (*catalogue.Refusal)(nil); !errors.As(err, &refused) {
			t.Errorf("a result without an output: %v", err)
		}
	}
}

func TestGradOperator(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x, other := tape.Watch(vector(1, 2)), tape.Watch(vector(3))
	y := ops.Power(x, 3)
	r := called(t, "nnabla.grad", []any{[]*nd.Array{y}, []*nd.Array{x, other}}, nil)
	expect(t, "3x²", r.Values[0], dtype.Float64, 3, 12)
	expect(t, "what y does not depend on", r.Values[1], dtype.Float64, 0)
	again := called(t, "nnabla.grad", []any{r.Values[0], x, 2}, nil) // one array stands for a list, one number for all gradients
	expect(t, "2·6x", again.Values[0], dtype.Float64, 12, 24)
	third := called(t, "nnabla.grad", []any{again.Values[0], x, []*nd.Array{vector(1, -1)}}, nil)
	expect(t, "±12", third.Values[0], dtype.Float64, 12, -12)

	var refused *catalogue.Refusal
	_, err := catalogue.Call("nnabla.grad", []any{y, vector(1)}, nil)
	if !errors.As(err, &refused) || refused.Kind != catalogue.Refused {
		t.Errorf("gradient for an unwatched array: %v", err)
	}
}

func TestVariablesAndContexts(t *testing.T) {
	for name, recorded := range map[string]bool{"nnabla.NdArray": false, "nnabla.Variable": true} {
		named := map[string]any{}
		if recorded {
			named["need_grad"] = true
		}
		x := called(t, name, []any{[]int{2, 3}}, named).Values[0].(*nd.Array)
		if n, _ := x.Node(); !slices.Equal(x.Shape(), []int{2, 3}) || x.DType() != dtype.Float32 || (n != nil) != recorded {
			t.Errorf("%s: shape %v of %s, recorded %v", name, x.Shape(), x.DType(), n != nil)
		}
	}
	watched := catalogue.CallOptions{Gradients: []string{"self"}}
	r := called(t, "nnabla.Variable.reshape", []any{vector(1, 2), []int{2, 1}}, nil, watched)
	expect(t, "gradients through reshape", r.Gradients["self"], dtype.Float64, 1, 1)

	for _, c := range []struct {
		backend []string
		want    string
	}{{nil, "cpu"}, {[]string{"cpu:float"}, "cpu"}, {[]string{"ref"}, "ref"}} {
		r := called(t, "nnabla.Context", []any{c.backend, "CpuCachedArray", "0"}, nil)
		if name := r.Values[0].(device.Device).Name(); name != c.want {
			t.Errorf("the context of %v is %s, want %s", c.backend, name, c.want)
		}
	}
	var refused *catalogue.Refusal
	if _, err := catalogue.Call("nnabla.Context", []any{[]string{"none:float"}}, nil); !errors.As(err, &refused) {
		t.Errorf("unknown backend: %v", err)
	}
}
