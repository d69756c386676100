package onnx

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestConvolutionsAreOverwritten computes relu(2x + z) with one node, for z that enlarges the result too, and its gradients.
func TestConvolutionsAreOverwritten(t *testing.T) {
	nodes := []*nodeMessage{operation("Conv", []string{"x", "w"}, []string{"p"}), operation("Add", []string{"z", "p"}, []string{"s"}),
		operation("Relu", []string{"s"}, []string{"y"})}
	g := &graphMessage{Input: []*valueMessage{value("x", Float), value("z", Float)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{floats("w", []int64{1, 1, 1}, 2)}, Node: nodes}
	m := loaded(t, g)
	if all := m.Nodes(); len(all) != 1 || all[0].Type != "Conv+Add+Relu" {
		t.Errorf("%d nodes, the first is %s", len(all), all[0].Type)
	}
	x := nd.FromSlice([]float32{1, -2, 3}, 1, 1, 3)
	for range 3 { // the weights are packed in the second call
		for _, c := range []struct {
			z    *nd.Array
			want []float64
		}{
			{nd.FromSlice([]float32{-1, 1, 0.5}, 1, 1, 3), []float64{1, 0, 6.5}},
			{nd.FromSlice([]float32{-1, 1}, 2, 1, 1), []float64{1, 0, 5, 3, 0, 7}},
		} {
			if got := numbers(m.Call(map[string]*nd.Array{"x": x, "z": c.z})[0]); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		}
	}
	tape := grad.NewTape()
	for _, watched := range []string{"x", "z"} {
		in := map[string]*nd.Array{"x": x, "z": nd.Full([]int{1, 1, 3}, -1, dtype.Float32)}
		in[watched] = tape.Watch(in[watched])
		got := numbers(tape.Gradient(ops.Sum(m.Call(in)[0]), in[watched])[0])
		if want := map[string][]float64{"x": {2, 0, 2}, "z": {1, 0, 1}}[watched]; !slices.Equal(got, want) {
			t.Errorf("the gradient by %s is %v, want %v", watched, got, want)
		}
	}
	g.Output = append(g.Output, value("p", Float))
	both := loaded(t, g).Call(map[string]*nd.Array{"x": x, "z": x})
	if got := numbers(both[1]); !slices.Equal(got, []float64{2, -4, 6}) {
		t.Errorf("the convolution, an output itself, is %v", got)
	}
}

// TestProductsAreFinished: what alone reads a matrix product is one node with it, and gives the bits of its parts.
func TestProductsAreFinished(t *testing.T) {
	gelu := []*nodeMessage{operation("Div", []string{"p", "root"}, []string{"d"}), operation("Erf", []string{"d"}, []string{"e"}),
		operation("Add", []string{"e", "one"}, []string{"o"}), operation("Mul", []string{"p", "o"}, []string{"q"}), operation("Mul", []string{"q", "half"}, []string{"y"})}
	relu := []*nodeMessage{operation("Relu", []string{"p"}, []string{"y"})}
	numbersOf := []*tensorMessage{floats("root", nil, 1.4142135), floats("one", nil, 1), floats("half", nil, 0.5)}
	gemm := func(in []string, attributes ...*attributeMessage) *nodeMessage {
		return operation("Gemm", in, []string{"p"}, attributes...)
	}
	three := operation("MatMul", []string{"x", "x"}, []string{"p"})
	for _, c := range []struct {
		name  string
		first *nodeMessage
		then  []*nodeMessage
		bias  []int64
		shape []int
		want  string
	}{
		{"gemm", gemm([]string{"x", "w"}), relu, nil, []int{5, 4}, "Gemm+Relu"},
		{"with a bias", gemm([]string{"x", "w", "b"}), relu, []int64{4}, []int{5, 4}, "Gemm+Relu"},
		{"with a row", gemm([]string{"x", "w", "b"}, intAttribute("transB", 1)), gelu, []int64{1, 4}, []int{5, 4}, "Gemm+Div+Erf+Add+Mul+Mul"},
		{"with a number", gemm([]string{"x", "w", "b"}), relu, nil, []int{5, 4}, "Gemm+Relu"},
		{"with a column", gemm([]string{"x", "w", "b"}), gelu, []int64{4, 1}, []int{4, 4}, "Gemm+Div+Erf+Add+Mul+Mul"},
		{"with factors", gemm([]string{"x", "w", "b"}, floatAttribute("alpha", 2), floatAttribute("beta", 3)), relu, []int64{4}, []int{5, 4}, "Gemm+Relu"},
		{"weights", operation("MatMul", []string{"x", "w"}, []string{"p"}), gelu, nil, []int{2, 3, 4}, "MatMul+Div+Erf+Add+Mul+Mul"},
		{"a vector", operation("MatMul", []string{"x", "w"}, []string{"p"}), relu, nil, []int{4}, "MatMul+Relu"},
		{"a batch", three, relu, nil, []int{3, 4, 4}, "MatMul+Relu"},
		{"two operands", three, []*nodeMessage{operation("Sub", []string{"p", "x"}, []string{"y"})}, nil, []int{3, 4, 4}, "MatMul+Sub"},
	} {
		size := int64(1)
		for _, n := range c.bias {
			size *= n
		}
		weights := append(slices.Clone(numbersOf), floats("w", []int64{4, 4}, ramp(16)...), floats("b", c.bias, ramp(int(size))...))
		g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)}, Initializer: weights,
			Node: append([]*nodeMessage{c.first}, c.then...)}
		m := loaded(t, g)
		if all := m.Nodes(); len(all) != 1 || all[0].Type != c.want {
			t.Errorf("%s: %d nodes, the first is %s", c.name, len(all), all[0].Type)
		}
		parts := *g
		parts.Output = append(parts.Output, value("p", Float)) // keeps it as a node of its own
		x := nd.FromSlice(ramp(broadcast.Size(c.shape)), c.shape...)
		in := map[string]*nd.Array{"x": x}
		want := loaded(t, &parts).Call(in)[0]
		if got := m.Call(in)[0]; !slices.Equal(numbers(got), numbers(want)) || !slices.Equal(got.Shape(), want.Shape()) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		tape := grad.NewTape()
		in["x"] = tape.Watch(x)
		got, other := tape.Gradient(ops.Sum(m.Call(in)[0]), in["x"])[0], tape.Gradient(ops.Sum(loaded(t, &parts).Call(in)[0]), in["x"])[0]
		if !slices.Equal(numbers(got), numbers(other)) {
			t.Errorf("%s: the gradient is %v, want %v", c.name, got, other)
		}
	}
}

// ramp returns numbers of both signs.
func ramp(n int) []float32 {
	all := make([]float32, n)
	for i := range all {
		all[i] = float32((i*7)%11)/4 - 1
	}
	return all
}
