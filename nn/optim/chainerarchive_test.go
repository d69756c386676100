package optim_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// entries is an object of the given arrays.
func entries(named map[string]*nd.Array) archive.Object {
	return archive.Func(func(a *archive.Archive) {
		for name, x := range named {
			a.NewArray(name, &x)
		}
	})
}

// entriesOf returns the entries of a file.
func entriesOf(t *testing.T, path string) map[string]*nd.Array {
	t.Helper()
	all := map[string]*nd.Array{}
	if err := archive.Load(path, archive.Func(func(a *archive.Archive) {
		for _, name := range a.Names() {
			var x *nd.Array
			a.Immediate().NewArray(name, &x)
			all[name] = x
		}
	})); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestStatesOfChainer loads states that Chainer 1.24 saved after three updates of a net, and makes the fourth update.
func TestStatesOfChainer(t *testing.T) {
	inputs := entriesOf(t, "testdata/chainer/input.npz")
	for _, c := range []struct {
		name string
		opt  *optim.Optimizer
	}{
		{"adam", optim.NewAdam(optim.AdamOptions{LR: 0.01})},
		{"momentum", optim.NewMomentum(optim.MomentumOptions{LR: 0.1})},
		{"smorms3", optim.NewSMORMS3()},
	} {
		params := nn.NewScope()
		if err := nn.Load("testdata/chainer/"+c.name+"_model.npz", params); err != nil {
			t.Fatal(err)
		}
		if err := archive.Load("testdata/chainer/"+c.name+"_state.npz", c.opt.ChainerOf(params)); err != nil {
			t.Fatal(err)
		}
		params.Param("block/bn/N").SetNeedGrad(false)
		params.Param("block/bn/avg_mean").SetNeedGrad(false)
		params.Param("block/bn/avg_var").SetNeedGrad(false)
		if c.opt.Updates() != 3 {
			t.Errorf("%s: %d updates, want 3", c.name, c.opt.Updates())
		}
		tape := grad.NewTape()
		m := params.Watch(tape)
		y := chainersNet(m, inputs["x"])
		g := optim.GradientsOf(m, ops.Sum(ops.Square(ops.Tanh(y))))
		g.FillMissing()
		c.opt.Update(g)
		for name, want := range entriesOf(t, "testdata/chainer/"+c.name+"_next.npz") {
			close32(t, c.name+" "+name, floats(params.Get(name)), floats(want))
		}

		// The written file has both of Chainer's forms, and the states as in Chainer.
		path := filepath.Join(t.TempDir(), "state.npz")
		if err := archive.Save(path, c.opt.ChainerOf(params)); err != nil {
			t.Fatal(err)
		}
		written := entriesOf(t, path)
		for name := range entriesOf(t, "testdata/chainer/"+c.name+"_state.npz") {
			if written[name] == nil {
				t.Errorf("%s: %s is not written", c.name, name)
			}
		}
		for name := range params.Trained() {
			if n := nd.Value[int](written[name+"/t"]); n != 4 {
				t.Errorf("%s: %s had %d updates, want 4", c.name, name, n)
			}
		}
		if n := nd.Value[int](written["t"]); n != 4 {
			t.Errorf("%s: %d updates, want 4", c.name, n)
		}
	}
}

// chainersNet is the net of these files, without its running statistics.
func chainersNet(m *nn.Scope, x *nd.Array) *nd.Array {
	h := conv.Convolution(x, m.Get("block/conv/W"), nil, conv.ConvolutionOptions{Pad: []int{1, 1}})
	channels := func(x *nd.Array) *nd.Array { return x.Reshape(1, -1, 1, 1) }
	h = normalize.BatchNormalization(h, channels(m.Get("block/bn/beta")), channels(m.Get("block/bn/gamma")), nil, nil,
		normalize.BatchNormalizationOptions{Eps: new(2e-5)})
	h = ops.ReLU(h).Reshape(x.Dim(0), -1)
	h = ops.Add(ops.MatMul(h, m.Get("tail/0/W").T()), m.Get("tail/0/b"))
	h = ops.PReLU(h, m.Get("act/W"))
	return ops.MatMul(h, m.Get("tail/1/W").T())
}

func TestChainersOtherForms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.npz")
	count := func(n int64) *nd.Array { return nd.FromSlice([]int64{n}).Reshape() }
	vector := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	load := func(opt *optim.Optimizer, s *nn.Scope, named map[string]*nd.Array) error {
		if err := archive.Save(path, entries(named)); err != nil {
			t.Fatal(err)
		}
		return archive.Load(path, opt.ChainerOf(s))
	}
	s := scopeOf(map[string][]float32{"w": {1, 2}, "b": {1}})

	// Each parameter may have its own count, and may be created later; float64 is converted to the parameter's dtype.
	opt := optim.NewMomentum()
	if err := load(opt, s, map[string]*nd.Array{"t": count(5), "epoch": count(2), "w/t": count(4), "w/v": vector(-1, 2),
		"later/w/v": vector(3)}); err != nil {
		t.Fatal(err)
	}
	got := opt.State(s)
	if len(got) != 2 || got[0].Array.DType() != dtype.Float32 || !cmp.Equal(floats(got[0].Array), []float64{1, -2}) ||
		nd.Value[int](got[1].Array) != 4 || opt.Updates() != 5 || opt.LearningRate() != 0.001 {
		t.Errorf("the states are %v after %d updates", got, opt.Updates())
	}
	if err := archive.Save(path, opt.ChainerOf(s)); err != nil {
		t.Fatal(err)
	}
	written := entriesOf(t, path)
	if !cmp.Equal(floats(written["later/w/v"]), []float64{3}) || nd.Value[int](written["later/w/t"]) != 5 ||
		nd.Value[int](written["b/t"]) != 0 || written["b/v"] == nil || len(written) != 3+6 {
		t.Errorf("wrote %v", written)
	}

	// A parameter that was never moved may have no states.
	fresh := optim.NewMomentum()
	if err := load(fresh, s, map[string]*nd.Array{"t": count(5), "epoch": count(0), "b/t": count(0), "w/t": count(5),
		"w/v": vector(1, 2)}); err != nil {
		t.Fatal(err)
	}
	if got := fresh.State(s); len(got) != 2 || got[0].Name != "w/m" {
		t.Errorf("the states are %v", got)
	}

	// Gradient descent has no states, only a count.
	plain := optim.NewSGD()
	if err := load(plain, s, map[string]*nd.Array{"t": count(7), "epoch": count(0)}); err != nil || plain.Updates() != 7 {
		t.Errorf("%d updates, error %v", plain.Updates(), err)
	}

	for _, c := range []struct {
		want  string
		named map[string]*nd.Array
	}{
		{`"t" is missing`, map[string]*nd.Array{"epoch": count(0)}},
		{`"t" is -1 updates`, map[string]*nd.Array{"t": count(-1), "epoch": count(0)}},
		{`"w/t" is -1 updates`, map[string]*nd.Array{"t": count(1), "epoch": count(0), "w/t": count(-1), "w/v": vector(1, 2)}},
		{"w/v", map[string]*nd.Array{"t": count(1), "epoch": count(0), "w/t": count(1)}},
		{"no such state", map[string]*nd.Array{"t": count(1), "epoch": count(0), "w/m": vector(1, 2)}},
		{"w/v", map[string]*nd.Array{"t": count(1), "epoch": count(0), "w/v": vector(1)}},
		{"w/v", map[string]*nd.Array{"t": count(1), "epoch": count(0), "w/v": vector(1, 2).AsType(dtype.Complex128)}},
		{`"learning_rate" is NaN`, map[string]*nd.Array{"t": count(1), "epoch": count(0), "learning_rate": nd.Full(nil, math.NaN())}},
	} {
		if err := load(opt, s, c.named); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if opt.Updates() != 5 || len(opt.State(s)) != 2 {
			t.Fatalf("%s: the states changed", c.want)
		}
	}
}
