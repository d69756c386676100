package onnx

import (
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestNestedModels reads graphs nested 10,000 deep: an error, not a full stack.
func TestNestedModels(t *testing.T) {
	var data []byte
	for range 10_000 {
		graph := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), // GraphProto.node
			protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), // NodeProto.attribute
				protowire.AppendBytes(protowire.AppendTag(nil, 6, protowire.BytesType), data))) // AttributeProto.g
		data = graph
	}
	if _, err := Read(protowire.AppendBytes(protowire.AppendTag(nil, 7, protowire.BytesType), data)); err == nil {
		t.Error("the model is accepted")
	}
}

// TestSmallModelsStaySmall loads models that claim to be large.
func TestSmallModelsStaySmall(t *testing.T) {
	huge := int64(1) << 40
	for name, g := range map[string]*graphMessage{
		"a tensor that says it is large": {Initializer: []*tensorMessage{floats("w", []int64{huge}, 1)}},
		"a sparse tensor":                {SparseInitializer: []*sparseMessage{{Values: floats("w", []int64{1}, 1), Indices: integer64("at", []int64{1}, 0), Dims: []int64{huge}}}},
		"a constant of a large shape": {Initializer: []*tensorMessage{integer64("shape", []int64{2}, huge, 16)},
			Node: []*nodeMessage{operation("ConstantOfShape", []string{"shape"}, []string{"a"}), operation("Sin", []string{"a"}, []string{"y"})}},
		"a long range": {Initializer: []*tensorMessage{integer64("zero", nil, 0), integer64("end", nil, huge), integer64("one", nil, 1)},
			Node: []*nodeMessage{operation("Range", []string{"zero", "end", "one"}, []string{"y"})}},
		"tiles": {Initializer: []*tensorMessage{integer64("x", []int64{1}, 0), integer64("reps", []int64{1}, huge)},
			Node: []*nodeMessage{operation("Tile", []string{"x", "reps"}, []string{"y"})}},
		"a row again and again": {Initializer: []*tensorMessage{integer64("shape", []int64{2}, 1, 1<<12), integer64("many", []int64{1}, 1<<13), integer64("z", []int64{1}, 0)},
			Node: []*nodeMessage{operation("Expand", []string{"z", "shape"}, []string{"data"}), operation("Expand", []string{"z", "many"}, []string{"rows"}),
				operation("Gather", []string{"data", "rows"}, []string{"y"})}},
		"a product of broadcasts": {Initializer: []*tensorMessage{integer64("a", []int64{2}, 1, 1<<30), integer64("b", []int64{2}, 1<<30, 1), integer64("z", []int64{1}, 0)},
			Node: []*nodeMessage{operation("Expand", []string{"z", "a"}, []string{"p"}), operation("Expand", []string{"z", "b"}, []string{"q"}),
				operation("Add", []string{"p", "q"}, []string{"y"})}},
	} {
		g.Output = []*valueMessage{value("y", Float)}
		if len(g.Node) == 0 {
			g.Output[0].Name = "w"
		}
		data := file(t, g)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := Read(data)
		if err == nil {
			_, err = f.Model()
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%s: %d bytes (%v)", name, grown, err)
		}
	}
}

// TestManyFunctions calls functions that call functions: 2^40 nodes.
func TestManyFunctions(t *testing.T) {
	name := func(k int) string { return string(rune('A' + k)) }
	var all []*functionMessage
	for k := range 40 {
		body := []*nodeMessage{{OpType: name(k + 1), Domain: "own", Input: []string{"x"}, Output: []string{"m"}},
			{OpType: name(k + 1), Domain: "own", Input: []string{"m"}, Output: []string{"y"}}}
		all = append(all, &functionMessage{Name: name(k), Domain: "own", Input: []string{"x"}, Output: []string{"y"}, Node: body,
			OpsetImport: []*opsetMessage{{Domain: "own", Version: 1}}})
	}
	all = append(all, &functionMessage{Name: name(40), Domain: "own", Input: []string{"x"}, Output: []string{"y"}, OpsetImport: []*opsetMessage{{Version: 17}},
		Node: []*nodeMessage{operation("Relu", []string{"x"}, []string{"y"})}})
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Node: []*nodeMessage{{OpType: name(0), Domain: "own", Input: []string{"x"}, Output: []string{"y"}}}}
	if _, err := tryLoad(t, g, all...); err == nil {
		t.Error("the model is accepted")
	}
}

// FuzzRead reads bytes, and makes the model.
func FuzzRead(f *testing.F) {
	f.Add(file(f, perceptron()))
	f.Add(file(f, choice()))
	f.Fuzz(func(t *testing.T, data []byte) {
		const largest = 1 << 16
		if len(data) > largest {
			return
		}
		file, err := Read(data)
		if err != nil {
			return
		}
		file.Inputs()
		file.Outputs()
		if m, err := file.Model(); err == nil { // it is not run: a loop may take any time
			m.Inputs()
		}
	})
}

// TestBodiesOfOtherShapes refuses graphs inside nodes that have other inputs or outputs than their node gives and takes.
func TestBodiesOfOtherShapes(t *testing.T) {
	body := func(inputs ...string) *graphMessage {
		g := &graphMessage{Output: []*valueMessage{value("x", Float)}}
		for _, name := range inputs {
			g.Input = append(g.Input, value(name, Float))
		}
		return g
	}
	for name, n := range map[string]*nodeMessage{
		"a loop without states": operation("Loop", []string{"", "", "x"}, []string{"y"}, graphAttribute("body", body("i", "c", "s"))),
		"a loop of one input":   operation("Loop", []string{"", "", "x"}, []string{"y"}, graphAttribute("body", body("i"))),
		"a scan without inputs": operation("Scan", []string{"x"}, []string{"y"}, graphAttribute("body", body("s")), intAttribute("num_scan_inputs", 2)),
		"a scan of few outputs": operation("Scan", []string{"x", "x", "x"}, []string{"y"}, graphAttribute("body", body("s", "r", "v")), intAttribute("num_scan_inputs", 1)),
		"a condition":           operation("If", []string{"x"}, []string{"y", "z"}, graphAttribute("then_branch", body()), graphAttribute("else_branch", body())),
	} {
		g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)}, Node: []*nodeMessage{n}}
		if _, err := tryLoad(t, g); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
