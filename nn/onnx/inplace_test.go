package onnx

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
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
