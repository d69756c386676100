package nnabla_test

import (
	"archive/zip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

// file writes a text, and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net.nntxt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// load loads a network from a text.
func load(t *testing.T, text string) *model.Model {
	t.Helper()
	m, err := nnabla.Load(file(t, text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// of makes a network of one function with inputs x0, x1, … and outputs y0, y1, ….
func of(typ, arguments string, inputs, outputs int) string {
	text := fmt.Sprintf("network { name: \"n\" function { name: \"f\" type: %q ", typ)
	for k := range inputs {
		text += fmt.Sprintf("input: \"x%d\" ", k)
	}
	for k := range outputs {
		text += fmt.Sprintf("output: \"y%d\" ", k)
	}
	return text + arguments + " } }"
}

// call calls a network of one function.
func call(t *testing.T, typ, arguments string, outputs int, in ...*nd.Array) []*nd.Array {
	t.Helper()
	inputs := map[string]*nd.Array{}
	for k, x := range in {
		inputs[fmt.Sprintf("x%d", k)] = x
	}
	return load(t, of(typ, arguments, len(in), outputs)).Call(inputs)
}

// TestFunctionsThatNoDocumentHas compares function types of version 1.35 with results of its program nbla.
func TestFunctionsThatNoDocumentHas(t *testing.T) {
	f := func(v ...float32) *nd.Array { return nd.FromSlice(v) }
	x, labels := f(1, 2, 2, 0, 3, 1, 1, 0, 0, 1, 2, 3).Reshape(3, 4), f(1, 1, 0).Reshape(3, 1)
	for n, want := range [][]float64{1: {1, 1, 1}, 2: {0, 1, 1}, 3: {0, 0, 1}} {
		if n > 0 {
			y := call(t, "TopNError", fmt.Sprintf("top_n_error_param { axis: 1 n: %d }", n), 1, x, labels)[0]
			equal(t, "TopNError", y, want, []int{3, 1})
		}
	}
	equal(t, "BinaryError", call(t, "BinaryError", "", 1, f(.2, .5, .7), f(0, 0, 1))[0], []float64{0, 1, 0}, []int{3})
	equal(t, "Linspace", call(t, "Linspace", "linspace_param { start: 1 stop: 2 num: 5 }", 1)[0], []float64{1, 1.25, 1.5, 1.75, 2}, []int{5})
	y := call(t, "Meshgrid", "meshgrid_param { ij_indexing: true }", 2, f(0, 1), f(0, 1, 2))
	equal(t, "Meshgrid", y[0], []float64{0, 0, 0, 1, 1, 1}, []int{2, 3})
	equal(t, "Meshgrid", y[1], []float64{0, 1, 2, 0, 1, 2}, []int{2, 3})
	y = call(t, "Meshgrid", "", 2, f(0, 1), f(0, 1, 2))
	equal(t, "Meshgrid", y[0], []float64{0, 1, 0, 1, 0, 1}, []int{3, 2})
	y = call(t, "TensorNormalization", "tensor_normalization_param { axes: 1 eps: 1e-5 }", 1,
		nd.Arange(0, 12, 1, dtype.Float32).Reshape(2, 3, 2), f(1, 2, 3).Reshape(1, 3, 1), f(1, 1, 2).Reshape(1, 3, 1))
	for i, want := range []float64{-0.15079236, 0.17800546, 0.84920764, 1.1780055, 0.6984153, 1.3560109, 1.8219945, 2.1507924, 2.8219945, 3.1507924, 4.643989, 5.3015847} {
		if got := y[0].Ravel().Float(i); math.Abs(got-want) > 1e-5 {
			t.Errorf("TensorNormalization: element %d is %v, want %v", i, got, want)
		}
	}
	values := f(1, -3, 2, 0, 5, 4).Reshape(2, 3)
	equal(t, "TopKData", call(t, "TopKData", "top_k_data_param { k: 1 base_axis: 1 }", 1, values)[0], []float64{0, -3, 0, 0, 0, 0}, []int{2, 3})
	equal(t, "TopKData", call(t, "TopKData", "top_k_data_param { k: 1 base_axis: 1 reduce: true }", 1, values)[0], []float64{-3, 0}, []int{2, 1})
	equal(t, "Shape", call(t, "Shape", "", 1, nd.Zeros([]int{2, 3, 2}))[0], []float64{2, 3, 2}, []int{3})
	equal(t, "Sum without axes", call(t, "Sum", "", 1, values)[0], []float64{1, -3, 2, 0, 5, 4}, []int{2, 3})
	equal(t, "BcAdd2", call(t, "BcAdd2", "", 1, values, f(1, 2, 3))[0], []float64{2, -1, 5, 1, 7, 7}, []int{2, 3})
	equal(t, "Unlink", call(t, "Unlink", "", 1, f(1, 2))[0], []float64{1, 2}, []int{2})
	equal(t, "Erf", call(t, "Erf", "", 1, f(0))[0], []float64{0}, []int{1})
	equal(t, "sum of comparisons", call(t, "AddN", "", 1, call(t, "IsNaN", "", 1, f(float32(math.NaN()), 1))[0], f(1, 1))[0], []float64{2, 1}, []int{2})
}

// TestRandomFunctions draws from the scope's stream, and refuses to draw without one.
func TestRandomFunctions(t *testing.T) {
	x := nd.Arange(0, 48, 1, dtype.Float32).Reshape(2, 2, 3, 4)
	for _, c := range []struct {
		typ, arguments string
		in             []*nd.Array
		shape          []int
		low, high      float64
	}{
		{"Rand", "rand_param { low: 2 high: 3 shape { dim: 2 dim: 3 } seed: 5 }", nil, []int{2, 3}, 2, 3},
		{"Randint", "randint_param { high: 3 shape { dim: 7 } }", nil, []int{7}, 0, 2},
		{"Randn", "randn_param { mu: 100 sigma: 1 shape { dim: 7 } }", nil, []int{7}, 90, 110},
		{"RandBinomial", "rand_binomial_param { n: 3 p: 0.5 shape { dim: 7 } }", nil, []int{7}, 0, 3},
		{"RandBeta", "rand_beta_param { alpha: 1 beta: 2 shape { dim: 7 } }", nil, []int{7}, 0, 1},
		{"RandGamma", "rand_gamma_param { k: 1 theta: 2 shape { dim: 7 } }", nil, []int{7}, 0, 1000},
		{"RandomChoice", "random_choice_param { shape { dim: 2 } replace: true }", []*nd.Array{x.Reshape(6, 8), nd.Ones([]int{6, 8})}, []int{6, 2}, 0, 47},
		{"RandomCrop", "random_crop_param { shape { dim: 2 dim: 2 } base_axis: 1 }", []*nd.Array{x}, []int{2, 2, 2, 2}, 0, 47},
		{"RandomFlip", "random_flip_param { axes: 3 base_axis: 1 }", []*nd.Array{x}, []int{2, 2, 3, 4}, 0, 47},
		{"RandomShift", `random_shift_param { shifts: 1 shifts: 1 border_mode: "nearest" base_axis: 1 }`, []*nd.Array{x}, []int{2, 2, 3, 4}, 0, 47},
		{"RandomErase", "random_erase_param { prob: 1 area_ratios: 0.1 area_ratios: 0.4 aspect_ratios: 0.3 aspect_ratios: 3 replacements: 0 replacements: 47 n: 1 share: true base_axis: 1 }",
			[]*nd.Array{x}, []int{2, 2, 3, 4}, 0, 47},
		{"ImageAugmentation", "image_augmentation_param { shape { dim: 3 dim: 4 } pad { dim: 0 dim: 0 } min_scale: 1 max_scale: 1 aspect_ratio: 1 contrast: 1 flip_lr: true }",
			[]*nd.Array{x}, []int{2, 2, 3, 4}, 0, 47},
	} {
		m := load(t, of(c.typ, c.arguments, len(c.in), 1))
		inputs := map[string]*nd.Array{}
		for k, x := range c.in {
			inputs[fmt.Sprintf("x%d", k)] = x
		}
		if err := nd.Catch(func() { m.Call(inputs) }); err == nil || !strings.Contains(err.Error(), "no stream of random numbers") {
			t.Errorf("%s without a stream: error %v", c.typ, err)
		}
		err := nd.Catch(func() {
			y := m.In(m.Params().Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(3)})).Call(inputs)[0]
			low, high := ops.Min(y).Float(), ops.Max(y).Float()
			if !slices.Equal(y.Shape(), c.shape) || low < c.low || high > c.high || y.DType() != dtype.Float32 {
				t.Errorf("%s: %s of shape %v from %v to %v", c.typ, y.DType(), y.Shape(), low, high)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
		}
	}
}

const batchOfAnySize = `
network { name: "n" batch_size: 4
  variable { name: "x" type: "Buffer" shape { dim: -1 dim: 2 } }
  function { name: "c" type: "Constant" output: "c" constant_param { val: 2 shape { dim: -1 dim: 2 } } }
  function { name: "b" type: "Broadcast" input: "w" output: "b" broadcast_param { shape { dim: -1 dim: 2 } } }
  function { name: "r" type: "Reshape" input: "x" output: "r" reshape_param { shape { dim: -1 dim: 1 dim: 2 } } }
  function { name: "a" type: "AddN" input: "x" input: "c" input: "b" output: "y" }
}
executor { name: "run" network_name: "n" data_variable { variable_name: "x" data_name: "x" }
  output_variable { variable_name: "y" data_name: "y" } output_variable { variable_name: "r" data_name: "r" } }
parameter { variable_name: "w" shape { dim: 1 dim: 2 } data: 10 data: 20 need_grad: true }`

func TestBatchesOfAnySize(t *testing.T) {
	m := load(t, batchOfAnySize)
	if m.Name() != "n" || !slices.Equal(m.Outputs(), []string{"y", "r"}) || len(m.Inputs()) != 1 || !slices.Equal(m.Inputs()[0].Shape, []int{-1, 2}) {
		t.Errorf("%s: inputs %v, outputs %v", m.Name(), m.Inputs(), m.Outputs())
	}
	for _, n := range []int{0, 1, 3} {
		y := m.Call(map[string]*nd.Array{"x": nd.Zeros([]int{n, 2}, dtype.Float32)})
		want := []float64{}
		for range n {
			want = append(want, 12, 22)
		}
		equal(t, "y", y[0], want, []int{n, 2})
		equal(t, "r", y[1], make([]float64, 2*n), []int{n, 1, 2})
	}
	for shape, want := range map[*[]int]string{{2}: `input "x" has shape (2,), want (-1, 2)`, {2, 3}: `input "x" has shape (2, 3)`} {
		if err := nd.Catch(func() { m.Call(map[string]*nd.Array{"x": nd.Zeros(*shape)}) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := nd.Catch(func() { m.Call(nil) }); err == nil || !strings.Contains(err.Error(), `the input "x" is missing`) {
		t.Errorf("error %v", err)
	}
}

const two = `
network { name: "first" function { name: "f" type: "Exp" input: "x" output: "h" } function { name: "g" type: "Log" input: "h" output: "y" } }
network { name: "second" function { name: "f" type: "MulScalar" input: "x" output: "y" mul_scalar_param { val: 3 } } }
executor { name: "half" network_name: "first" data_variable { variable_name: "h" } output_variable { variable_name: "y" } }
executor { name: "noise" network_name: "second" generator_variable { variable_name: "x" type: "Normal" multiplier: 1 } output_variable { variable_name: "y" } }
executor { name: "lost" network_name: "third" }
training_config { max_epoch: 3 }`

func TestNetworksAndExecutorsAreChosenByName(t *testing.T) {
	f, err := nnabla.Open(file(t, two))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Networks(), []string{"first", "second"}) || !slices.Equal(f.Executors(), []string{"half", "noise", "lost"}) {
		t.Errorf("networks %q, executors %q", f.Networks(), f.Executors())
	}
	one := nd.FromSlice([]float32{1})
	for name, c := range map[string]struct {
		input string
		want  float64
	}{"": {"h", 0}, "half": {"h", 0}, "noise": {"x", 3}, "second": {"x", 3}} {
		m, err := f.Model(name)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, name, m.Call(map[string]*nd.Array{c.input: one})[0], []float64{c.want}, []int{1})
	}
	for name, want := range map[string]string{"lost": `executor "lost": there is no network "third"`, "other": `no executor and no network "other": executors ["half"`} {
		if _, err := f.Model(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	m, err := f.Model("first") // the executor "half" of the same network begins after its first function
	if err != nil || len(m.Inputs()) != 1 || m.Inputs()[0].Name != "x" || !slices.Equal(m.Outputs(), []string{"y"}) {
		t.Errorf("inputs %v, outputs %q, %v", m.Inputs(), m.Outputs(), err)
	}
	m, err = nnabla.Load(file(t, two), nnabla.LoadOptions{Name: "first"})
	if err != nil || m.Inputs()[0].Name != "x" || m.Outputs()[0] != "y" {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "again.nntxt")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "training_config {\n  max_epoch: 3\n}") {
		t.Errorf("%s, %v", text, err)
	}
	if err := f.Save(path + ".protobuf"); err == nil || !strings.Contains(err.Error(), "for networks") {
		t.Errorf("error %v", err)
	}
}

func TestNetworksAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		of("Warp", "", 1, 1):                                                `function "f" (Warp): the type of function is unknown`,
		of("Exp", "exp_param { base: 2 }", 1, 1):                            `function "f" (Exp): the argument "base" is unknown`,
		of("Exp", "log_param { }", 1, 1):                                    `the field "log_param" is unknown`,
		of("Exp", "", 2, 1):                                                 "2 inputs, want 1",
		of("Affine", "affine_param { base_axis: 1 }", 1, 1):                 "1 inputs, want 2 to 3",
		of("AddN", "", 0, 1):                                                "0 inputs, want 1 or more",
		of("Softmax", "softmax_param { axis: 1.5 }", 1, 1):                  `the argument "axis"`,
		of("Softmax", "softmax_param { axis: 99999999999 }", 1, 1):          "out of range",
		of("Softmax", "softmax_param { axis { dim: 1 } }", 1, 1):            `the argument "axis" is not a number`,
		of("Transpose", `transpose_param { axes: "x" }`, 1, 1):              `the argument "axes" is not a list of integers`,
		of("Slice", "slice_param { start: 1 }", 1, 1):                       "1, 0 and 0 numbers in start, stop and step",
		of("Pad", `pad_param { mode: "wrap" }`, 1, 1):                       `the argument "mode" is "wrap": want one of constant, reflect, repeat`,
		of("RepeatStart", `repeat_param { repeat_id: "r" times: 2 }`, 2, 1): `function "f" (RepeatStart): the loops of the console, repeat and recurrent, are not supported`,
		of("Exp", `repeat_id: "r"`, 1, 1):                                   `function "f" (Exp): the loops of the console`,
		of("RecurrentInput", `recurrent_param { repeat_id: "r" }`, 1, 1):    "the loops of the console",
		of("Constant", "constant_param { shape { dim: -1 } }", 0, 1):        "a shape begins with the batch size, which no input has",
		of("Exp", `input: ""`, 0, 1):                                        "an input without a name",
		of("Exp", `output: "y0"`, 1, 1):                                     `two values "y0"`,
		of("Exp", `output: "x0"`, 1, 0):                                     "needs its own output",
		`executor { name: "e" }`:                                            "the file has no network",
		`network { name: "n" function { name: 5 } }`:                        "name",
		`network { name: "n" variable { name: "w" type: "Parameter" shape { dim: 2 } } function { name: "f" type: "Exp" input: "w" output: "y" } }`: `the file lacks the parameter "w"`,
		`network { name: "n" variable { name: "w" type: "Parameter" shape { dim: 2 } } function { name: "f" type: "Exp" input: "w" output: "y" } }
		 parameter { variable_name: "w" shape { dim: 1 } data: 1 }`: `the parameter "w" has shape (1,), and the network wants [2]`,
	} {
		if _, err := nnabla.Load(file(t, text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "nnabla.Load: /") {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	binary := filepath.Join(t.TempDir(), "net.protobuf")
	if err := os.WriteFile(binary, []byte{100<<3&0x7f | 2 | 0x80, 100 >> 4, 3, 1<<3 | 2, 1, 'n'}, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := nnabla.Load(binary); err == nil || !strings.Contains(err.Error(), "NNabla numbers the arguments of functions anew in each version") {
		t.Errorf("error %v", err)
	}
	m := load(t, of("Transpose", "transpose_param { axes: 0 }", 1, 1))
	err := nd.Catch(func() { m.Call(map[string]*nd.Array{"x0": nd.Zeros([]int{2, 2})}) })
	if err == nil || !strings.Contains(err.Error(), `Model.Call: operation "f" (Transpose): Transpose: 1 axes`) {
		t.Errorf("error %v", err)
	}
	err = nd.Catch(func() { m.CallValues(map[string]model.Value{"x0": "text"}) })
	if err == nil || !strings.Contains(err.Error(), "input 0 is a string, want an array") {
		t.Errorf("error %v", err)
	}
}

// TestSaveKeepsTheRest saves an .nnp with a member of its own.
func TestSaveKeepsTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.nnp")
	data := zipOf(t, "nnp_version.txt", "0.1\n", "network.nntxt", batchOfAnySize, "Optimizer_Adam_optimizer.h5.optimizer", strings.Repeat("states", 100))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := nnabla.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Params().Set("w", nd.FromSlice([]float32{7, 8}, 1, 2))
	for range 2 { // the second time from the copy
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if f, err = nnabla.Open(path); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "w", f.Params().Get("w"), []float64{7, 8}, []int{1, 2})
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w, err := r.Open("Optimizer_Adam_optimizer.h5.optimizer")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(w); err != nil || string(text) != strings.Repeat("states", 100) {
		t.Errorf("the member has %q, %v", text, err)
	}
}
