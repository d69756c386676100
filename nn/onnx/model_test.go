package onnx

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// perceptron has two layers: 2 → 3 → 1.
func perceptron() *graphMessage {
	return &graphMessage{
		Name: "perceptron", Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{
			floats("fc1/W", []int64{2, 3}, 0.5, -0.25, 1, 0.75, 0.5, -1), floats("fc1/b", []int64{3}, 0.1, 0.2, 0.3),
			floats("fc2.W", []int64{3, 1}, 1, -1, 0.5), floats("fc2.b", []int64{1}, 0.25),
		},
		Node: []*nodeMessage{
			operation("Gemm", []string{"x", "fc1/W", "fc1/b"}, []string{"h"}), operation("Tanh", []string{"h"}, []string{"a"}),
			operation("Gemm", []string{"a", "fc2.W", "fc2.b"}, []string{"y"}),
		},
	}
}

func TestModelRuns(t *testing.T) {
	m := loaded(t, perceptron())
	if got, want := m.Params().Names(), []string{"fc1/W", "fc1/b", "fc2.W", "fc2.b"}; !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
	x := []float64{0.5, -1}
	want := 0.25
	for k, w := range []float64{1, -1, 0.5} {
		h := x[0]*[]float64{0.5, -0.25, 1}[k] + x[1]*[]float64{0.75, 0.5, -1}[k] + []float64{0.1, 0.2, 0.3}[k]
		want += w * math.Tanh(h)
	}
	got := runModel(m, map[string]*nd.Array{"x": vector(0.5, -1).Reshape(1, 2)})
	if len(got) != 1 || math.Abs(got[0]-want) > 1e-6 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFineTuning lowers the loss of a model that was read.
func TestFineTuning(t *testing.T) {
	m := loaded(t, perceptron())
	x, target := nd.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2), nd.FromSlice([]float32{0, 1, 1, 0}, 4, 1)
	solver, tape := optim.NewAdam(optim.AdamOptions{LR: 0.1}), grad.NewTape()
	var first, last float64
	for step := range 60 {
		params := m.Params().Watch(tape)
		l := ops.Mean(loss.SquaredError(m.In(params).Call(map[string]*nd.Array{"x": x})[0], target))
		last = l.Float()
		if step == 0 {
			first = last
		}
		solver.Update(optim.GradientsOf(params, l))
		tape.Reset()
	}
	if !(last < first/4) {
		t.Errorf("the loss went from %v to %v", first, last)
	}
}

// TestGradientByInput compares the gradient with central differences.
func TestGradientByInput(t *testing.T) {
	m := loaded(t, perceptron())
	tape := grad.NewTape()
	x := tape.Watch(vector(0.5, -1).Reshape(1, 2))
	g := numbers(tape.Gradient(ops.Sum(m.Call(map[string]*nd.Array{"x": x})[0]), x)[0])
	const h = 1e-2
	for i := range g {
		at := func(d float32) float64 {
			v := []float32{0.5, -1}
			v[i] += d
			return runModel(m, map[string]*nd.Array{"x": nd.FromSlice(v, 1, 2)})[0]
		}
		if want := (at(h) - at(-h)) / (2 * h); math.Abs(g[i]-want) > 1e-3 {
			t.Errorf("the gradient by element %d is %v, want %v", i, g[i], want)
		}
	}
}

func TestGoroutinesShareAModel(t *testing.T) {
	m := loaded(t, perceptron())
	want := runModel(m, map[string]*nd.Array{"x": vector(0.5, -1).Reshape(1, 2)})[0]
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for n := 1; n < 20; n++ {
				x := ops.Tile(vector(0.5, -1).Reshape(1, 2), n, 1)
				for _, v := range runModel(m, map[string]*nd.Array{"x": x}) {
					if math.Abs(v-want) > 1e-6 {
						t.Errorf("got %v, want %v", v, want)
					}
				}
			}
		})
	}
	wait.Wait()
}

// TestMissingOperatorsAreListed loads a model that cannot run: the error names everything that is missing, with its nodes.
func TestMissingOperatorsAreListed(t *testing.T) {
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)}, Node: []*nodeMessage{
		operation("Frobnicate", []string{"x"}, []string{"a"}),
		operation("Relu", []string{"a"}, []string{"b"}, intAttribute("leak", 1)),
		operation("Frobnicate", []string{"b"}, []string{"c"}),
		{OpType: "Relu", Domain: "unknown.domain", Name: "r", Input: []string{"c"}, Output: []string{"y"}},
	}}
	_, err := tryLoad(t, g)
	if err == nil {
		t.Fatal("the model is accepted")
	}
	for _, want := range []string{`Frobnicate (opset 17): "Frobnicate", "Frobnicate"`, `unknown attribute leak`, `unknown.domain.Relu`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q in it", err, want)
		}
	}
}

func TestValuesFromNowhere(t *testing.T) {
	for name, g := range map[string]*graphMessage{
		"an unknown input":  {Output: []*valueMessage{value("y", Float)}, Node: []*nodeMessage{operation("Relu", []string{"x"}, []string{"y"})}},
		"its own output":    {Output: []*valueMessage{value("y", Float)}, Node: []*nodeMessage{operation("Relu", []string{"y"}, []string{"y"})}},
		"an unknown output": {Output: []*valueMessage{value("y", Float)}},
	} {
		if _, err := tryLoad(t, g); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// TestShapesAreComputedWithoutNodes folds a chain of shape arithmetic whose inputs are constants.
func TestShapesAreComputedWithoutNodes(t *testing.T) {
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Initializer: []*tensorMessage{integer64("two", []int64{1}, 2), integer64("three", []int64{1}, 3), integer64("zero", nil, 0)},
		Node: []*nodeMessage{
			operation("Mul", []string{"two", "three"}, []string{"six"}),
			operation("Concat", []string{"six", "two"}, []string{"shape"}, intAttribute("axis", 0)),
			operation("Reshape", []string{"x", "shape"}, []string{"y"}),
		}}
	m := loaded(t, g)
	if n := len(m.Nodes()); n != 1 {
		t.Errorf("%d nodes, want only Reshape", n)
	}
	if y := m.Call(map[string]*nd.Array{"x": nd.Zeros([]int{12}, dtype.Float32)}); !slices.Equal(y[0].Shape(), []int{6, 2}) {
		t.Errorf("shape %v", y[0].Shape())
	}
}

// TestFunctions calls a function of the file, whose body has a reference to an attribute of the call.
func TestFunctions(t *testing.T) {
	scale := &functionMessage{Name: "Scale", Domain: "own", Input: []string{"x", "unused"}, Output: []string{"y"}, Attribute: []string{"factor"},
		OpsetImport: []*opsetMessage{{Version: 17}}, Node: []*nodeMessage{
			operation("Constant", nil, []string{"f"}, &attributeMessage{Name: "value_float", Type: attributeFloat, RefAttrName: "factor"}),
			operation("Mul", []string{"x", "f"}, []string{"y"}),
		}}
	call := func(in, out string, factor float32) *nodeMessage {
		return &nodeMessage{OpType: "Scale", Domain: "own", Input: []string{in}, Output: []string{out},
			Attribute: []*attributeMessage{{Name: "factor", Type: attributeFloat, F: factor}}}
	}
	g := &graphMessage{Input: []*valueMessage{value("x", Float)}, Output: []*valueMessage{value("y", Float)},
		Node: []*nodeMessage{call("x", "a", 2), call("a", "y", 5)}}
	if got := runModel(loaded(t, g, scale), map[string]*nd.Array{"x": vector(3)}); got[0] != 30 {
		t.Errorf("got %v, want 30", got)
	}
	endless := &functionMessage{Name: "Scale", Domain: "own", Input: []string{"x"}, Output: []string{"y"},
		OpsetImport: []*opsetMessage{{Domain: "own", Version: 1}}, Node: []*nodeMessage{call("x", "y", 1)}}
	if _, err := tryLoad(t, g, endless); err == nil || !strings.Contains(err.Error(), "calls itself") {
		t.Errorf("a function that calls itself: %v", err)
	}
}

// TestExternalData reads tensors from a file beside the model, and never from outside of its folder.
func TestExternalData(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(filepath.Dir(folder), "secret"), make([]byte, 64), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "weights.bin"), []byte{9, 9, 9, 9, 0, 0, 128, 63, 0, 0, 0, 64}, 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(entries ...*entryMessage) error {
		g := perceptron()
		g.Initializer = append(g.Initializer, &tensorMessage{Name: "w", DataType: Float, Dims: []int64{2}, DataLocation: 1, ExternalData: entries})
		g.Node = append(g.Node, operation("Add", []string{"y", "w"}, []string{"z"}))
		g.Output = []*valueMessage{value("z", Float)}
		path := filepath.Join(folder, "model.onnx")
		if err := os.WriteFile(path, file(t, g), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Load(path)
		if err == nil && !slices.Equal(numbers(m.Params().Get("w")), []float64{1, 2}) {
			t.Errorf("the values are %v", m.Params().Get("w"))
		}
		return err
	}
	if err := load(&entryMessage{"location", "weights.bin"}, &entryMessage{"offset", "4"}, &entryMessage{"length", "8"}); err != nil {
		t.Error(err)
	}
	for _, entries := range [][]*entryMessage{
		{{"location", "../secret"}, {"length", "8"}}, {{"location", filepath.Join(filepath.Dir(folder), "secret")}, {"length", "8"}},
		{{"location", "weights.bin"}, {"offset", "8"}, {"length", "8"}}, {{"location", "weights.bin"}, {"offset", "-4"}, {"length", "8"}},
		{{"location", "missing"}}, {{"location", "."}}, {}, {{"location", "weights.bin"}, {"length", "9223372036854775807"}, {"offset", "1"}},
	} {
		if err := load(entries...); err == nil {
			t.Errorf("%v is accepted", entries)
		}
	}
}

func TestTensorsOfEveryType(t *testing.T) {
	for _, m := range []*tensorMessage{
		{DataType: Double, Dims: []int64{2}, DoubleData: wire.NumbersOf([]float64{1, 2})},
		{DataType: Int32, Dims: []int64{2}, Int32Data: []int32{1, 2}}, {DataType: Uint8, Dims: []int64{2}, Int32Data: []int32{1, 2}},
		{DataType: Int16, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{1, 0, 2, 0})}, {DataType: Uint64, Dims: []int64{2}, Uint64Data: []uint64{1, 2}},
		{DataType: Uint32, Dims: []int64{2}, Uint64Data: []uint64{1, 2}}, {DataType: Float16, Dims: []int64{2}, Int32Data: []int32{0x3c00, 0x4000}},
		{DataType: BFloat16, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{0x80, 0x3f, 0, 0x40})}, {DataType: Int4, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{0x21})},
		{DataType: Uint2, Dims: []int64{2}, Int32Data: []int32{0b1001}}, {DataType: Float8E4M3FN, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{0x38, 0x40})},
		{DataType: Float8E8M0, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{127, 128})}, {DataType: Float4E2M1, Dims: []int64{2}, RawData: wire.NumbersOf([]byte{0x42})},
		{DataType: Float6E2M3, Dims: []int64{2}, Int32Data: []int32{0b001000, 0b010000}},
	} {
		v, err := (&externalFiles{}).tensor(m)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := numbers(arrayIn(v)); !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("%s: %v, want [1 2]", m.DataType, got)
		}
		short := *m
		short.Dims = []int64{3}
		if _, err := (&externalFiles{}).tensor(&short); err == nil && !m.DataType.IsNarrow() {
			t.Errorf("%s: three elements out of two are accepted", m.DataType)
		}
	}
}
