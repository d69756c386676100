package nn_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestWatchedScopeSharesTheParameters(t *testing.T) {
	s := nn.NewScope()
	w := s.Parameter("a/w", []int{2}, initializer.Constant(3), true)
	tape := grad.NewTape()
	model := s.Watch(tape)
	watched := model.Sub("a").Parameter("w", []int{2}, nil, true)
	if !watched.SharesMemory(w) || watched != model.Get("a/w") || watched == w {
		t.Error("want one watched header on the parameter's memory")
	}
	if n, _ := watched.Node(); n == nil {
		t.Error("the tape does not know the parameter")
	}
	if n, _ := s.Get("a/w").Node(); n != nil {
		t.Error("the scope's own array became known to the tape")
	}
	created := model.Sub("b").Parameter("v", []int{1}, initializer.Constant(1), true)
	if n, _ := created.Node(); n == nil || s.Get("b/v") == nil || !s.Get("b/v").SharesMemory(created) {
		t.Error("a parameter created through a watched scope is not in the scope, or not watched")
	}
	tape.Reset()
	if s.Get("a/w").IsReleased() || !cmp.Equal(floats(s.Get("b/v")), []float64{1}) {
		t.Error("resetting the tape took parameters with it")
	}
	if again := s.Watch(tape).Get("a/w"); again == watched || again.IsReleased() {
		t.Error("a new Watch returns the old tape's array")
	}
}

func TestGradientsComeInTheScopesOrder(t *testing.T) {
	s := nn.NewScope()
	for _, name := range []string{"c", "unused", "frozen", "a", "unseen"} {
		s.Parameter(name, []int{2}, initializer.Constant(2), true)
	}
	s.Param("frozen").SetNeedGrad(false)
	s.Set("step", nd.FromSlice([]int{1}))
	tape := grad.NewTape()
	model := s.Watch(tape)
	model.Get("unused")
	loss := ops.Sum(ops.Multiply(ops.Multiply(model.Get("a"), model.Get("c")), ops.Multiply(model.Get("frozen"), 5)))
	g := optim.GradientsOf(model, loss)
	var names []string
	for name, value := range g.All() {
		names = append(names, name)
		if want := name == "a" || name == "c"; (value != nil) != want {
			t.Errorf("gradient of %q: %v", name, value)
		}
	}
	if want := []string{"c", "unused", "a", "unseen"}; !cmp.Equal(names, want) {
		t.Errorf("gradients of %q, want %q", names, want)
	}
	if got := floats(g.Get("a")); !cmp.Equal(got, []float64{20, 20}) {
		t.Errorf("gradient %v", got)
	}
	if g.Get("frozen") != nil || g.Get("nobody") != nil {
		t.Error("an untrained parameter has a gradient")
	}
	if got := optim.GradientsOf(model.Sub(""), loss).Get("c"); !cmp.Equal(floats(got), []float64{20, 20}) {
		t.Errorf("gradient %v", got)
	}
	refused(t, "not watched", func() { optim.GradientsOf(s, loss) })
}

func TestSharedWeightsAddTheirGradients(t *testing.T) {
	s := nn.NewScope()
	x := nd.Ones([]int{1, 2})
	tape := grad.NewTape()
	model := s.Watch(tape)
	o := nn.AffineOptions{WInit: initializer.Constant(1)}
	loss := ops.Sum(nn.Affine(model, nn.Affine(model, x, 2, o), 2, o))
	if got := floats(optim.GradientsOf(model, loss).Get("affine/b")); !cmp.Equal(got, []float64{3, 3}) {
		t.Errorf("gradient of the shared bias %v", got)
	}
}
