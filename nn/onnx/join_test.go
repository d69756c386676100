package onnx

import (
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// chain is (relu(x + a)·c − x)² with a of another shape and c a number.
func chain(t ElementType) *graphMessage {
	return &graphMessage{Input: []*valueMessage{value("x", t), value("a", t)}, Output: []*valueMessage{value("y", t)},
		Initializer: []*tensorMessage{floats("unused", nil, 1)}, Node: []*nodeMessage{
			operation("Constant", nil, []string{"c"}, &attributeMessage{Name: "value_float", Type: attributeFloat, F: 0.5}),
			operation("Constant", nil, []string{"two"}, &attributeMessage{Name: "value_float", Type: attributeFloat, F: 2}),
			operation("Add", []string{"x", "a"}, []string{"s"}), operation("Relu", []string{"s"}, []string{"r"}),
			operation("Mul", []string{"r", "c"}, []string{"h"}), operation("Sub", []string{"h", "x"}, []string{"d"}),
			operation("Pow", []string{"d", "two"}, []string{"y"}),
		}}
}

func TestElementwiseOperatorsAreJoined(t *testing.T) {
	m := loaded(t, chain(Float))
	if n := len(m.Nodes()); n != 1 {
		t.Errorf("%d nodes, want one", n)
	}
	want := func(x, a float64) float64 { d := max(x+a, 0)*0.5 - x; return d * d }
	tape := grad.NewTape()
	x := tape.Watch(nd.FromSlice([]float32{1, -2, 3, 0.5, -0.25, 4}, 2, 3))
	a := tape.Watch(nd.FromSlice([]float32{0.5, 1, -1}))
	y := m.Call(map[string]*nd.Array{"x": x, "a": a})[0]
	xs, as := numbers(x), numbers(a)
	for i, v := range numbers(y) {
		if w := want(xs[i], as[i%3]); math.Abs(v-w) > 1e-6 {
			t.Errorf("element %d is %v, want %v", i, v, w)
		}
	}
	g := tape.Gradient(ops.Sum(y), x, a)
	for i, v := range numbers(g[0]) {
		const h = 1e-5
		if w := (want(xs[i]+h, as[i%3]) - want(xs[i]-h, as[i%3])) / (2 * h); math.Abs(v-w) > 1e-4 {
			t.Errorf("the gradient by element %d is %v, want %v", i, v, w)
		}
	}
	if !slices.Equal(g[1].Shape(), []int{3}) {
		t.Errorf("the gradient by a has shape %v", g[1].Shape())
	}
}

// TestHardSwishOfItsParts joins x·clip(x+3, 0, 6)/6, which multiplies by 1/6; a quotient of other terms is divided exactly.
func TestHardSwishOfItsParts(t *testing.T) {
	number := func(name string, v float32) *nodeMessage {
		return operation("Constant", nil, []string{name}, &attributeMessage{Name: "value_float", Type: attributeFloat, F: v})
	}
	numbersOf := []*nodeMessage{number("0", 0), number("3", 3), number("6", 6), operation("Add", []string{"x", "3"}, []string{"s"})}
	gate := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)}, Node: append(numbersOf,
		operation("Clip", []string{"s", "0", "6"}, []string{"c"}), operation("Mul", []string{"x", "c"}, []string{"m"}), operation("Div", []string{"m", "6"}, []string{"y"}))}
	m := loaded(t, gate)
	x := nd.FromSlice([]float32{-4, -3, -1, 0, 0.5, 2, 3, 7})
	got := numbers(m.Call(map[string]*nd.Array{"x": x})[0])
	for i, v := range numbers(x) {
		if want := v * min(max(v+3, 0), 6) / 6; math.Abs(got[i]-want) > 2e-7*math.Abs(want) {
			t.Errorf("of %v: got %v, want %v", v, got[i], want)
		}
	}
	if n := len(m.Nodes()); n != 1 {
		t.Errorf("%d nodes, want one", n)
	}
	other := &graphMessage{Input: gate.Input, Output: gate.Output, Node: append(numbersOf[:4:4], operation("Div", []string{"s", "6"}, []string{"y"}))}
	for i, v := range numbers(loaded(t, other).Call(map[string]*nd.Array{"x": x})[0]) {
		if want := float64((nd.ToSlice[float32](x)[i] + 3) / 6); v != want {
			t.Errorf("a quotient is %v, want %v", v, want)
		}
	}
}

// TestPoolingBeforeRelu compares max pooling of ReLU with its formula, where the model exchanges the two and where it must not.
func TestPoolingBeforeRelu(t *testing.T) {
	for _, c := range []struct {
		pads    []int64
		outputs []string
		first   string
		want    []float64
	}{
		{[]int64{0, 0}, []string{"y"}, "MaxPool", []float64{0, 4}},
		{[]int64{1, 1}, []string{"y"}, "MaxPool", []float64{0, 3, 4}},
		{[]int64{0, 0}, []string{"y", "r"}, "Relu", []float64{0, 4}},
	} {
		g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Node: []*nodeMessage{operation("Relu", []string{"x"}, []string{"r"}),
			operation("MaxPool", []string{"r"}, []string{"y"}, intsAttribute("kernel_shape", 2), intsAttribute("strides", 2), intsAttribute("pads", c.pads...))}}
		for _, name := range c.outputs {
			g.Output = append(g.Output, value(name, Float))
		}
		m := loaded(t, g)
		if first := m.Nodes()[0].Type; first != c.first {
			t.Errorf("%v: the first operation is %s, want %s", c, first, c.first)
		}
		if got := numbers(m.Call(map[string]*nd.Array{"x": nd.FromSlice([]float32{-2, -1, 3, 4}, 1, 1, 4)})[0]); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v", c, got)
		}
	}
}

// TestJoinedOperatorsOfOtherDTypes runs operators one by one where their joined formula does not hold.
func TestJoinedOperatorsOfOtherDTypes(t *testing.T) {
	g := &graphMessage{Input: []*valueMessage{value("x", Int32), value("a", Int32)}, Output: []*valueMessage{value("y", Int32)}, Node: []*nodeMessage{
		operation("Add", []string{"x", "a"}, []string{"s"}), operation("Div", []string{"s", "a"}, []string{"y"})}}
	got := numbers(loaded(t, g).Call(map[string]*nd.Array{"x": nd.FromSlice([]int32{-9, 8}), "a": nd.FromSlice([]int32{2, 3})})[0])
	if !slices.Equal(got, []float64{-3, 3}) { // -7/2 and 11/3, towards zero
		t.Errorf("got %v", got)
	}
	half := loaded(t, chain(Float16))
	x := nd.FromSlice([]float32{1, -2}).AsType(dtype.Float16)
	if err := nd.Catch(func() { half.Call(map[string]*nd.Array{"x": x, "a": x}) }); err != nil {
		t.Error(err)
	}
}

// TestValueReadTwiceIsANode keeps a value that two operators read, and one that is an output.
func TestValueReadTwiceIsANode(t *testing.T) {
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float), value("a", Float)}, Node: []*nodeMessage{
		operation("Neg", []string{"x"}, []string{"a"}), operation("Exp", []string{"x"}, []string{"b"}),
		operation("Add", []string{"a", "b"}, []string{"c"}), operation("Mul", []string{"c", "b"}, []string{"y"})}}
	out := loaded(t, g).Call(map[string]*nd.Array{"x": vector(0, 1)})
	if got := numbers(out[1]); !slices.Equal(got, []float64{0, -1}) {
		t.Errorf("a is %v", got)
	}
	if got, want := numbers(out[0])[1], (math.E-1)*math.E; math.Abs(got-want) > 1e-5 {
		t.Errorf("y is %v, want %v", got, want)
	}
}

// normalized is a convolution with batch normalisation behind it, and one before it.
func normalized() *graphMessage {
	four := []int64{2}
	return &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{
			floats("w", []int64{2, 2, 1, 1}, 1, -0.5, 0.25, 2), floats("b", four, 0.5, -1), floats("gamma", four, 1.5, 0.5), floats("beta", four, 0.1, -0.2),
			floats("mean", four, 0.3, -0.3), floats("var", four, 2, 0.5),
		},
		Node: []*nodeMessage{
			operation("BatchNormalization", []string{"x", "gamma", "beta", "mean", "var"}, []string{"n"}),
			operation("Conv", []string{"n", "w", "b"}, []string{"c"}),
			operation("BatchNormalization", []string{"c", "gamma", "beta", "mean", "var"}, []string{"y"}),
		}}
}

func TestNormalizationIsFolded(t *testing.T) {
	m := loaded(t, normalized())
	x := random.Normal(nd.NewRand(1), 0, 1, []int{3, 2, 4, 4}, dtype.Float32)
	norm := func(v float64, k int) float64 {
		return (v-[]float64{0.3, -0.3}[k])/math.Sqrt([]float64{2, 0.5}[k]+1e-5)*[]float64{1.5, 0.5}[k] + []float64{0.1, -0.2}[k]
	}
	check := func(y *nd.Array) {
		t.Helper()
		for _, at := range [][]int{{0, 0, 0, 0}, {2, 1, 3, 1}, {1, 0, 2, 2}} {
			a, b := norm(x.Float(at[0], 0, at[2], at[3]), 0), norm(x.Float(at[0], 1, at[2], at[3]), 1)
			w := [][]float64{{1, -0.5}, {0.25, 2}}[at[1]]
			want := norm(w[0]*a+w[1]*b+[]float64{0.5, -1}[at[1]], at[1])
			if got := y.Float(at...); math.Abs(got-want) > 1e-5 {
				t.Errorf("element %v is %v, want %v", at, got, want)
			}
		}
	}
	check(m.Call(map[string]*nd.Array{"x": x})[0])
	check(m.Call(map[string]*nd.Array{"x": x})[0]) // from the cache
	// Gradients reach what is folded, but not the running statistics.
	tape := grad.NewTape()
	params := m.Params().Watch(tape)
	y := m.In(params).Call(map[string]*nd.Array{"x": x})[0]
	check(y)
	g := optim.GradientsOf(params, ops.Mean(y))
	optim.NewSGD(optim.SGDOptions{LR: 0.5}).Update(g)
	tape.Reset()
	if got := m.Params().Get("mean").Float(0); got != float64(float32(0.3)) {
		t.Errorf("the running mean became %v", got)
	}
	if got := m.Params().Get("gamma").Float(0); got == 1.5 {
		t.Error("gamma was not trained")
	}
	// The cache follows the parameters.
	before := numbers(m.Call(map[string]*nd.Array{"x": x})[0])[0]
	m.Params().Set("b", nd.FromSlice([]float32{100, 100}))
	if after := numbers(m.Call(map[string]*nd.Array{"x": x})[0])[0]; after == before {
		t.Error("a call does not see a parameter that was set")
	}
}

func TestBatchStatistics(t *testing.T) {
	f, err := Read(file(t, normalized()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Model(LoadOptions{BatchStatistics: true})
	if err != nil {
		t.Fatal(err)
	}
	x := ops.Add(random.Normal(nd.NewRand(1), 0, 1, []int{8, 2, 4, 4}, dtype.Float32), 5)
	tape := grad.NewTape()
	y := m.In(m.Params().Watch(tape)).Call(map[string]*nd.Array{"x": x})[0]
	if got := ops.Mean(y, ops.Over(0, 2, 3)).Float(0); math.Abs(got-0.1) > 1e-4 {
		t.Errorf("the mean of channel 0 is %v, want beta, 0.1", got)
	}
	tape.Reset()
	if got := m.Params().Get("mean").Float(0); got < 0.5 {
		t.Errorf("the running mean is %v: it was not updated", got)
	}
}
