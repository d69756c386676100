package onnx

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
)

func floatAttribute(name string, v float32) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeFloat, F: v}
}

func textAttribute(name, v string) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeString, S: []byte(v)}
}

func intsAttribute(name string, v ...int64) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeInts, Ints: v}
}

func floatsAttribute(name string, v ...float32) *attributeMessage {
	return &attributeMessage{Name: name, Type: attributeFloats, Floats: v}
}

// wave is an array of the numbers sin(0.7·i + phase).
func wave(phase float64, shape ...int) *nd.Array {
	x := make([]float32, 1)
	for _, n := range shape {
		x = make([]float32, len(x)*n)
	}
	for i := range x {
		x[i] = float32(math.Sin(0.7*float64(i) + phase))
	}
	return nd.FromSlice(x, shape...)
}

// contribution is a model of one node of the domain com.microsoft, whose inputs x0, x1, … are values, or initializers.
func contribution(t testing.TB, typ string, attributes []*attributeMessage, inputs []model.Value, outputs []string, initializers ...*tensorMessage) (*model.Model, error) {
	t.Helper()
	n := &nodeMessage{OpType: typ, Domain: "com.microsoft", Name: typ, Attribute: attributes}
	g := &graphMessage{Node: []*nodeMessage{n}, Initializer: initializers}
	for i, x := range inputs {
		name := fmt.Sprintf("x%d", i)
		switch x := x.(type) {
		case *nd.Array:
			if x == nil {
				name = ""
			} else if !slices.ContainsFunc(initializers, func(m *tensorMessage) bool { return m.Name == name }) {
				g.Input = append(g.Input, value(name, ElementTypeOf(x.DType())))
			}
		case Texts:
			g.Input = append(g.Input, value(name, String))
		}
		n.Input = append(n.Input, name)
	}
	for _, name := range outputs {
		if n.Output = append(n.Output, name); name != "" {
			g.Output = append(g.Output, &valueMessage{Name: name})
		}
	}
	data, err := wire.Marshal(&modelMessage{IrVersion: 10, Graph: g,
		OpsetImport: []*opsetMessage{{Version: 17}, {Domain: "com.microsoft", Version: 1}, {Domain: "ai.onnx.ml", Version: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(data)
	if err != nil {
		return nil, err
	}
	return f.Model()
}

// named returns the inputs x0, x1, … that are there.
func named(inputs []model.Value) map[string]model.Value {
	all := map[string]model.Value{}
	for i, x := range inputs {
		if a, ok := x.(*nd.Array); !ok || a != nil {
			all[fmt.Sprintf("x%d", i)] = x
		}
	}
	return all
}

func values(xs []*nd.Array) []model.Value {
	all := make([]model.Value, len(xs))
	for i, x := range xs {
		all[i] = x
	}
	return all
}

// checkNear compares numbers within 1e-5 of the larger of them and 1.
func checkNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d elements, want %d", what, len(got), len(want))
		return
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-5*max(1, math.Abs(w))) {
			t.Errorf("%s[%d] is %g, want %g", what, i, got[i], w)
			return
		}
	}
}

// recordedContributions are results of onnxruntime 1.32.
var recordedContributions = []struct {
	typ        string
	attributes []*attributeMessage
	inputs     []*nd.Array
	want       [][]float64 // nil for an output that is not compared
}{
	{"BiasGelu", []*attributeMessage{},
		[]*nd.Array{wave(0, 2, 3), wave(1, 3)},
		[][]float64{{0.6731414, 1.552564, 1.580582, 1.629458, 1.204187, 0.203668}}},
	{"FastGelu", []*attributeMessage{},
		[]*nd.Array{wave(0, 2, 3), wave(1, 3)},
		[][]float64{{0.673044, 1.552396, 1.580427, 1.629328, 1.203955, 0.2036646}}},
	{"QuickGelu", []*attributeMessage{},
		[]*nd.Array{wave(0, 2, 3)},
		[][]float64{{0, 0.4829029, 0.8302789, 0.7017314, 0.2139897, -0.124536}}},
	{"FusedMatMul", []*attributeMessage{intAttribute("transA", 1), intAttribute("transBatchB", 1), floatAttribute("alpha", 0.5)},
		[]*nd.Array{wave(0, 2, 3, 2), wave(1, 3, 2, 2)},
		[][]float64{{-0.2492963, -0.3392103, -0.04767723, -0.251642, 0.3094866, 0.3176685, 0.1495938, 0.3039939}}},
	{"FusedGemm", []*attributeMessage{intAttribute("transB", 1), textAttribute("activation", "LeakyRelu"), floatAttribute("activation_alpha", 0.25)},
		[]*nd.Array{wave(0, 2, 3), wave(1, 2, 3), wave(2, 2)},
		[][]float64{{2.21378, -0.2325242, 1.730918, 0.6012087}}},
	{"FusedConv", []*attributeMessage{textAttribute("activation", "Clip"), floatsAttribute("activation_params", -0.5, 0.75), intsAttribute("pads", 1, 1)},
		[]*nd.Array{wave(0, 1, 1, 5), wave(1, 1, 1, 3), wave(2, 1), wave(3, 1, 1, 5)},
		[][]float64{{0.75, 0.75, 0.75, 0.75, 0.75}}},
	{"MatMulNBits", []*attributeMessage{intAttribute("K", 16), intAttribute("N", 2), intAttribute("bits", 4), intAttribute("block_size", 16)},
		[]*nd.Array{wave(0, 2, 16), nd.FromSlice([]uint8{11, 48, 85, 122, 159, 196, 233, 14, 51, 88, 125, 162, 199, 236, 17, 54}, 2, 1, 8), wave(1, 2, 1), nd.FromSlice([]uint8{5, 9}, 2, 1), nil, wave(2, 2)},
		[][]float64{{-6.489179, 4.462776, 2.926152, -13.16361}}},
	{"DynamicQuantizeMatMul", []*attributeMessage{},
		[]*nd.Array{wave(0, 2, 3), nd.FromSlice([]uint8{100, 102, 104, 106, 108, 110}, 3, 2), nd.FromSlice([]float32{0.25}, 1), nd.FromSlice([]uint8{104}, 1)},
		[][]float64{{0.9851442, 1.799984, -1.21571, -0.7912595}}},
	{"SimplifiedLayerNormalization", []*attributeMessage{},
		[]*nd.Array{wave(0, 2, 3), wave(1, 3)},
		[][]float64{{0, 0.9398355, 0.979243, 1.270599, 0.5810954, -0.4144705}, {1.471141, 1.749255}}},
	{"SkipLayerNormalization", []*attributeMessage{},
		[]*nd.Array{wave(0, 1, 2, 3), wave(1, 1, 2, 3), wave(2, 3), wave(3, 3), wave(4, 3)},
		[][]float64{{-1.082779, -0.4028354, -1.219619, 1.339735, -0.6219186, -0.6698121}, nil, nil, {0.08466846, 0.6359593, 0.8881485, 0.1479875, -1.276793, -2.101078}}},
	{"SkipSimplifiedLayerNormalization", []*attributeMessage{},
		[]*nd.Array{wave(0, 1, 2, 3), wave(1, 1, 2, 3), wave(2, 3), wave(4, 3)},
		[][]float64{{0.1217087, 0.4296722, -0.35879, 0.09462766, -0.3837262, 0.3775634}, nil, nil, {0.08466846, 0.6359593, 0.8881485, 0.1479875, -1.276793, -2.101078}}},
	{"EmbedLayerNormalization", []*attributeMessage{},
		[]*nd.Array{nd.FromSlice([]int32{1, 0, 3, 2}, 2, 2), nd.FromSlice([]int32{0, 1, 1, 0}, 2, 2), wave(0, 4, 3), wave(1, 2, 3), wave(2, 2, 3), wave(3, 3), wave(4, 3), nd.FromSlice([]int32{1, 1, 1, 0}, 2, 2)},
		[][]float64{{-0.6052734, -1.137767, 0.4966002, -0.7112713, -0.282649, -1.753986, -0.9454156, -1.141906, -1.789617, -0.5701625, -0.8793589, 0.269251}, {2, 1}}},
	{"Attention", []*attributeMessage{intAttribute("num_heads", 2), intAttribute("unidirectional", 1)},
		[]*nd.Array{wave(0, 1, 2, 4), wave(1, 4, 12), wave(2, 12), nd.FromSlice([]int32{1}, 1)},
		[][]float64{{0.7377357, 0.8240545, 0.5228075, -0.0243239, 0.7377357, 0.8240545, 0.5228075, -0.0243239}}},
	{"Attention", []*attributeMessage{intAttribute("num_heads", 1)},
		[]*nd.Array{wave(0, 2, 2, 2), wave(1, 2, 6), wave(2, 6), nd.FromSlice([]int32{1, 0, 1, 1}, 2, 2)},
		[][]float64{{-0.3588026, -0.2784438, -0.3588026, -0.2784438, -1.526546, -1.120312, -1.511034, -1.016167}}},
	{"MultiHeadAttention", []*attributeMessage{intAttribute("num_heads", 2)},
		[]*nd.Array{wave(0, 1, 2, 4), wave(1, 1, 2, 4), wave(2, 1, 2, 4), wave(3, 12), nil, wave(4, 1, 1, 2, 3), wave(5, 1, 2, 1, 2), wave(6, 1, 2, 1, 2)},
		[][]float64{{0.3907543, 0.1402434, -0.1282991, -0.294726, 0.09958011, -0.1815046, -0.371955, -0.200991}, {-0.9589243, -0.5506855, 0.3768688, 1.206785, -1.07646, -0.7624102, 0.1165492, 0.728969, 1.469131, 1.040522, -0.08978683, 0.6250647}, {-0.2794155, 0.4048499, 1.643695, 0.5518343, -0.2617675, -0.5810859, 0.8987081, 0.9698898, -0.7995622, -1.774912, -0.6271105, -0.3781952}}},
	{"GroupQueryAttention", []*attributeMessage{intAttribute("num_heads", 2), intAttribute("kv_num_heads", 1), intAttribute("do_rotary", 1), intAttribute("local_window_size", 2), floatAttribute("softcap", 2.0)},
		[]*nd.Array{wave(0, 1, 1, 32), wave(1, 1, 1, 16), wave(2, 1, 1, 16), wave(3, 1, 1, 2, 16), wave(4, 1, 1, 2, 16), nd.FromSlice([]int32{2}, 1), nd.FromSlice([]int32{3}, []int{}...), wave(5, 4, 8), wave(6, 4, 8)},
		[][]float64{{0.7858637, 0.2469314, -0.4081367, -0.8712516, -0.9246033, -0.5430996, 0.09383225, 0.6866335, 0.9565002, 0.7765099, 0.231315, -0.4226711, -0.8778683, -0.9201903, -0.5297325, 0.1098669, 0.5573712, -0.08710339, -0.6906119, -0.9693149, -0.7921339, -0.2424, 0.4213384, 0.8869148, 0.9353612, 0.5438927, -0.1033771, -0.702027, -0.9705027, -0.7825358, -0.2265301, 0.4360163}, nil, nil}},
	{"GroupQueryAttention", []*attributeMessage{intAttribute("num_heads", 2), intAttribute("kv_num_heads", 1)},
		[]*nd.Array{wave(0, 1, 2, 64), nil, nil, nil, nil, nd.FromSlice([]int32{1}, 1), nd.FromSlice([]int32{2}, []int{}...), nil, nil, nil, nil, wave(3, 2)},
		[][]float64{nil}},
	{"RotaryEmbedding", []*attributeMessage{intAttribute("interleaved", 1)},
		[]*nd.Array{wave(0, 1, 2, 8), nd.FromSlice([]int64{1}, 1), wave(1, 4, 4), wave(2, 4, 4)},
		[][]float64{{0.6417469, -0.3941697, -0.3542778, -1.539088, -0.3250932, 0.2820671, 0.8941516, -0.136838, -0.2129402, -0.6057771, -0.3327721, 1.433089, 0.7139981, 0.6678986, -0.482031, -0.4836167}}},
}

func TestContributions(t *testing.T) {
	for i, c := range recordedContributions {
		outputs := make([]string, len(c.want))
		for k, want := range c.want {
			if want != nil {
				outputs[k] = fmt.Sprintf("y%d", k)
			}
		}
		m, err := contribution(t, c.typ, c.attributes, values(c.inputs), outputs)
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
			continue
		}
		for k, v := range m.CallValues(named(values(c.inputs))) {
			name := m.Outputs()[k]
			checkNear(t, fmt.Sprintf("%d: output %s of %s", i, name, c.typ), numbers(v.(*nd.Array)), c.want[slices.Index(outputs, name)])
		}
	}
}
