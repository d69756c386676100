package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const (
	classes     = 10
	batchSize   = 64
	firstRate   = 3e-3
	weightDecay = 1e-4
)

// lenet returns the scores of the ten classes for every image of a batch (n, 1, height, width) of any size.
func lenet(s *nn.Scope, x *nd.Array) *nd.Array {
	h := nn.Convolution(s.Sub("conv1"), x, 16, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}, WithBias: new(false)})
	h = ops.ReLU(nn.BatchNormalization(s.Sub("conv1"), h))
	h = conv.MaxPooling(h, []int{2})
	h = ops.ReLU(nn.Convolution(s.Sub("conv2"), h, 32, []int{3, 3}, nn.ConvolutionOptions{Pad: []int{1}}))
	h = conv.MaxPooling(h, []int{2})
	h = ops.ReLU(nn.Affine(s.Sub("fc3"), h, 128))
	return nn.Affine(s.Sub("fc4"), nn.Dropout(s, h, 0.25), classes)
}

// training is a network in training, with all state that is needed to resume from a file.
type training struct {
	params  *nn.Scope
	opt     *optim.Optimizer
	rate    optim.Schedule
	batches *data.Loader[data.Batch]
	dropout *nd.Rand
	tape    *grad.Tape
	updates int // so far
	loss    float64
	losses  int // number of losses in loss
}

func newTraining(x, labels *nd.Array, epochs int, seed uint64) *training {
	rng := nd.NewRand(seed)
	sampler := data.NewSampler(x.Dim(0), batchSize, data.SamplerOptions{Shuffle: rng.Split()})
	return &training{
		params:  nn.NewScope(nn.ScopeOptions{Device: x.Device(), Rand: rng.Split()}),
		opt:     optim.NewAdam(),
		rate:    optim.CosineSchedule(firstRate, 1+epochs*x.Dim(0)/batchSize),
		batches: data.NewLoader(sampler, data.Rows(x, labels)),
		dropout: rng.Split(),
		tape:    grad.NewTape(),
	}
}

// update trains with the next batch.
func (t *training) update() error {
	batch, err := t.batches.Next()
	if err != nil {
		return err
	}
	x, labels := t.tape.Arena().Own(batch[0]), t.tape.Arena().Own(batch[1]) // Reset releases them with the rest
	model := t.params.Watch(t.tape, nn.WatchOptions{Rand: t.dropout})
	l := ops.Mean(loss.SoftmaxCrossEntropy(lenet(model, x), labels))
	g := optim.GradientsOf(model, l)
	g.Where(isWeight).WeightDecay(weightDecay)
	t.opt.SetLearningRate(t.rate(t.updates))
	t.opt.Update(g)
	t.loss, t.losses = t.loss+l.Float(), t.losses+1
	t.tape.Reset()
	t.updates++
	return nil
}

// isWeight reports whether a parameter is a weight, not a bias or a parameter of normalisation.
func isWeight(name string) bool { return strings.HasSuffix(name, "/W") }

// Archive names all state: one method saves and restores it.
func (t *training) Archive(a *archive.Archive) {
	a.Object("params", t.params)
	a.Object("optimizer", t.opt.Of(t.params))
	a.Object("batches", t.batches)
	a.Object("dropout", archive.Stream(t.dropout))
	a.Int("updates", &t.updates)
	a.Float("loss", &t.loss)
	a.Int("losses", &t.losses)
}

// resume loads a file, if it exists.
func (t *training) resume(path string) error {
	if err := archive.Load(path, t); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// accuracy returns the fraction of images that the network classifies correctly.
func accuracy(params *nn.Scope, x, labels *nd.Array) float64 {
	const atOnce = 500
	right := 0.0
	for from := 0; from < x.Dim(0); from += atOnce {
		part := nd.Span(from, min(from+atOnce, x.Dim(0)))
		arena := nd.NewArena()
		scores := lenet(params, arena.Adopt(x.Index(part)))
		seen := ops.ArgMax(scores, ops.Over(1))
		right += ops.Sum(ops.Equal(seen, labels.Index(part))).Float()
		arena.Release()
	}
	return right / float64(x.Dim(0))
}
