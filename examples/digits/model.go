package main

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const (
	batchSize   = 32
	firstRate   = 3e-3
	lastRate    = 1e-4
	weightDecay = 1e-4
)

// network returns the scores of the ten digits for every image.
func network(params *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(nn.Affine(params.Sub("fc1"), x, 256))
	h = ops.ReLU(nn.Affine(params.Sub("fc2"), h, 128))
	return nn.Affine(params.Sub("fc3"), h, digits.Classes)
}

// shifted augments the images: it shifts half of the batches by up to a pixel.
func shifted(x *nd.Array, rng *nd.Rand) *nd.Array {
	if rng.IntN(2) == 0 {
		return x
	}
	top, left := rng.IntN(3), rng.IntN(3)
	framed := ops.Pad(x.Reshape(-1, digits.Side, digits.Side), [][2]int{{0, 0}, {1, 1}, {1, 1}})
	return framed.Index(nd.All(), nd.Span(top, top+digits.Side), nd.Span(left, left+digits.Side)).Reshape(-1, digits.Pixels)
}

// newParams returns parameters on a device; nil is the CPU.
func newParams(seed uint64, dev device.Device) *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{Device: dev, Rand: nd.NewRand(seed)})
}

// trainer makes passes over the images, with a linearly decreasing learning rate.
type trainer struct {
	params *nn.Scope
	images digits.Images
	rng    *nd.Rand // for the order and the shifts of the images
	steps  int      // of the whole training

	opt  *optim.Optimizer
	step int
}

func newTrainer(params *nn.Scope, train digits.Images, seed uint64, epochs int) *trainer {
	return &trainer{
		params: params,
		images: train,
		rng:    nd.NewRand(seed).Split(),
		steps:  epochs * stepsPerEpoch(train),
		opt:    optim.NewAdam(),
	}
}

func stepsPerEpoch(im digits.Images) int { return (im.Count() + batchSize - 1) / batchSize }

// epoch trains with every image once, and returns the mean loss. It calls onStep after every batch.
func (t *trainer) epoch(onStep func()) float64 {
	tape := grad.NewTape()
	defer tape.Release()
	total := 0.0
	order := t.rng.Perm(t.images.Count())
	for len(order) > 0 {
		n := min(batchSize, len(order))
		batch := t.images.Rows(order[:n])
		order = order[n:]

		model := t.params.Watch(tape)
		l := ops.Mean(loss.SoftmaxCrossEntropy(network(model, shifted(batch.X, t.rng)), batch.Labels))
		g := optim.GradientsOf(model, l)
		g.WeightDecay(weightDecay)
		t.opt.SetLearningRate(firstRate + (lastRate-firstRate)*float64(t.step)/float64(t.steps))
		t.opt.Update(g)
		total += l.Float() * float64(n)
		tape.Reset()

		t.step++
		onStep()
	}
	return total / float64(t.images.Count())
}

// result is the result on the test images.
type result struct {
	loss      float64
	accuracy  float64
	confusion confusion
}

// confusion counts the images of every digit (row) by the digit that the network answered (column).
type confusion [digits.Classes][digits.Classes]int

func evaluate(params *nn.Scope, im digits.Images) result {
	arena := nd.NewArena()
	defer arena.Release()
	scores := network(params, arena.Adopt(im.X))
	seen := nd.ToSlice[int](ops.ArgMax(scores, ops.Over(1)))
	r := result{loss: ops.Mean(loss.SoftmaxCrossEntropy(scores, im.Labels)).Float()}
	right := 0
	for i, label := range nd.ToSlice[int](im.Labels) {
		r.confusion[label][seen[i]]++
		if label == seen[i] {
			right++
		}
	}
	r.accuracy = float64(right) / float64(im.Count())
	return r
}
