package optim_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

//go:embed testdata/adam.json
var torchAdam []byte

// Fifty steps of PyTorch's Adam, with its default eps and with larger ones that show where eps is added.
func TestAdamAgainstTorch(t *testing.T) {
	var recorded struct {
		X    [][]float64
		T    []float64
		Runs []adamRun
	}
	if err := json.Unmarshal(torchAdam, &recorded); err != nil {
		t.Fatal(err)
	}
	x, want := nd.FromSlice(slices.Concat(recorded.X...), len(recorded.X), len(recorded.X[0])), nd.FromSlice(recorded.T)
	for _, run := range recorded.Runs {
		losses, w := run.train(x, want, true)
		if d := furthest(losses, run.Losses); d > 1e-6 {
			t.Errorf("eps %v: the losses differ by %v", run.Eps, d)
		}
		if d := furthest(w, run.W); d > 1e-6 {
			t.Errorf("eps %v: the weights are %v, torch's %v", run.Eps, w, run.W)
		}
		if losses, _ := run.train(x, want, false); run.Eps > 1e-3 && furthest(losses, run.Losses) < 1e-3 {
			t.Errorf("eps %v: it makes no difference where eps stands", run.Eps)
		}
	}
}

type adamRun struct {
	Beta1, Beta2, Eps, Decay float64
	Losses, W                []float64
}

// train fits tanh(x·w) to t like the script beside the data. It returns the losses and the last weights.
func (r adamRun) train(x, t *nd.Array, outside bool) (losses, w []float64) {
	scope := nn.NewScope(nn.ScopeOptions{DType: dtype.Float64})
	scope.Set("w", nd.FromSlice([]float64{0.5, -0.25, 0.125}))
	opt := optim.NewAdam(optim.AdamOptions{LR: 0.05, Beta1: &r.Beta1, Beta2: &r.Beta2, Eps: &r.Eps, EpsOutside: outside})
	tape := grad.NewTape()
	defer tape.Release()
	for range r.Losses {
		model := scope.Watch(tape)
		loss := ops.Mean(loss.SquaredError(ops.Tanh(ops.MatMul(x, model.Get("w"))), t))
		losses = append(losses, nd.Value[float64](loss))
		g := optim.GradientsOf(model, loss)
		g.WeightDecay(r.Decay)
		opt.Update(g)
		tape.Reset()
	}
	return losses, floats(scope.Get("w"))
}

// furthest returns the largest difference between elements of two slices, or Inf if their lengths differ.
func furthest(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// The effective rate is that of the last update, or before any update the rate itself.
func TestEffectiveRate(t *testing.T) {
	params := nn.NewScope()
	params.Set("w", nd.Ones([]int{2}))
	g := func() *optim.Gradients {
		return optim.NewGradients(params, map[string]*nd.Array{"w": nd.Ones([]int{2})})
	}
	adam, sgd := optim.NewAdam(optim.AdamOptions{LR: 0.5}), optim.NewSGD(optim.SGDOptions{LR: 0.25})
	if got := adam.EffectiveRate(); got != 0.5 {
		t.Errorf("before the first update %v, want 0.5", got)
	}
	for range 2 {
		adam.Update(g())
		sgd.Update(g())
	}
	if got, want := adam.EffectiveRate(), 0.5*math.Sqrt(1-0.999*0.999)/(1-0.9*0.9); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := sgd.EffectiveRate(); got != 0.25 {
		t.Errorf("%v, want 0.25", got)
	}
}
