package nnabla_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// trainedBy returns parameters that a solver has moved, one of them twice.
func trainedBy(opt *optim.Optimizer) *nn.Scope {
	s := nn.NewScope()
	s.Parameter("a/w", []int{2, 3}, nil, true)
	s.Parameter("b", nil, nil, true)
	for k := range 2 {
		g := map[string]*nd.Array{"a/w": nd.Full([]int{2, 3}, 0.5, dtype.Float32)}
		if k == 0 {
			g["b"] = nd.FromSlice([]float32{3}).Reshape()
		}
		opt.Update(optim.NewGradients(s, g))
	}
	return s
}

func TestStatesAreSavedAndLoaded(t *testing.T) {
	for _, make := range []func() *optim.Optimizer{func() *optim.Optimizer { return optim.NewAdam() }, func() *optim.Optimizer { return optim.NewSGD() },
		func() *optim.Optimizer { return optim.NewMomentum() }, func() *optim.Optimizer { return optim.NewAMSGRAD() }} {
		saved := make()
		s := trainedBy(saved)
		for _, format := range []string{".h5", ".protobuf"} {
			path := filepath.Join(t.TempDir(), "s"+format)
			if err := nnabla.SaveStates(path, saved, s); err != nil {
				t.Fatal(err)
			}
			opt := make()
			opt.SetLearningRate(0.125)
			if err := nnabla.LoadStates(path, opt, s); err != nil {
				t.Fatal(err)
			}
			if opt.LearningRate() != 0.125 || opt.Updates() != 2 {
				t.Errorf("%s: learning rate %v, %d updates", opt.Name(), opt.LearningRate(), opt.Updates())
			}
			got, want := opt.State(s), saved.State(s)
			if len(got) != len(want) || len(want) < 2 {
				t.Fatalf("%s: %d states, want %d", opt.Name(), len(got), len(want))
			}
			for k, w := range want {
				equal(t, format+" "+w.Name, got[k].Array, floats(w.Array), w.Array.Shape())
			}
		}
	}
}

func TestStatesAreRefused(t *testing.T) {
	folder := t.TempDir()
	adam := optim.NewAdam()
	s := trainedBy(adam)
	path := filepath.Join(folder, "s.protobuf")
	if err := nnabla.SaveStates(path, adam, s); err != nil {
		t.Fatal(err)
	}
	other := nn.NewScope()
	other.Parameter("b", []int{2}, nil, true)
	for _, c := range []struct {
		err  error
		want string
	}{
		{nnabla.LoadStates(path, optim.NewMomentum(), s), "Momentum has no such state"},
		{nnabla.LoadStates(path, optim.NewAdam(), other), `has shape (), want (2,)`},
		{nnabla.LoadStates(filepath.Join(folder, "s.npz"), adam, s), `not ".npz"`},
		{nnabla.SaveStates(filepath.Join(folder, "s.npz"), adam, s), `not ".npz"`},
		{nnabla.LoadStates(filepath.Join(folder, "missing.protobuf"), adam, s), "no such file"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %s", c.err, c.want)
		}
	}
	if names, _ := os.ReadDir(folder); len(names) != 1 {
		t.Errorf("the folder has %d files", len(names))
	}
	for data, want := range map[string]string{
		"\xf2\x01\x02\xc2\x02": "", // cut off
		"\x0a\x01x":            "no states of a solver",
		"\xf2\x01\x0c\xc2\x02\x09\x0a\x01w\x12\x04\x08\x01\x12\x00": "",
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		opt := optim.NewAdam()
		if err := nnabla.LoadStates(path, opt, s); err == nil || !strings.Contains(err.Error(), want) || len(opt.State(s)) > 0 {
			t.Errorf("%q: error %v, states %v", data, err, opt.State(s))
		}
	}
}

// TestStatesHaveNNablasNames compares the names of states with NNabla's.
func TestStatesHaveNNablasNames(t *testing.T) {
	for _, c := range []struct {
		opt  *optim.Optimizer
		want []string
	}{
		{optim.NewAdaBelief(optim.AdaBeliefOptions{AMSGrad: true}), []string{"mean", "s_max", "var"}},
		{optim.NewAdaBound(), []string{"mean", "var"}},
		{optim.NewAdaDelta(), []string{"e_sqr_delta", "e_sqr_grad"}},
		{optim.NewAdaGrad(), []string{"v"}},
		{optim.NewAdam(), []string{"mean", "var"}},
		{optim.NewAdamW(), []string{"mean", "var"}},
		{optim.NewAdamax(), []string{"m", "u"}},
		{optim.NewAMSBound(), []string{"m", "v", "v_hat"}},
		{optim.NewAMSGRAD(), []string{"m", "v", "v_hat"}},
		{optim.NewLamb(), []string{"mean", "var"}},
		{optim.NewLars(), []string{"v"}},
		{optim.NewLion(), []string{"m"}},
		{optim.NewMomentum(), []string{"m"}},
		{optim.NewNesterov(), []string{"m"}},
		{optim.NewRMSprop(), []string{"v"}},
		{optim.NewRMSpropGraves(), []string{"d", "g", "n"}},
		{optim.NewSGDW(), []string{"m"}},
	} {
		s := trainedBy(c.opt)
		var got []string
		for _, x := range c.opt.State(s) {
			if name, ok := strings.CutPrefix(x.Name, "b/"); ok && name != "t" {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.opt.Name(), got, c.want)
		}
	}
}
