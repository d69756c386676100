package grad_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// long is a number of elements from which on results are deferred.
const long = 5000

// gelu is GELU as a program writes it that has no function for it: 9 functions.
func gelu(x *nd.Array) *nd.Array {
	u := ops.Add(ops.Multiply(ops.Multiply(ops.Square(x), x), 0.044715), x)
	u = ops.Tanh(ops.Multiply(u, 0.7978845608028654))
	return ops.Multiply(ops.Multiply(ops.Add(u, 1.0), x), 0.5)
}

// gradientOf is a step: the gradient of the sum of a function, whose result a copy reads, on the given tape.
func gradientOf(tape *grad.Tape, x *nd.Array, f func(x *nd.Array) *nd.Array) *nd.Array {
	w := tape.Watch(x)
	y := f(w)
	y.Copy() // as a product of matrices reads it
	return tape.Keep(tape.Gradient(y, w)[0].Copy())
}

// inScope is gradientOf in a scope, whose launches it also returns.
func inScope(tape *grad.Tape, x *nd.Array, f func(x *nd.Array) *nd.Array) (g *nd.Array, e nd.Explanation) {
	e = nd.Explain(func() {
		nd.TidyAll(func() {
			g = gradientOf(tape, x, f)
			tape.Reset()
		}, &x, &g)
	})
	return g, e
}

func ramp() *nd.Array { return ops.Divide(nd.ArangeInt(-long/2, long/2, 1), 1000.0) }

// longest returns the largest number of functions that one launch has joined, and how many launches have joined any.
func longest(e nd.Explanation) (most, joined int) {
	for _, l := range e {
		most = max(most, len(l.Funcs))
		if len(l.Funcs) > 1 {
			joined++
		}
	}
	return most, joined
}

func same(a, b *nd.Array) bool { return slices.Equal(nd.ToSlice[float64](a), nd.ToSlice[float64](b)) }

// TestScopesJoinRecordedFunctions: in a scope the functions of a step are one pass forward, which also stores the tanh, and one pass back.
func TestScopesJoinRecordedFunctions(t *testing.T) {
	x := ramp()
	want := gradientOf(grad.NewTape(), x, gelu)
	for name, tape := range map[string]*grad.Tape{"an old tape": grad.NewTape(), "a tape with Lines": {}} {
		if name == "a tape with Lines" {
			*tape = *grad.NewTape()
			tape.Lines = true
		}
		for range 2 {
			g, e := inScope(tape, x, gelu)
			if !same(g, want) {
				t.Errorf("%s: the gradient differs in a scope", name)
			}
			if most, joined := longest(e); joined != 2 || most < 12 || e.Total().Written > 7*8*long {
				t.Errorf("%s:\n%v", name, e)
			}
		}
	}
}

// TestObservedTapesDoNotJoin: what observes the functions of a tape sees them run one by one.
func TestObservedTapesDoNotJoin(t *testing.T) {
	x := ramp()
	want := gradientOf(grad.NewTape(), x, gelu)
	for name, observe := range map[string]func(tape *grad.Tape){
		"OnCall":     func(tape *grad.Tape) { tape.OnCall = func(nd.Func, []*nd.Array) {} },
		"OnRecord":   func(tape *grad.Tape) { tape.OnRecord = func(*nd.Node) {} },
		"OnResult":   func(tape *grad.Tape) { tape.OnResult = func(*nd.Node, []*nd.Array, []*nd.Array) {} },
		"OnBack":     func(tape *grad.Tape) { tape.OnBack = func(*nd.Node, []*nd.Array) {} },
		"OnGradient": func(tape *grad.Tape) { tape.OnGradient = func(*nd.Node, []*nd.Array, []*nd.Array) {} },
		"Timer":      func(tape *grad.Tape) { tape.Timer = new(grad.Timer) },
		"Debug":      func(tape *grad.Tape) { tape.Debug = true },
	} {
		tape := grad.NewTape()
		observe(tape)
		g, e := inScope(tape, x, gelu)
		if _, joined := longest(e); joined != 0 || !same(g, want) {
			t.Errorf("%s:\n%v", name, e)
		}
		late := grad.NewTape() // observed from the backward pass on
		nd.TidyAll(func() {
			w := late.Watch(x)
			y := gelu(w)
			y.Copy()
			observe(late)
			e = nd.Explain(func() { g = late.Keep(late.Gradient(y, w)[0].Copy()) })
			for _, l := range e {
				if len(l.Funcs) > 1 && slices.Contains(l.Funcs, "ops.Tanh.grad") {
					t.Errorf("%s, in the backward pass:\n%v", name, e)
				}
			}
			late.Reset()
		}, &x, &g)
		if !same(g, want) {
			t.Errorf("%s: the gradient differs", name)
		}
	}
}

// TestTapesOutliveScopes: what a tape holds is there after the end of a scope, in whatever way the scope ends, for gradients and for the
// program; and what was overwritten is refused as without a scope.
func TestTapesOutliveScopes(t *testing.T) {
	x := ramp()
	want := gradientOf(grad.NewTape(), x, gelu)
	tape := grad.NewTape()
	var w, y, u *nd.Array
	nd.TidyAll(func() {
		w = tape.Watch(x)
		u = ops.Multiply(w, 0.5)
		y = gelu(ops.Add(u, u))
	}, &x, &u, &y)
	if g := tape.Gradient(y, w)[0]; !same(g, want) || u.Float(0) != -long/4000.0 {
		t.Error("the gradient differs after a scope")
	}
	first := tape.GradientRecorded(y, w)[0]
	var second *nd.Array
	nd.TidyAll(func() { second = tape.Gradient(first, w)[0] }, &x, &second)
	if !same(second, tape.Gradient(first, w)[0]) {
		t.Error("the second order differs in another scope")
	}
	tape.Reset()

	err := nd.Catch(func() {
		nd.TidyAll(func() {
			w = tape.Watch(x)
			y = gelu(w)
			panic(nd.Func("test").Errorf(nil, "the step fails"))
		}, &x)
	})
	if g := tape.Gradient(y, w)[0]; err == nil || !same(g, want) {
		t.Errorf("the gradient differs after a panic (%v)", err)
	}
	tape.Reset()

	refusals := [2]error{}
	step := func(k int) {
		c := ramp()
		w = tape.Watch(x)
		y = ops.Sin(ops.Multiply(w, c))
		z := ops.Multiply(y, 2.0)
		ops.Add(c, 1.0, ops.Into(c))
		if got, want := z.Float(7), y.Float(7)*2; got != want {
			t.Errorf("%v, want %v: an operand was read after it was overwritten", got, want)
		}
		refusals[k] = nd.Catch(func() { tape.Gradient(z, w) })
		tape.Reset()
	}
	step(0)
	nd.TidyAll(func() { step(1) }, &x)
	if refusals[0] == nil || refusals[1] == nil || refusals[0].Error() != refusals[1].Error() {
		t.Errorf("refusals:\n%v\n%v", refusals[0], refusals[1])
	}
}
