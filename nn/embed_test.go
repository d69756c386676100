package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

func TestEmbed(t *testing.T) {
	s := float64s()
	x := nd.FromSlice([]int{3, 0, 3, 1, 3, 2}, 2, 3)
	y := nn.Embed(s, x, 5, 2)
	w := floats(s.Get("embed/W"))
	var want []float64
	for _, k := range []int{3, 0, 3, 1, 3, 2} {
		want = append(want, w[2*k:2*k+2]...)
	}
	near(t, "rows", y, want)
	if !cmp.Equal(y.Shape(), []int{2, 3, 2}) {
		t.Errorf("shape %v", y.Shape())
	}
	for _, v := range w {
		if math.Abs(v) > math.Sqrt(3) {
			t.Errorf("an initial weight of %v", v)
		}
	}
	model := s.Watch(grad.NewTape())
	g := optim.GradientsOf(model, ops.Sum(nn.Embed(model, x, 5, 2))).Get("embed/W")
	near(t, "the gradient, of repeated rows the sum", g, []float64{1, 1, 1, 1, 1, 1, 3, 3, 0, 0})
	set := nn.NewScope()
	nn.Embed(set, x, 5, 2, nn.EmbedOptions{Initializer: initializer.Constant(3)})
	if floats(set.Get("embed/W"))[0] != 3 {
		t.Error("the initializer is not asked")
	}
	ignoring := nn.EmbedOptions{Initializer: initializer.Constant(3), IgnoreLabel: new(-1)}
	at := nd.FromSlice([]int{1, -1, 4})
	rows := func(s *nn.Scope) *nd.Array { return nn.Embed(s, at, 5, 2, ignoring) }
	fresh := float64s()
	near(t, "a label to ignore", rows(fresh), []float64{3, 3, 0, 0, 3, 3})
	watched := fresh.Watch(grad.NewTape())
	near(t, "its gradient", optim.GradientsOf(watched, ops.Sum(rows(watched))).Get("embed/W"), []float64{0, 0, 1, 1, 0, 0, 0, 0, 1, 1})
	for want, f := range map[string]func(s *nn.Scope){
		"indices of 4": func(s *nn.Scope) { nn.Embed(s, at, 4, 2, ignoring) },
		"indices from": func(s *nn.Scope) { nn.Embed(s, nd.FromSlice([]int{0, -6, -1}), 5, 2, ignoring) },
		"integers":     func(s *nn.Scope) { nn.Embed(s, normal(1, 2), 5, 2) },
		"-5 inputs":    func(s *nn.Scope) { nn.Embed(s, x, -5, 2) },
		"nn.Embed":     func(s *nn.Scope) { nn.Embed(s, x, 5, -2) },
		"32 axes": func(s *nn.Scope) {
			nn.Embed(s, x.Ravel().Reshape(append(slices.Repeat([]int{1}, 31), x.Size())...), 5, 2)
		},
	} {
		s := nn.NewScope()
		refused(t, want, func() { f(s) })
		if len(s.Names()) > 0 {
			t.Errorf("%s: refused after %v were created", want, s.Names())
		}
	}
}
