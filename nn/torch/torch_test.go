package torch_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/torch"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// checkpoint is a file of PyTorch: see testdata/make.py.
const checkpoint = "testdata/network.pt"

// modules are the names of the network's modules in PyTorch.
var modules = map[string]string{"conv1/conv": "0", "conv1/bn": "1", "fc": "3"}

// network has two layers in one folder, whose names modules separates.
func network(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.BatchNormalization(s.Sub("conv1"), nn.Convolution(s.Sub("conv1"), x, 2, []int{2}))
	return nn.Affine(s.Sub("fc"), h, 3)
}

func newNetwork() *nn.Scope {
	s := nn.NewScope()
	network(s, nd.Zeros([]int{1, 1, 3, 3}))
	return s
}

func TestNetworkOfPyTorch(t *testing.T) {
	arrays, err := nd.LoadTorch(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	s := newNetwork()
	if err := torch.Load(checkpoint, s, torch.Options{Prefix: "model", Modules: modules}); err != nil {
		t.Fatal(err)
	}
	assert.AllClose(t, network(s, arrays.Get("x")), arrays.Get("y"), 1e-6, 1e-6)
	dict, err := torch.StateDict(s, torch.Options{Modules: modules})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var", "3.weight", "3.bias"}
	if !slices.Equal(dict.Names(), want) {
		t.Errorf("names %q", dict.Names())
	}
	for _, n := range dict {
		assert.Equal(t, n.Array, arrays.Get("model/"+n.Name))
	}
}

func TestSaveAndLoad(t *testing.T) {
	dir, s := t.TempDir(), newNetwork()
	o := torch.Options{Prefix: "nets/first", Modules: map[string]string{"": "module", "conv1/bn": "norm"}}
	for _, name := range []string{"a.pt", "a.safetensors"} {
		if err := torch.Save(filepath.Join(dir, name), s, o); err != nil {
			t.Fatal(err)
		}
		other := newNetwork()
		for _, p := range other.All() {
			p.Value().Assign(nd.Scalar(7))
		}
		if err := torch.Load(filepath.Join(dir, name), other, o); err != nil {
			t.Fatal(err)
		}
		for name, p := range s.All() {
			assert.Equal(t, other.Get(name), p.Value())
		}
	}
	if f, err := nd.OpenTorch(filepath.Join(dir, "a.pt")); err != nil || !slices.Contains(f.Names(), "nets/first/module.fc.weight") || !slices.Contains(f.Names(), "nets/first/norm.running_var") {
		t.Errorf("%q, %v", f.Names(), err)
	}
}

// TestSaveRefusesIndexes: Load would take a file of that name for an index of several files.
func TestSaveRefusesIndexes(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "a.index.JSON"} {
		path := filepath.Join(dir, name)
		if err := torch.Save(path, newNetwork()); err == nil || !strings.Contains(err.Error(), "torch.Save: "+path) || !strings.Contains(err.Error(), ".pt, .pth or .safetensors") {
			t.Errorf("%s: error %v", name, err)
		}
		if err := nd.SaveSafetensors(path, nil, nil); err == nil || !strings.Contains(err.Error(), path+": .json is the extension of an index") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestLayoutsOfLinks(t *testing.T) {
	s := nn.NewScope()
	x := nd.Zeros([]int{1, 2}, dtype.Float32)
	h := link.Linear{OutSize: 3}.Apply(s.Sub("conv"), x)
	link.BatchNormalization{}.Apply(s.Sub("norm"), h)
	dict, err := torch.StateDict(s, torch.Options{Links: true})
	want := []string{"conv.weight", "conv.bias", "norm.weight", "norm.bias", "norm.running_mean", "norm.running_var"}
	if err != nil || !slices.Equal(dict.Names(), want) || !cmp.Equal(dict[0].Array.Shape(), []int{3, 2}) {
		t.Errorf("%q, %v", dict.Names(), err)
	}
}

// Shapes of tensors against those of parameters, and parameters that no module has.
func TestStateDictShapes(t *testing.T) {
	s := nn.NewScope()
	x := nd.Zeros([]int{2, 3, 4}, dtype.Float32)
	nn.Affine(s.Sub("a"), x, 6, nn.AffineOptions{OutShape: []int{2, 3}})
	nn.GroupNormalization(s.Sub("g"), x, 3)
	nn.LayerNormalization(s.Sub("l"), x)
	nn.PReLU(s.Sub("p"), x)
	nn.Embed(s.Sub("e"), nd.FromSlice([]int{0}), 4, 5)
	s.Parameter("own/scale", []int{1, 2}, nil, true)
	dict, err := torch.StateDict(s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]int{"a.weight": {6, 12}, "a.bias": {6}, "g.weight": {3}, "g.bias": {3}, "l.weight": {3, 4}, "l.bias": {3, 4},
		"p.weight": {1}, "e.weight": {4, 5}, "own.scale": {1, 2}}
	got := map[string][]int{}
	for _, n := range dict {
		got[n.Name] = n.Array.Shape()
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestLoadRefusesAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	file := func(arrays nd.NamedArrays) string {
		path := filepath.Join(dir, "a.pt")
		if err := nd.SaveTorch(path, arrays); err != nil {
			t.Fatal(err)
		}
		return path
	}
	w, b := nd.Ones([]int{3, 2}), nd.Ones([]int{3})
	for want, arrays := range map[string]nd.NamedArrays{
		`"fc.bias" is missing`:             {{Name: "fc.weight", Array: w}},
		`no parameter is "fc.scale"`:       {{Name: "fc.weight", Array: w}, {Name: "fc.bias", Array: b}, {Name: "fc.scale", Array: b}},
		`"fc.weight" has shape (2, 3)`:     {{Name: "fc.weight", Array: w.T()}, {Name: "fc.bias", Array: b}},
		`"fc.bias" has dtype complex128`:   {{Name: "fc.weight", Array: w}, {Name: "fc.bias", Array: b.AsType(dtype.Complex128)}},
		`want (3,) for the parameter "fc/`: {{Name: "fc.weight", Array: w}, {Name: "fc.bias", Array: nd.Ones([]int{3, 1})}},
	} {
		s := nn.NewScope()
		nn.Affine(s.Sub("fc"), nd.Zeros([]int{1, 2}), 3, nn.AffineOptions{WInit: initializer.Constant(5)})
		err := torch.Load(file(arrays), s)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "torch.Load: ") || s.Get("fc/affine/W").Float(0, 0) != 5 || s.Get("fc/affine/b").Float(0) != 0 {
			t.Errorf("error %v, want %q; %v", err, want, s.Get("fc/affine/W"))
		}
	}
	s, report := nn.NewScope(), nn.LoadReport{}
	nn.Affine(s.Sub("fc"), nd.Zeros([]int{1, 2}), 3)
	path := file(nd.NamedArrays{{Name: "fc.weight", Array: w}, {Name: "fc.scale", Array: b}, {Name: "fc.num_batches_tracked", Array: b}})
	if err := torch.Load(path, s, torch.Options{Report: &report}); err != nil || !slices.Equal(report.Missing, []string{"fc.bias"}) ||
		!slices.Equal(report.Unused, []string{"fc.scale"}) || s.Get("fc/affine/W").Float(1, 2) != 1 {
		t.Errorf("%v, %+v", err, report)
	}
	if err := torch.Load(path, nn.NewScope()); err == nil || !strings.Contains(err.Error(), "the scope has no parameters") {
		t.Errorf("an empty scope: error %v", err)
	}
	if _, err := torch.StateDict(newNetwork()); err == nil || !strings.Contains(err.Error(), `"conv1/conv/W" and "conv1/bn/gamma" both are the tensor "conv1.weight"`) {
		t.Errorf("two tensors of one name: error %v", err)
	}
}

func TestOptimizerOfPyTorch(t *testing.T) {
	s := newNetwork()
	o := torch.Options{Prefix: "optimizer", Modules: modules, Model: "model"}
	opt, err := torch.LoadOptimizer(checkpoint, s, o)
	if err != nil {
		t.Fatal(err)
	}
	options := opt.Options().(optim.AdamOptions)
	if opt.Name() != "Adam" || opt.LearningRate() != 0.01 || *options.Beta1 != 0.8 || *options.Beta2 != 0.95 || !options.EpsOutside || opt.Updates() != 2 {
		t.Errorf("%s %+v, %d updates", opt.Name(), options, opt.Updates())
	}
	arrays, err := nd.LoadTorch(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	state := opt.State(s)
	assert.Equal(t, state.Get("fc/affine/W/var"), arrays.Get("optimizer/state/4/exp_avg_sq").T().Copy())
	assert.Equal(t, state.Get("conv1/bn/beta/mean"), arrays.Get("optimizer/state/3/exp_avg").Reshape(1, 2, 1, 1))
	// And back: the same states under the same numbers, which torch.load takes.
	dict, err := torch.OptimizerDict(opt, s, torch.Options{Modules: modules})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "optimizer.pt")
	if err := nd.SaveTorch(path, dict); err != nil {
		t.Fatal(err)
	}
	again, err := nd.LoadTorch(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range again {
		assert.Equal(t, n.Array, arrays.Get("optimizer/"+n.Name))
	}
	if len(again) != 18 {
		t.Errorf("%d states, want those of 6 tensors", len(again))
	}
}

// Learning rates are inside the momentum here, and decay counts from the first learning rate in AdamW.
func TestOptimizersThereAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "optimizer.pt")
	for _, opt := range []*optim.Optimizer{
		optim.NewSGD(optim.SGDOptions{LR: 0.5, WeightDecay: 0.25}), optim.NewMomentum(optim.MomentumOptions{LR: 0.5}),
		optim.NewNesterov(optim.NesterovOptions{LR: 0.5, Momentum: new(0.75)}), optim.NewAdaGrad(), optim.NewAdaDelta(), optim.NewRMSprop(),
		optim.NewAdamW(optim.AdamWOptions{LR: 0.5, EpsOutside: true}), optim.NewAdam(optim.AdamOptions{EpsOutside: true, WeightDecay: 0.5}),
	} {
		s := nn.NewScope()
		nn.Affine(s.Sub("fc"), nd.Zeros([]int{1, 2}), 3)
		opt.Prepare(s)
		for i, n := range opt.State(s) {
			if n.Array.Rank() > 0 {
				n.Array.Assign(nd.Scalar(i + 1))
			}
		}
		dict, err := torch.OptimizerDict(opt, s)
		if err == nil {
			err = nd.SaveTorch(path, dict)
		}
		if err != nil {
			t.Fatalf("%s: %v", opt.Name(), err)
		}
		got, err := torch.LoadOptimizer(path, s)
		if err != nil || got.Name() != opt.Name() || !cmp.Equal(got.Options(), opt.Options()) {
			t.Errorf("%s: %v, %s", opt.Name(), err, cmp.Diff(opt.Options(), got.Options()))
			continue
		}
		state := got.State(s)
		for _, n := range opt.State(s) {
			if opt.Name() == "SGD" { // PyTorch's SGD counts no updates
				continue
			}
			assert.Equal(t, state.Get(n.Name), n.Array)
		}
	}
}

func TestOptimizersThatAreRefused(t *testing.T) {
	s := nn.NewScope()
	nn.LSTM(s, nd.Zeros([]int{1, 1, 2}), nil, 3)
	adam := optim.NewAdam(optim.AdamOptions{EpsOutside: true})
	adam.Prepare(s)
	for want, opt := range map[string]*optim.Optimizer{
		"Lion: package torch.optim has no such optimizer":   optim.NewLion(),
		"Adam without EpsOutside":                           optim.NewAdam(),
		`the states of "lstm/weight_l0" cannot be written:`: adam,
	} {
		if _, err := torch.OptimizerDict(opt, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "optimizer.pt")
	with := func(changes ...nd.TorchItem) nd.TorchDict {
		group := nd.TorchDict{{Key: "lr", Value: 0.1}, {Key: "momentum", Value: 0.0}, {Key: "dampening", Value: 0.0}, {Key: "weight_decay", Value: 0.0},
			{Key: "nesterov", Value: false}, {Key: "params", Value: []any{0, 1}}}
		for _, c := range changes {
			group = slices.DeleteFunc(group, func(item nd.TorchItem) bool { return item.Key == c.Key })
			group = append(group, c)
		}
		return group
	}
	two := nn.NewScope()
	nn.Affine(two, nd.Zeros([]int{1, 2}), 3)
	for want, groups := range map[string][]any{
		"the optimizer has dampening":             {with(nd.TorchItem{Key: "dampening", Value: 0.5})},
		"the optimizer has maximize":              {with(nd.TorchItem{Key: "maximize", Value: true})},
		"different options lr":                    {with(), with(nd.TorchItem{Key: "lr", Value: 0.2})},
		"the optimizer has 3 parameters, and the": {with(nd.TorchItem{Key: "params", Value: []any{0, 1, 2}})},
		"the optimizer's option lr is no number":  {with(nd.TorchItem{Key: "lr", Value: "x"})},
		"learning rate -1":                        {with(nd.TorchItem{Key: "lr", Value: -1.0})},
		"the learning rate is 0":                  {with(nd.TorchItem{Key: "lr", Value: 0.0})},
		"no optimizer here has the options":       {nd.TorchDict{{Key: "lr", Value: 0.1}, {Key: "weight_decay", Value: 0.0}, {Key: "params", Value: []any{}}}},
		`"" is no state dict of an optimizer`:     {},
		"param_groups/0 has no list of params":    {nd.TorchDict{}},
	} {
		if err := nd.SaveTorch(path, nd.TorchDict{{Key: "state", Value: nd.TorchDict{}}, {Key: "param_groups", Value: groups}}); err != nil {
			t.Fatal(err)
		}
		if _, err := torch.LoadOptimizer(path, two); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := torch.LoadOptimizer(checkpoint, two, torch.Options{Prefix: "optimizer", Model: "nothing"}); err == nil || !strings.Contains(err.Error(), `no state dict "nothing"`) {
		t.Errorf("error %v", err)
	}
	if _, err := torch.LoadOptimizer(checkpoint, two, torch.Options{Prefix: "optimizer", Model: "model"}); err == nil || !strings.Contains(err.Error(), `the order of the parameters lacks "weight"`) {
		t.Errorf("error %v", err)
	}
}
