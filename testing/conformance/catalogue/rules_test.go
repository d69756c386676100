package catalogue

import (
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// TestRowsOfOptimizers calls rows without a recorded case.
func TestRowsOfOptimizers(t *testing.T) {
	model := func(w, b float64) (*nn.Scope, *optim.Gradients) {
		s := nn.NewScope()
		s.Parameter("W", []int{2}, initializer.Constant(w), true)
		s.Parameter("b", []int{2}, initializer.Constant(b), true)
		return s, optim.NewGradients(s, map[string]*nd.Array{"W": nd.FromSlice([]float32{3, 4})})
	}
	call := func(name string, scope *nn.Scope, args passed) []any {
		t.Helper()
		r, err := Call(name, nil, args, CallOptions{Scope: scope, Evaluation: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return r.Values
	}
	want := func(name string, x *nd.Array, values ...float64) {
		t.Helper()
		if got := numbersOf(x); !closeTo(got, values) {
			t.Errorf("%s: %v, want %v", name, got, values)
		}
	}
	s, g := model(1, 2)

	twice := call("chainer.Optimizer.add_hook", nil, passed{"self": hook(nil), "hook": hook(func(g *optim.Gradients) { g.Scale(2) })})[0]
	both := call("chainer.Optimizer.add_hook", nil, passed{"self": twice, "hook": hook(func(g *optim.Gradients) { g.WeightDecay(1) })})[0]
	call("chainer.GradientMethod.call_hooks", nil, passed{"self": both, "gradients": g})
	want("hooks", g.Get("W"), 7, 9)
	call("chainer.GradientMethod.reallocate_cleared_grads", nil, passed{"self": g})
	want("cleared", g.Get("b"), 0, 0)

	collected := call("chainer.FunctionSet.collect_parameters", s, passed{"gradients": g})
	want("collected", collected[0].(*nd.Array), 1, 1)
	want("collected", collected[3].(*nd.Array), 0, 0)
	call("chainer.FunctionSet.copy_parameters_from", s, passed{"params": []*nd.Array{nd.Full([]int{2}, 5), nd.Full([]int{2}, 6)}})
	want("copied", s.Get("b"), 6, 6)
	if _, err := Call("chainer.FunctionSet.copy_parameters_from", nil, passed{"params": []*nd.Array{nd.Ones([]int{2})}},
		CallOptions{Scope: s, Evaluation: true}); err == nil {
		t.Error("one array was accepted for two parameters")
	}
	cleared := call("chainer.Link.cleargrads", s, nil)[0].(*optim.Gradients)
	if cleared.Get("W") != nil {
		t.Error("a gradient exists after all were cleared")
	}

	opt := call("chainer.optimizers.SGD", nil, passed{"lr": 0})[0].(*optim.Optimizer)
	call("chainer.Optimizer.update", nil, passed{"self": opt, "gradients": g})
	want("a rate of 0", s.Get("W"), 5, 5)
	path := filepath.Join(t.TempDir(), "optimizer.npz")
	object := call("chainer.Optimizer.serialize", s, passed{"self": opt})[0].(archive.Object)
	if err := archive.Save(path, object); err != nil {
		t.Fatal(err)
	}
	if err := archive.Load(path, object); err != nil || opt.Updates() != 1 {
		t.Errorf("%d updates, error %v", opt.Updates(), err)
	}

	x := nd.Zeros([]int{2, 2})
	call("chainer.initializer.Initializer.__call__", nil, passed{"self": initializer.Identity(3), "array": x})
	want("an initializer", x, 3, 0, 0, 3)
}
