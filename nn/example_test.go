package nn_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// A network of two layers learns the exclusive or of its inputs.
func Example() {
	x := nd.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2)
	t := nd.FromSlice([]int{0, 1, 1, 0}, 4, 1)

	network := func(params *nn.Scope) *nd.Array {
		h := ops.Tanh(nn.Affine(params.Sub("hidden"), x, 8))
		return nn.Affine(params.Sub("output"), h, 2)
	}
	params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(1)})
	opt := optim.NewAdam(optim.AdamOptions{LR: 0.05})
	tape := grad.NewTape()
	for range 100 {
		model := params.Watch(tape)
		l := ops.Mean(loss.SoftmaxCrossEntropy(network(model), t))
		opt.Update(optim.GradientsOf(model, l))
		tape.Reset()
	}
	fmt.Println(params.Names())
	fmt.Println(ops.ArgMax(network(params), ops.Over(1)))
	// Output:
	// [hidden/affine/W hidden/affine/b output/affine/W output/affine/b]
	// [0 1 1 0]
}

// A deep network is trained with the results of one block at a time in memory: the backward pass computes each block
// again.
func ExampleCheckpoint() {
	block := func(s *nn.Scope, x *nd.Array) *nd.Array {
		return ops.Tanh(nn.Affine(s.Sub("b"), ops.Tanh(nn.Affine(s.Sub("a"), x, 8)), 8))
	}
	params, tape := nn.NewScope(), grad.NewTape()
	defer tape.Release()
	model := params.Watch(tape)
	h := nd.Ones([]int{2, 8}, params.DType())
	for k := range 3 {
		h = nn.Checkpoint(model.Sub(fmt.Sprint(k)), block, h)
	}
	g := optim.GradientsOf(model, ops.Mean(h))
	fmt.Println(len(params.Names()), g.Get("0/a/affine/W").Shape())
	// Output: 12 [8 8]
}

// checkpoint is a training that can be saved to a file, also in the middle of an epoch, and resumed.
type checkpoint struct {
	params  *nn.Scope
	opt     *optim.Optimizer
	batches *data.Loader[data.Batch]
	rng     *nd.Rand
	updates int
}

// Archive names the whole state.
func (c *checkpoint) Archive(a *archive.Archive) {
	a.Object("params", c.params)
	a.Object("optimizer", c.opt.Of(c.params))
	a.Object("batches", c.batches)
	a.Object("rng", archive.Stream(c.rng))
	a.Int("updates", &c.updates)
}

func (c *checkpoint) train(until int) (last float64) {
	for tape := grad.NewTape(); c.updates < until; c.updates++ {
		batch, err := c.batches.Next()
		if err != nil {
			panic(err)
		}
		model := c.params.Watch(tape, nn.WatchOptions{Rand: c.rng})
		h := nn.Dropout(model, ops.Tanh(nn.Affine(model.Sub("hidden"), batch[0], 8)), 0.2)
		l := ops.Mean(loss.SquaredError(nn.Affine(model.Sub("output"), h, 1), batch[1]))
		last = l.Float()
		c.opt.Update(optim.GradientsOf(model, l))
		tape.Reset()
	}
	return last
}

// A training is stopped in the middle of an epoch, and resumes in another process: it ends like a training that never
// stopped.
func Example_resume() {
	x := nd.Arange(0, 20, 1, dtype.Float32).Reshape(10, 2)
	t := ops.Sum(x, ops.Over(1).KeepDims())
	begin := func() *checkpoint {
		rng := nd.NewRand(4)
		order := data.NewSampler(10, 4, data.SamplerOptions{Shuffle: rng.Split()})
		return &checkpoint{params: nn.NewScope(), opt: optim.NewAdam(), batches: data.NewLoader(order, data.Rows(x, t)), rng: rng}
	}
	dir, err := os.MkdirTemp("", "resume")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "training.npz")

	stopped := begin()
	stopped.train(7)
	if err := archive.Save(file, stopped); err != nil {
		panic(err)
	}
	resumed := begin()
	if err := archive.Load(file, resumed); err != nil {
		panic(err)
	}
	fmt.Println("it goes on after update", resumed.updates)
	fmt.Println(resumed.train(20) == begin().train(20))
	// Output:
	// it goes on after update 7
	// true
}
