package train_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
	"github.com/ndgrad/ndgrad/nn/train"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// regression is a model with statistics, and with noise if the scope has a stream.
func regression(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
	h := ops.Tanh(nn.BatchNormalization(m, nn.Affine(m.Sub("l1"), b[0], 5)))
	if m.Training() {
		h = nn.Dropout(m, h, 0.25)
	}
	l := ops.Mean(loss.SquaredError(nn.Affine(m.Sub("l2"), h, 1), b[1]))
	r.Report("loss", l)
	return l
}

// examples returns n reproducible random examples.
func examples(n int) (x, y *nd.Array) {
	rng := nd.NewRand(3)
	o := nd.ArrayOptions{DType: nn.NewScope().DType()}
	return random.Normal(rng, 0, 1, []int{n, 4}, o), random.Normal(rng, 0, 1, []int{n, 1}, o)
}

func loader(n, batch int) data.Batches[data.Batch] {
	x, y := examples(n)
	return data.NewLoader(data.NewSampler(n, batch, data.SamplerOptions{Shuffle: nd.NewRand(7)}), data.Rows(x, y))
}

func trained(t *testing.T, goroutines, batch int) *nn.Scope {
	t.Helper()
	params := nn.NewScope()
	u := train.NewParallel(loader(24, batch), params, optim.NewAdam(), regression, goroutines, train.UpdaterOptions{Rand: nd.NewRand(5)})
	for range 7 {
		if err := u.Update(nil); err != nil {
			t.Fatal(err)
		}
	}
	return params
}

// TestParallelIsTheSameEachTime checks that sums are made in a fixed order, whichever goroutine is first.
func TestParallelIsTheSameEachTime(t *testing.T) {
	want := trained(t, 3, 4)
	for range 5 {
		got := trained(t, 3, 4)
		for name, p := range want.All() {
			if !ops.ArrayEqual(p.Value(), got.Get(name)) {
				t.Fatalf("%s: %v, want %v", name, got.Get(name), p.Value())
			}
		}
	}
}

// TestParallelIsOneUpdateOfTheWholeBatch holds if the model treats examples independently.
func TestParallelIsOneUpdateOfTheWholeBatch(t *testing.T) {
	apart := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		return ops.Mean(loss.SquaredError(nn.Affine(m, b[0], 1), b[1]))
	}
	x, y := examples(24)
	batches := func(size int) data.Batches[data.Batch] {
		return data.NewLoader(data.NewSampler(24, size), data.Rows(x, y))
	}
	one, many := nn.NewScope(), nn.NewScope()
	whole := train.NewUpdater(batches(12), one, optim.NewSGD(optim.SGDOptions{LR: 0.1}), apart)
	parts := train.NewParallel(batches(4), many, optim.NewSGD(optim.SGDOptions{LR: 0.1}), apart, 3)
	for range 4 {
		if err := errors.Join(whole.Update(nil), parts.Update(nil)); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range one.All() {
		if !ops.AllClose(p.Value(), many.Get(name)) {
			t.Errorf("%s: %v, want %v", name, many.Get(name), p.Value())
		}
	}
	if parts.Iteration() != 4 || parts.Position().Epoch != 2 {
		t.Errorf("%d updates, epoch %d", parts.Iteration(), parts.Position().Epoch)
	}
}

// TestParallelFaults checks that a panic of one goroutine becomes an error, and that no goroutine remains.
func TestParallelFaults(t *testing.T) {
	defer assert.NoGoroutinesLeft(t)()
	calls := 0
	faulty := func(m *nn.Scope, b data.Batch, r *report.Reporter) *nd.Array {
		if r == nil && m.Training() {
			panic("it broke")
		}
		calls++
		return regression(m, b, r)
	}
	var v report.Values
	u := train.NewParallel(loader(24, 4), nn.NewScope(), optim.NewAdam(), faulty, 2, train.UpdaterOptions{Rand: nd.NewRand(1)})
	if err := u.Update(report.New(&v)); err == nil || !strings.Contains(err.Error(), "goroutine 1: it panicked: it broke") {
		t.Errorf("error %v", err)
	}
	if u.Iteration() != 0 || calls != 2 {
		t.Errorf("%d updates, %d calls", u.Iteration(), calls)
	}
}
