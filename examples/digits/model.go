package main

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
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
	return nn.Affine(params.Sub("fc3"), h, classes)
}

// shifted makes more of few images: it moves half of the batches by up to a pixel.
func shifted(x *nd.Array, rng *nd.Rand) *nd.Array {
	if rng.IntN(2) == 0 {
		return x
	}
	top, left := rng.IntN(3), rng.IntN(3)
	framed := ops.Pad(x.Reshape(-1, side, side), [][2]int{{0, 0}, {1, 1}, {1, 1}})
	return framed.Index(nd.All(), nd.Span(top, top+side), nd.Span(left, left+side)).Reshape(-1, pixels)
}

func newParams(seed uint64) *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(seed)})
}

// trainer goes over the images again and again, with a learning rate that falls evenly.
type trainer struct {
	params *nn.Scope
	images images
	rng    *nd.Rand // of the order of the images, and of how they are shifted
	steps  int      // of the whole training

	opt  *nn.Optimizer
	step int
}

func newTrainer(params *nn.Scope, train images, seed uint64, epochs int) *trainer {
	return &trainer{
		params: params,
		images: train,
		rng:    nd.NewRand(seed).Split(),
		steps:  epochs * stepsPerEpoch(train),
		opt:    nn.NewAdam(),
	}
}

func stepsPerEpoch(im images) int { return (im.count() + batchSize - 1) / batchSize }

// epoch trains with every image once, and returns the mean loss. onStep is called after every batch.
func (t *trainer) epoch(onStep func()) float64 {
	tape := grad.NewTape()
	defer tape.Release()
	total := 0.0
	order := t.rng.Perm(t.images.count())
	for len(order) > 0 {
		n := min(batchSize, len(order))
		batch := t.images.rows(order[:n])
		order = order[n:]

		model := t.params.Watch(tape)
		loss := ops.Mean(ops.SoftmaxCrossEntropy(network(model, shifted(batch.x, t.rng)), batch.labels))
		g := model.Gradients(loss)
		g.WeightDecay(weightDecay)
		t.opt.SetLearningRate(firstRate + (lastRate-firstRate)*float64(t.step)/float64(t.steps))
		t.opt.Update(g)
		total += loss.Float() * float64(n)
		tape.Reset()

		t.step++
		onStep()
	}
	return total / float64(t.images.count())
}

// result is how well the test images are read.
type result struct {
	loss      float64
	accuracy  float64
	confusion confusion
}

// confusion counts the images of every digit (rows) by the digit that the network saw (columns).
type confusion [classes][classes]int

func evaluate(params *nn.Scope, im images) result {
	arena := nd.NewArena()
	defer arena.Release()
	scores := network(params, arena.Adopt(im.x))
	seen := nd.ToSlice[int](ops.ArgMax(scores, ops.Over(1)))
	r := result{loss: ops.Mean(ops.SoftmaxCrossEntropy(scores, im.labels)).Float()}
	right := 0
	for i, label := range nd.ToSlice[int](im.labels) {
		r.confusion[label][seen[i]]++
		if label == seen[i] {
			right++
		}
	}
	r.accuracy = float64(right) / float64(im.count())
	return r
}
