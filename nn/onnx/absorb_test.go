package onnx

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// constantTensor is a Constant node.
func constantTensor(t *tensorMessage) *nodeMessage {
	return operation("Constant", nil, []string{t.Name}, &attributeMessage{Name: "value", Type: attributeTensor, T: t})
}

// types lists the operators of a model that an input can change.
func types(t *testing.T, nodes []*nodeMessage, initial ...*tensorMessage) (*graphMessage, []string) {
	t.Helper()
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)}, Initializer: initial, Node: nodes}
	var all []string
	for _, n := range loaded(t, g).Nodes() {
		if n.Type != scaledWeights && n.Type != joinedBias && n.Type != foldedWeights {
			all = append(all, n.Type)
		}
	}
	return g, all
}

// TestConvolutionsAbsorb: factors and addends of channels become part of the weights, and training changes them.
func TestConvolutionsAbsorb(t *testing.T) {
	g, all := types(t, []*nodeMessage{
		constantTensor(floats("w", []int64{2, 1, 1, 1}, 3, 5)), constantTensor(floats("c", []int64{1, 2, 1, 1}, 10, 20)),
		operation("Conv", []string{"x", "w"}, []string{"p"}), operation("Mul", []string{"p", "f"}, []string{"q"}),
		operation("Add", []string{"c", "q"}, []string{"r"}), operation("Mul", []string{"r", "s"}, []string{"u"}), operation("Add", []string{"u", "s"}, []string{"y"}),
	}, floats("f", []int64{2, 1, 1}, 7, 11), floats("s", nil, 2))
	if !slices.Equal(all, []string{"Conv"}) {
		t.Errorf("operators %v, want a convolution", all)
	}
	m := loaded(t, g)
	if names := m.Params().Names(); !slices.Contains(names, "w") || slices.Contains(names, "c") {
		t.Errorf("parameters %q: want the weights, and no other constant", names)
	}
	tape := grad.NewTape()
	params := m.Params().Watch(tape)
	x := nd.FromSlice([]float32{1, 2}, 1, 1, 1, 2)
	y := m.In(params).Call(map[string]*nd.Array{"x": x})[0]
	if got, want := numbers(y), []float64{2*(21+10) + 2, 2*(42+10) + 2, 2*(55+20) + 2, 2*(110+20) + 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := runModel(m, map[string]*nd.Array{"x": x}); !slices.Equal(got, numbers(y)) {
		t.Errorf("without a tape: %v", got)
	}
	gradients := tape.Gradient(ops.Sum(y), params.Get("w"), params.Get("f"), params.Get("s"))
	for i, want := range [][]float64{{2 * 7 * 3, 2 * 11 * 3}, {2 * 3 * 3, 2 * 5 * 3}, {31 + 52 + 75 + 130 + 4}} {
		if got := numbers(gradients[i]); !slices.Equal(got, want) {
			t.Errorf("gradient %d is %v, want %v", i, got, want)
		}
	}
	m.Params().Set("w", nd.FromSlice([]float32{0, 0}, 2, 1, 1, 1))
	if got := runModel(m, map[string]*nd.Array{"x": x}); !slices.Equal(got, []float64{22, 22, 42, 42}) {
		t.Errorf("with other weights: %v", got)
	}
}

// TestProductsAbsorb: a bias becomes part of a matrix product.
func TestProductsAbsorb(t *testing.T) {
	g, all := types(t, []*nodeMessage{operation("MatMul", []string{"x", "w"}, []string{"p"}), operation("Add", []string{"b", "p"}, []string{"q"}),
		operation("Tanh", []string{"q"}, []string{"y"})}, floats("w", []int64{1, 2}, 1, 2), floats("b", []int64{2}, 0.5, -1))
	if !slices.Equal(all, []string{"MatMul+Add+Tanh"}) {
		t.Errorf("operators %v", all)
	}
	m := loaded(t, g)
	for _, shape := range [][]int{{1}, {1, 1}, {1, 1, 1}, {0, 1}} {
		y := m.Call(map[string]*nd.Array{"x": nd.Full(shape, 0.25, dtype.Float32)})[0]
		if len(shape) != y.Rank() || y.Dim(-1) != 2 {
			t.Errorf("shape %v of %v", y.Shape(), shape)
		}
		for i, v := range numbers(y) {
			if w := math.Tanh([]float64{0.75, -0.5}[i]); math.Abs(v-w) > 1e-6 {
				t.Errorf("element %d is %v, want %v", i, v, w)
			}
		}
	}
	if s := m.Summary(map[string]*nd.Array{"x": nd.Zeros([]int{3, 1}, dtype.Float32)}); !strings.Contains(s, "6") {
		t.Errorf("summary\n%s", s)
	}
}

// TestNotAbsorbed: what enlarges a product, has numbers by pixel, or comes after a product that others read does not change the weights.
func TestNotAbsorbed(t *testing.T) {
	conv := operation("Conv", []string{"x", "w"}, []string{"p"})
	add := operation("Add", []string{"p", "b"}, []string{"y"})
	w := floats("w", []int64{1, 1, 1, 1}, 1)
	for name, b := range map[string]*tensorMessage{"more channels": floats("b", []int64{2, 1, 1}, 1, 2), "a number by pixel": floats("b", []int64{2}, 1, 2),
		"more axes": floats("b", []int64{1, 1, 1, 1, 1}, 1)} {
		if _, all := types(t, []*nodeMessage{conv, add}, w, b); !slices.Equal(all, []string{"Conv+Add"}) {
			t.Errorf("%s: operators %v", name, all)
		}
	}
	twice := []*nodeMessage{conv, operation("Add", []string{"p", "b"}, []string{"q"}), operation("Sub", []string{"q", "p"}, []string{"y"})}
	if _, all := types(t, twice, w, floats("b", nil, 1)); !slices.Equal(all, []string{"Conv+Add+Sub"}) {
		t.Errorf("of a value that two read: operators %v", all)
	}
}
