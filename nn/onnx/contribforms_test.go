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
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// TestMatMulNBits checks the forms of the packed weights by hand: the product with rows of the identity is rows of the weights.
func TestMatMulNBits(t *testing.T) {
	row := func(i int) *nd.Array {
		x := make([]float32, 4)
		x[i] = 1
		return nd.FromSlice(x, 1, 4)
	}
	bytes := func(v []uint8, shape ...int) *nd.Array { return nd.FromSlice(v, shape...) }
	for name, c := range map[string]struct {
		bits, row int
		rest      []*nd.Array // bytes, scales, zero points, groups
		want      []float64
	}{
		// Two columns, blocks of two elements: column 0 is 1, 2 | 3, 4 and column 1 is 5, 6 | 7, 15.
		"4 bits":      {4, 1, []*nd.Array{bytes([]uint8{0x21, 0x43, 0x65, 0xf7}, 2, 2, 1), vector(1, 2, 3, 4)}, []float64{2 - 8, (6 - 8) * 3}},
		"zero points": {4, 2, []*nd.Array{bytes([]uint8{0x21, 0x43, 0x65, 0xf7}, 2, 2, 1), vector(1, 2, 3, 4), bytes([]uint8{0x51, 0x23}, 2, 1)}, []float64{(3 - 5) * 2, (7 - 2) * 4}},
		"floats":      {4, 3, []*nd.Array{bytes([]uint8{0x21, 0x43, 0x65, 0xf7}, 2, 2, 1), vector(1, 2, 3, 4), nd.FromSlice([]float32{0, 0.5, 1, 1.5}, 2, 2)}, []float64{(4 - 0.5) * 2, (15 - 1.5) * 4}},
		"groups": {4, 0, []*nd.Array{bytes([]uint8{0x21, 0x43, 0x65, 0xf7}, 2, 2, 1), vector(1, 2, 3, 4), bytes([]uint8{0x51, 0x23}, 2, 1),
			nd.FromSlice([]int32{1, 0, 0, 1})}, []float64{(1 - 5) * 2, (5 - 2) * 4}},
		"8 bits": {8, 1, []*nd.Array{bytes([]uint8{1, 200, 3, 4, 5, 6, 7, 8}, 2, 2, 2), vector(1, 2, 3, 4)}, []float64{200 - 128, (6 - 128) * 3}},
		// Four elements in a byte: 1, 2, 3, 0 and 3, 3, 0, 1.
		"2 bits": {2, 2, []*nd.Array{bytes([]uint8{0b00111001, 0b01001111}, 2, 1, 1), vector(1, 10)}, []float64{3 - 2, (0 - 2) * 10}},
	} {
		block := int64(2)
		if c.bits == 2 {
			block = 4
		}
		attributes := []*attributeMessage{intAttribute("K", 4), intAttribute("N", 2), intAttribute("bits", int64(c.bits)), intAttribute("block_size", block)}
		inputs := values(append([]*nd.Array{row(c.row)}, c.rest...))
		m, err := contribution(t, "MatMulNBits", attributes, inputs, []string{"y"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkNear(t, name, numbers(m.CallValues(named(inputs))[0].(*nd.Array)), c.want)
	}
	if _, err := contribution(t, "MatMulNBits", []*attributeMessage{intAttribute("K", 4), intAttribute("N", 2), intAttribute("bits", 3), intAttribute("block_size", 2)},
		values([]*nd.Array{row(0), bytes([]uint8{1}), vector(1)}), []string{"y"}); err == nil || !strings.Contains(err.Error(), "3 bits") {
		t.Errorf("3 bits: %v", err)
	}
}

// TestMatMulNBitsScales checks that the scales are parameters with gradients: that of a scale is the sum of x·(code - 8) in its
// block.
func TestMatMulNBitsScales(t *testing.T) {
	attributes := []*attributeMessage{intAttribute("K", 2), intAttribute("N", 1), intAttribute("block_size", 2)}
	x := nd.FromSlice([]float32{1, 10}, 1, 2)
	inputs := values([]*nd.Array{x, nd.FromSlice([]uint8{0x9a}, 1, 1, 1), vector(0.5)})
	m, err := contribution(t, "MatMulNBits", attributes, inputs, []string{"y"}, floats("x2", []int64{1}, 0.5))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]*nd.Array{"x0": x, "x1": inputs[1].(*nd.Array)}
	checkNear(t, "result", numbers(m.Call(given)[0]), []float64{0.5 * (2 + 10)})
	tape := grad.NewTape()
	params := m.Params().Watch(tape)
	y := m.In(params).Call(given)[0]
	checkNear(t, "gradient", numbers(optim.GradientsOf(params, ops.Sum(y)).Get("x2")), []float64{12})
}

// TestHiddenByFilter checks that a query whose keys are all hidden sees them all, as mask_filter_value has it.
func TestHiddenByFilter(t *testing.T) {
	q, v := nd.Zeros([]int{1, 1, 2}, dtype.Float32), nd.FromSlice([]float32{1, 2, 3, 6}, 1, 2, 2)
	inputs := values([]*nd.Array{q, v, v, nil, nd.FromSlice([]int32{0, 0}, 1, 2)})
	m, err := contribution(t, "MultiHeadAttention", []*attributeMessage{intAttribute("num_heads", 1)}, inputs, []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	checkNear(t, "result", numbers(m.CallValues(named(inputs))[0].(*nd.Array)), []float64{2, 4})
}

// TestGroupQueryLengths checks examples of different lengths: each appends its keys behind its own earlier ones.
func TestGroupQueryLengths(t *testing.T) {
	cache := wave(1, 2, 1, 3, 2)
	k, v := nd.FromSlice([]float32{7, 8, 9, 10}, 2, 1, 2), nd.FromSlice([]float32{1, 2, 3, 4}, 2, 1, 2)
	inputs := values([]*nd.Array{nd.Zeros([]int{2, 1, 2}, dtype.Float32), k, v, cache, nd.Zeros([]int{2, 1, 3, 2}, dtype.Float32),
		nd.FromSlice([]int32{2, 1}), nd.FromSlice([]int32{3})})
	m, err := contribution(t, "GroupQueryAttention", []*attributeMessage{intAttribute("num_heads", 1), intAttribute("kv_num_heads", 1)}, inputs, []string{"y", "keys", "values"})
	if err != nil {
		t.Fatal(err)
	}
	out := m.CallValues(named(inputs))
	// Scores are 0: each query takes the mean of its keys' values, of which all but the last are 0.
	checkNear(t, "result", numbers(out[0].(*nd.Array)), []float64{1.0 / 3, 2.0 / 3, 3.0 / 2, 4.0 / 2})
	c := numbers(cache)
	checkNear(t, "keys", numbers(out[1].(*nd.Array)), slices.Concat(c[:4], []float64{7, 8}, c[6:8], []float64{9, 10, 0, 0}))
	checkNear(t, "values", numbers(out[2].(*nd.Array)), []float64{0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0})
}

func TestContributionsRefuse(t *testing.T) {
	x := wave(0, 1, 2, 4)
	for want, c := range map[string]struct {
		typ        string
		attributes []*attributeMessage
		inputs     []*nd.Array
	}{
		"do_rotary":   {"Attention", []*attributeMessage{intAttribute("num_heads", 1), intAttribute("do_rotary", 1)}, []*nd.Array{x, wave(0, 4, 12)}},
		"prepacked":   {"MatMulNBits", []*attributeMessage{intAttribute("K", 4), intAttribute("N", 2), intAttribute("block_size", 4), intAttribute("weight_prepacked", 1)}, []*nd.Array{x, x, x}},
		"2 heads":     {"GroupQueryAttention", []*attributeMessage{intAttribute("num_heads", 2), intAttribute("kv_num_heads", 3)}, []*nd.Array{x, x, x}},
		`"Mystery"`:   {"FusedGemm", []*attributeMessage{textAttribute("activation", "Mystery")}, []*nd.Array{x, x}},
		"without bou": {"FusedConv", []*attributeMessage{textAttribute("activation", "Clip")}, []*nd.Array{x, x}},
	} {
		if _, err := contribution(t, c.typ, c.attributes, values(c.inputs), []string{"y"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.typ, err, want)
		}
	}
	// Shapes are known when the model is called.
	inputs := values([]*nd.Array{x, wave(0, 4, 10)})
	m, err := contribution(t, "Attention", []*attributeMessage{intAttribute("num_heads", 1)}, inputs, []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	if err := nd.Catch(func() { m.CallValues(named(inputs)) }); err == nil || !strings.Contains(err.Error(), "projections") {
		t.Errorf("%v", err)
	}
}

func TestTokenizer(t *testing.T) {
	texts := []model.Value{Texts{Shape: []int{2}, Values: []string{"the cat,sat", "häh a"}}}
	for _, c := range []struct {
		attributes []*attributeMessage
		want       Texts
	}{
		{[]*attributeMessage{textAttribute("tokenexp", `\pL+`), textAttribute("pad_value", "#")}, Texts{[]int{2, 3}, []string{"the", "cat", "sat", "häh", "a", "#"}}},
		{[]*attributeMessage{textsAttribute("separators", " ", ","), textAttribute("pad_value", "#"), intAttribute("mincharnum", 2), textsAttribute("stopwords", "cat")},
			Texts{[]int{2, 2}, []string{"the", "sat", "häh", "#"}}},
		{[]*attributeMessage{textsAttribute("separators", ""), textAttribute("pad_value", "#"), intAttribute("mark", 1)},
			Texts{[]int{2, 13}, strings.Split("\x02the cat,sat\x03\x02häh a\x03######", "")}},
	} {
		m, err := contribution(t, "Tokenizer", c.attributes, texts, []string{"y"})
		if err != nil {
			t.Error(err)
			continue
		}
		got := m.CallValues(named(texts))[0].(Texts)
		if !slices.Equal(got.Shape, c.want.Shape) || !slices.Equal(got.Values, c.want.Values) {
			t.Errorf("%q %d, want %q %d", got.Values, got.Shape, c.want.Values, c.want.Shape)
		}
	}
}

func textsAttribute(name string, v ...string) *attributeMessage {
	a := &attributeMessage{Name: name, Type: attributeStrings}
	for _, s := range v {
		a.Strings = append(a.Strings, []byte(s))
	}
	return a
}

// TestTies checks that votes which are equal in float32 give the first label: 0.1 + 0.2 and 0.3 differ in float64 alone.
func TestTies(t *testing.T) {
	f := &forest{join: "SUM", single: true, targets: 2, roots: []int{0, 1}, branches: []branch{
		{isLeaf: true, votes: []vote{{0, float64(float32(0.1))}, {1, float64(float32(0.3))}}},
		{isLeaf: true, votes: []vote{{0, float64(float32(0.2))}}}}}
	c := &call{fn: nd.Func("test"), in: []model.Value{nd.Zeros([]int{1, 1}, dtype.Float32)}}
	scores, _ := f.predict(c)
	if float32(scores[0]) != float32(0.1)+float32(0.2) || scores[0] != float64(float32(scores[0])) {
		t.Errorf("%v", scores)
	}
	if math.Abs(scores[0]-scores[1]) > 1e-7 {
		t.Errorf("%v", scores)
	}
}

// TestTextsByIndex checks that ArrayFeatureExtractor takes texts, as the labels of classifiers.
func TestTextsByIndex(t *testing.T) {
	n := operation("ArrayFeatureExtractor", []string{"x", "at"}, []string{"y"})
	n.Domain = "ai.onnx.ml"
	g := &graphMessage{Node: []*nodeMessage{n}, Input: []*valueMessage{value("x", String), value("at", Int64)}, Output: []*valueMessage{{Name: "y"}}}
	data, err := wire.Marshal(&modelMessage{IrVersion: 10, Graph: g, OpsetImport: []*opsetMessage{{Version: 17}, {Domain: "ai.onnx.ml", Version: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Model()
	if err != nil {
		t.Fatal(err)
	}
	got := m.CallValues(map[string]model.Value{"x": Texts{[]int{3}, []string{"a", "b", "c"}}, "at": nd.FromSlice([]int64{2, 0, 2})})[0].(Texts)
	if !slices.Equal(got.Values, []string{"c", "a", "c"}) {
		t.Errorf("%q", got.Values)
	}
}
