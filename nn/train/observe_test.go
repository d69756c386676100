package train_test

import (
	"context"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
)

// watchValue runs a training of some updates with extensions, and returns the value observed under a name after the
// last update.
func watchValue(t *testing.T, updates int, name string, update func(int, *report.Reporter), extensions ...train.Extension) (float64, bool) {
	t.Helper()
	tr := train.New(newCounter(10, 5, update), train.Every(float64(updates), train.Iteration), t.TempDir())
	for _, e := range extensions {
		tr.Extend(e)
	}
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return tr.Observation().Get(name)
}

// The rate of Adam is the corrected rate, like Chainer's Adam.lr: after five updates α·√(1-0.999⁵)/(1-0.9⁵).
func TestObserveLR(t *testing.T) {
	params := nn.NewScope()
	params.Set("w", nd.Ones([]int{2}))
	adam := optim.NewAdam(optim.AdamOptions{LR: 0.02})
	update := func(int, *report.Reporter) {
		adam.Update(optim.NewGradients(params, map[string]*nd.Array{"w": nd.Ones([]int{2})}))
	}
	always := train.ObserveLR(adam)
	got, _ := watchValue(t, 6, "lr", update, always)
	if want := 0.02 * math.Sqrt(1-math.Pow(0.999, 6)) / (1 - math.Pow(0.9, 6)); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	sgd := optim.NewSGD(optim.SGDOptions{LR: 0.25})
	if got, _ := watchValue(t, 4, "rate", nil, train.ObserveLR(sgd, train.ObserveLROptions{ObservationKey: "rate"})); got != 0.25 {
		t.Errorf("%v, want 0.25", got)
	}
	if _, ok := watchValue(t, 3, "lr", nil, train.ObserveLR(sgd)); ok {
		t.Error("a rate in the middle of an epoch")
	}
}

func TestObserveValue(t *testing.T) {
	twice := train.ObserveValue("twice", func(tr *train.Trainer) float64 { return 2 * float64(tr.Iteration()) })
	if got, _ := watchValue(t, 4, "twice", nil, twice); got != 8 {
		t.Errorf("%v, want 8", got)
	}
	if nd.Catch(func() { train.ObserveValue("", nil) }) == nil {
		t.Error("a value without a name was accepted")
	}
}
