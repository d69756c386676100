package optim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// run is a training by given gradients, which is saved whole.
type run struct {
	scope   *nn.Scope
	opt     *optim.Optimizer
	chainer bool // the optimizer's states are in Chainer's form
}

func newRun(r *reference) *run {
	c := &run{scope: nn.NewScope(), opt: r.opt()}
	c.scope.Parameter("layer/w", []int{3, 2}, initializer.Uniform(-1, 1), true)
	c.scope.Parameter("b", []int{}, initializer.Uniform(-1, 1), true)
	return c
}

// update moves b every other time.
func (c *run) update(k int) {
	values := map[string]*nd.Array{"layer/w": gradientOf(nd.NewRand(uint64(k)), []int{3, 2}, false).AsType(dtype.Float32)}
	if k%2 == 1 {
		values["b"] = gradientOf(nd.NewRand(uint64(k)), []int{}, false).AsType(dtype.Float32)
	}
	c.opt.SetLearningRate(0.1 / float64(k))
	c.opt.Update(optim.NewGradients(c.scope, values))
}

func (c *run) Archive(a *archive.Archive) {
	for name, p := range c.scope.All() {
		a.Array("params/"+name, p.Value())
	}
	if c.chainer {
		a.Object("solver", c.opt.ChainerOf(c.scope))
	} else {
		a.Object("solver", c.opt.Of(c.scope))
	}
}

// TestEveryRuleResumes saves after one update, and in the middle, in two formats, and compares the files at the end.
func TestEveryRuleResumes(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	save := func(name string, o archive.Object) []byte {
		if err := archive.Save(path(name), o); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const updates = 10
	for k := range 2 * len(references) {
		begin := func() *run {
			c := newRun(&references[k/2])
			c.chainer = k%2 == 1
			return c
		}
		whole := begin()
		for u := 1; u <= updates; u++ {
			whole.update(u)
		}
		want := save("whole.npz", whole)
		for at, begins := range map[int]string{1: "begun.npz", 7: "begun.h5"} {
			begun, resumed := begin(), begin()
			for u := 1; u <= at; u++ {
				begun.update(u)
			}
			save(begins, begun)
			if err := archive.Load(path(begins), resumed); err != nil {
				t.Fatal(err)
			}
			if resumed.opt.LearningRate() != begun.opt.LearningRate() {
				t.Errorf("%s: the learning rate became %v", whole.opt.Name(), resumed.opt.LearningRate())
			}
			if resumed.opt.Updates() != at {
				t.Errorf("%s: after %d updates it says %d", whole.opt.Name(), at, resumed.opt.Updates())
			}
			for u := at + 1; u <= updates; u++ {
				resumed.update(u)
			}
			if !bytes.Equal(save("resumed.npz", resumed), want) {
				t.Errorf("%s: a training that went on after update %d ends with another file", whole.opt.Name(), at)
			}
		}
	}
}

func TestStatesWaitForTheirParameters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solver.npz")
	begun := newRun(&references[2])
	begun.update(1)
	if err := archive.Save(path, begun.opt.Of(begun.scope)); err != nil {
		t.Fatal(err)
	}
	opt, scope := references[2].opt(), nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
	if err := archive.Load(path, opt.Of(scope)); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(filepath.Dir(path), "again.npz")
	if err := archive.Save(again, opt.Of(scope)); err != nil {
		t.Fatal(err)
	}
	scope.Parameter("b", []int{2}, nil, true)
	refused(t, `the restored state "b/m" has another shape`, func() {
		opt.Update(optim.NewGradients(scope, map[string]*nd.Array{"b": nd.Ones([]int{2})}))
	})
	scope.Clear()
	scope.Parameter("b", nil, nil, true)
	opt.Update(optim.NewGradients(scope, map[string]*nd.Array{"b": nd.Ones(nil)}))
	states := opt.State(scope)
	if len(states) != 2 || states[0].Array.DType() != dtype.Float64 || nd.Value[int](states[1].Array) != 2 {
		t.Errorf("the states are %v", states)
	}
	fresh := newRun(&references[2])
	if err := archive.Load(again, fresh.opt.Of(fresh.scope)); err != nil || len(fresh.opt.State(fresh.scope)) != 4 {
		t.Errorf("states that waited were saved as %v, error %v", fresh.opt.State(fresh.scope), err)
	}
	adam := optim.NewAdam()
	if err := archive.Load(path, adam.Of(begun.scope)); err == nil || !strings.Contains(err.Error(), "Adam has no such state") {
		t.Errorf("error %v", err)
	}
	if len(adam.State(begun.scope)) != 0 {
		t.Error("a refused file left states")
	}
	other := nn.NewScope()
	other.Parameter("b", []int{3}, nil, true)
	if err := archive.Load(path, references[2].opt().Of(other)); err == nil || !strings.Contains(err.Error(), "b/m") {
		t.Errorf("error %v", err)
	}
}

func TestLossScalerIsSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scaler.npz")
	s := scopeOf(map[string][]float32{"w": {1}})
	good := func(x *optim.LossScaler) {
		x.Down(optim.NewGradients(s, map[string]*nd.Array{"w": nd.FromSlice([]float32{1})}))
	}
	o := optim.LossScalerOptions{Interval: 3}
	a, b := optim.NewLossScaler(o), optim.NewLossScaler(o)
	for range 4 {
		good(a)
	}
	if err := archive.Save(path, a); err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, b); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		good(a)
		good(b)
	}
	if a.Scale() != 32 || b.Scale() != 32 {
		t.Errorf("scales %v and %v, want 32", a.Scale(), b.Scale())
	}
}
