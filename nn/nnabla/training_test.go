package nnabla_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const trained = `
network { name: "n"
  function { name: "f" type: "Affine" input: "x" input: "w" output: "h" affine_param { base_axis: 1 } }
  function { name: "b" type: "BatchNormalization" input: "h" input: "beta" input: "gamma" input: "mean" input: "var" output: "n"
    batch_normalization_param { axes: 1 decay_rate: 0.5 eps: 1e-5 batch_stat: true } }
  function { name: "d" type: "Dropout" input: "n" output: "d" dropout_param { p: 0.5 } }
  function { name: "s" type: "SquaredError" input: "d" input: "t" output: "s" }
  function { name: "m" type: "Mean" input: "s" output: "loss" mean_param { axes: 0 axes: 1 } }
}
parameter { variable_name: "w" shape { dim: 2 dim: 2 } data: 1 data: 2 data: 3 data: 4 need_grad: true }
parameter { variable_name: "beta" shape { dim: 1 dim: 2 } data: 0 data: 0 need_grad: true }
parameter { variable_name: "gamma" shape { dim: 1 dim: 2 } data: 1 data: 1 }
parameter { variable_name: "mean" shape { dim: 1 dim: 2 } data: 0 data: 0 }
parameter { variable_name: "var" shape { dim: 1 dim: 2 } data: 1 data: 1 }`

// TestTraining trains a network: statistics follow, fixed parameters stay, and an evaluation changes nothing.
func TestTraining(t *testing.T) {
	m := load(t, trained)
	x, target := nd.FromSlice([]float32{1, 2, 3, 5, -1, 0}, 3, 2), nd.FromSlice([]float32{1, 0, 0, 1, 1, 1}, 3, 2)
	inputs := map[string]*nd.Array{"x": x, "t": target}
	before := m.Params().Copy()
	n := m.Call(inputs, "n", "d")
	equal(t, "dropout of an evaluation", n[1], floats(n[0]), []int{3, 2})
	if mean := ops.Mean(n[0]).Float(); math.Abs(mean) > 1e-6 {
		t.Errorf("the mean after normalisation is %v", mean)
	}
	for name, p := range m.Params().All() {
		equal(t, name+" after an evaluation", p.Value(), floats(before.Get(name)), p.Value().Shape())
	}
	tape, opt := grad.NewTape(), optim.NewSGD(optim.SGDOptions{LR: 0.1})
	rng := nd.NewRand(1)
	for range 3 {
		view := m.Params().Watch(tape, nn.WatchOptions{Rand: rng})
		loss := m.In(view).Call(inputs, "loss")[0]
		opt.Update(optim.GradientsOf(view, loss))
		tape.Reset()
	}
	for name, changes := range map[string]bool{"w": true, "beta": true, "gamma": false, "mean": true, "var": true} {
		if same := ops.ArrayEqual(m.Params().Get(name), before.Get(name)); same == changes {
			t.Errorf("%s changed: %t, want %t", name, !same, changes)
		}
	}
}

// TestBatchStatisticsFollow compares the running statistics after one step with those of nn.BatchNormalization.
func TestBatchStatisticsFollow(t *testing.T) {
	m := load(t, trained)
	x := nd.FromSlice([]float32{1, 2, 3, 5, -1, 0}, 3, 2)
	tape := grad.NewTape()
	m.In(m.Params().Watch(tape)).Call(map[string]*nd.Array{"x": x}, "n")
	tape.Reset()
	s := nn.NewScope()
	h := ops.Affine(x, m.Params().Get("w"))
	nn.BatchNormalization(s.Watch(tape), h, nn.BatchNormalizationOptions{DecayRate: new(0.5)})
	for _, name := range []string{"mean", "var"} {
		equal(t, name, m.Params().Get(name), floats(s.Get("bn/"+name)), []int{1, 2})
	}
}

// TestTrainingWritesWhatNNablaWrites calls functions that write to inputs, in evaluation and in training.
func TestTrainingWritesWhatNNablaWrites(t *testing.T) {
	parameter := func(name string, shape string, values ...float64) string {
		text := fmt.Sprintf("parameter { variable_name: %q shape { %s } ", name, shape)
		for _, v := range values {
			text += fmt.Sprintf("data: %v ", v)
		}
		return text + "}\n"
	}
	w := parameter("w", "dim: 2 dim: 2", 1, -2, -3, 4)
	for _, c := range []struct {
		function, parameters string
		written              map[string]bool
	}{
		{`type: "BinaryConnectAffine" input: "x" input: "w" input: "b" binary_connect_affine_param { base_axis: 1 quantize_zero_to: 1 }`,
			parameter("b", "dim: 2 dim: 2", 0, 0, 0, 0), map[string]bool{"b": true}},
		{`type: "BinaryWeightAffine" input: "x" input: "w" input: "b" input: "alpha" binary_weight_affine_param { base_axis: 1 quantize_zero_to: 1 }`,
			parameter("b", "dim: 2 dim: 2", 0, 0, 0, 0) + parameter("alpha", "dim: 2", 0, 0), map[string]bool{"b": true, "alpha": true}},
		{`type: "SpectralNorm" input: "w" input: "u" spectral_norm_param { itr: 1 eps: 1e-12 }`, parameter("u", "dim: 2", 1, 0.5), map[string]bool{"u": true}},
		{`type: "MeanSubtraction" input: "w" input: "mean" input: "n" mean_subtraction_param { base_axis: 1 update_running_mean: true }`,
			parameter("mean", "dim: 2", 0, 0) + parameter("n", "dim: 1", 0), map[string]bool{"mean": true, "n": true}},
		{`type: "MinMaxQuantize" input: "w" input: "low" input: "high" input: "a" input: "z" min_max_quantize_param { eps: 0.01 ste_fine_grained: true }`,
			parameter("low", "dim: 1 dim: 1", 1) + parameter("high", "dim: 1 dim: 1", 1) + parameter("a", "dim: 1 dim: 1", 0) + parameter("z", "dim: 1 dim: 1", 255),
			map[string]bool{"high": true}},
		{`type: "Assign" input: "b" input: "w"`, parameter("b", "dim: 2 dim: 2", 0, 0, 0, 0), map[string]bool{"b": true}},
	} {
		m := load(t, `network { name: "n" function { name: "f" output: "y" `+c.function+"} }\n"+w+c.parameters)
		before := m.Params().Copy()
		inputs := map[string]*nd.Array{}
		if len(m.Inputs()) > 0 {
			inputs["x"] = nd.FromSlice([]float32{1, 2}, 1, 2)
		}
		compare := func(training bool) {
			for name := range before.All() {
				if changed := !ops.ArrayEqual(m.Params().Get(name), before.Get(name)); changed != (training && c.written[name]) {
					t.Errorf("%s: %s changed: %t, in training: %t", c.function, name, changed, training)
				}
			}
		}
		y := m.Call(inputs)[0]
		compare(false)
		tape := grad.NewTape()
		z := m.In(m.Params().Watch(tape)).Call(inputs)[0]
		if !ops.AllClose(y, z) {
			t.Errorf("%s: %v in evaluation, %v in training", c.function, y, z)
		}
		compare(true)
	}
	m := load(t, `network { name: "n" function { name: "f" output: "y" type: "INQAffine" input: "x" input: "w" input: "fixed"
		inq_affine_param { base_axis: 1 num_bits: 4 selection_algorithm: "largest_abs" } } }`+"\n"+w+parameter("fixed", "dim: 2 dim: 2", 1, 0, 0, 0))
	err := nd.Catch(func() { m.In(m.Params().Watch(grad.NewTape())).Call(map[string]*nd.Array{"x": nd.Ones([]int{1, 2})}) })
	if err == nil || !strings.Contains(err.Error(), "train it with quant.INQAffine") {
		t.Errorf("error %v", err)
	}
}

func TestInitialize(t *testing.T) {
	text := `network { name: "n" `
	for k, c := range []string{"Constant", "Range", "Normal", "Uniform", "NormalAffineHe", "NormalAffineHeForward", "NormalAffineHeBackward", "NormalAffineGlorot",
		"UniformAffineGlorot", "NormalConvolutionHe", "NormalConvolutionHeBackward", "NormalConvolutionGlorot", "UniformConvolutionGlorot", "NormalCLConvHeForward", "UniformCLConvGlorot"} {
		text += fmt.Sprintf(`variable { name: "w%d" type: "Parameter" shape { dim: 4 dim: 3 dim: 2 dim: 2 } initializer { type: %q multiplier: 0.5 } }
			function { name: "f%d" type: "Identity" input: "w%d" output: "y%d" } `, k, c, k, k, k)
	}
	path := file(t, text+"}")
	m, err := nnabla.Load(path, nnabla.LoadOptions{Initialize: true})
	if err != nil {
		t.Fatal(err)
	}
	for k, y := range m.Call(nil) {
		deviation := ops.Std(y).Float()
		if !slices.Equal(y.Shape(), []int{4, 3, 2, 2}) || k == 0 && (deviation != 0 || y.Float(0, 0, 0, 0) != 0.5) || k > 1 && (deviation < 0.01 || deviation > 1) {
			t.Errorf("w%d: shape %v, standard deviation %v", k, y.Shape(), deviation)
		}
	}
	for initial, want := range map[string]string{
		"":                              `the parameter "w" is missing in the file, and has no initial value`,
		`initializer { type: "Magic" }`: `the initializer "Magic" of shape (2,) is unknown`,
		`initializer { type: "NormalConvolutionHe" }`: `of shape (2,) is unknown`,
	} {
		text := `network { name: "n" variable { name: "w" type: "Parameter" shape { dim: 2 } ` + initial + ` } function { name: "f" type: "Exp" input: "w" output: "y" } }`
		if _, err := nnabla.Load(file(t, text), nnabla.LoadOptions{Initialize: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
