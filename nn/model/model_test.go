package model_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
)

// node makes an operation of a function of arrays.
func node(name string, inputs, outputs string, f func(in ...*nd.Array) []*nd.Array) model.Node {
	return model.Node{Name: name, Type: "Test", Inputs: strings.Split(inputs, " "), Outputs: strings.Split(outputs, " "),
		Run: func(_ *nn.Scope, in []model.Value) []model.Value {
			arrays := make([]*nd.Array, len(in))
			for i, v := range in {
				arrays[i], _ = v.(*nd.Array)
			}
			var out []model.Value
			for _, x := range f(arrays...) {
				out = append(out, x)
			}
			return out
		}}
}

// seen notes the results of operations.
type seen struct {
	sync.Mutex
	arrays map[string][]*nd.Array
}

func (s *seen) note(name string, out ...*nd.Array) []*nd.Array {
	s.Lock()
	defer s.Unlock()
	s.arrays[name] = append(s.arrays[name], out...)
	return out
}

// example is y = exp(x·w)², z = exp(x·w) + x, in the wrong order, with an identity and an output nobody wants.
func example(t *testing.T) (*model.Model, *seen) {
	t.Helper()
	s := &seen{arrays: map[string][]*nd.Array{}}
	params := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
	params.Set("layer/w", nd.FromSlice([]float64{2, 3}))
	m, err := model.New(model.Definition{
		Name: "example", Inputs: []model.Input{{Name: "x", DType: dtype.Float64, Shape: []int{-1, 2}}, {Name: "unused"}}, Outputs: []string{"y"},
		Nodes: []model.Node{
			node("square", "same same", "y", func(in ...*nd.Array) []*nd.Array { return s.note("y", ops.Multiply(in[0], in[1])) }),
			node("product", "x w", "p", func(in ...*nd.Array) []*nd.Array { return s.note("p", ops.Multiply(in[0], in[1])) }),
			node("identity", "e", "same", func(in ...*nd.Array) []*nd.Array { return in }),
			node("exp", "p", "e extra", func(in ...*nd.Array) []*nd.Array {
				return s.note("e", ops.Exp(in[0]), ops.Negative(in[0]))
			}),
			node("sum", "e x ", "z", func(in ...*nd.Array) []*nd.Array { return s.note("z", ops.Add(in[0], in[1])) }),
		},
		Params: params, Paths: map[string]string{"w": "layer/w"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

func TestCallRunsWhatIsNeeded(t *testing.T) {
	m, s := example(t)
	x := nd.FromSlice([]float64{0, 0, 1, -1}, 2, 2)
	y := m.Call(map[string]*nd.Array{"x": x})[0]
	want := ops.Square(ops.Exp(ops.Multiply(x, nd.FromSlice([]float64{2, 3}))))
	if !ops.AllClose(y, want) {
		t.Errorf("y is %v, want %v", y, want)
	}
	if len(s.arrays["z"]) != 0 || len(s.arrays["e"]) != 2 {
		t.Errorf("results %v: want those that y needs", s.arrays)
	}
	for _, made := range []*nd.Array{s.arrays["p"][0], s.arrays["e"][0], s.arrays["e"][1]} {
		if !made.IsReleased() {
			t.Errorf("%v was not released", made)
		}
	}
	if x.IsReleased() || m.Params().Get("layer/w").IsReleased() || y.IsReleased() {
		t.Error("an input, a parameter or an output was released")
	}
	all := m.Call(map[string]*nd.Array{"x": x}, "z", "e", "w", "x", "y", "y")
	if all[1] != s.arrays["e"][2] || all[1].IsReleased() || all[2] != m.Params().Get("layer/w") || all[3] != x || all[4] != all[5] || all[0].IsReleased() {
		t.Errorf("asked for z, e, w, x, y, y: %v", all)
	}
}

func TestGradientsFlow(t *testing.T) {
	m, _ := example(t)
	tape := grad.NewTape()
	defer tape.Release()
	params := m.Params().Watch(tape)
	x := tape.Watch(nd.FromSlice([]float64{0.5, -0.25}, 1, 2))
	y := ops.Sum(m.In(params).Call(map[string]*nd.Array{"x": x})[0])
	w := params.Get("layer/w")
	got := tape.Gradient(y, x, w)
	inner := ops.Multiply(2, ops.Exp(ops.Multiply(2, ops.Multiply(x.Detach(), w.Detach()))))
	if want := ops.Multiply(inner, w.Detach()); !ops.AllClose(got[0], want) {
		t.Errorf("gradient of x %v, want %v", got[0], want)
	}
	if want := ops.Multiply(inner, x.Detach()).Reshape(2); !ops.AllClose(got[1], want) {
		t.Errorf("gradient of w %v, want %v", got[1], want)
	}
}

func TestGoroutinesCallOneModel(t *testing.T) {
	m, _ := example(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			x := nd.Full([]int{1, 2}, float64(i)/8)
			y := m.Call(map[string]*nd.Array{"x": x})[0]
			if want := ops.Square(ops.Exp(ops.Multiply(x, nd.FromSlice([]float64{2, 3})))); !ops.AllClose(y, want) {
				t.Errorf("y is %v, want %v", y, want)
			}
		})
	}
	wait.Wait()
}

func TestCallRefuses(t *testing.T) {
	m, s := example(t)
	x := nd.Ones([]int{1, 2})
	other := nn.NewScope()
	for want, call := range map[string]func(){
		`input "x" is missing`:                   func() { m.Call(nil) },
		`input "x" has dtype float32`:            func() { m.Call(map[string]*nd.Array{"x": x.AsType(dtype.Float32)}) },
		`has shape (1, 3), want (-1, 2)`:         func() { m.Call(map[string]*nd.Array{"x": nd.Ones([]int{1, 3})}) },
		`no input "xs": its inputs are ["x" "u`:  func() { m.Call(map[string]*nd.Array{"x": x, "xs": x}) },
		`no value "q"`:                           func() { m.Call(map[string]*nd.Array{"x": x}, "q") },
		`the scope has no parameter "layer/w"`:   func() { m.In(other) },
		`the scope is nil`:                       func() { m.In(nil) },
		`Model.CallValues: the input "x" is mis`: func() { m.CallValues(nil) },
	} {
		err := nd.Catch(call)
		var refused *nd.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(string(refused.Func), "Model.") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if len(s.arrays) != 0 {
		t.Error("an operation ran before the inputs were checked")
	}
}

func TestFailingOperationIsNamed(t *testing.T) {
	m, err := model.New(model.Definition{Inputs: []model.Input{{Name: "a"}, {Name: "b"}}, Outputs: []string{"c"}, Nodes: []model.Node{
		node("joint", "a b", "c", func(in ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Add(in[0], in[1])} })}})
	if err != nil {
		t.Fatal(err)
	}
	err = nd.Catch(func() { m.Call(map[string]*nd.Array{"a": nd.Ones([]int{2}), "b": nd.Ones([]int{3})}) })
	if err == nil || !strings.HasPrefix(err.Error(), `Model.Call: operation "joint" (Test): ops.Add: `) || !strings.Contains(err.Error(), "(3,)") {
		t.Errorf("error %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	same := func(in ...*nd.Array) []*nd.Array { return in }
	x := []model.Input{{Name: "x"}}
	for want, d := range map[string]model.Definition{
		`two values "x"`:                          {Inputs: x, Nodes: []model.Node{node("n", "x", "x", same)}},
		`operation "n" (Test): the value "y"`:     {Inputs: x, Nodes: []model.Node{node("n", "y", "z", same)}},
		`output "y"`:                              {Inputs: x, Outputs: []string{"y"}},
		`operation "n" (Test) needs its own outp`: {Inputs: x, Nodes: []model.Node{node("n", "x z", "y", same), node("m", "y", "z", same)}},
	} {
		if _, err := model.New(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestContainers: arrays that a list refers to stay valid, whoever else uses them.
func TestContainers(t *testing.T) {
	m, err := model.New(model.Definition{Inputs: []model.Input{{Name: "x"}}, Outputs: []string{"first", "second"}, Nodes: []model.Node{
		node("a", "x", "a", func(in ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Add(in[0], 1)} }),
		{Name: "list", Type: "List", Inputs: []string{"a", "a"}, Outputs: []string{"l"}, Run: func(_ *nn.Scope, in []model.Value) []model.Value {
			return []model.Value{[]model.Value{in[0], in[1]}}
		}},
		{Name: "at", Type: "At", Inputs: []string{"l"}, Outputs: []string{"e"}, Run: func(_ *nn.Scope, in []model.Value) []model.Value {
			return in[0].([]model.Value)[:1]
		}},
		node("b", "e", "first", func(in ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Multiply(in[0], 2)} }),
		{Name: "last", Type: "At", Inputs: []string{"l", "first"}, Outputs: []string{"second"}, Run: func(_ *nn.Scope, in []model.Value) []model.Value {
			return in[0].([]model.Value)[1:]
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := m.Call(map[string]*nd.Array{"x": nd.Zeros([]int{2})})
	if fmt.Sprint(got) != "[[2. 2.] [1. 1.]]" {
		t.Errorf("got %v", got)
	}
	if _, ok := m.CallValues(map[string]model.Value{"x": nd.Zeros([]int{2})}, "l")[0].([]model.Value); !ok {
		t.Error("a list is not returned as it is")
	}
	if err := nd.Catch(func() { m.Call(map[string]*nd.Array{"x": nd.Zeros([]int{2})}, "l") }); err == nil || !strings.Contains(err.Error(), "use CallValues") {
		t.Errorf("error %v", err)
	}
	if names := m.Nodes(); !slices.ContainsFunc(names, func(n model.Node) bool { return n.Name == "list" }) || m.Name() != "" || len(m.Outputs()) != 2 {
		t.Errorf("nodes %v", names)
	}
}

// TestShapesAreComputedOnce: what depends on shapes alone is computed again when a shape has changed, and a result of it is the
// caller's.
func TestShapesAreComputedOnce(t *testing.T) {
	turns := 0
	lengths := node("lengths", "x", "s", func(in ...*nd.Array) []*nd.Array {
		turns++
		return []*nd.Array{nd.FromSlice(in[0].Shape())}
	})
	lengths.OfShapes = true
	doubled := node("doubled", "s", "d", func(in ...*nd.Array) []*nd.Array {
		turns++
		return []*nd.Array{ops.Multiply(in[0], 2)}
	})
	doubled.Constant = true
	m, err := model.New(model.Definition{Inputs: []model.Input{{Name: "x"}}, Outputs: []string{"d", "y"}, Nodes: []model.Node{lengths, doubled,
		node("sum", "d x", "y", func(in ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Add(in[1], ops.Sum(in[0]))} })}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		rows, turns int
		want        string
	}{{3, 2, "[6 4]"}, {3, 2, "[6 4]"}, {1, 4, "[2 4]"}, {1, 4, "[2 4]"}} {
		got := m.Call(map[string]*nd.Array{"x": nd.Zeros([]int{c.rows, 2})})
		if turns != c.turns || fmt.Sprint(nd.ToSlice[int](got[0])) != c.want || got[1].Index(nd.At(0), nd.At(0)).Float() != float64(2*(c.rows+2)) {
			t.Errorf("call %d: %d turns, %v", i, turns, got)
		}
		ops.Multiply(got[0], 7, ops.Into(got[0])) // does not change what the model keeps
		got[0].Release()
	}
}
