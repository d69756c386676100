package onnx

import (
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/model"
)

// choice returns w·x if the condition holds, and x + k otherwise, where w is a parameter, x a value of the outer graph, and k
// a constant of the inner one.
func choice() *graphMessage {
	yes := &graphMessage{Output: []*valueMessage{value("a", Float)}, Node: []*nodeMessage{operation("Mul", []string{"x2", "w"}, []string{"a"})}}
	no := &graphMessage{Output: []*valueMessage{value("a", Float)}, Initializer: []*tensorMessage{floats("k", nil, 10)},
		Node: []*nodeMessage{operation("Add", []string{"x2", "k"}, []string{"a"})}}
	return &graphMessage{Input: []*valueMessage{value("x", Float), value("which", Bool)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{floats("w", nil, 3)}, Node: []*nodeMessage{
			operation("Add", []string{"x", "x"}, []string{"x2"}),
			operation("If", []string{"which"}, []string{"y"}, graphAttribute("then_branch", yes), graphAttribute("else_branch", no)),
		}}
}

func TestIf(t *testing.T) {
	m := loaded(t, choice())
	for which, want := range map[bool]float64{true: 12, false: 14} {
		tape := grad.NewTape()
		params := m.Params().Watch(tape)
		x := tape.Watch(vector(2))
		y := m.In(params).Call(map[string]*nd.Array{"x": x, "which": nd.Full(nil, which)})[0]
		if got := numbers(y)[0]; got != want {
			t.Errorf("%v: %v, want %v", which, got, want)
		}
		slope := map[bool]float64{true: 6, false: 2}[which]
		if got := numbers(tape.Gradient(ops.Sum(y), x)[0])[0]; got != slope {
			t.Errorf("%v: the gradient is %v, want %v", which, got, slope)
		}
	}
}

// TestLoopWithinLoop counts with two nested loops, whose bodies use a value of the outermost graph.
func TestLoopWithinLoop(t *testing.T) {
	counter := func(inner *nodeMessage) *graphMessage {
		return &graphMessage{Input: []*valueMessage{value("i", Int64), value("go", Bool), value("sum", Float)},
			Output: []*valueMessage{value("go", Bool), value("next", Float), value("next", Float)}, Node: []*nodeMessage{inner}}
	}
	deep := counter(operation("Add", []string{"sum", "step"}, []string{"next"}))
	outer := counter(operation("Loop", []string{"two", "", "sum"}, []string{"next"}, graphAttribute("body", deep)))
	g := &graphMessage{Input: []*valueMessage{value("n", Int64), value("step", Float)}, Output: []*valueMessage{value("sum", Float), value("all", Float)},
		Initializer: []*tensorMessage{integer64("two", nil, 2), floats("zero", nil, 0)},
		Node:        []*nodeMessage{operation("Loop", []string{"n", "", "zero"}, []string{"sum", "all"}, graphAttribute("body", outer))}}
	m := loaded(t, g)
	for n, want := range map[int64][]float64{3: {3, 6, 9}, 0: {}} {
		out := m.Call(map[string]*nd.Array{"n": nd.Full(nil, n), "step": nd.FromSlice([]float32{1.5}, []int{}...)})
		if got := numbers(out[1]); !slices.Equal(got, want) || out[1].DType() != dtype.Float32 {
			t.Errorf("%d turns: %s, %v, want %v", n, out[1].DType(), got, want)
		}
		if got := numbers(out[0])[0]; got != float64(n)*3 {
			t.Errorf("%d turns: sum %v", n, got)
		}
	}
}

// TestScanIsDifferentiable computes running sums of squares.
func TestScanIsDifferentiable(t *testing.T) {
	body := &graphMessage{Input: []*valueMessage{value("s", Float), value("v", Float)}, Output: []*valueMessage{value("r", Float), value("r", Float)},
		Node: []*nodeMessage{operation("Mul", []string{"v", "v"}, []string{"q"}), operation("Add", []string{"s", "q"}, []string{"r"})}}
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("all", Float)},
		Initializer: []*tensorMessage{floats("zero", nil, 0)}, Node: []*nodeMessage{
			operation("Scan", []string{"zero", "x"}, []string{"last", "all"}, graphAttribute("body", body), intAttribute("num_scan_inputs", 1))}}
	m := loaded(t, g)
	tape := grad.NewTape()
	x := tape.Watch(vector(1, 2, 3))
	y := m.Call(map[string]*nd.Array{"x": x})[0]
	if got := numbers(y); !slices.Equal(got, []float64{1, 5, 14}) {
		t.Errorf("got %v", got)
	}
	if got := numbers(tape.Gradient(ops.Sum(y), x)[0]); !slices.Equal(got, []float64{6, 8, 6}) {
		t.Errorf("gradient %v", got)
	}
}

func TestSequencesAndTexts(t *testing.T) {
	g := &graphMessage{Input: []*valueMessage{value("a", String), value("b", String)}, Output: []*valueMessage{value("s", 0), value("n", Int64)},
		Node: []*nodeMessage{
			operation("StringConcat", []string{"a", "b"}, []string{"ab"}),
			operation("SequenceConstruct", []string{"ab", "a"}, []string{"s"}), operation("SequenceLength", []string{"s"}, []string{"n"}),
		}}
	m := loaded(t, g)
	out := m.CallValues(map[string]model.Value{"a": Texts{[]int{2}, []string{"x", "y"}}, "b": Texts{nil, []string{"!"}}})
	s := out[0].(Sequence)
	if got := s[0].(Texts).Values; !slices.Equal(got, []string{"x!", "y!"}) || len(s) != 2 {
		t.Errorf("got %v", s)
	}
}

// TestErrorsNameTheNode calls a model whose operation refuses its input.
func TestErrorsNameTheNode(t *testing.T) {
	m := loaded(t, choice())
	err := nd.Catch(func() { m.Call(map[string]*nd.Array{"x": vector(1), "which": nd.FromSlice([]bool{true, false})}) })
	if err == nil || !strings.Contains(err.Error(), `operation "If" (If)`) {
		t.Errorf("got %v", err)
	}
}

// TestProfileLooksInside profiles the operations in the branch of a condition, and those in a loop, whose turns count together.
func TestProfileLooksInside(t *testing.T) {
	m := loaded(t, choice())
	inputs := map[string]*nd.Array{"x": vector(1, 2), "which": nd.Full(nil, true)}
	var rows []string
	for _, o := range m.Profile(inputs, 3) {
		rows = append(rows, o.Name+" "+o.Type+" "+o.Result)
	}
	if want := []string{"Add Add float32(2,)", "If/Mul Mul float32(2,)", "If If float32(2,)"}; !slices.Equal(rows, want) {
		t.Errorf("got %q, want %q", rows, want)
	}
	if got := m.Summary(inputs); !strings.Contains(got, "If/Mul") || !strings.Contains(got, "  1 ") {
		t.Errorf("summary:\n%s", got)
	}
	body := &graphMessage{Input: []*valueMessage{value("i", Int64), value("c", Bool), value("s", Float)}, Output: []*valueMessage{value("c1", Bool), value("r", Float)},
		Node: []*nodeMessage{operation("Identity", []string{"c"}, []string{"c1"}), operation("Sin", []string{"s"}, []string{"r"})}}
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{integer64("turns", nil, 5)}, Node: []*nodeMessage{operation("Loop", []string{"turns", "", "x"}, []string{"y"}, graphAttribute("body", body))}}
	rows = nil
	for _, o := range loaded(t, g).Profile(map[string]*nd.Array{"x": vector(1)}, 2) {
		rows = append(rows, o.Name)
	}
	if want := []string{"Loop/Identity", "Loop/Sin", "Loop"}; !slices.Equal(rows, want) {
		t.Errorf("got %q, want %q", rows, want)
	}
}
