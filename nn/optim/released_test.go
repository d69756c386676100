package optim_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// After Reset, errors name the function that the program called, and what to do.
func TestGradientsAfterReset(t *testing.T) {
	params := nn.NewScope()
	x := nd.Ones([]int{4, 3})
	step := func() (*nn.Scope, *optim.Gradients) {
		tape := grad.NewTape()
		defer tape.Reset()
		view := params.Watch(tape)
		return view, optim.GradientsOf(view, ops.Sum(ops.Square(nn.Affine(view, x, 2))))
	}
	sgd := optim.NewSGD()
	for name, use := range map[nd.Func]func(g *optim.Gradients){
		"SGD.Update":            func(g *optim.Gradients) { sgd.Update(g) },
		"SGD.UpdateOne":         func(g *optim.Gradients) { sgd.UpdateOne(g, params.Param("affine/W")) },
		"Gradients.Get":         func(g *optim.Gradients) { g.Get("affine/W") },
		"Gradients.Norm":        func(g *optim.Gradients) { g.Norm() },
		"Gradients.HasNaN":      func(g *optim.Gradients) { g.HasNaN() },
		"Gradients.HasInf":      func(g *optim.Gradients) { g.HasInf() },
		"Gradients.HasInfOrNaN": func(g *optim.Gradients) { g.HasInfOrNaN() },
		"LossScaler.Down":       func(g *optim.Gradients) { optim.NewLossScaler().Down(g) },
		"optim.Mean":            func(g *optim.Gradients) { optim.Mean(g, g) },
		"Accumulator.Add":       func(g *optim.Gradients) { optim.NewAccumulator().Add(g) },
		"Gradients.All": func(g *optim.Gradients) {
			for range g.All() {
				t.Error("All yields a released gradient")
			}
		},
	} {
		_, g := step()
		want := string(name) + ": the gradients were released, as Tape.Reset does: call " + string(name) + " before"
		if err := nd.Catch(func() { use(g) }); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
		_, g = step()
		g.ClipByGlobalNorm(1)
		g.WeightDecay(0.1)
		if err := nd.Catch(func() { use(g) }); err == nil || err.Error() != want {
			t.Errorf("after a clip: %v, want %q", err, want)
		}
	}
	if sgd.Updates() != 0 {
		t.Errorf("%d refused updates count", sgd.Updates())
	}
	view, _ := step()
	if err := nd.Catch(func() { nn.Affine(view, x, 2) }); err == nil || !strings.HasPrefix(err.Error(), "nn.Affine: a view of Scope.Watch is valid until its tape is reset") {
		t.Errorf("a layer of an old view: %v", err)
	}
}
