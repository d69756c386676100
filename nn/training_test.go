package nn_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// trainer trains a small network to separate points on a ring from points outside it.
type trainer struct {
	params *nn.Scope
	opt    *optim.Optimizer
	x, t   *nd.Array
}

func newTrainer(seed uint64) *trainer {
	rng := nd.NewRand(seed)
	x := nn.NewScope(nn.ScopeOptions{Rand: rng}).Parameter("x", []int{32, 2}, initializer.Uniform(-2, 2), false)
	t := ops.Greater(ops.Sum(ops.Multiply(x, x), ops.Over(1)), 1.5)
	return &trainer{
		params: nn.NewScope(nn.ScopeOptions{Rand: rng}),
		opt:    optim.NewAdam(optim.AdamOptions{LR: 0.03}),
		x:      x,
		t:      ops.Add(t, 0), // as integers
	}
}

func (tr *trainer) network(params *nn.Scope) *nd.Array {
	h := ops.Tanh(nn.Affine(params.Sub("hidden"), tr.x, 16))
	return nn.Affine(params.Sub("output"), h, 2)
}

func (tr *trainer) train(steps int) (losses []float32) {
	tape := grad.NewTape()
	defer tape.Release()
	for range steps {
		model := tr.params.Watch(tape)
		loss := ops.Mean(loss.SoftmaxCrossEntropy(tr.network(model), tr.t))
		losses = append(losses, nd.Value[float32](loss))
		tr.opt.Update(optim.GradientsOf(model, loss))
		tape.Reset()
	}
	return losses
}

func TestTrainingLearns(t *testing.T) {
	losses := newTrainer(1).train(60)
	if first, last := losses[0], losses[59]; !(last < first/2) {
		t.Errorf("the loss went from %v to %v", first, last)
	}
}

// Two goroutines that train two models do not affect each other: each has the same result as alone.
func TestTrainingInTwoGoroutines(t *testing.T) {
	const steps = 15
	alone := [][]float32{newTrainer(1).train(steps), newTrainer(2).train(steps)}
	together := make([][]float32, 2)
	var wait sync.WaitGroup
	for i := range together {
		wait.Go(func() { together[i] = newTrainer(uint64(i + 1)).train(steps) })
	}
	wait.Wait()
	if !cmp.Equal(alone, together) {
		t.Errorf("the losses\n%v differ from those of one after the other\n%v", together, alone)
	}
}

func TestInferenceInTwoGoroutines(t *testing.T) {
	tr := newTrainer(3)
	want := floats(tr.network(tr.params))
	stored := nn.NewScope()
	for name, p := range tr.params.All() {
		stored.Set(name, p.Value())
	}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if got := floats(tr.network(stored)); !cmp.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	wait.Wait()
}
