package torch

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// twoBiases says why an optimizer's states of recurrent layers with biases do not correspond.
const twoBiases = "PyTorch's recurrent layers have two biases that are added, and separate states of each"

// recurrentLayouts returns the layout of the layers of RNN, LSTM or GRU: PyTorch has four tensors per layer and direction.
func recurrentLayouts(l *layer, module, kind string) []layout {
	r := &recurrentLayout{gates: map[string]int{"rnn": 1, "lstm": 4, "gru": 3}[kind], layers: 1}
	first := l.shape("weight_l0")
	r.directions, r.size = first[0], first[len(first)-2]
	one := layout{}
	for _, name := range []string{"weight_l0", "weight", "bias"} {
		p := l.get(name)
		if p == nil {
			continue
		}
		shape := p.Value().Shape()
		one.params, r.shapes = append(one.params, p), append(r.shapes, shape)
		switch name {
		case "weight":
			r.layers += shape[0]
		case "bias":
			r.bias = true
			one.noStates = twoBiases
		}
	}
	for k := range r.layers {
		inputs := r.directions * r.size
		if k == 0 {
			inputs = first[len(first)-1] - r.size
		}
		for d := range r.directions {
			end := fmt.Sprintf("_l%d%s", k, []string{"", "_reverse"}[d])
			add := func(name string, shape ...int) {
				one.tensors = append(one.tensors, tensor{name: joined(module, name+end), shape: shape})
			}
			add("weight_ih", r.gates*r.size, inputs)
			add("weight_hh", r.gates*r.size, r.size)
			if r.bias {
				add("bias_ih", r.gates*r.size)
				add("bias_hh", r.gates*r.size)
			}
		}
	}
	one.toTorch, one.fromTorch = r.toTorch, r.fromTorch
	return []layout{one}
}

type recurrentLayout struct {
	gates, layers, directions, size int
	bias                            bool    // whether bias exists
	shapes                          [][]int // of the parameters
}

// matrix returns the weights of a layer and direction, (gates·size, inputs + size), as a view of the parameters.
func (r *recurrentLayout) matrix(x []*nd.Array, k, d int) *nd.Array {
	w := x[0]
	if k > 0 {
		w = x[1].Index(nd.At(k - 1))
	}
	w = w.Index(nd.At(d))
	return w.Reshape(r.gates*r.size, w.Dim(-1))
}

// biases returns the biases of a layer and direction, (gates or 4 of GRU, size), as a view of the parameters.
func (r *recurrentLayout) biases(x []*nd.Array, k, d int) *nd.Array {
	b := x[len(x)-1].Index(nd.At(k), nd.At(d))
	return b.Reshape(-1, r.size)
}

func (r *recurrentLayout) toTorch(x []*nd.Array) []*nd.Array {
	var all []*nd.Array
	for k := range r.layers {
		for d := range r.directions {
			w := r.matrix(x, k, d)
			inputs := w.Dim(1) - r.size
			all = append(all, w.Index(nd.All(), nd.Until(inputs)), w.Index(nd.All(), nd.From(inputs)))
			if r.bias {
				b := r.biases(x, k, d)
				second := nd.Zeros([]int{r.gates, r.size}, nd.ArrayOptions{DType: b.DType(), Device: b.Device()})
				if b.Dim(0) > r.gates { // GRU's bias of the state in the third gate
					second.Assign(b.Index(nd.At(3)), nd.At(2))
				}
				all = append(all, b.Index(nd.Until(r.gates)).Reshape(-1), second.Reshape(-1))
			}
		}
	}
	return all
}

func (r *recurrentLayout) fromTorch(t []*nd.Array) []*nd.Array {
	x := make([]*nd.Array, len(r.shapes))
	for i, shape := range r.shapes {
		x[i] = nd.Zeros(shape, t[0].DType())
	}
	for k := range r.layers {
		for d := range r.directions {
			w := r.matrix(x, k, d)
			inputs := w.Dim(1) - r.size
			w.Assign(t[0], nd.All(), nd.Until(inputs))
			w.Assign(t[1], nd.All(), nd.From(inputs))
			t = t[2:]
			if r.bias {
				b := r.biases(x, k, d)
				first, second := t[0].Reshape(r.gates, r.size), t[1].Reshape(r.gates, r.size)
				if t = t[2:]; b.Dim(0) > r.gates {
					b.Assign(ops.Add(first.Index(nd.Until(2)), second.Index(nd.Until(2))), nd.Until(2))
					b.Assign(first.Index(nd.At(2)), nd.At(2))
					b.Assign(second.Index(nd.At(2)), nd.At(3))
				} else {
					b.Assign(ops.Add(first, second))
				}
			}
		}
	}
	return x
}

// isCell reports whether a folder has the parameters of LSTMCell, and not those of Affine.
func isCell(l *layer) bool {
	w := l.get("W")
	return w != nil && w.Value().Rank() == 3 && w.Value().Dim(1) == 4 && l.get("b") != nil && l.get("b").Value().Rank() == 2
}

// cellGates are the gates i, f, g and o of PyTorch among those of LSTMCell, i, o, f and g.
var cellGates = []int{0, 2, 3, 1}

// cellLayouts returns the layout of LSTMCell.
func cellLayouts(l *layer, module string) []layout {
	shape := l.shape("W")
	size := shape[2]
	inputs := shape[0] - size
	one := layout{noStates: twoBiases}
	one.params = append(one.params, l.get("W"), l.get("b"))
	for _, t := range []tensor{
		{name: "weight_ih", shape: []int{4 * size, inputs}}, {name: "weight_hh", shape: []int{4 * size, size}},
		{name: "bias_ih", shape: []int{4 * size}}, {name: "bias_hh", shape: []int{4 * size}},
	} {
		t.name = joined(module, t.name)
		one.tensors = append(one.tensors, t)
	}
	one.toTorch = func(x []*nd.Array) []*nd.Array {
		w := x[0].Index(nd.All(), nd.Pick(cellGates)).Transpose(1, 2, 0).Reshape(4*size, inputs+size)
		b := x[1].Index(nd.Pick(cellGates)).Reshape(4 * size)
		return []*nd.Array{w.Index(nd.All(), nd.Until(inputs)), w.Index(nd.All(), nd.From(inputs)), b, nd.Zeros([]int{4 * size}, nd.ArrayOptions{DType: b.DType(), Device: b.Device()})}
	}
	one.fromTorch = func(t []*nd.Array) []*nd.Array {
		joined := ops.Concatenate([]*nd.Array{t[0], t[1]}, ops.Over(1)).Reshape(4, size, inputs+size).Transpose(2, 0, 1)
		sum := ops.Add(t[2], t[3]).Reshape(4, size)
		w, b := nd.Zeros(shape, joined.DType()), nd.Zeros([]int{4, size}, sum.DType())
		w.Assign(joined, nd.All(), nd.Pick(cellGates))
		b.Assign(sum, nd.Pick(cellGates))
		return []*nd.Array{w, b}
	}
	return []layout{one}
}
