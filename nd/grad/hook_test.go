package grad_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// diary is a hook that writes down its calls.
func diary(lines *[]string) grad.Hook {
	note := func(what string, name nd.Func) {
		*lines = append(*lines, what+" "+strings.TrimPrefix(string(name), "ops."))
	}
	return grad.Hook{
		OnCall:     func(fn nd.Func, in []*nd.Array) { note("call", fn) },
		OnRecord:   func(n *nd.Node) { note("record", n.Func) },
		OnResult:   func(n *nd.Node, in, out []*nd.Array) { note("result", n.Func) },
		OnBack:     func(n *nd.Node, gy []*nd.Array) { note("back", n.Func) },
		OnGradient: func(n *nd.Node, gy, gx []*nd.Array) { note("gradient", n.Func) },
	}
}

// TestHooksGoAroundOperations: the calls are in order, one before and one after each operation, forward and backward,
// also for a view.
func TestHooksGoAroundOperations(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	var lines []string
	tape.Hook = diary(&lines)
	x := tape.Watch(vector(1, 2))
	y := ops.Exp(x.Reshape(2, 1).AsType(dtype.Float32))
	ops.Exp(vector(1)) // unrecorded
	tape.Gradient(y, x)
	want := []string{
		"record Array.Reshape", "call Array.Reshape", "result Array.Reshape",
		"call Array.AsType", "record Array.AsType", "result Array.AsType",
		"call Exp", "record Exp", "result Exp",
		"back Exp", "gradient Exp", "back Array.AsType", "gradient Array.AsType", "back Array.Reshape", "gradient Array.Reshape",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	lines = nil
	tape.Hook = grad.Hook{}
	tape.Gradient(ops.Exp(x), x)
	if lines != nil {
		t.Errorf("a removed hook saw %q", lines)
	}
}

// TestHooksGetArrays: hooks get unrecorded arrays, with which they may compute.
func TestHooksGetArrays(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	sums := map[string]float64{}
	var held []*nd.Array
	sum := func(what string, xs ...*nd.Array) {
		total := 0.0
		for _, x := range xs {
			if x != nil {
				total += nd.Value[float64](ops.Sum(x))
			}
		}
		sums[what], held = total, append(held, xs...)
	}
	tape.Hook = grad.Hook{
		OnCall:     func(fn nd.Func, in []*nd.Array) { sum("call", in...) },
		OnResult:   func(n *nd.Node, in, out []*nd.Array) { sum("in", in...); sum("out", out...) },
		OnBack:     func(n *nd.Node, gy []*nd.Array) { sum("gy", gy...) },
		OnGradient: func(n *nd.Node, gy, gx []*nd.Array) { sum("gx", gx...) },
	}
	x := tape.Watch(vector(1, 2))
	near(t, "the gradient", tape.Gradient(ops.Multiply(x, vector(3, 4)), x)[0], 3, 4)
	if want := fmt.Sprint(map[string]float64{"call": 10, "in": 10, "out": 11, "gy": 2, "gx": 7}); fmt.Sprint(sums) != want {
		t.Errorf("sums %v, want %v", sums, want)
	}
	if !held[0].IsReleased() || x.IsReleased() {
		t.Error("the header that a hook was given outlives it, or the argument does not")
	}
}

// TestHooksCallSeveral: several hooks are called in their order, and Hooks of none is the zero Hook.
func TestHooksCallSeveral(t *testing.T) {
	var first, second, both []string
	tape := grad.NewTape()
	defer tape.Release()
	tape.Hook = grad.Hooks(diary(&first), grad.Hook{}, grad.Hooks(diary(&second)), grad.Hook{OnRecord: func(*nd.Node) {
		both = append(both, fmt.Sprint(len(first), len(second)))
	}})
	x := tape.Watch(vector(1))
	tape.Gradient(ops.Exp(x), x)
	if len(first) != 5 || !slices.Equal(first, second) || !slices.Equal(both, []string{"2 2"}) {
		t.Errorf("%q, %q, %q", first, second, both)
	}
	if none := grad.Hooks(grad.Hook{}); none.OnCall != nil || none.OnRecord != nil || none.OnResult != nil || none.OnBack != nil || none.OnGradient != nil {
		t.Error("Hooks of none is not the zero Hook")
	}
}

// TestHooksWithout removes hooks by their names: the others stay, in their order.
func TestHooksWithout(t *testing.T) {
	var lines []string
	named := func(name string) grad.Hook {
		return grad.Hook{Name: name, OnRecord: func(*nd.Node) { lines = append(lines, name) }}
	}
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1))
	see := func(want ...string) {
		t.Helper()
		lines = nil
		if ops.Exp(x); !slices.Equal(lines, want) {
			t.Errorf("hooks %q, want %q", lines, want)
		}
	}
	tape.Hook = grad.Hooks(named("a"), named(""), grad.Hooks(named("b"), named("a")))
	see("a", "", "b", "a")
	tape.Hook = tape.Hook.Of("ops.Exp").Without("b")
	see("a", "", "a")
	ops.Sin(x)
	see("a", "", "a")
	tape.Hook = tape.Hook.Without("a")
	see("")
	tape.Hook = grad.Hooks(tape.Hook, named("c")).Without("")
	see("c")
	refused(t, func() { tape.Hook.Without("b") }, "Hook.Without", `"b"`)
	tape.Hook = tape.Hook.Without("c")
	see()
	if one := named("d").Without("d"); one.OnRecord != nil {
		t.Error("a single hook is not removed by its name")
	}
}

// TestUnchain cuts one operation off from its inputs: gradients reach its result, and no further that way.
func TestUnchain(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(2, 3))
	square := ops.Square(x)
	y := ops.Exp(square)
	z := ops.Add(ops.Multiply(y, x), square)
	n, _ := y.Node()
	n.Unchain()
	gs := tape.Gradient(z, x, square, y)
	near(t, "through all but the cut", gs[0], math.Exp(4)+4, math.Exp(9)+6)
	near(t, "before the cut", gs[1], 1, 1)
	near(t, "behind the cut", gs[2], 2, 3)
	if n.Inputs() != 0 || tape.Len() != 5 {
		t.Errorf("%v, record of %d", n, tape.Len())
	}
	n.Unchain() // again: nothing changes
	near(t, "after another call", tape.Gradient(z, y)[0], 2, 3)
}

// TestHookPanics: wherever a hook panics, the tape continues as if the call had not been made.
func TestHookPanics(t *testing.T) {
	for name, h := range map[string]grad.Hook{
		"OnCall":     {OnCall: func(nd.Func, []*nd.Array) { panic("mine") }},
		"OnRecord":   {OnRecord: func(*nd.Node) { panic("mine") }},
		"OnResult":   {OnResult: func(*nd.Node, []*nd.Array, []*nd.Array) { panic("mine") }},
		"OnBack":     {OnBack: func(*nd.Node, []*nd.Array) { panic("mine") }},
		"OnGradient": {OnGradient: func(*nd.Node, []*nd.Array, []*nd.Array) { panic("mine") }},
	} {
		tape := grad.NewTape()
		x := tape.Watch(vector(1, 2))
		func() {
			defer func() {
				if fault := recover(); fault != "mine" {
					t.Errorf("%s: panic %v", name, fault)
				}
			}()
			tape.Hook = h
			tape.Gradient(ops.Exp(x), x)
		}()
		tape.Hook = grad.Hook{}
		near(t, name, tape.Gradient(ops.Square(x), x)[0], 2, 4)
		tape.Release()
	}
}

// TestTimerCountsCalls: the timer leaves out what happens between the calls.
func TestTimerCountsCalls(t *testing.T) {
	timer := &grad.Timer{}
	tape := grad.NewTape()
	defer tape.Release()
	tape.Timer = timer
	const gap = 50 * time.Millisecond
	slow := &grad.Function{
		Name:     "test.slow",
		Forward:  func(in []*nd.Array) []*nd.Array { time.Sleep(gap); return []*nd.Array{in[0].Copy()} },
		Backward: func(c *nd.Call) { c.SetGx(0, c.Gy(0)) },
	}
	for range 2 {
		x := tape.Watch(vector(1, 2))
		y := ops.Square(x)
		time.Sleep(gap)
		y = slow.Call(y.Reshape(2, 1))[0]
		tape.Gradient(ops.Square(y), x)
		tape.Reset()
	}
	rows := map[string]grad.TimerRow{}
	for _, row := range timer.Rows() {
		rows[row.Name] = row
	}
	for name, calls := range map[string]int{"ops.Square": 4, "Array.Reshape": 2, "test.slow": 2} {
		if row := rows[name]; row.Calls != calls || row.BackwardCalls != calls {
			t.Errorf("%s: %+v, want %d calls and returns", name, row, calls)
		}
	}
	if slow, all := rows["test.slow"].Forward, timer.Total(); slow < 2*gap || all < slow || all > slow+gap {
		t.Errorf("%v of %v in the slow function, which takes %v: the time between calls was counted", slow, all, 2*gap)
	}
	if first := timer.Rows()[0].Name; first != "test.slow" {
		t.Errorf("%s takes longest", first)
	}
	if text := timer.String(); !strings.HasPrefix(text, "function ") || strings.Count(text, "\n") != 5 || !strings.Contains(text, "\nall ") {
		t.Errorf("it prints\n%s", text)
	}
	timer.Reset()
	if timer.Total() != 0 || len(timer.Rows()) != 0 {
		t.Error("a reset timer still has rows")
	}
}

// TestTimerAddsSpansUp: spans are summed under their path, and calls outside spans under their name.
func TestTimerAddsSpansUp(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	tape.Timer = &grad.Timer{Spans: true}
	x := tape.Watch(vector(1, 2))
	outer := tape.Span("block")
	for range 2 {
		end := tape.Span("layer")
		x = ops.Exp(ops.Negative(x))
		end()
	}
	outer()
	ops.Sum(x)
	calls := map[string]int{}
	for _, row := range tape.Timer.Rows() {
		calls[row.Name] = row.Calls
	}
	if want := map[string]int{"block/layer": 4, "ops.Sum": 1}; fmt.Sprint(calls) != fmt.Sprint(want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}

func ExamplePrintHook() {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float32{1, 2, 3}))
	var b strings.Builder
	tape.Hook = grad.PrintHook(&b)
	tape.Gradient(ops.Multiply(x, nd.FromSlice([]float32{4, 5, 6})), x)
	fmt.Print(b.String())
	// Output:
	// ops.Multiply
	//   float32(3,) on cpu: [1. 2. 3.]
	//   float32(3,) on cpu: [4. 5. 6.]
	// grad of ops.Multiply
	//   float32(3,) on cpu: [1. 1. 1.]
}

func TestDescribe(t *testing.T) {
	for want, x := range map[string]*nd.Array{
		"nil":                              nil,
		"2.5":                              nd.Scalar(2.5),
		"int64() on cpu: [3]":              nd.FromSlice([]int64{3}).Reshape(),
		"bool(2, 1) on cpu: [ True False]": nd.FromSlice([]bool{true, false}, 2, 1),
		"float64(9,) on cpu: mean 4.0, std 2.581988897471611": nd.Arange(0, 9, 1),
	} {
		if got := grad.Describe(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDebug finds the function that computes the first NaN or infinity.
func TestDebug(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	tape.Debug = true
	x := tape.Watch(vector(0, -1, 4))
	finite := ops.Add(ops.Absolute(x), 1)
	near(t, "finite numbers", tape.Gradient(ops.Log(finite), x)[0], 0, -0.5, 0.2)
	refused(t, func() { ops.Sqrt(x) }, "ops.Sqrt", "result 0", "NaN")
	refused(t, func() { ops.Log(ops.Absolute(x)) }, "ops.Log", "infinity")
	root := ops.Sqrt(ops.Absolute(x))
	refused(t, func() { tape.Gradient(root, x) }, "ops.Sqrt", "gradient of input 0", "infinity")

	masked := ops.Where(ops.Less(x, 0), math.Inf(-1), x) // an intended infinity
	masked = ops.Add(masked, vector(0, math.Inf(-1), 0))
	near(t, "a mask of infinities", ops.Softmax(masked.Reshape(1, 3)), 0.01798620996209156, 0, 0.9820137900379085)
	tape.Debug = false
	ops.Sqrt(x)
}

// TestHooksCostNothing: a call under a tape without listeners allocates as much as it did before there were hooks.
func TestHooksCostNothing(t *testing.T) {
	tape := grad.NewTape()
	w, c := vector(1, 2), vector(3, 4)
	step := func() { ops.Multiply(tape.Watch(w), c); tape.Reset() }
	step()
	bare := testing.AllocsPerRun(100, step)
	tape.Hook = grad.Hook{OnRecord: func(*nd.Node) {}}
	if n := testing.AllocsPerRun(100, step); n != bare || bare > 2 {
		t.Errorf("%v allocations with a hook that needs no arrays, %v without", n, bare)
	}
}

// TestHooksOfOneFunction: a restricted hook sees no other function.
func TestHooksOfOneFunction(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	var lines []string
	tape.Hook = diary(&lines).Of("ops.Exp", "mine")
	x := tape.Watch(vector(1))
	tape.Gradient(ops.Sin(ops.Exp(x)), x)
	if want := []string{"call Exp", "record Exp", "result Exp", "back Exp", "gradient Exp"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if none := (grad.Hook{}).Of("ops.Exp"); none.OnCall != nil || none.OnRecord != nil || none.OnResult != nil || none.OnBack != nil || none.OnGradient != nil {
		t.Error("an empty hook is not the zero Hook")
	}
}

// TestFunctionsCheckTheirArguments: an error of a user-defined function contains its name and its operands.
func TestFunctionsCheckTheirArguments(t *testing.T) {
	const fn nd.Func = "mine.Rows"
	rows := &grad.Function{Name: string(fn), Forward: func(in []*nd.Array) []*nd.Array {
		fn.Expect(len(in) == 1, in, "want one array")
		fn.Expect(in[0].Rank() == 2, in, "want %d axes", 2)
		return []*nd.Array{ops.Sum(in[0], ops.Over(1))}
	}}
	near(t, "rows", rows.Call(vector(1, 2).Reshape(1, 2))[0], 3)
	refused(t, func() { rows.Call(vector(1, 2)) }, "mine.Rows: want 2 axes [operands: float64(2,)]")
	refused(t, func() { rows.Call(vector(1), vector(2)) }, "mine.Rows: want one array [operands: float64(1,) float64(1,)]")
}
